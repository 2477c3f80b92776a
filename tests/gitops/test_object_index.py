"""Which object is meant by one that names it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from quotalint.gitops.object_index import ObjectIndex, every_object
from quotalint.gitops.rendering import Rendering
from quotalint.kube.objects import Object
from quotalint.text.place import Derivation, Place


def thing(file: str, name: str = "settings", namespace: str = "", kind: str = "ConfigMap", data: str = "") -> Object:
    return Object("", "v1", kind, namespace, name, {"data": data or file}, Place(file))


ASKING = thing("clusters/prod/apps/apps.yaml", "apps", "flux-system", "Kustomization")


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        pytest.param([], None, id="nothing"),
        pytest.param([thing("far/away.yaml")], "far/away.yaml", id="the only one, wherever it is"),
        pytest.param([thing("a.yaml", name="other")], None, id="another name"),
        pytest.param([thing("a.yaml", kind="Secret")], None, id="another kind"),
        pytest.param([thing("a.yaml", namespace="flux-system")], "a.yaml", id="the namespace"),
        pytest.param([thing("a.yaml", namespace="team-a")], None, id="another namespace"),
        pytest.param(
            [thing("clusters/prod/apps/a.yaml", namespace="team-a"), thing("b.yaml")],
            "b.yaml",
            id="one that names no namespace, before a near one of another",
        ),
        pytest.param(
            [thing("clusters/dev/a.yaml"), thing("clusters/prod/a.yaml")],
            "clusters/prod/a.yaml",
            id="each cluster has its own",
        ),
        pytest.param(
            [
                thing("clusters/prod/a.yaml"),
                thing("clusters/prod/apps/b.yaml"),
                thing("clusters/prod/apps/deep/c.yaml"),
            ],
            None,
            id="below is as near as beside",
        ),
        pytest.param([thing("x/a.yaml"), thing("y/a.yaml")], None, id="several as far"),
        pytest.param(
            [thing("x/a.yaml", data="same"), thing("y/a.yaml", data="same")], "x/a.yaml", id="several alike are one"
        ),
        pytest.param(
            [thing("clusters/dev/a.yaml"), thing("clusters/test/a.yaml")], None, id="several, each of another cluster"
        ),
    ],
)
def test_which_object_is_meant(others: list[Object], expected: str | None) -> None:
    meant = ObjectIndex(lambda: [Rendering((*others, ASKING))]).find(ASKING, "ConfigMap", "flux-system", "settings")
    assert (meant.place.source if meant is not None else None) == expected


def test_who_names_no_namespace_means_any() -> None:
    near, far = thing("clusters/prod/a.yaml", namespace="a"), thing("b.yaml", namespace="b")
    assert (
        ObjectIndex(lambda: [Rendering((far,)), Rendering((near,))]).find(ASKING, "ConfigMap", "", "settings") is near
    )


def test_the_nearest_come_first_and_others_in_order() -> None:
    files = ["x/a.yaml", "clusters/dev/a.yaml", "clusters/prod/a.yaml", "a.yaml", "clusters/prod/apps/a.yaml"]
    others = [thing(file, name=file) for file in files]
    nearest = ObjectIndex(lambda: [Rendering((*others, ASKING))]).nearest(ASKING, "ConfigMap", every_object)
    assert [obj.name for obj in nearest] == [
        "clusters/prod/apps/a.yaml",
        "clusters/prod/a.yaml",
        "clusters/dev/a.yaml",
        "x/a.yaml",
        "a.yaml",
    ]


def test_who_asks_is_where_it_is_written() -> None:
    made = Derivation(Place("clusters/prod/apps.yaml"))
    asking = ASKING._replace(place=Place("base/apps.yaml", made=made))
    others = [thing("base/a.yaml"), thing("clusters/prod/a.yaml")]
    sources = ObjectIndex(lambda: [Rendering(tuple(others))]).find(asking, "ConfigMap", "", "settings")
    assert sources is others[1]


def test_objects_are_asked_for_once_and_not_before_they_are_needed() -> None:
    asked: list[str] = []

    def renderings() -> Sequence[Rendering]:
        asked.append("asked")
        return [Rendering((thing("a.yaml"),))]

    neighbours = ObjectIndex(renderings)
    before = len(asked)
    neighbours.nearest(ASKING, "ConfigMap", every_object)
    neighbours.find(ASKING, "ConfigMap", "", "settings")
    assert (before, len(asked)) == (0, 1)
