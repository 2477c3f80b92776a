"""The files that `configurations` and `crds` name (builtinconfig/loaddefaultconfig.go, loadconfigfromcrds.go)."""

from __future__ import annotations

from collections.abc import Callable

from quotalint.gitops.kustomize.kustomization_fields import CONFIGURATION, misfits_of, respell_fields
from quotalint.gitops.kustomize.traced import Traced
from quotalint.gitops.kustomize.transformer_config import (
    BLANK,
    KNOWN,
    FieldConflictError,
    TransformerConfig,
    config_of,
    config_of_definitions,
)
from quotalint.gitops.kustomize.work import Work
from quotalint.gitops.tree import join_path
from quotalint.kube.fields import mapping, text
from quotalint.text.place import Place


def learn_configurations(work: Work) -> None:
    """Take over what a kustomization itself teaches the transformers."""
    own = KNOWN
    for entry in work.kustomization.entries("configurations"):
        own = _with_configuration(work, own, entry, _of_fields)
    work.learn_configuration(work.kustomization.place, own, ())
    for entry in work.kustomization.entries("crds"):
        work.config = _with_configuration(work, work.config, entry, _of_definitions)


def _with_configuration(
    work: Work, config: TransformerConfig, entry: Traced, read: Callable[[Work, Traced], TransformerConfig]
) -> TransformerConfig:
    body = _configuration_body(work, entry)
    try:
        return config if body is None else config.merge_config(read(work, body))
    except FieldConflictError as error:
        work.note_problem(entry.place, f"{text(entry.value)}: {error}")
        return config


def _configuration_body(work: Work, entry: Traced) -> Traced | None:
    path = text(entry.value)
    target = work.tree.canonical_name(join_path(work.folder, path))
    work.used.add(target)
    reading = work.tree.reading(target) if work.tree.is_file(target) else None
    if reading is None:
        work.note_missing(entry, path)
        return None
    work.note_outside(entry, target)
    if reading.failures:
        work.note_problem(entry.place, f"{path} cannot be read: {reading.failures[0].message}")
        return None
    document = reading.documents[0] if reading.documents else None
    if document is not None and document.duplicates:
        work.note_problem(entry.place, f"{path} gives the key `{document.duplicates[0].key}` twice")
    return Traced(document.value, Place(target, document.index)) if document is not None else None


def _of_fields(work: Work, body: Traced) -> TransformerConfig:
    body = respell_fields(body, CONFIGURATION)
    wrong = list(misfits_of(body.value, body.place, CONFIGURATION, "a configuration"))
    for misfit in wrong:
        work.note_problem(misfit.place, misfit.reason)
    return BLANK if wrong else config_of(mapping(body.value))


def _of_definitions(work: Work, body: Traced) -> TransformerConfig:
    definitions = mapping(body.value)
    if not isinstance(body.value, dict) or not all(
        isinstance(definition, (dict, type(None))) for definition in definitions.values()
    ):
        reason = "`crds` takes OpenAPI definitions by name; a CustomResourceDefinition belongs under `resources`"
        work.note_problem(body.place, reason)
        return BLANK
    return config_of_definitions(definitions)
