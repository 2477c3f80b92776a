"""Folders that are never added up, and overlays that take the place of others."""

from __future__ import annotations

import pytest

from quotalint.gitops.environment_guesses import is_replaced_by_any
from quotalint.gitops.environments import AppliedRendering, split_units
from quotalint.gitops.nodes import Node, Root
from quotalint.gitops.rendering import Rendering
from quotalint.kube.objects import Object
from quotalint.text.place import Place


def obj(folder: str, kind: str = "Deployment", homeless: bool = True, name: str = "web") -> Object:
    namespace = "default" if homeless else "shop"
    return Object("apps", "v1", kind, namespace, name, {}, Place(f"{folder}/{name}.yaml"), homeless=homeless)


def plain(folder: str, kind: str = "Deployment", homeless: bool = True) -> AppliedRendering:
    return AppliedRendering(Rendering((obj(folder, kind, homeless),), folder=folder), True)


def folders(*several: AppliedRendering, name: str = "") -> dict[str, list[str]]:
    """The folders of each environment."""
    return {text: [rendering.folder for rendering in all_] for text, all_ in split_units({name: several}).items()}


@pytest.mark.parametrize(
    ("several", "expected"),
    [
        pytest.param([], {"": []}, id="none"),
        pytest.param([plain("a")], {"": ["a"]}, id="one alone"),
        pytest.param([plain("a"), plain("b")], {"a": ["a"], "b": ["b"]}, id="two"),
        pytest.param([plain("x/a"), plain("y/a")], {"x/a": ["x/a"], "y/a": ["y/a"]}, id="two of one name"),
        pytest.param([plain(""), plain("a")], {"root folder": [""], "a": ["a"]}, id="the root folder"),
        pytest.param([plain("a"), plain("b", homeless=False)], {"": ["a", "b"]}, id="one, and what has a namespace"),
        pytest.param(
            [plain("a"), plain("b", homeless=False), plain("c")],
            {"": ["b"], "a": ["a"], "c": ["c"]},
            id="two, and what has a namespace",
        ),
        pytest.param(
            [plain("a", "ConfigMap"), plain("b", "Role")], {"": ["a", "b"]}, id="what no quota counts is left together"
        ),
        pytest.param(
            [plain("a")._replace(is_plain=False, is_by_hand=False), plain("b")],
            {"": ["a", "b"]},
            id="what something else deploys",
        ),
        pytest.param(
            [plain("a")._replace(is_plain=False), plain("b")], {"": ["a"], "b": ["b"]}, id="beside a kustomization"
        ),
    ],
)
def test_folders_without_a_namespace_are_units(several: list[AppliedRendering], expected: dict[str, list[str]]) -> None:
    assert folders(*several) == expected


def test_units_stay_within_their_environment() -> None:
    assert folders(plain("dev/a"), plain("dev/b"), name="dev") == {"dev/a": ["dev/a"], "dev/b": ["dev/b"]}
    apart = split_units({"dev": [plain("dev/a")], "prod": [plain("prod/a"), plain("prod/b", homeless=False)]})
    assert list(apart) == ["dev", "prod"]


def test_kustomizations_without_a_namespace_are_taken_to_come_to_one() -> None:
    web, api = (plain(folder)._replace(is_plain=False) for folder in ("web", "api"))
    sure = plain("sure", homeless=False)._replace(is_plain=False)
    actual_units = split_units({"": [web, sure, api, plain("plain")]})
    assert {name: [rendering.folder for rendering in all_] for name, all_ in actual_units.items()} == {
        "": ["web", "sure", "api"],
        "plain": ["plain"],
    }
    reasons = [[guess.reason for obj in rendering.objects for guess in obj.guesses] for rendering in actual_units[""]]
    messages = ["api/ and web/ name no namespace, and are assumed to share one"]
    assert reasons == [messages, [], messages]
    alone = split_units({"": [web, sure]})[""]
    assert [rendering.objects[0].guesses for rendering in alone] == [(), ()]


def overlay(folder: str, *names: str, base: str = "base", kustomized: bool = True) -> Root:
    objects = tuple(obj(folder, name=name) for name in names or ("web",))
    rendering = Rendering(objects, folder=folder, folders=frozenset({folder, base}))
    return Root(folder, (Node(rendering, "", False),), kustomized)


@pytest.mark.parametrize(
    ("root", "other", "expected"),
    [
        pytest.param(overlay("production"), overlay("production/eu"), True, id="below it"),
        pytest.param(overlay("production"), overlay("production-2/eu"), False, id="below another"),
        pytest.param(overlay("production/eu"), overlay("production"), False, id="above it"),
        pytest.param(overlay("production"), overlay("staging"), False, id="beside it"),
        pytest.param(overlay("production"), overlay("production"), False, id="itself"),
        pytest.param(overlay("x", "a"), overlay("x/eu", "b"), True, id="of one base"),
        pytest.param(overlay("x"), overlay("x/eu", base="other"), True, id="with the same objects"),
        pytest.param(overlay("x", "a"), overlay("x/eu", "b", base="other"), False, id="with nothing in common"),
        pytest.param(overlay("x", kustomized=False), overlay("x/eu"), False, id="no kustomization"),
        pytest.param(overlay("x"), overlay("x/eu", kustomized=False), False, id="below it is no kustomization"),
        pytest.param(overlay(""), overlay("eu"), False, id="the root folder"),
        pytest.param(overlay("o/default"), overlay("o/eu"), True, id="beside a default"),
        pytest.param(overlay("o/default"), overlay("p/eu"), False, id="elsewhere"),
        pytest.param(overlay("o/common", "a", "b"), overlay("o/eu", "b", "c"), False, id="common, with little alike"),
    ],
)
def test_an_overlay_takes_the_place_of_another(root: Root, other: Root, expected: bool) -> None:
    assert is_replaced_by_any(root, [other]) is expected
    assert is_replaced_by_any(root, []) is False
