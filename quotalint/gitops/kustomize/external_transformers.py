"""What a kustomization says of generators, transformers and validators of its own
(kusttarget.go, configureExternalTransformers)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from quotalint.gitops.kustomize.kustomization_fields import PLUGINS, misfits_of, respell_fields
from quotalint.gitops.kustomize.kustomize_yaml import read_inline
from quotalint.gitops.kustomize.traced import Traced
from quotalint.gitops.kustomize.work import Work
from quotalint.kube.fields import mapping, text
from quotalint.named_tuples import NamedTuple

_BUILTIN = "builtin"


class Plugin(NamedTuple):
    """A generator or transformer as it is configured."""

    entry: Traced
    """The entry of the kustomization that names it, or holds it."""
    kind: str
    configuration: Traced

    @property
    def is_builtin(self) -> bool:
        """Whether Kustomize brings it along; anything else is a program."""
        return mapping(self.configuration.value).get("apiVersion") == _BUILTIN and self.kind in PLUGINS


Accumulate = Callable[[Work, Traced], None]
"""Adds what an entry of `resources` leads to."""


def configured_plugins(work: Work, field: str, accumulate: Accumulate) -> list[Plugin]:
    """What an entry configures that is written down in the kustomization comes before what lies in files."""
    inline: list[Plugin] = []
    named: list[Plugin] = []
    for entry in work.kustomization.entries(field):
        documents = _inline_objects(entry)
        if documents is None:
            named += _named_plugins(work, entry, accumulate)
        else:
            inline += [_plugin(entry, document) for document in documents]
    return [plugin for plugin in (*inline, *named) if not _is_misfit(work, plugin)]


def _inline_objects(entry: Traced) -> list[Traced] | None:
    """The objects that an entry holds; None where it is a path."""
    reading = read_inline(text(entry.value).encode("utf-8", "surrogatepass"))
    bodies = [document.value for document in reading.documents]
    if reading.failures or not bodies or not all(isinstance(body, dict) for body in bodies):
        return None
    return [Traced(body, entry.place) for body in bodies]


def _named_plugins(work: Work, entry: Traced, accumulate: Accumulate) -> Iterable[Plugin]:
    aside = Work(work.tree, work.kustomization, work.folder, "")
    accumulate(aside, entry)
    work.problems += aside.problems
    work.used |= aside.used
    return [_plugin(entry, resource.traced) for resource in aside.resources]


def _plugin(entry: Traced, configuration: Traced) -> Plugin:
    kind = text(mapping(configuration.value).get("kind")) or "unknown"
    return Plugin(entry, kind, respell_fields(configuration, PLUGINS.get(kind, {})))


def _is_misfit(work: Work, plugin: Plugin) -> bool:
    if not plugin.is_builtin:
        return False
    wrong = list(
        misfits_of(
            plugin.configuration.value, plugin.configuration.place, PLUGINS[plugin.kind], plugin.kind, strictly=False
        )
    )
    for misfit in wrong:
        work.note_problem(misfit.place, misfit.reason)
    return bool(wrong)
