"""Runs generators: ConfigMaps, Secrets, charts and generator plugins (runGenerators)."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial

from quotalint.gitops.kustomize import generators
from quotalint.gitops.kustomize.kustomize_resource import resource_of
from quotalint.gitops.kustomize.own_transformers import Accumulate, Plugin, configured_plugins
from quotalint.gitops.kustomize.traced import Traced, child, follow_keys, mapping_of, with_child
from quotalint.gitops.kustomize.work import HelmChart, Work
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.objects import objects
from quotalint.text.patterns import Patterns, compile_patterns, verdict
from quotalint.text.place import Place
from quotalint.text.tree import Tree, join_path
from quotalint.unknowns.problems import KEPT_OUT, MISSING


def generate_resources(work: Work, helm_chart: HelmChart | None, accumulate: Accumulate) -> None:
    """Add the resources that the kustomization's generators produce."""
    options = mapping(work.kustomization.body.get("generatorOptions"))
    for entry in work.kustomization.entries("configMapGenerator"):
        _make_entry(work, "ConfigMap", entry, options)
    for entry in work.kustomization.entries("helmCharts", "helmChartInflationGenerator"):
        _inflate_chart(work, helm_chart, entry, work.namespace)
    for entry in work.kustomization.entries("secretGenerator"):
        _make_entry(work, "Secret", entry, options)
    left_out: dict[Place, list[Plugin]] = {}
    for plugin in configured_plugins(work, "generators", accumulate):
        if not plugin.is_builtin:
            left_out.setdefault(plugin.entry.place, []).append(plugin)
        elif plugin.kind == "HelmChartInflationGenerator":
            _inflate_chart(work, helm_chart, plugin.configuration, "")
        elif plugin.kind in _GENERATORS:
            _GENERATORS[plugin.kind](work, plugin.configuration)
        else:
            work.note_problem(plugin.entry.place, f"{plugin.kind} is not a generator; it belongs under `transformers`")
    for place, omitted in left_out.items():
        _leave_out(work, place, omitted)


def _make_entry(work: Work, kind: str, entry: Traced, options: Body) -> None:
    try:
        generated_entry = generators.generate_entry(kind, entry, options, partial(work.data_at, entry))
    except generators.GeneratorError as error:
        work.note_problem(entry.place, str(error))
        return
    for path in generated_entry.missing:
        if _is_kept_out(work.tree, join_path(work.folder, path)):
            work.note_problem(entry.place, f"there is no {path}, which .gitignore keeps out", KEPT_OUT)
        else:
            work.note_problem(entry.place, f"there is no {path}")
    try:
        work.resources = generators.absorb_resource(work.resources, generated_entry.resource)
    except generators.NothingToMergeError as error:
        if not work.is_partial:  # the resource to merge into may be one that could not be rendered
            work.note_problem(entry.place, str(error))
    except generators.GeneratorError as error:
        work.note_problem(entry.place, str(error))


def _is_kept_out(tree: Tree, name: str) -> bool:
    """Whether the nearest matching .gitignore above an absent file ignores it (gitignore(5)). Patterns that ignore one
    of its parent folders are not considered.

    Such files often hold passwords, which exist only where the kustomization is applied.
    """
    folder, entry = posixpath.split(name)
    inner_path = ""
    while True:
        data = tree.data(join_path(folder, ".gitignore")) if tree.is_file(join_path(folder, ".gitignore")) else None
        if data:
            is_ignored = verdict(_patterns_of(data), inner_path, entry)
            if is_ignored is not None:
                return is_ignored
        if not folder or folder == posixpath.dirname(folder):
            return False
        folder, last = posixpath.split(folder)
        inner_path = f"{last}/{inner_path}"


@lru_cache(maxsize=64)
def _patterns_of(data: bytes) -> Patterns:
    return compile_patterns(data.decode("utf-8", "replace").splitlines())


def _inflate_chart(work: Work, helm_chart: HelmChart | None, entry: Traced, namespace: str) -> None:
    if helm_chart is None:
        work.note_problem(entry.place, "charts are rendered by helm", MISSING)
        return
    resources, problems = helm_chart(entry, work.kustomization, namespace)
    work.problems += problems
    work.append_resources(resources)


def _make_configured(kind: str, work: Work, configuration: Traced) -> None:
    """Run a generator object; its metadata gives name and namespace where its own fields do not."""
    for field in ("name", "namespace"):
        own = follow_keys(configuration, "metadata", field)
        generator_field = child(configuration, field)
        if own is not None and (generator_field is None or not text(generator_field.value)):
            configuration = with_child(configuration, field, own)
    _make_entry(work, kind, configuration, {})


def _make_account(work: Work, configuration: Traced) -> None:
    """Add a ServiceAccount bound to a Google Cloud account (api/filters/iampolicygenerator)."""
    body, place = mapping(configuration.value), configuration.place
    if body.get("cloud") != "gke":
        work.note_problem(place, f"the cloud {text(body.get('cloud'))} is not supported")
        return
    account = f"{text(dig(body, 'serviceAccount', 'name'))}@{text(dig(body, 'serviceAccount', 'projectId'))}"
    metadata: dict[str, object] = {
        "annotations": {"iam.gke.io/gcp-service-account": f"{account}.iam.gserviceaccount.com"},
        "name": text(dig(body, "kubernetesService", "name")),
    }
    namespace = text(dig(body, "kubernetesService", "namespace"))
    if namespace:
        metadata["namespace"] = namespace
    parts = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata}
    work.append_resources(
        [resource_of(mapping_of(place, ((key, Traced(value, place)) for key, value in parts.items())))]
    )


_GENERATORS: Mapping[str, Callable[[Work, Traced], None]] = {
    "ConfigMapGenerator": partial(_make_configured, "ConfigMap"),
    "IAMPolicyGenerator": _make_account,
    "SecretGenerator": partial(_make_configured, "Secret"),
}


def _leave_out(work: Work, place: Place, omitted: list[Plugin]) -> None:
    """Note generator plugins, which are never run. For ksops the kinds of the missing objects are known."""
    kinds = sorted({plugin.kind for plugin in omitted})
    bodies = [mapping(plugin.configuration.value) for plugin in omitted]
    only = _decrypted_kinds(work, bodies) if kinds == ["ksops"] else ()
    reason = f"the generator {', '.join(kinds)} is a plugin, which is not run"
    if only:
        reason += f"; it makes only {', '.join(f'{kind}s' for kind in only)}"
    work.note_problem(place, reason, MISSING, only=only)


def _decrypted_kinds(work: Work, bodies: Iterable[Body]) -> tuple[str, ...]:
    """The kinds that ksops produces. sops encrypts values only, so `kind` is readable in its input files."""
    kinds = {"Secret"}
    for path in (path for body in bodies for path in sequence(body.get("files"))):
        reading = work.tree.reading(join_path(work.folder, text(path)))
        documents = reading.documents if reading is not None else ()
        kinds.update(obj.kind for document in documents for obj in objects(document.value, Place(text(path))))
    return tuple(sorted(kinds))
