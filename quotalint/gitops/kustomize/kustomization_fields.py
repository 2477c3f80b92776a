"""The table of all fields that Kustomize reads, with their types and the paths they hold (api/types, release 5.8).

Kustomize refuses any other field. Field names are case-insensitive.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from quotalint.gitops.kustomize.traced import Traced, child, elements, list_of, mapping_of
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Place

SOURCE, DATA = "source", "data"
"""What a path leads to: SOURCE for manifests, patches and folders; DATA for files whose content is not a manifest."""


FILE, NAMED_FILE, FOLDER, RESOURCE, PATCH, PLUGIN = "file", "named-file", "folder", "resource", "patch", "plugin"
"""The forms of a path. FILE: a file. NAMED_FILE: a file, alone or as `name=path`. FOLDER: a folder. RESOURCE: a file or
folder. PATCH, PLUGIN: a file, or its content inline."""


class Leaf(NamedTuple):
    """A field type without fields of its own."""

    words: str
    leads_to: str = ""
    """SOURCE or DATA if the field holds a path."""
    form: str = ""
    """One of FILE to PLUGIN if the field holds a path."""


_TEXT, _NUMBER, _FLAG, _ANY = Leaf("a string"), Leaf("a whole number"), Leaf("true or false"), Leaf("anything")
_PATH, _DATA = Leaf("a string", SOURCE, FILE), Leaf("a string", DATA, FILE)
_NAMED_DATA = Leaf("a string", DATA, NAMED_FILE)
_RESOURCES, _FOLDERS = (Leaf("a string", SOURCE, RESOURCE),), (Leaf("a string", SOURCE, FOLDER),)
_PATCHES, _PLUGINS = (Leaf("a string", SOURCE, PATCH),), (Leaf("a string", SOURCE, PLUGIN),)
_PAIRS = Leaf("a mapping of strings")
_TEXTS, _PATHS = (_TEXT,), (_PATH,)
_PAIRS_OR_NONE = {"labels": _PAIRS, "annotations": _PAIRS, "disableNameSuffixHash": _FLAG, "immutable": _FLAG}
_KIND = {"group": _TEXT, "version": _TEXT, "kind": _TEXT}
_ID = {**_KIND, "name": _TEXT, "namespace": _TEXT}
_SELECTOR = {**_ID, "labelSelector": _TEXT, "annotationSelector": _TEXT}
_METADATA = {"name": _TEXT, "namespace": _TEXT, "labels": _PAIRS, "annotations": _PAIRS}
_FIELD_SPEC = {**_KIND, "path": _TEXT, "create": _FLAG}
_FIELD_SPECS = (_FIELD_SPEC,)
_PATCH_OPTIONS = {"allowNameChange": _FLAG, "allowKindChange": _FLAG}
_PATCH = {"path": _PATH, "patch": _TEXT, "target": _SELECTOR, "options": _PATCH_OPTIONS}
_FIELD_OPTIONS = {"delimiter": _TEXT, "index": _NUMBER, "encoding": _TEXT, "create": _FLAG}
_REPLACEMENT = {
    "path": _PATH,
    "sourceValue": _TEXT,
    "source": {**_ID, "fieldPath": _TEXT, "options": _FIELD_OPTIONS},
    "targets": ({"select": _SELECTOR, "reject": (_SELECTOR,), "fieldPaths": _TEXTS, "options": _FIELD_OPTIONS},),
}
_LABEL = {
    "pairs": _PAIRS,
    "includeSelectors": _FLAG,
    "includeTemplates": _FLAG,
    "fields": _FIELD_SPECS,
}
_IMAGE = {"name": _TEXT, "newName": _TEXT, "newTag": _TEXT, "digest": _TEXT, "tagSuffix": _TEXT}
_REPLICA = {"name": _TEXT, "count": _NUMBER}
_GENERATOR = {
    "name": _TEXT,
    "namespace": _TEXT,
    "behavior": _TEXT,
    "literals": _TEXTS,
    "files": (_NAMED_DATA,),
    "envs": (_DATA,),
    "env": _DATA,
    "options": _PAIRS_OR_NONE,
}
_SECRET = {**_GENERATOR, "type": _TEXT}
_VARIABLE = {
    "name": _TEXT,
    "objref": {**_ID, "apiVersion": _TEXT},
    "fieldref": {"fieldPath": _TEXT},
}
_CHART = {
    **dict.fromkeys(
        ("name", "version", "repo", "releaseName", "namespace", "valuesMerge", "kubeVersion", "nameTemplate"), _TEXT
    ),
    **dict.fromkeys(("includeCRDs", "skipHooks", "skipTests", "debug", "devel"), _FLAG),
    "valuesFile": _DATA,
    "additionalValuesFiles": (_DATA,),
    "valuesInline": _ANY,
    "apiVersions": _TEXTS,
}
_OLD_CHART = {
    **dict.fromkeys(("chartName", "chartVersion", "chartRepoUrl", "chartHome", "chartRepoName", "helmBin"), _TEXT),
    **dict.fromkeys(("helmHome", "valuesMerge", "releaseName", "releaseNamespace"), _TEXT),
    "values": _DATA,
    "valuesLocal": _ANY,
    "extraArgs": _TEXTS,
}
_CHART_HOMES = {"chartHome": _TEXT, "configHome": _TEXT}
CHARTS = frozenset({"helmGlobals", "helmCharts", "helmChartInflationGenerator"})
"""The fields that list Helm charts."""
FIELDS: Mapping[str, object] = MappingProxyType(
    {
        "apiVersion": _TEXT,
        "kind": _TEXT,
        "metadata": _METADATA,
        "resources": _RESOURCES,
        "bases": _RESOURCES,
        "components": _FOLDERS,
        "crds": _PATHS,
        "namespace": _TEXT,
        "namePrefix": _TEXT,
        "nameSuffix": _TEXT,
        "commonLabels": _PAIRS,
        "commonAnnotations": _PAIRS,
        "labels": (_LABEL,),
        "patches": (_PATCH,),
        "patchesStrategicMerge": _PATCHES,
        "patchesJson6902": (_PATCH,),
        "images": (_IMAGE,),
        "imageTags": (_IMAGE,),
        "replicas": (_REPLICA,),
        "replacements": (_REPLACEMENT,),
        "configMapGenerator": (_GENERATOR,),
        "secretGenerator": (_SECRET,),
        "generatorOptions": _PAIRS_OR_NONE,
        "vars": (_VARIABLE,),
        "openapi": {"path": _DATA, "version": _TEXT},
        "sortOptions": {"order": _TEXT, "legacySortOptions": {"orderFirst": _TEXTS, "orderLast": _TEXTS}},
        "helmGlobals": _CHART_HOMES,
        "helmCharts": (_CHART,),
        "helmChartInflationGenerator": (_OLD_CHART,),
        "configurations": _PATHS,
        "generators": _PLUGINS,
        "transformers": _PLUGINS,
        "validators": _PLUGINS,
        "buildMetadata": _TEXTS,
    }
)
TRANSFORMERS = (
    "namePrefix",
    "nameSuffix",
    "namespace",
    "commonLabels",
    "labels",
    "templateLabels",
    "volumeClaimTemplateLabels",
    "commonAnnotations",
    "varReference",
    "images",
    "replicas",
)
"""The transformers for which a `configurations` file may give fields, besides `nameReference`."""
CONFIGURATION: Mapping[str, object] = MappingProxyType(
    {
        **dict.fromkeys(TRANSFORMERS, _FIELD_SPECS),
        "nameReference": ({**_KIND, "fieldSpecs": _FIELD_SPECS},),
    }
)
"""The fields of a `configurations` file."""
_PLUGIN = {"metadata": _METADATA, "fieldSpecs": _FIELD_SPECS}
PLUGINS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "AnnotationsTransformer": {**_PLUGIN, "annotations": _PAIRS},
        "ConfigMapGenerator": {**_PLUGIN, **_GENERATOR},
        "HashTransformer": _PLUGIN,
        "HelmChartInflationGenerator": {**_PLUGIN, **_CHART_HOMES, **_CHART},
        "IAMPolicyGenerator": {
            **_PLUGIN,
            "cloud": _TEXT,
            "kubernetesService": {"namespace": _TEXT, "name": _TEXT},
            "serviceAccount": {"name": _TEXT, "projectId": _TEXT},
        },
        "ImageTagTransformer": {**_PLUGIN, "imageTag": _IMAGE},
        "LabelTransformer": {**_PLUGIN, "labels": _PAIRS},
        "NamespaceTransformer": {**_PLUGIN, "unsetOnly": _FLAG, "setRoleBindingSubjects": _TEXT},
        "PatchJson6902Transformer": {**_PLUGIN, "target": _SELECTOR, "path": _PATH, "jsonOp": _TEXT},
        "PatchStrategicMergeTransformer": {**_PLUGIN, "paths": _PATCHES, "patches": _TEXT},
        "PatchTransformer": {**_PLUGIN, **_PATCH},
        "PrefixSuffixTransformer": {**_PLUGIN, "prefix": _TEXT, "suffix": _TEXT},
        "PrefixTransformer": {**_PLUGIN, "prefix": _TEXT},
        "ReplacementTransformer": {**_PLUGIN, "replacements": (_REPLACEMENT,)},
        "ReplicaCountTransformer": {**_PLUGIN, "replica": _REPLICA},
        "SecretGenerator": {**_PLUGIN, **_SECRET},
        "SuffixTransformer": {**_PLUGIN, "suffix": _TEXT},
        "ValueAddTransformer": {
            **_PLUGIN,
            "value": _TEXT,
            "targetFilePath": _PATH,
            "targets": ({"selector": _SELECTOR, "fieldPath": _TEXT, "filePathPosition": _NUMBER},),
        },
    }
)
"""The fields of the built-in generators and transformers (api/internal/builtins)."""


class Misfit(NamedTuple):
    """An unknown field of a kustomization, or a value of the wrong type."""

    place: Place
    reason: str


def misfits_of(
    value: object, place: Place, wanted: object = FIELDS, name: str = "a kustomization", *, strictly: bool = True
) -> Iterator[Misfit]:
    """The fields that Kustomize refuses. Null is accepted everywhere. Unless `strictly`, unknown fields are accepted
    too."""
    if value is None or wanted == _ANY:
        return
    if isinstance(wanted, Mapping):
        if not isinstance(value, dict):
            yield Misfit(place, f"{name} must be a mapping")
            return
        for key, below in value.items():
            if key in wanted:
                yield from misfits_of(below, place.at(key), wanted[key], f"`{key}`", strictly=strictly)
            elif strictly:
                yield Misfit(place.at(key), f"{name} has no field `{key}`")
    elif isinstance(wanted, Leaf):
        # Plugin configurations accept numbers and booleans for strings (sigs.k8s.io/yaml, for a known type).
        if not _fits_type(value, wanted) and (strictly or not _fits_type(_with_text_leaves(value), wanted)):
            yield Misfit(place, f"{name} must be {wanted.words}")
    elif isinstance(wanted, tuple):
        if not isinstance(value, list):
            yield Misfit(place, f"{name} must be a list")
            return
        for number, item in enumerate(value):
            yield from misfits_of(item, place.at(number), wanted[0], f"an entry of {name}", strictly=strictly)


def _with_text_leaves(value: object) -> object:
    if isinstance(value, dict):
        return {key: _with_text_leaves(below) for key, below in value.items()}
    return str(value) if isinstance(value, (int, float)) else value


def _fits_type(value: object, wanted: Leaf) -> bool:
    if wanted == _PAIRS:
        return isinstance(value, dict) and all(text is None or isinstance(text, str) for text in value.values())
    if wanted == _NUMBER:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, bool if wanted == _FLAG else str)


class NamedPath(NamedTuple):
    """A path in a kustomization, and whether it leads to SOURCE or DATA."""

    path: str
    leads_to: str


def named_paths(value: object, wanted: object = FIELDS) -> Iterator[NamedPath]:
    """The paths in a kustomization or a part of one. A string of several lines is inline content, not a path."""
    if isinstance(wanted, Leaf):
        if wanted.leads_to and isinstance(value, str) and value and "\n" not in value:
            path = value.partition("=")[2] or value if wanted.form == NAMED_FILE else value
            yield NamedPath(path, wanted.leads_to)
    elif isinstance(wanted, tuple):
        for item in value if isinstance(value, list) else ():
            # Before release 2.1 `patches` was a list of files.
            yield from named_paths(item, _PATH if wanted[0] is _PATCH and isinstance(item, str) else wanted[0])
    elif isinstance(wanted, Mapping) and isinstance(value, dict):
        for key, below in value.items():
            if key in wanted:
                yield from named_paths(below, wanted[key])


def respell_fields(value: Traced, wanted: object = FIELDS) -> Traced:
    """The value with field names in Kustomize's spelling; Kustomize reads them case-insensitively (encoding/json)."""
    return value if _is_spelt(value.value, wanted) else _respelt(value, wanted)


