"""Objects that name no namespace come and go where what deploys them gives all of them one."""

from __future__ import annotations

import pytest
from git_repositories import Repository, deployment, quota
from test_compared_slices import Files, compare
from test_new_files import APPLICATION, SERVICE, STARTED

TOPIC = "apiVersion: kafka.strimzi.io/v1beta2\nkind: KafkaTopic\nmetadata: {name: %s}\nspec: {partitions: 1}\n"
IN_E = quota("pods: 4, services: 2", namespace="team-e")
BUILT: Files = {
    **STARTED,
    "apps/e.yaml": APPLICATION % ("e", "e", "", "team-e"),
    "e/kustomization.yaml": "resources: [quota.yaml, web.yaml, topic.yaml]\n",
    "e/quota.yaml": quota("pods: 4, services: 2", namespace=""),
    "e/web.yaml": deployment(2, "web", ""),
    "e/topic.yaml": TOPIC % "one",
}
TAKEN: Files = {
    **STARTED,
    "apps/e.yaml": APPLICATION % ("e", "e", "recurse: true", "team-e"),
    "e/quota.yaml": quota("pods: 4, services: 2", namespace=""),
    "e/web.yaml": deployment(2, "web", ""),
    "e/topic.yaml": TOPIC % "one",
}


def listed(*names: str) -> Files:
    return {"e/kustomization.yaml": f"resources: [{', '.join(('quota.yaml', *names))}]\n"}


def unnamed_service(name: str) -> str:
    return (SERVICE % (name, "x")).replace(", namespace: x", "")


OF_NAMESPACES: dict[str, tuple[Files, Files]] = {
    "a topic": (BUILT, {"e/more.yaml": TOPIC % "two", **listed("web.yaml", "topic.yaml", "more.yaml")}),
    "a Service": (BUILT, {"e/more.yaml": unnamed_service("a"), **listed("more.yaml", "web.yaml", "topic.yaml")}),
    "a workload that does not fit": (
        BUILT,
        {"e/more.yaml": deployment(9, "more", ""), **listed("web.yaml", "topic.yaml", "more.yaml")},
    ),
    "a topic goes": (BUILT, {"e/topic.yaml": None, **listed("web.yaml")}),
    "a workload goes": (
        {**BUILT, "e/more.yaml": deployment(9, "more", ""), **listed("web.yaml", "topic.yaml", "more.yaml")},
        {"e/more.yaml": None, **listed("web.yaml", "topic.yaml")},
    ),
    "a file that Argo CD takes": (TAKEN, {"e/more.yaml": unnamed_service("a")}),
    "a workload that it takes and that does not fit": (TAKEN, {"e/more.yaml": deployment(9, "more", "")}),
    "a file that it took": (TAKEN, {"e/topic.yaml": None}),
    "an object more in a file that it takes": (
        TAKEN,
        {"e/topic.yaml": f"{TOPIC % 'one'}---\n{unnamed_service('a')}"},
    ),
    "what lives in no namespace, and that nothing depends on": (
        BUILT,
        {
            "e/more.yaml": "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: a}\n"
            "spec: {}\n",
            **listed("web.yaml", "topic.yaml", "more.yaml"),
        },
    ),
    "where some name their namespaces": (
        {**TAKEN, "e/named.yaml": SERVICE % ("named", "team-e")},
        {"e/more.yaml": deployment(9, "more", "")},
    ),
    "where some are of another namespace": (
        {**TAKEN, "e/quota.yaml": TOPIC % "two", "q/quota.yaml": IN_E, "e/named.yaml": SERVICE % ("named", "team-a")},
        {"e/more.yaml": deployment(9, "more", "")},
    ),
}
OF_MORE: dict[str, tuple[Files, Files]] = {
    "two Applications that give others": (
        {**BUILT, "apps/f.yaml": APPLICATION % ("f", "e", "", "team-f")},
        {"e/more.yaml": TOPIC % "two", **listed("web.yaml", "topic.yaml", "more.yaml")},
    ),
    "a workload that was half one, and had none": (
        {**BUILT, "e/web.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}\n"},
        {"e/web.yaml": deployment(9, "web", "")},
    ),
    "a configured namespace": (
        {**BUILT, ".quotalint.yaml": "namespaces: {e/m*.yaml: team-z}\n"},
        {"e/more.yaml": TOPIC % "two", **listed("web.yaml", "topic.yaml", "more.yaml")},
    ),
    "what lives in no namespace": (
        BUILT,
        {
            "e/more.yaml": "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: a}\nspec: {}\n",
            **listed("web.yaml", "topic.yaml", "more.yaml"),
        },
    ),
    "the only one that names a namespace goes, where its neighbours go by that": (
        {**STARTED, "h/web.yaml": deployment(1, "web", "team-a"), "h/api.yaml": deployment(1, "api", "")},
        {"h/web.yaml": None, "h/api.yaml": deployment(2, "api", "")},
    ),
    "the first one that names another namespace comes": (
        {**STARTED, "h/web.yaml": deployment(1, "web", "team-a"), "h/api.yaml": deployment(1, "api", "")},
        {"h/more.yaml": SERVICE % ("more", "team-b"), "b/service.yaml": SERVICE % ("web", "team-b")},
    ),
}


@pytest.mark.parametrize("change", OF_NAMESPACES)
def test_what_is_given_a_namespace_is_compared_alone(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert "everything" not in compare(noting_repository, monkeypatch, *OF_NAMESPACES[change])


@pytest.mark.parametrize("change", OF_MORE)
def test_everything_is_looked_at_where_the_namespace_may_be_another(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert compare(noting_repository, monkeypatch, *OF_MORE[change]).count("everything") == 2
