"""The generators of an ApplicationSet, which produce parameters for its Applications (argo-cd 3.6, applicationset)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from quotalint.gitops.argocd.git_generator import RepositoryFiles, file_parameters, folder_parameters
from quotalint.gitops.argocd.parameter_sets import (
    combine_flat,
    decode_value,
    flatten_parameters,
    label_selector,
    merge_nested,
)
from quotalint.gitops.argocd.set_templates import Parameters, SetTemplating, UnexpandableError, UnfollowedError
from quotalint.gitops.go.text_functions import normalize_name
from quotalint.gitops.go.values import StringMap, go_text
from quotalint.kube.fields import EMPTY, Body, mapping, sequence, text
from quotalint.named_tuples import NamedTuple
from quotalint.settings import ConfiguredCluster
from quotalint.unknowns.causes import CLUSTER_DECISION, CLUSTERS, CODE_HOST, GENERATOR_PROGRAM, Reason

MAX_SETS = 10_000
"""The largest number of parameter sets of one generator."""

MAX_LOOKS = 200_000
"""The largest number of parameter sets that a matrix may examine, including those its selectors reject. Sixteen folders
or files compared with a pattern count as one."""


class GeneratorContext(NamedTuple):
    """The input of generators."""

    repository: RepositoryFiles
    clusters: Sequence[ConfiguredCluster]
    templating: SetTemplating
    guessed: bool = False
    """Whether the clusters are guessed from list generators that are merged with a cluster generator."""


class Generated(NamedTuple):
    """The result of one generator."""

    sets: tuple[Parameters, ...] = ()
    unknown: tuple[str, ...] = ()
    """Why there may be more or other sets."""
    looked_at: int = 0
    """How many sets were examined."""
    template: Body = EMPTY
    """The generator's own template; it overrides that of the ApplicationSet."""


def generate_sets(
    generator: Body, context: GeneratorContext, first_parameters: Parameters = EMPTY, level: int = 0
) -> tuple[Generated, ...]:
    """The results of one entry of `generators`, usually one generator (`Transform`).

    `first_parameters` come from the first generator of a matrix and fill the second. Raises UnexpandableError.
    """
    written = mapping(generator.get("selector"))
    picks = label_selector(written) if generator.get("selector") is not None else None
    present = [name for name in _GENERATORS if isinstance(generator.get(name), dict)]
    if level == _DEEPEST:
        present = [name for name in present if name not in ("matrix", "merge")]
    filled = context.templating.filled_generator({name: generator[name] for name in present}, first_parameters)
    result = []
    for name in present:
        generated_sets = _GENERATORS[name](mapping(filled.get(name)), context, level)
        if len(generated_sets.sets) > MAX_SETS:
            raise UnfollowedError(f"the {name} generator gives parameters for more than {MAX_SETS:,} Applications")
        sets = tuple(
            parameters for parameters in generated_sets.sets if picks is None or picks(flatten_parameters(parameters))
        )
        template = mapping(mapping(generator[name]).get("template"))
        result.append(
            Generated(sets, generated_sets.unknown, generated_sets.looked_at or len(generated_sets.sets), template)
        )
    return tuple(result)


_DEEPEST = 2  # a matrix or merge may be nested once


def _list_generator(generator: Body, context: GeneratorContext, _level: int) -> Generated:
    sets = []
    for element in sequence(generator.get("elements")):
        if element is not None and not isinstance(element, dict):
            raise UnexpandableError("the list generator has an element that is not a mapping")
        sets.append(mapping(decode_value(element)) if context.templating.go else _element_texts(mapping(element)))
    written = generator.get("elementsYaml")
    if isinstance(written, str) and written:
        for element in sequence(decode_value(_parse_elements(written))):
            if element is not None and not isinstance(element, dict):
                raise UnexpandableError("elementsYaml has an element that is not a mapping")
            sets.append(mapping(element))
    return Generated(tuple(sets))


def _element_texts(element: Body) -> Parameters:
    result: dict[str, object] = {}
    for key, value in element.items():
        texts = {key: value}
        if key == "values" and isinstance(value, dict):
            texts = {f"values.{name}": below for name, below in value.items()}
        if not all(isinstance(part, str) for part in texts.values()) or (key in texts and key == "values"):
            raise UnexpandableError(
                f"the list generator takes only strings without goTemplate, and {key} is not one (quote it, or turn "
                "goTemplate on)"
            )
        result.update(texts)
    return result


