"""`quotalint render`: what is written is what Kubernetes reads back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotalint.kube.guess import NAMESPACE, Guess
from quotalint.kube.objects import Object, objects
from quotalint.reports.manifests import ASSUMED, ENVIRONMENT, ORIGIN, render, render_bare
from quotalint.text.documents import read
from quotalint.text.place import Derivation, Mixed, Place, Span

WORDS = [
    "yes",
    "on",
    "y",
    "1e3",
    "0o7",
    "0x1F",
    "=",
    "~",
    "null",
    "2020-01-01",
    "1:20",
    "1_000",
    ".5",
    ".inf",
    ".NaN",
    "- a",
    "a: b",
    "#",
]
TEXTS = st.one_of(
    st.sampled_from(WORDS),
    st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Co", "Cn"))),
    st.text(st.sampled_from("a \n:#'\"")),
)
VALUES = st.recursive(
    st.one_of(st.booleans(), st.integers(-(2**53), 2**53), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=4)),
    max_leaves=12,
)


@given(VALUES)
def test_what_is_written_is_read_back(value: object) -> None:
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"value": value}}
    written = render(
        [("", list(objects(body, Place("a.yaml"))))], lambda places: dict.fromkeys(places, Span(1, 1, 1, 2))
    )
    (document,) = read(written.encode()).documents
    assert isinstance(document.value, dict)
    assert document.value["data"] == {"value": value}


def test_annotations_say_where_it_is_applied_and_where_it_comes_from() -> None:
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "annotations": {"team": "a"}}}
    base, patch = Place("base.yaml"), Place("patch.yaml")
    made = Derivation(Mixed(base, {"spec": patch}), patches=(patch,))
    (obj,) = objects(body, base._replace(made=made))
    lines = {base: Span(3, 1, 3, 2), patch: Span(7, 1, 7, 2)}
    written = render(
        [("prod", [obj._replace(namespace="team-a")])], lambda places: {place: lines[place] for place in places}
    )
    (document,) = read(written.encode()).documents
    assert document.value == {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "a",
            "namespace": "team-a",
            "annotations": {"team": "a", ENVIRONMENT: "prod", ORIGIN: "base.yaml:3, patch.yaml:7"},
        },
    }


def assumed(obj: Object) -> object:
    """What is said to be guessed of an object."""
    written = render([("", [obj])], lambda places: dict.fromkeys(places, Span(1, 1, 1, 2)))
    (document,) = read(written.encode()).documents
    assert isinstance(document.value, dict)
    return document.value["metadata"]["annotations"].get(ASSUMED)


@pytest.mark.parametrize(
    ("kind", "changes", "expected"),
    [
        ("v1 Pod", {"namespace": "team-a"}, None),
        (
            "v1 Pod",
            {"namespace": "default", "homeless": True},
            "no namespace is written anywhere; assumed to be `default`",
        ),
        ("v1 Pod", {"namespace": "a", "guesses": (Guess(NAMESPACE, "they name a", "write it"),)}, "they name a"),
        (
            "example.com/v1 Widget",
            {"namespace": "team-a"},
            "it is unknown whether a Widget has a namespace; assumed to have one",
        ),
        ("cert-manager.io/v1 ClusterIssuer", {}, None),
        ("route.openshift.io/v1 Route", {"namespace": "team-a"}, None),
    ],
)
def test_what_was_guessed_is_marked(kind: str, changes: dict[str, Any], expected: str | None) -> None:
    version, kind = kind.split()
    (obj,) = objects({"apiVersion": version, "kind": kind, "metadata": {"name": "a"}}, Place("a.yaml"))
    assert assumed(obj._replace(**changes)) == expected


def test_one_kustomization_is_printed_as_it_is() -> None:
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}
    written = render_bare(objects(body, Place("a.yaml")))
    assert [document.value for document in read(written.encode()).documents] == [body]
