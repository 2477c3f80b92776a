"""What paths say of environments, and what environments are called."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotalint.gitops.labels import Label, in_order, is_shared, role_label, short_names, siblings_of, without_containers


@pytest.mark.parametrize(
    ("folder", "beside", "expected"),
    [
        ("", [], ()),
        ("apps/web", [], ()),
        ("overlays/dev", [], ("dev",)),
        ("overlays/anything", [], ("anything",)),
        ("apps/web/overlays/dev", [], ("dev",)),
        ("clusters/fra-1/apps", [], ("fra-1",)),
        ("clusters/prod/fra-1", [], ("prod",)),
        ("envs/prod/clusters/fra-1", [], ("prod", "fra-1")),
        ("Clusters/Prod", [], ("Prod",)),
        ("production", [], ("production",)),
        ("apps/stg/web", [], ("stg",)),
        ("production/prod-eu", [], ("production", "prod-eu")),
        ("production/eu", [], ("production",)),
        ("production/eu", ["production/us-east-1"], ("production", "eu")),
        ("fleet/prod/ams3", ["fleet/prod/sgp1", "fleet/prod/common"], ("prod", "ams3")),
        ("fleet/prod/cluster-a", ["fleet/prod/cluster-b"], ("prod", "cluster-a")),
        ("fleet/prod/app1", ["fleet/prod/app2"], ("prod",)),
        ("fleet/prod/ams3", ["fleet/prod/web"], ("prod",)),
        ("apps/eu", ["apps/us"], ()),
        ("test/web", [], ()),
        ("test/web", ["prod/web"], ("test",)),
        ("a/test", ["b/prod"], ()),
        ("overlays/base", ["overlays/dev"], ()),
        ("overlays/default", [], ()),
        ("clusters/common", ["clusters/a"], ()),
        ("namespaces/prod", [], ()),
        ("clusters/a/namespaces/dev", [], ("a",)),
    ],
)
def test_segments_that_name_an_environment(folder: str, beside: Sequence[str], expected: Label) -> None:
    assert role_label(folder, frozenset(), siblings_of([folder, *beside])) == expected


def test_a_folder_called_like_the_namespace_of_its_objects_is_of_a_namespace() -> None:
    siblings = siblings_of(["dev", "prod"])
    assert role_label("dev", {"dev"}, siblings) == ()
    assert role_label("dev", {"shop"}, siblings) == ("dev",)
    assert role_label("overlays/dev", {"dev"}, siblings_of(["overlays/dev"])) == ("dev",)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ([], ("prod", "a", "dev")),
        (["envs/prod"], ("a", "dev")),
        (["envs"], ("prod", "a", "dev")),
        (["envs/prod", "envs/dev"], ("prod", "a", "dev")),
        (["envs/prod/clusters/a", "envs/prod/clusters/b"], ("a", "dev")),
        (["", "envs/prod"], ("prod", "a", "dev")),
    ],
)
def test_folders_above_what_was_asked_for_say_nothing(asked: Sequence[str], expected: Label) -> None:
    folder = "envs/prod/clusters/a/overlays/dev"
    assert role_label(folder, frozenset(), siblings_of([folder], asked)) == expected


def test_siblings_are_the_folders_on_the_way() -> None:
    siblings = siblings_of(["a/x", "a/y/z", "b"])
    assert siblings.names == {"": {"a", "b"}, "a": {"x", "y"}, "a/y": {"z"}}
    assert not siblings.has_stage("a")
    assert siblings_of(["a/Staging"]).has_stage("a")


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ([], []),
        ([("dev",)], ["dev"]),
        ([("prod", "c1"), ("prod", "c2")], ["c1", "c2"]),
        ([("prod", "eu"), ("dev", "eu"), ("dev", "us")], ["prod/eu", "dev/eu", "dev/us"]),
        ([("dev",), ("prod", "eu")], ["dev", "eu"]),
        ([("eu",), ("prod", "eu")], ["eu", "prod/eu"]),
        ([("a", "prod", "eu"), ("b", "prod", "eu")], ["a/prod/eu", "b/prod/eu"]),
        ([("dev",), ("dev",)], ["dev"]),
    ],
)
def test_names_are_the_last_segments_that_tell_apart(labels: list[Label], expected: list[str]) -> None:
    assert list(short_names(labels).values()) == expected


LABELS = st.lists(st.lists(st.sampled_from(["a", "b", "dev", "prod"]), min_size=1, max_size=4).map(tuple), max_size=8)


@given(LABELS)
def test_no_two_labels_have_one_name(labels: list[Label]) -> None:
    names = short_names(labels)
    assert names.keys() == set(labels)
    assert len(set(names.values())) == len(names)
    assert all("/".join(label).endswith(name) for label, name in names.items())


@given(LABELS)
def test_names_do_not_depend_on_the_order(labels: list[Label]) -> None:
    assert short_names(labels) == short_names(labels[::-1])


def test_containers_tell_nothing() -> None:
    assert without_containers("overlays/dev") == ("dev",)
    assert without_containers("overlays") == ("overlays",)
    assert in_order("prod/apps/eu", {"eu", "prod"}) == ("prod", "eu")


def test_what_is_for_all_that_have_none_of_their_own() -> None:
    assert is_shared(("default",))
    assert is_shared(("Common",))
    assert not is_shared(("default", "eu"))
    assert not is_shared(())


@pytest.mark.parametrize(
    ("folders", "expected"),
    [
        (["clusters/a", "clusters/b", "misc/dev/x"], ()),
        (["clusters/a", "clusters/b", "misc/dev/x", "misc/prod/x"], ("dev",)),
        (["clusters/prod", "clusters/staging", "misc/dev/x"], ("dev",)),
        (["clusters/a", "misc/dev/x"], ("dev",)),
        (["apps/web", "misc/dev/x"], ("dev",)),
    ],
)
def test_a_stage_alone_beside_clusters_is_none(folders: list[str], expected: Label) -> None:
    assert role_label("misc/dev/x", frozenset(), siblings_of(folders)) == expected
