"""What each namespace must have."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import checked
from manifests import quota, web
from pipeline_runs import run_pipeline, snapshot_of
from written_files import Files, write

from quotalint.pipeline import Result

NO_NEWS: list[str] = []
WORKLOAD = {"web.yaml": web(1, "team-a")}
BOTH = "severity: {QL501: warning, QL503: warning}\nrequiredLimits: [requests.cpu, requests.memory, pods]\n"


def manifest(api_version: str, kind: str, more: str = "", name: str = "some") -> str:
    return f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: {name}}}\n{more}"


def messages(result: Result, rule: str) -> list[str]:
    """What a rule says: place, environments and message."""
    return [
        f"{finding.file}:{finding.span.line}{' in ' if finding.environments else ''}"
        f"{', '.join(finding.environments)} {finding.message}"
        for finding in result.findings
        if finding.rule.id == rule
    ]


def without(namespace: str = "team-a", workload: str = "Deployment web") -> str:
    return f"{namespace} has workloads such as {workload} but no ResourceQuota: nothing limits what it uses"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(WORKLOAD, [f"web.yaml:1 {without()}"], id="no quota"),
        pytest.param({**WORKLOAD, "q.yaml": quota("team-a")}, NO_NEWS, id="a quota"),
        pytest.param({**WORKLOAD, "q.yaml": quota("team-b")}, [f"web.yaml:1 {without()}"], id="a quota elsewhere"),
        pytest.param(
            {**WORKLOAD, "q.yaml": quota("team-a", hard="cpus: 1")},
            [
                "web.yaml:1 team-a has workloads such as Deployment web but no ResourceQuota that the API server "
                "accepts: nothing limits what it uses"
            ],
            id="a quota that is refused",
        ),
        pytest.param(
            {"a.yaml": web(1, "team-a", "a"), "b.yaml": web(0, "team-a", "b"), "c.yaml": web(1, "team-c", "c")},
            [f"a.yaml:1 {without(workload='Deployment a')}", f"c.yaml:1 {without('team-c', 'Deployment c')}"],
            id="once for each namespace",
        ),
        pytest.param({"w.yaml": web(1)}, NO_NEWS, id="a workload whose namespace is not known"),
        pytest.param({"w.yaml": web(1, '"${NAMESPACE}"')}, NO_NEWS, id="a workload of any namespace"),
        pytest.param({**WORKLOAD, "more/q.yaml": quota()}, NO_NEWS, id="a quota whose namespace is not known"),
        pytest.param({**WORKLOAD, "q.yaml": quota('"${NAMESPACE}"')}, NO_NEWS, id="a quota of any namespace"),
        pytest.param(
            {**WORKLOAD, "w.yaml": web(1, '"${NAMESPACE}"')},
            [f"web.yaml:1 {without()}"],
            id="another workload of any namespace hides no quota",
        ),
        pytest.param(
            {**WORKLOAD, "broken.yaml": "apiVersion: v1\nkind: ResourceQuota\nmetadata: [\n"},
            NO_NEWS,
            id="a manifest that cannot be read",
        ),
        pytest.param(
            {
                "a/kustomization.yaml": 'namespace: team-a\nresources: ["https://example.com/base?ref=1", web.yaml]\n',
                "a/web.yaml": web(),
                "b.yaml": web(1, "team-b"),
            },
            [f"b.yaml:1 {without('team-b')}"],
            id="a base of one namespace that is not in view",
        ),
        pytest.param(
            {
                **WORKLOAD,
                "crq.yaml": manifest(
                    "quota.openshift.io/v1",
                    "ClusterResourceQuota",
                    "spec: {quota: {hard: {pods: 9}}, selector: {labels: {matchLabels: {a: b}}}}\n",
                ),
            },
            NO_NEWS,
            id="a quota of several namespaces",
        ),
        pytest.param(
            {**WORKLOAD, "hrq.yaml": manifest("hnc.x-k8s.io/v1alpha2", "HierarchicalResourceQuota")},
            NO_NEWS,
            id="a quota of a tree of namespaces",
        ),
        pytest.param(
            {
                **WORKLOAD,
                "template.yaml": manifest(
                    "template.openshift.io/v1",
                    "Template",
                    "objects:\n- {apiVersion: v1, kind: ResourceQuota, metadata: {name: base}}\n",
                ),
            },
            NO_NEWS,
            id="a template of projects",
        ),
        pytest.param(
            {
                "all.yaml": "---\n".join(
                    [
                        "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: team-a\n"
                        '  annotations: {field.cattle.io/resourceQuota: \'{"limit": {"pods": "9"}}\'}\n',
                        web(1, "team-a"),
                        web(1, "team-b"),
                    ]
                )
            },
            [f"all.yaml:17 {without('team-b')}"],
            id="a namespace with a quota by annotation",
        ),
        pytest.param(
            {
                **WORKLOAD,
                "project.yaml": manifest(
                    "argoproj.io/v1alpha1",
                    "AppProject",
                    "spec: {namespaceResourceBlacklist: [{group: '', kind: ResourceQuota}]}\n",
                ),
            },
            [f"web.yaml:1 {without()}"],
            id="who may not deploy quotas brings none",
        ),
        pytest.param(
            {"s.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: team-a}\nspec: {}\n"},
            NO_NEWS,
            id="nothing that makes pods",
        ),
        pytest.param(
            {"web.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: [a], namespace: team-a}\nspec: 3\n"},
            [f"web.yaml:1 {without(workload='Deployment')}"],
            id="a workload of which little can be read",
        ),
    ],
)
def test_a_namespace_without_a_quota(
    files: Files, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert messages(checked(tmp_path, {".quotalint.yaml": BOTH, **files}, monkeypatch), "QL501") == expected


def test_both_rules_are_off_unless_they_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {".quotalint.yaml": "requiredLimits: [pods]\n", **WORKLOAD, "q.yaml": quota("team-b", hard="cpu: 1")}
    result = checked(tmp_path, files, monkeypatch)
    assert (messages(result, "QL501"), messages(result, "QL503")) == ([], [])


def test_environments_are_judged_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        ".quotalint.yaml": BOTH,
        "overlays/dev/web.yaml": web(1, "team-a"),
        "overlays/prod/web.yaml": web(2, "team-a"),
        "overlays/prod/quota.yaml": quota("team-a"),
    }
    result = checked(tmp_path, files, monkeypatch)
    assert messages(result, "QL501") == [f"overlays/dev/web.yaml:1 in dev {without()}"]


@pytest.mark.parametrize(
    ("own", "shown", "expected"),
    [
        pytest.param(WORKLOAD, quota("team-a", hard="cpu: 1"), ([], ["web.yaml:1 memory, pods"]), id="a quota"),
        pytest.param(
            WORKLOAD,
            quota("team-b") + "---\n" + web(1, "team-b"),
            ([f"web.yaml:1 {without()}"], ["web.yaml:1 cpu, memory, pods"]),
            id="elsewhere",
        ),
        pytest.param({"n.yaml": quota("team-b")}, web(1, "team-a"), ([], ["n.yaml:4 cpu, memory"]), id="workloads"),
    ],
)
def test_what_the_cluster_shows(
    own: Files, shown: str, expected: tuple[list[str], list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {".quotalint.yaml": BOTH, "cluster.txt": shown, **own})
    monkeypatch.chdir(tmp_path)
    result = run_pipeline(snapshots=[snapshot_of(shown)])
    lacking = [
        f"{place} {message.rpartition(': ')[2].replace('requests.', '')}"
        for place, _, message in (message.partition(" ") for message in messages(result, "QL503"))
    ]
    assert (messages(result, "QL501"), lacking) == expected


def required(names: str, *quotas: str) -> Files:
    return {
        ".quotalint.yaml": f"select: [QL503]\nrequiredLimits: [{names}]\n",
        "q.yaml": "---\n".join(quotas),
    }


def scoped(hard: str, scope: str, name: str = "scoped") -> str:
    return quota("team-a", name, hard, f", scopes: [{scope}]")


HERE = "q.yaml:4 `requiredLimits` demands limits that the quotas of team-a do not set:"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(required("cpu", quota("team-a", hard="cpu: 1")), NO_NEWS, id="as written"),
        pytest.param(required("cpu", quota("team-a", hard="requests.cpu: 1")), NO_NEWS, id="by its other name"),
        pytest.param(required("requests.memory", quota("team-a", hard="memory: 1")), NO_NEWS, id="by its short name"),
        pytest.param(required("limits.cpu", quota("team-a", hard="cpu: 1")), [f"{HERE} limits.cpu"], id="limits"),
        pytest.param(
            required("count/configmaps, secrets", quota("team-a", hard="configmaps: 1, count/secrets: 2")),
            NO_NEWS,
            id="objects by either name",
        ),
        pytest.param(
            required("nvidia.com/gpu", quota("team-a", hard="requests.nvidia.com/gpu: 0")), NO_NEWS, id="a device"
        ),
        pytest.param(
            required("nvidia.com/gpu", quota("team-a", hard="cpu: 0")),
            [f"{HERE} requests.nvidia.com/gpu"],
            id="a device by the only name that counts",
        ),
        pytest.param(required("pods", quota("team-a", hard="count/pods: 9")), NO_NEWS, id="all pods that exist"),
        pytest.param(
            required("count/pods", quota("team-a", hard="pods: 9")), [f"{HERE} count/pods"], id="only pods that run"
        ),
        pytest.param(
            required("cpu, pods, memory", quota("team-a", hard="pods: 9"), quota("team-a", "two", "memory: 1Gi")),
            [f"{HERE} cpu"],
            id="between two quotas",
        ),
        pytest.param(
            required("cpu, cpu, pods", scoped("cpu: 1", "Terminating"), quota("team-a", "all", "secrets: 9")),
            [f"{HERE.replace('4', '9')} cpu (only for some pods), pods"],
            id="at the quota without scopes",
        ),
        pytest.param(
            required("cpu", scoped("cpu: 1", "Terminating")),
            [f"{HERE} cpu (only for some pods)"],
            id="only with scopes",
        ),
        pytest.param(
            required("cpu, pods", scoped("cpu: 1, pods: 1", "NotBestEffort")),
            [f"{HERE} pods (only for some pods)"],
            id="best effort pods ask for no cores",
        ),
        pytest.param(required("cpu", quota("team-a", hard='cpu: "${CPU}"')), NO_NEWS, id="some amount"),
        pytest.param(required("cpu", quota("team-a", hard='"${NAME}": 1, cpu: 1')), NO_NEWS, id="some other name"),
        pytest.param(required("cpu", quota('"${NS}"', hard="pods: 1")), NO_NEWS, id="some namespace"),
        pytest.param(required("cpu", quota("team-a", hard="cpus: 1")), NO_NEWS, id="a quota that is refused"),
        pytest.param(
            {**required("cpu", quota("team-a", hard="cpu: 1, cpus: 1")), **WORKLOAD},
            ["web.yaml:1 `requiredLimits` demands limits, and team-a has no quota that sets them: cpu"],
            id="a quota that is refused, and workloads",
        ),
        pytest.param(
            required(
                "cpu", "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: a}\nspec: {hard: [1]}\n"
            ),
            NO_NEWS,
            id="a quota that cannot be read",
        ),
        pytest.param(
            required("cpu", "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: a}\nspec: {}\n"),
            [f"{HERE.replace('team-a', 'a')} cpu"],
            id="a quota of nothing",
        ),
    ],
)
def test_what_the_configuration_requires(
    files: Files, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert messages(checked(tmp_path, files, monkeypatch), "QL503") == expected
