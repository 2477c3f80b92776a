"""The fields of a kustomization and what they hold (api/types, release 5.8): Kustomize refuses all others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from quotalint.text.place import Place

_TEXT, _NUMBER, _FLAG, _ANY = "a text", "a whole number", "true or false", "anything"
_TEXTS = (_TEXT,)
_PAIRS = "texts by name"
_PAIRS_OR_NONE = {"labels": _PAIRS, "annotations": _PAIRS, "disableNameSuffixHash": _FLAG, "immutable": _FLAG}
_KIND = {"group": _TEXT, "version": _TEXT, "kind": _TEXT}
_ID = {**_KIND, "name": _TEXT, "namespace": _TEXT}
_SELECTOR = {**_ID, "labelSelector": _TEXT, "annotationSelector": _TEXT}
_PATCH_OPTIONS = {"allowNameChange": _FLAG, "allowKindChange": _FLAG}
_PATCH = {"path": _TEXT, "patch": _TEXT, "target": _SELECTOR, "options": _PATCH_OPTIONS}
_FIELD_OPTIONS = {"delimiter": _TEXT, "index": _NUMBER, "encoding": _TEXT, "create": _FLAG}
_REPLACEMENT = {
    "path": _TEXT,
    "sourceValue": _TEXT,
    "source": {**_ID, "fieldPath": _TEXT, "options": _FIELD_OPTIONS},
    "targets": ({"select": _SELECTOR, "reject": (_SELECTOR,), "fieldPaths": _TEXTS, "options": _FIELD_OPTIONS},),
}
_LABEL = {
    "pairs": _PAIRS,
    "includeSelectors": _FLAG,
    "includeTemplates": _FLAG,
    "fields": ({**_KIND, "path": _TEXT, "create": _FLAG},),
}
_IMAGE = {"name": _TEXT, "newName": _TEXT, "newTag": _TEXT, "digest": _TEXT, "tagSuffix": _TEXT}
_GENERATOR = {
    "name": _TEXT,
    "namespace": _TEXT,
    "behavior": _TEXT,
    "literals": _TEXTS,
    "files": _TEXTS,
    "envs": _TEXTS,
    "env": _TEXT,
    "options": _PAIRS_OR_NONE,
}
FIELDS: Mapping[str, object] = MappingProxyType(
    {
        "apiVersion": _TEXT,
        "kind": _TEXT,
        "metadata": {"name": _TEXT, "namespace": _TEXT, "labels": _PAIRS, "annotations": _PAIRS},
        "resources": _TEXTS,
        "bases": _TEXTS,
        "components": _TEXTS,
        "crds": _TEXTS,
        "namespace": _TEXT,
        "namePrefix": _TEXT,
        "nameSuffix": _TEXT,
        "commonLabels": _PAIRS,
        "commonAnnotations": _PAIRS,
        "labels": (_LABEL,),
        "patches": (_PATCH,),
        "patchesStrategicMerge": _TEXTS,
        "patchesJson6902": (_PATCH,),
        "images": (_IMAGE,),
        "imageTags": (_IMAGE,),
        "replicas": ({"name": _TEXT, "count": _NUMBER},),
        "replacements": (_REPLACEMENT,),
        "configMapGenerator": (_GENERATOR,),
        "secretGenerator": ({**_GENERATOR, "type": _TEXT},),
        "generatorOptions": _PAIRS_OR_NONE,
        "vars": _ANY,
        "openapi": _ANY,
        "sortOptions": {"order": _TEXT, "legacySortOptions": _ANY},
        "helmGlobals": _ANY,
        "helmCharts": _ANY,
        "helmChartInflationGenerator": _ANY,
        "configurations": _TEXTS,
        "generators": _TEXTS,
        "transformers": _TEXTS,
        "validators": _TEXTS,
        "buildMetadata": _TEXTS,
    }
)


class Misfit(NamedTuple):
    """A field that a kustomization does not have, or a value of a type that it cannot have."""

    place: Place
    reason: str


def misfits(value: object, place: Place, wanted: object = FIELDS, name: str = "a kustomization") -> Iterator[Misfit]:
    """All that Kustomize refuses about the fields of a kustomization. Null stands for nothing, everywhere."""
    if value is None or wanted == _ANY:
        return
    if isinstance(wanted, Mapping):
        if not isinstance(value, dict):
            yield Misfit(place, f"{name} must be a mapping")
            return
        for key, below in value.items():
            if key in wanted:
                yield from misfits(below, place.at(key), wanted[key], f"`{key}`")
            else:
                yield Misfit(place.at(key), f"{name} has no field `{key}`")
    elif isinstance(wanted, tuple):
        if not isinstance(value, list):
            yield Misfit(place, f"{name} must be a list")
            return
        for number, item in enumerate(value):
            yield from misfits(item, place.at(number), wanted[0], f"an entry of {name}")
    elif not _fits(value, wanted):
        yield Misfit(place, f"{name} must be {wanted}")


def _fits(value: object, wanted: object) -> bool:
    if wanted == _PAIRS:
        return isinstance(value, dict) and all(one is None or isinstance(one, str) for one in value.values())
    if wanted == _NUMBER:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, bool if wanted == _FLAG else str)
