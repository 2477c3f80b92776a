"""Which roots are applied: what entry points reach, and without any what is neither a fixture nor a template."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from quotalint.gitops.by_hand.entry_points import file_name, find_applied_roots, unfilled_namespace, why_fixture
from quotalint.gitops.deployers import DEPLOYING_KINDS
from quotalint.gitops.nodes import Node, Root
from quotalint.gitops.rendering import Rendering
from quotalint.gitops.skipped_files import nearby_namespaces
from quotalint.kube.objects import Object
from quotalint.text.place import Place

APPLICATION = ("argoproj.io", "Application")
FLUX = ("kustomize.toolkit.fluxcd.io", "Kustomization")
RELEASE = ("helm.toolkit.fluxcd.io", "HelmRelease")
WHOLE = {"spec": {"project": "p", "destination": {}, "source": {}, "sourceRef": {}, "interval": "1m", "chart": {}}}
"""Without what an object must have, the API server refuses it, and it deploys nothing."""
WORKLOAD = ("apps", "Deployment")
TEST = ("chainsaw.kyverno.io", "Test")


def obj(folder: str, kind: tuple[str, str] = WORKLOAD, namespace: str = "shop", name: str = "x") -> Object:
    return Object(kind[0], "v1", kind[1], namespace, name, WHOLE, Place(f"{folder}/{name}.yaml"))


def rendering(folder: str, *objects: Object) -> Rendering:
    """Objects of a folder; without any it has a workload."""
    given = objects or (obj(folder),)
    used = frozenset(obj.place.source for obj in given)
    return Rendering(given, folder=folder, folders=frozenset({folder}), files=used)


def root(folder: str, *objects: Object, kustomized: bool = False) -> Root:
    return Root(folder, (Node(rendering(folder, *objects), "", False),), kustomized)


def deploying(folder: str, path: str, kind: tuple[str, str] = APPLICATION) -> Root:
    """A folder with an object that deploys another."""
    above = root(folder, obj(folder, kind))
    return above._replace(nodes=(*above.nodes, Node(rendering(path), "", True, DEPLOYING_KINDS[kind])))


def reasons(
    roots: Sequence[Root],
    asked: Sequence[str] = (),
    explicit: frozenset[str] = frozenset(),
    templated: frozenset[str] = frozenset(),
    configured: Sequence[str] = (),
    project_templates: frozenset[str] = frozenset(),
) -> dict[str, str]:
    """By folder, why a root is not applied."""
    applied, left, _ = find_applied_roots(
        roots, lambda folder: ("prod",) if folder in configured else (), asked, explicit, templated, project_templates
    )
    assert len(applied) + len(left) == len(roots)
    return {root.folder: reason for root, reason in left}


def test_without_entry_points_everything_is_applied() -> None:
    assert reasons([root("a"), root("b/c")]) == {}
    assert reasons([]) == {}


def test_what_entry_points_do_not_reach_is_not_applied() -> None:
    assert reasons([deploying("argocd", "web"), root("old")]) == {"old": "nothing deploys this"}


def test_what_holds_an_entry_point_is_applied_even_if_it_reaches_nothing() -> None:
    broken = root("clusters/b", obj("clusters/b", APPLICATION))
    assert reasons([deploying("clusters/a", "web"), broken]) == {}


def test_what_lies_below_a_folder_of_applications_waits_until_it_is_read_too() -> None:
    above = root("bootstrap", obj("bootstrap", APPLICATION))
    of_applications = Node(rendering("apps", obj("apps", APPLICATION)), "", True, DEPLOYING_KINDS[APPLICATION])
    above = above._replace(nodes=(*above.nodes, of_applications))
    below, beside = deploying("apps/off", "two"), deploying("other", "three")
    assert reasons([above, below, beside]) == {"apps/off": "nothing deploys this"}
    assert reasons([above, below], configured=["apps/off"]) == {}
    assert reasons([above, below._replace(is_kustomization=True)]) == {}
    assert reasons([deploying("bootstrap", "apps"), below]) == {}, "a folder of workloads says nothing of what is below"


def test_applications_beside_a_folder_that_is_applied_are_parked() -> None:
    def app_of_apps(folder: str, deployed: str) -> Root:
        above = root(folder, obj(folder, APPLICATION))
        of_applications = Node(rendering(deployed, obj(deployed, APPLICATION)), "", True, DEPLOYING_KINDS[APPLICATION])
        return above._replace(nodes=(*above.nodes, of_applications))

    live = app_of_apps("bootstrap", "apps/live")
    assert reasons([live, deploying("apps/parked", "two")]) == {"apps/parked": "nothing deploys this"}
    assert reasons([live, deploying("apps/parked", "two")], configured=["apps/parked"]) == {}
    assert reasons([deploying("bootstrap", "apps/live"), deploying("apps/parked", "two")]) == {}
    assert reasons([live, app_of_apps("apps/other", "more")]) == {}, "it bootstraps others"
    assert reasons([live, deploying("apps/prod", "two")]) == {}, "another environment"


def test_what_a_generator_copies_is_not_applied() -> None:
    filled_in = "{{ cookiecutter.name }}/k8s"
    roots = [root("live"), root("project/k8s"), root(filled_in)]
    assert reasons(roots) == {filled_in: "a template to be copied"}
    named = frozenset({"project"})
    assert reasons(roots, project_templates=named).keys() == {"project/k8s", filled_in}
    assert reasons(roots, asked=["project"], project_templates=named).keys() == {filled_in}


@pytest.mark.parametrize("kustomized", [False, True])
def test_what_a_kustomization_of_flux_does_not_list_waits_until_it_is_listed(*, kustomized: bool) -> None:
    above = deploying("flux", "other", FLUX)
    of_kustomizations = Node(rendering("apps", obj("apps", FLUX)), "", True, DEPLOYING_KINDS[FLUX])
    above = above._replace(nodes=(*above.nodes, of_kustomizations))
    below, beside = deploying("apps/team/off", "two", FLUX)._replace(is_kustomization=kustomized), root("two")
    assert reasons([above, below]) == {"apps/team/off": "nothing deploys this"}
    released = root("apps/team/off/app", obj("apps/team/off/app", RELEASE))
    assert reasons([above, below, released, beside]) == dict.fromkeys(
        ["apps/team/off", "apps/team/off/app", "two"], "nothing deploys this"
    )
    assert reasons([above, below], configured=["apps/team/off"]) == {}
    assert reasons([deploying("flux", "apps", FLUX), below]) == {}, "a folder of workloads says nothing"
    own = deploying("apps/flux-system", "other", FLUX)._replace(is_kustomization=kustomized)
    assert reasons([own._replace(nodes=(*own.nodes, of_kustomizations)), root("x")]) == {"x": "nothing deploys this"}


def test_what_builds_on_what_flux_applies_is_applied_by_somebody_else() -> None:
    above = deploying("flux", "other", FLUX)
    of_kustomizations = Node(rendering("apps", obj("apps", FLUX)), "", True, DEPLOYING_KINDS[FLUX])
    overlay = deploying("apps/overlay", "two", FLUX)._replace(is_kustomization=True)
    built = overlay.nodes[0].rendering._replace(folders=frozenset({"apps/overlay", "apps"}))
    overlay = overlay._replace(nodes=(overlay.nodes[0]._replace(rendering=built), *overlay.nodes[1:]))
    assert reasons([above._replace(nodes=(*above.nodes, of_kustomizations)), overlay]) == {}


def test_a_release_of_a_chart_says_nothing_of_folders() -> None:
    assert reasons([deploying("releases", "chart", RELEASE), root("web")]) == {}


def test_a_release_waits_for_a_kustomization_where_kustomizations_deploy_releases() -> None:
    roots = [
        deploying("clusters/a", "apps", FLUX),
        root("old", obj("old", RELEASE)),
        root("clusters/a/b", obj("clusters/a/b", RELEASE)),
    ]
    assert reasons(roots) == {"old": "nothing deploys this"}
    assert reasons([deploying("argocd", "apps"), root("old", obj("old", RELEASE))]) == {}


def test_what_somebody_names_is_applied() -> None:
    roots = [deploying("argocd", "web"), root("old"), root("lone"), root("more")]
    assert reasons(roots, explicit=frozenset({"old/x.yaml"}), configured=["lone"]) == {"more": "nothing deploys this"}


def test_fixtures_deploy_nothing() -> None:
    roots = [deploying("testdata/argocd", "web"), root("web")]
    assert reasons(roots) == {"testdata/argocd": "a fixture of tests"}


def test_where_there_are_only_fixtures_they_are_meant() -> None:
    assert reasons([root("examples/a"), root("examples/b")]) == {}


def test_a_folder_is_a_fixture_where_a_test_lies_above_or_beside() -> None:
    roots = [root("web"), root("cases/one", obj("cases/one", TEST)), root("cases/one/more"), root("cases/ones")]
    assert reasons(roots) == {"cases/one": "a fixture of tests", "cases/one/more": "a fixture of tests"}


def test_a_stage_called_test_is_no_fixture() -> None:
    assert reasons([root("envs/test"), root("envs/prod")]) == {}
    assert reasons([root("test"), root("prod")]) == {}
    assert reasons([root("test"), root("web")]) == {"test": "a fixture of tests"}


def test_what_is_copied_before_it_is_applied_is_a_template() -> None:
    roots = [root("tenants/_template"), root("tenants/_template/more"), root("tenants/_example"), root("tenants/acme")]
    template = "a template to be copied"
    assert reasons(roots) == {
        "tenants/_template": template,
        "tenants/_template/more": template,
        "tenants/_example": "an example",
    }
    assert reasons([root("template"), root("_tools")]) == {}


@pytest.mark.parametrize("namespace", ["your-namespace", "Team-A", "team-API", "TENANTS-a", "team_a-dev", "Team_A-dev"])
def test_a_namespace_that_somebody_may_mean_is_no_template(namespace: str) -> None:
    assert reasons([root("web"), root("new", obj("new", namespace=namespace))]) == {}


@pytest.mark.parametrize(
    "namespace",
    ["${TEAM}", "{{ team }}", "<team>", "TEAM_NAME", "tenant-REPLACE-tenant", "TEAM-x", "SERVICE_NAME-dev", "a-B_1-c"],
)
def test_a_folder_whose_namespace_is_still_to_be_filled_in_is_a_template(namespace: str) -> None:
    template = root("new", obj("new", namespace=namespace))
    reason = f"a template: nothing in view fills in {namespace}"
    assert reasons([root("web"), template]) == {"new": reason}
    mixed = root("new", obj("new", namespace=namespace), obj("new", name="y"))
    assert reasons([root("web"), mixed]) == {}


def test_a_kustomization_that_is_still_to_be_rendered_is_a_template() -> None:
    empty = rendering("new")._replace(objects=(), files=frozenset({"new/kustomization.yaml"}))
    template = Root("new", (Node(empty, "", False),), True)
    templated = frozenset({"new/kustomization.yaml"})
    assert reasons([root("web"), template], templated=templated) == {
        "new": "a template: nothing in view renders it",
    }
    assert reasons([root("web"), template]) == {}


@pytest.mark.parametrize(
    ("folder", "asked", "label", "expected"),
    [
        ("apps/web", (), (), ""),
        ("tests/web", (), (), "a fixture of tests"),
        ("pkg/testdata/a/b", (), (), "a fixture of tests"),
        ("e2e", (), (), "a fixture of tests"),
        (".chainsaw-test", (), (), "a fixture of tests"),
        ("docs/Examples/a", (), (), "an example"),
        ("contest/web", (), (), ""),
        ("clusters/test/web", (), ("test",), ""),
        ("examples/a", ("examples",), (), ""),
        ("examples/a", ("examples/a",), (), ""),
        ("examples/tests/a", ("examples",), (), "a fixture of tests"),
        ("examples/a", ("example",), (), "an example"),
        ("examples/a", ("",), (), "an example"),
    ],
)
def test_what_is_a_fixture_by_its_path(folder: str, asked: Sequence[str], label: Sequence[str], expected: str) -> None:
    assert why_fixture(folder, asked, (), label) == expected


def test_an_object_that_names_its_namespace_fills_a_template_in() -> None:
    space = Object("", "v1", "Namespace", "", "${TEAM}", {}, Place("new/ns.yaml"))
    assert unfilled_namespace(rendering("new", space)) == "${TEAM}"
    assert unfilled_namespace(rendering("new", space, obj("new", namespace=""))) == "${TEAM}"
    assert unfilled_namespace(rendering("new", space, obj("new", namespace="shop"))) == ""
    assert unfilled_namespace(rendering("new", obj("new", namespace=""))) == ""


@pytest.mark.parametrize(
    ("used", "expected"),
    [
        (["base/a.yaml", "web/z.yaml", "web/kustomization.yml"], "web/kustomization.yml"),
        (["web/z.yaml", "web/a.yaml", "base/kustomization.yaml"], "web/a.yaml"),
        (["base/b.yaml", "base/a.yaml"], "base/a.yaml"),
        ([], "web"),
    ],
)
def test_what_a_report_calls_a_folder(used: Sequence[str], expected: str) -> None:
    assert file_name(Rendering((), folder="web", files=frozenset(used))) == expected


def test_a_folder_is_called_by_a_file_that_gives_an_object() -> None:
    settings_of_a_tool, given = "web/.tool.yaml", "web/a.yaml"
    objects = (Object("", "v1", "ConfigMap", "", "a", {}, Place(given)),)
    assert file_name(Rendering(objects, folder="web", files=frozenset((settings_of_a_tool, given)))) == given


def test_an_unreadable_file_concerns_the_namespaces_of_its_folder() -> None:
    space = Object("", "v1", "Namespace", "", "pay", {}, Place("team/pay.yaml"))
    roots = [root("team", obj("team"), space), root("other", obj("other", namespace="other"))]
    names = ("team/secret.yaml", "other/secret.yaml", "crypt/secret.yaml", "secret.yaml")
    assert nearby_namespaces(names, roots) == {
        "team/secret.yaml": ("pay", "shop"),
        "other/secret.yaml": ("other",),
        "crypt/secret.yaml": ("crypt",),
        "secret.yaml": (),
    }