def _parse_elements(written: str) -> object:
    from quotalint.text.loader import Trouble, load

    loaded = load(written.encode("utf-8", "surrogatepass"))
    if isinstance(loaded, Trouble):
        raise UnexpandableError(f"elementsYaml is not YAML: {loaded.message}")
    if loaded.value is not None and not isinstance(loaded.value, list):
        raise UnexpandableError("elementsYaml is not a list")
    return loaded.value


def _git_generator(generator: Body, context: GeneratorContext, _level: int) -> Generated:
    url = text(generator.get("repoURL"))
    folders, files = sequence(generator.get("directories")), sequence(generator.get("files"))
    if not folders and not files:
        raise UnexpandableError("the git generator has neither directories nor files")
    if not context.repository.is_here(url):
        return Generated(unknown=(f"the git generator reads another repository, {url or 'without a repoURL'}",))
    elsewhere = context.repository.why_elsewhere(url, text(generator.get("revision")))
    if elsewhere:
        return Generated(unknown=(f"of the git generator {elsewhere}",))
    unknown: list[str] = []
    go = context.templating.go
    if folders:
        folder_sets = folder_parameters(generator, context.repository, go=go)
    else:
        folder_sets = file_parameters(generator, context.repository, go=go, unknown=unknown)
    sets = tuple(_with_values(generator, parameters, context) for parameters in folder_sets)
    places = context.repository.folders() if folders else context.repository.files()
    return Generated(sets, tuple(unknown), len(sets) + len(places) * len(folders or files) // 16)


def _with_values(generator: Body, parameters: dict[str, object], context: GeneratorContext) -> Parameters:
    """The parameters with the generator's `values` added (generators/value_interpolation.go,
    `appendTemplatedValues`)."""
    values = {
        key: context.templating.replace_parameters(text(value), parameters)
        for key, value in mapping(generator.get("values")).items()
    }
    if context.templating.go:
        return {**parameters, "values": StringMap(values)} if values else parameters
    return {**parameters, **{f"values.{key}": value for key, value in values.items()}}


def _cluster_generator(generator: Body, context: GeneratorContext, _level: int) -> Generated:
    if not context.clusters:
        words = "the cluster generator needs `clusters` in .quotalint.yaml"
        return Generated(unknown=(Reason(words, CLUSTERS, "the list of clusters"),))
    written = mapping(generator.get("selector"))
    if context.guessed:
        named = [
            _cluster_parameters(known_cluster, dict(known_cluster.labels), go=context.templating.go)
            for known_cluster in context.clusters
        ]
        words = "the cluster generator needs `clusters` in .quotalint.yaml; those that list elements name are assumed"
        parameter_sets = tuple(_with_values(generator, parameters, context) for parameters in named)
        return Generated(parameter_sets, (Reason(words, CLUSTERS, "the list of clusters"),))
    picks = label_selector(written)
    sets = []
    for cluster in {known_cluster.name: known_cluster for known_cluster in context.clusters}.values():
        labels = {**cluster.labels, _SECRET_TYPE: "cluster"}
        if picks(labels):
            sets.append(_cluster_parameters(cluster, labels, go=context.templating.go))
    in_cluster = any(known_cluster.server == _IN_CLUSTER for known_cluster in context.clusters)
    if not in_cluster and not written.get("matchLabels") and not written.get("matchExpressions"):
        sets.append({"name": "in-cluster", "nameNormalized": "in-cluster", "server": _IN_CLUSTER, "project": ""})
    result = tuple(_with_values(generator, parameters, context) for parameters in sets)
    return Generated(
        ({"clusters": [dict(parameters) for parameters in result]},) if generator.get("flatList") is True else result
    )


_SECRET_TYPE = "argocd.argoproj.io/secret-type"
_IN_CLUSTER = "https://kubernetes.default.svc"


def _cluster_parameters(cluster: ConfiguredCluster, labels: dict[str, str], *, go: bool) -> dict[str, object]:
    result: dict[str, object] = {
        "name": cluster.name,
        "nameNormalized": normalize_name(cluster.name),
        "server": cluster.server,
        "project": "",
    }
    annotations = dict(cluster.annotations)
    if go:
        result["metadata"] = {
            **({"annotations": StringMap(annotations)} if annotations else {}),
            "labels": StringMap(labels),
        }
        return result
    result.update({f"metadata.annotations.{key}": value for key, value in annotations.items()})
    result.update({f"metadata.labels.{key}": value for key, value in labels.items()})
    return result


def _inner_sets(
    generator: object, context: GeneratorContext, first_parameters: Parameters, level: int, name: str
) -> Generated:
    generated_sets = generate_sets(mapping(generator), context, first_parameters, level + 1)
    if len(generated_sets) != 1:
        raise UnexpandableError(f"an entry of the {name} generator has {len(generated_sets) or 'no known'} generators")
    return generated_sets[0]


def _matrix_generator(generator: Body, context: GeneratorContext, level: int) -> Generated:
    inner = sequence(generator.get("generators"))
    if len(inner) != 2:
        raise UnexpandableError(f"the matrix generator takes two generators, not {len(inner)}")
    first = _inner_sets(inner[0], context, EMPTY, level, "matrix")
    unknown = dict.fromkeys(first.unknown)
    sets: list[Parameters] = []
    looked_at = first.looked_at
    for parameters in first.sets:
        second = _inner_sets(inner[1], context, parameters, level, "matrix")
        unknown.update(dict.fromkeys(second.unknown))
        looked_at += second.looked_at
        if looked_at > MAX_LOOKS:
            raise UnfollowedError("the matrix generator combines too much to follow")
        if len(sets) + len(second.sets) > MAX_SETS:
            raise UnfollowedError(f"the matrix generator gives parameters for more than {MAX_SETS:,} Applications")
        sets += (
            merge_nested(other, parameters) if context.templating.go else combine_flat(parameters, other)
            for other in second.sets
        )
    return Generated(tuple(sets), tuple(unknown), looked_at)


def _merge_generator(generator: Body, context: GeneratorContext, level: int) -> Generated:
    inner = sequence(generator.get("generators"))
    keys = tuple(map(text, sequence(generator.get("mergeKeys"))))
    if len(inner) < 2:
        raise UnexpandableError(f"the merge generator takes two generators or more, not {len(inner)}")
    if not keys:
        raise UnexpandableError("the merge generator has no mergeKeys")
    if not context.clusters:
        context = context._replace(clusters=_named_clusters(inner, keys), guessed=True)
    inner_sets = [_inner_sets(inner_generator, context, EMPTY, level, "merge") for inner_generator in inner]
    base = _by_key(inner_sets[0].sets, keys)
    for other in inner_sets[1:]:
        for key, over in _by_key(other.sets, keys).items():
            if key in base:
                base[key] = merge_nested(base[key], over) if context.templating.go else {**base[key], **over}
    unknown = dict.fromkeys(reason for generated_set in inner_sets for reason in generated_set.unknown)
    return Generated(tuple(base.values()), tuple(unknown), sum(generated_set.looked_at for generated_set in inner_sets))


def _named_clusters(generators: Sequence[object], keys: tuple[str, ...]) -> tuple[ConfiguredCluster, ...]:
    """The clusters named in list elements that a merge joins by cluster name."""
    lists = (sequence(mapping(mapping(generator).get("list")).get("elements")) for generator in generators)
    elements = [mapping(element) for listed in lists for element in listed]
    fields = [key for key in ("nameNormalized", "name") if key in keys]
    names = dict.fromkeys(text(element.get(field)) for field in fields for element in elements)
    return tuple(ConfiguredCluster(name, name) for name in names if name)


def _by_key(sets: Sequence[Parameters], keys: tuple[str, ...]) -> dict[tuple[str, ...], Parameters]:
    result: dict[tuple[str, ...], Parameters] = {}
    for parameters in sets:
        key = tuple(f"{type(parameters.get(name)).__name__} {go_text(parameters.get(name))}" for name in keys)
        if key in result:
            raise UnexpandableError(f"two sets of parameters share their mergeKeys: {', '.join(key)}")
        result[key] = parameters
    return result


def _unseen_generator(
    name: str, what: str, family: str = CODE_HOST
) -> Callable[[Body, GeneratorContext, int], Generated]:
    reason = Reason(f"the {name} generator asks {what}", family, f"the {name} generator")
    return lambda _generator, _context, _level: Generated(unknown=(reason,))


_GENERATORS: Mapping[str, Callable[[Body, GeneratorContext, int], Generated]] = {
    "list": _list_generator,
    "clusters": _cluster_generator,
    "git": _git_generator,
    "scmProvider": _unseen_generator("scmProvider", "a code host which repositories there are"),
    "clusterDecisionResource": _unseen_generator(
        "clusterDecisionResource", "the cluster for an object that decides", CLUSTER_DECISION
    ),
    "pullRequest": _unseen_generator("pullRequest", "a code host which pull requests are open"),
    "matrix": _matrix_generator,
    "merge": _merge_generator,
    "plugin": _unseen_generator("plugin", "a program of your own", GENERATOR_PROGRAM),
}
