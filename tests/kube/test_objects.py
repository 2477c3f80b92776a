"""Documents as objects: lists are unpacked, what names no kind is none."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from quotalint.kube.objects import Object, Ref, objects
from quotalint.text.place import Place

PLACE = Place("apps/a.yaml", 2)
# text → (group, version, kind, namespace, name, path within the document) of each object
CASES: dict[str, tuple[str, list[tuple[str, str, str, str, str, tuple[str | int, ...]]]]] = {
    "core group": (
        "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: shop}}",
        [("", "v1", "Pod", "shop", "p", ())],
    ),
    "named group": (
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}}",
        [("apps", "v1", "Deployment", "", "d", ())],
    ),
    "no metadata": ("{apiVersion: v1, kind: Pod}", [("", "v1", "Pod", "", "", ())]),
    "metadata that is none": ("{apiVersion: v1, kind: Pod, metadata: [name]}", [("", "v1", "Pod", "", "", ())]),
    "no apiVersion": ("{kind: Pod, metadata: {name: p}}", []),
    "no kind": ("{apiVersion: v1, metadata: {name: p}}", []),
    "a kind that is no text": ("{apiVersion: v1, kind: [Pod]}", []),
    "a version that is no text": ("{apiVersion: 1, kind: Pod}", []),
    "a list of values": ("[{apiVersion: v1, kind: Pod}]", []),
    "text": ("just text", []),
    "nothing": ("null", []),
    "a List": (
        "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod, metadata: {name: a}}, "
        "{apiVersion: batch/v1, kind: Job, metadata: {name: b}}]}",
        [("", "v1", "Pod", "", "a", ("items", 0)), ("batch", "v1", "Job", "", "b", ("items", 1))],
    ),
    "items of a List must say what they are": (
        "{apiVersion: v1, kind: List, items: [{metadata: {name: a}}, null, 3, [], {kind: Pod}]}",
        [],
    ),
    "a typed list lends its version and kind": (
        "{apiVersion: apps/v1, kind: DeploymentList, items: [{metadata: {name: a}}]}",
        [("apps", "v1", "Deployment", "", "a", ("items", 0))],
    ),
    "an item of a typed list keeps its own": (
        "{apiVersion: apps/v1, kind: DeploymentList, items: [{apiVersion: v1, kind: Pod, metadata: {name: a}}]}",
        [("", "v1", "Pod", "", "a", ("items", 0))],
    ),
    "a List in a List": (
        "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: List, items: "
        "[{apiVersion: v1, kind: Pod, metadata: {name: a}}]}]}",
        [("", "v1", "Pod", "", "a", ("items", 0, "items", 0))],
    ),
    "an empty List": ("{apiVersion: v1, kind: List, items: []}", []),
    "a kind that merely ends in List": (
        "{apiVersion: example.com/v1, kind: AllowList, metadata: {name: a}}",
        [("example.com", "v1", "AllowList", "", "a", ())],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_documents_become_objects_with_their_places(case: str) -> None:
    text, expected = CASES[case]
    read_objects = list(objects(yaml.safe_load(text), PLACE))
    assert [(*obj[:5], obj.place) for obj in read_objects] == [(*row[:5], PLACE.at(*row[5])) for row in expected]


def test_lists_that_nest_without_end_have_one() -> None:
    value: Any = {"apiVersion": "v1", "kind": "List"}
    value["items"] = [value]
    assert list(objects(value, PLACE)) == []


def test_what_an_object_tells_of_itself() -> None:
    (obj,) = objects(
        yaml.safe_load("{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {a: 1}}"), PLACE
    )
    assert (obj.ref, obj.folder, obj.api_version, obj.spec, obj.metadata, obj.at("spec", "a")) == (
        Ref("apps", "Deployment", "", "d"),
        "apps",
        "apps/v1",
        {"a": 1},
        {"name": "d"},
        Place("apps/a.yaml", 2, ("spec", "a")),
    )


@pytest.mark.parametrize("spec", [None, 3, "text", [1], True])
def test_a_spec_that_is_none_reads_as_empty(spec: object) -> None:
    obj = Object("", "v1", "Pod", "", "p", {"spec": spec, "metadata": spec}, PLACE)
    assert (dict(obj.spec), dict(obj.metadata)) == ({}, {})
