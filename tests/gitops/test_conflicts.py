"""Which roots cannot be true of one cluster, and what their paths call the difference."""

from __future__ import annotations

import pytest

from quotalint.gitops.conflicts import ConflictGroup, conflicting_groups, root_objects_of
from quotalint.gitops.nodes import Node, Root
from quotalint.gitops.rendering import Rendering
from quotalint.kube.objects import Object
from quotalint.text.place import Place


def root(
    folder: str, *names: str, kind: str = "Deployment", namespace: str = "team", to: str = "", plain: bool = False
) -> Root:
    """A folder that gives some objects."""
    objects = tuple(Object("apps", "v1", kind, namespace, name, {}, Place(f"{folder}/{name}.yaml")) for name in names)
    return Root(folder, (Node(Rendering(objects, folder=folder), to, False),), not plain)


def declaring(name: str, team: Root) -> Root:
    """The folder of a team, with a Namespace."""
    namespace = Object("", "v1", "Namespace", "", name, {}, Place(f"{team.folder}/namespace.yaml"))
    return team._replace(nodes=(*team.nodes, Node(Rendering((namespace,), folder=team.folder), "", False)))


def bringing(above: Root, below: Root) -> Root:
    """A folder whose objects deploy another one."""
    return above._replace(nodes=(*above.nodes, *(part._replace(is_deployed=True) for part in below.nodes)))


def labels(*roots: Root) -> list[dict[int, str]]:
    return [dict(group.labels) for group in conflicting_groups([*map(root_objects_of, roots)])]


@pytest.mark.parametrize(
    ("roots", "expected"),
    [
        pytest.param([], [], id="none"),
        pytest.param([root("a", "web")], [], id="one alone"),
        pytest.param([root("a", "web"), root("b", "shop")], [], id="nothing in common"),
        pytest.param([root("a", "web"), root("b", "web")], [{0: "a", 1: "b"}], id="all in common"),
        pytest.param([root("a", "web"), root("o/b", "web")], [], id="one object elsewhere is a mistake"),
        pytest.param(
            [root("a", "web", "x"), root("o/b", "web", "x")], [{0: "a", 1: "o/b"}], id="all in common elsewhere"
        ),
        pytest.param(
            [root("n/a", "x", namespace="a"), root("n/b", "x", namespace="a")], [], id="a copy for a neighbour"
        ),
        pytest.param(
            [
                declaring("team-a", root("n/a", "x", namespace="team-a")),
                declaring("team-b", root("n/b", "x", namespace="team-a")),
            ],
            [],
            id="a copy for a neighbour who declares another namespace",
        ),
        pytest.param(
            [root("n/a", "x", namespace="team-a"), root("n/b", "x", namespace="team-a")],
            [],
            id="a copy for a neighbour whose namespace has more words than its folder",
        ),
        pytest.param(
            [root("n", "x", "y", namespace="n-a"), root("n/b", "x", "y", namespace="n-a")],
            [{0: "n", 1: "b"}],
            id="one folder alone is named after the namespace, and the other lies in it",
        ),
        pytest.param(
            [declaring("team", root("n/a", "x")), declaring("team", root("n/b", "x"))],
            [{0: "a", 1: "b"}],
            id="both declare the namespace",
        ),
        pytest.param(
            [declaring("team", root("n/a", "x")), root("n/b", "x")], [{0: "a", 1: "b"}], id="one declares the namespace"
        ),
        pytest.param(
            [root("n/a", "x"), root("n/b", "x"), root("n/c", "y"), root("n/d", "z")],
            [],
            id="one clash among siblings is a mistake",
        ),
        pytest.param([root("a", "web"), root("b", "web", namespace="b")], [], id="another namespace"),
        pytest.param(
            [
                root("d/api", "a", "b", plain=True),
                root("d/k8s/all", "a", "b", "v", "w", plain=True),
                root("d/web", "v", "w", plain=True),
            ],
            [{0: "api+web", 1: "k8s/all", 2: "api+web"}],
            id="folders that another one gives all of are one copy",
        ),
        pytest.param(
            [
                root("k8s/db", "db", "store", plain=True),
                root("k8s/infra/web", "web", "shop", plain=True),
                root("yamls/database", "db", "store", plain=True),
                root("yamls/landing", "web", "shop", plain=True),
            ],
            [{0: "k8s", 2: "yamls"}, {1: "k8s", 3: "yamls"}],
            id="two copies whose folders are called otherwise are told apart by what holds them",
        ),
        pytest.param(
            [
                root("x/all", *(f"{app}{number}" for app in "abcde" for number in "12"), plain=True),
                *(root(f"y/{app}", f"{app}1", f"{app}2", plain=True) for app in "abcde"),
            ],
            [{0: "x/all", **dict.fromkeys(range(1, 6), "a+b+c+2-more")}],
            id="a copy of many folders is called by the first of them",
        ),
        pytest.param(
            [
                root("d/api", "a", "b", plain=True),
                root("d/all", "a", "b", "v", "w", plain=True),
                root("d/web", "v", "w", plain=True),
            ],
            [{0: "api", 1: "all", 2: "web"}],
            id="folders beside the one that gives all of them may be three clusters",
        ),
        pytest.param(
            [root("d/api", "a", "b"), root("d/k8s/all", "a", "b", "v", "w"), root("d/web", "v", "w")],
            [{0: "api", 1: "k8s/all", 2: "web"}],
            id="overlays are applied one by one",
        ),
        pytest.param(
            [
                root("d/api", "a", "b", plain=True),
                root("d/k8s/all", "a", "b", "v", "w", plain=True),
                root("d/web", "a", "b", "w", plain=True),
            ],
            [{0: "api", 1: "k8s/all", 2: "web"}],
            id="folders that conflict with each other too are no copy",
        ),
        pytest.param([root("a", "web"), root("b", "web", kind="StatefulSet")], [], id="another kind"),
        pytest.param([root("a", "web", to="x"), root("b", "web", to="y")], [], id="another cluster"),
        pytest.param([root("a", "web", to="x"), root("b", "web", to="x")], [{0: "a", 1: "b"}], id="the same cluster"),
        pytest.param(
            [root("a", "x", kind="Namespace"), root("b", "x", kind="Namespace")],
            [],
            id="what many give for one cluster",
        ),
        pytest.param([root("a", ""), root("b", "")], [], id="what has no name is a new one each time"),
        pytest.param(
            [root("a", "web", "x", "y"), root("b", "web", "x", "z")],
            [{0: "a", 1: "b"}],
            id="most of the smaller one",
        ),
        pytest.param([root("a", "web", "x", "y"), root("b", "web", "z")], [], id="half of the smaller one"),
        pytest.param(
            [root("a", "web", "x", "y"), root("b", "web", "z", "v")], [], id="less than half of the smaller one"
        ),
        pytest.param(
            [root("a", "web", "api"), root("b", "web", "api", "shop", "x"), root("c", "shop", "x")],
            [{0: "a", 1: "b", 2: "c"}],
            id="by way of a third",
        ),
        pytest.param(
            [root("a", "web", "u"), root("x", "shop", "v"), root("b", "web", "u"), root("y", "shop", "v")],
            [{0: "a", 2: "b"}, {1: "x", 3: "y"}],
            id="two groups",
        ),
        pytest.param(
            [root(f"o/{number}", "web") for number in range(70)],
            [{number: str(number) for number in range(70)}],
            id="more than are compared",
        ),
    ],
)
def test_which_roots_conflict(roots: list[Root], expected: list[dict[int, str]]) -> None:
    assert labels(*roots) == expected