def _is_spelt(value: object, wanted: object) -> bool:
    if isinstance(wanted, Leaf):
        return True
    if isinstance(wanted, tuple) and isinstance(value, list):
        return isinstance(wanted[0], Leaf) or all(_is_spelt(item, wanted[0]) for item in value)
    if isinstance(value, dict) and isinstance(wanted, Mapping):
        return all(key in wanted and _is_spelt(below, wanted[key]) for key, below in value.items())
    return True


def _respelt(value: Traced, wanted: object) -> Traced:
    if isinstance(wanted, tuple) and not isinstance(wanted, Leaf) and isinstance(value.value, list):
        items = elements(value)
        new = [_respelt(item, wanted[0]) for item in items]
        return value if all(map(operator.is_, items, new)) else list_of(value.place, new)
    if not isinstance(wanted, Mapping) or not isinstance(value.value, dict):
        return value
    spelt: dict[str, str] = {name.lower(): name for name in wanted}
    children = [(key, child(value, key) or value) for key in value.value]
    named = [(key if key in wanted else spelt.get(str(key).lower(), str(key)), below) for key, below in children]
    new_children = [(key, _respelt(below, wanted.get(key))) for key, below in named]
    same = all(
        old_child[0] == new_child[0] and old_child[1] is new_child[1]
        for old_child, new_child in zip(children, new_children, strict=True)
    )
    return value if same else mapping_of(value.place, new_children)