@pytest.mark.parametrize(
    ("folders", "expected"),
    [
        (["overlays/dev", "overlays/prod"], ["dev", "prod"]),
        (["apps/web/overlays/dev", "apps/web/overlays/prod"], ["dev", "prod"]),
        (["dev/apps/web", "prod/apps/web"], ["dev", "prod"]),
        (["clusters/dev/apps", "clusters/prod/apps"], ["dev", "prod"]),
        (["x/east/dev/y", "x/east/prod/y", "x/west/prod/y"], ["east/dev", "east/prod", "west/prod"]),
        (["dev/a/x", "prod/b/x"], ["dev/a", "prod/b"]),
        (["dev", "prod"], ["dev", "prod"]),
        (["", "prod"], ["root folder", "prod"]),
        (["apps", "apps/prod"], ["apps", "prod"]),
        (["a/x/b", "a/b"], ["x", "b"]),
        (["x", "x/x", "x/y"], ["x", "x/x", "x/y"]),
    ],
)
def test_what_paths_call_the_difference(folders: list[str], expected: list[str]) -> None:
    assert labels(*(root(folder, "web", "shop") for folder in folders)) == [dict(enumerate(expected))]


def test_a_group_knows_where_it_puts_objects() -> None:
    dev, prod = root("dev", "web", namespace="b"), root("prod", "web", "shop", namespace="b")
    everywhere = bringing(prod, root("more", "agent", namespace="a"))
    assert conflicting_groups([*map(root_objects_of, (dev, everywhere))]) == (
        ConflictGroup({0: "dev", 1: "prod"}, ("a", "b")),
    )


def test_what_is_deployed_says_it_where_folders_above_do_not() -> None:
    dev = bringing(root("flux/one", "one", kind="Kustomization"), root("apps/dev", "web", "shop"))
    prod = bringing(root("flux/two", "two", kind="Kustomization"), root("apps/prod", "web", "shop"))
    assert labels(dev, prod) == [{0: "dev", 1: "prod"}]


def test_folders_above_say_it_where_what_is_deployed_is_the_same() -> None:
    infra = root("infra", "agent", "proxy")
    dev = bringing(bringing(root("clusters/dev", "one", kind="Kustomization"), infra), root("web/dev", "web"))
    prod = bringing(root("clusters/prod", "two", kind="Kustomization"), infra)
    assert labels(dev, prod) == [{0: "dev", 1: "prod"}]


def deploying(folder: str, path: str, homeless: bool = False) -> Root:
    """A folder with a Kustomization of Flux and much else."""
    group, spec = "kustomize.toolkit.fluxcd.io", {"spec": {"path": path}}
    namespace = "default" if homeless else "flux-system"
    obj = Object(group, "v1", "Kustomization", namespace, "flux-system", spec, Place(folder), homeless=homeless)
    return bringing(
        Root(folder, (Node(Rendering((obj,), folder=folder), "", False),), True), root(path, path, "x" + path)
    )


@pytest.mark.parametrize(
    ("roots", "expected"),
    [
        pytest.param([deploying("x/a", "./a"), deploying("x/b", "./b")], [{0: "a", 1: "b"}], id="different paths"),
        pytest.param([deploying("x/a", "./a"), deploying("x/b", "a")], [], id="the same path, and little else"),
        pytest.param([deploying("x/a", "./a", True), deploying("x/b", "./b", True)], [], id="of no known namespace"),
        pytest.param([deploying("x/a", "./a"), deploying("x/b", "${PATH}")], [], id="a path that is not known"),
    ],
)
def test_one_object_cannot_deploy_different_paths(roots: list[Root], expected: list[dict[int, str]]) -> None:
    assert labels(*roots) == expected
