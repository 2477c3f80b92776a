"""What all quotas together allow, against what there is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from gitops_outcome import checked
from manifests import quota, web
from pipeline_runs import run_pipeline, snapshot_of
from written_files import Files, write

from quotalint.kube.objects import objects
from quotalint.kube.quantity import decimal
from quotalint.quota.coverage import Limit, is_covered, namespace_shares
from quotalint.quota.quotas import Quota
from quotalint.quota.quotas import quota as quota_of
from quotalint.results.finding import Finding
from quotalint.text.place import Place

DOCUMENTED = "capacity: {cpu: 26, memory: 41Gi, reserve: {cpu: 3, memory: 1Gi}}\n"
IN_KUBERNETES_DOCS = "capacity: {cpu: 16, memory: 32Gi, reserve: {cpu: 2, memory: 2Gi}}\n"
NO_NEWS: list[str] = []


def messages(findings: Sequence[Finding]) -> list[str]:
    """What QL502 says: place, message and label; then its related places."""
    lines = []
    for finding in findings:
        if finding.rule.id == "QL502":
            where = f" in {', '.join(finding.environments)}" if finding.environments else ""
            lines.append(f"{finding.file}:{finding.span.line}{where} {finding.message} ({finding.label})")
            lines += [f"  {related.file}:{related.span.line} {related.message}" for related in finding.related]
    return lines


def teams(**hard: str) -> dict[str, str]:
    """A quota for each team."""
    return {f"{team}.yaml": quota(f"team-{team}", hard=text) for team, text in hard.items()}


@pytest.mark.parametrize(
    ("configured", "files", "expected"),
    [
        pytest.param(
            DOCUMENTED,
            teams(a="requests.cpu: 14, requests.memory: 25Gi", b="requests.cpu: 4, requests.memory: 10Gi"),
            NO_NEWS,
            id="two teams and a reserve",
        ),
        pytest.param(
            DOCUMENTED,
            teams(a="requests.cpu: 14, requests.memory: 25Gi", b="requests.cpu: 10, requests.memory: 16Gi"),
            [
                "a.yaml:4 all quotas together allow cpu 24; the cluster has 23 to give (1 too much in total)",
                "  b.yaml:4 quota base of team-b: 10",
                "a.yaml:4 all quotas together allow memory 41Gi; the cluster has 40Gi to give (1Gi too much in total)",
                "  b.yaml:4 quota base of team-b: 16Gi",
            ],
            id="two teams that do not fit",
        ),
        pytest.param(
            IN_KUBERNETES_DOCS,
            teams(a="cpu: 10, memory: 20Gi", b="cpu: 4, memory: 10Gi"),
            NO_NEWS,
            id="used up to the last core",
        ),
        pytest.param(
            IN_KUBERNETES_DOCS,
            teams(a="cpu: 10, memory: 20Gi", b="cpu: 4001m, memory: 10Gi"),
            [
                "a.yaml:4 all quotas together allow cpu 14001m; the cluster has 14 to give (1m too much in total)",
                "  b.yaml:4 quota base of team-b: 4001m",
            ],
            id="a thousandth too much",
        ),
        pytest.param(
            "capacity: {cpu: 2, reserve: {cpu: 3, memory: 1Gi}}\n",
            teams(a="cpu: 1, memory: 1Gi"),
            ["a.yaml:4 all quotas together allow cpu 1; the cluster has 0 to give (1 too much in total)"],
            id="everything in reserve",
        ),
        pytest.param(
            "capacity: {hugepages-2Mi: 1Gi, nvidia.com/gpu: 4, services.loadbalancers: 2, ephemeral-storage: 10G}\n",
            teams(
                a="requests.hugepages-2Mi: 2Gi, requests.nvidia.com/gpu: 5",
                b="services.loadbalancers: 3, ephemeral-storage: 11G, nvidia.com/gpu: 100",
            ),
            [
                "a.yaml:4 all quotas together allow hugepages-2Mi 2Gi; the cluster has 1Gi to give "
                "(1Gi too much in total)",
                "a.yaml:4 all quotas together allow nvidia.com/gpu 5; the cluster has 4 to give (1 too much in total)",
                "b.yaml:4 all quotas together allow services.loadbalancers 3; the cluster has 2 to give "
                "(1 too much in total)",
                "b.yaml:4 all quotas together allow ephemeral-storage 11G; the cluster has 10G to give "
                "(1G too much in total)",
            ],
            id="every kind of resource",
        ),
        pytest.param(
            "capacity: {cpu: 5}\n",
            teams(a="limits.cpu: 100", b='cpu: "4"', c='cpu: "${CPU}"'),
            NO_NEWS,
            id="limits and placeholders",
        ),
        pytest.param(
            "capacity: {cpu: 5}\n",
            {"a.yaml": quota("team-a", hard="cpu: 9, bad_name: 1"), "b.yaml": quota("team-b", hard="cpu: 5")},
            NO_NEWS,
            id="a quota that is refused",
        ),
        pytest.param(
            "capacity: {pods: 5}\n",
            {
                "a.yaml": quota("team-a", "one", "pods: 9")
                + "---\n"
                + quota("team-a", "two", "count/pods: 4")
                + "---\n"
                + quota("team-a", "three", 'pods: "${PODS}"', ", scopes: [Terminating]"),
                "b.yaml": quota("team-b", hard="pods: 9") + "---\n" + quota("team-b", "unknown", 'pods: "${PODS}"'),
            },
            NO_NEWS,
            id="the smallest of a namespace",
        ),
        pytest.param("capacity: {cpu: 1}\n", teams(a="memory: 1Ti"), NO_NEWS, id="another resource"),
        pytest.param("nodes: 3\n", teams(a="cpu: 1k"), NO_NEWS, id="no capacity"),
    ],
)
def test_the_sum_of_all_quotas(
    configured: str, files: Files, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = checked(tmp_path, {".quotalint.yaml": configured, **files}, monkeypatch)
    assert messages(result.findings) == expected


def test_each_environment_is_judged_for_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        ".quotalint.yaml": "capacity: {cpu: 10}\n",
        "overlays/dev/a.yaml": quota("team-a", hard="cpu: 6"),
        "overlays/prod/a.yaml": quota("team-a", hard="cpu: 8"),
        "shared/b.yaml": quota("team-b", hard="cpu: 4"),
    }
    assert messages(checked(tmp_path, files, monkeypatch).findings) == [
        "overlays/prod/a.yaml:4 in prod all quotas together allow cpu 12; the cluster has 10 to give "
        "(2 too much in total)",
        "  shared/b.yaml:4 quota base of team-b: 4",
    ]


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        pytest.param(
            {"a.yaml": quota("team-a", hard="cpu: 3")},
            [
                "a.yaml:4 all quotas together allow cpu 12; the cluster has 10 to give (2 too much in total)",
                "  cluster.txt:4 quota base of team-b: 9",
            ],
            id="beside one of the repository",
        ),
        pytest.param({"a.yaml": quota("team-b", hard="cpu: 3")}, NO_NEWS, id="the repository takes precedence"),
        pytest.param({"a.yaml": web(1, "team-a")}, NO_NEWS, id="of the cluster alone"),
    ],
)
def test_quotas_of_a_snapshot_count(
    own: Files, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    capacity = "capacity: {cpu: 10}\n" if expected else "capacity: {cpu: 4}\n"
    shown = quota("team-b", hard="cpu: 9")
    write(tmp_path, {".quotalint.yaml": capacity, "cluster.txt": shown, **own})
    monkeypatch.chdir(tmp_path)
    assert messages(run_pipeline(snapshots=[snapshot_of(shown)]).findings) == expected


def limit(hard: str, *scopes: object, namespaces: tuple[str, ...] = ("a",), name: str = "requests.cpu") -> Limit:
    """A limit under scopes: their names, or (name, operator, values)."""
    listed = [scope for scope in scopes if isinstance(scope, str)]
    selected = [
        {"scopeName": scope[0], "operator": scope[1], "values": list(scope[2])}
        for scope in scopes
        if isinstance(scope, tuple)
    ]
    spec = {"hard": {name: hard}, "scopes": listed, "scopeSelector": {"matchExpressions": selected}}
    body = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q"}, "spec": spec}
    (obj,) = objects(body, Place("q.yaml"))
    quota: Quota = quota_of(obj, namespaces)
    return Limit(quota, name, quota.hard[name])


HIGH, LOW = ("PriorityClass", "In", ("high",)), ("PriorityClass", "In", ("low",))
NOT_HIGH, ANY = ("PriorityClass", "NotIn", ("high",)), ("PriorityClass", "Exists", ())
NONE = ("PriorityClass", "DoesNotExist", ())


@pytest.mark.parametrize(
    ("limits", "expected", "covered"),
    [
        pytest.param([], [], False, id="nothing"),
        pytest.param([limit("4")], ["4"], True, id="one"),
        pytest.param([limit("4"), limit("3")], ["3"], True, id="the smallest"),
        pytest.param([limit("4", "Terminating")], ["4"], False, id="some pods"),
        pytest.param([limit("4", "Terminating"), limit("3", "NotTerminating")], ["4", "3"], True, id="complements"),
        pytest.param(
            [limit("5"), limit("4", "Terminating"), limit("3", "NotTerminating")],
            ["5"],
            True,
            id="complements within one that is smaller",
        ),
        pytest.param(
            [limit("9"), limit("4", "Terminating"), limit("3", "NotTerminating")],
            ["4", "3"],
            True,
            id="complements within one that is larger",
        ),
        pytest.param([limit("9"), limit("4", "Terminating")], ["9"], True, id="part of the whole"),
        pytest.param([limit("4", "NotBestEffort")], ["4"], True, id="no best effort pod asks for cores"),
        pytest.param(
            [limit("4", "NotBestEffort", name="pods"), limit("3", "BestEffort", name="pods")],
            ["4", "3"],
            True,
            id="best effort pods are pods",
        ),
        pytest.param([limit("4", "NotBestEffort", name="pods")], ["4"], False, id="best effort pods are free"),
        pytest.param([limit("4", HIGH), limit("3", LOW)], ["4", "3"], False, id="two classes"),
        pytest.param([limit("4", HIGH), limit("3", NOT_HIGH)], ["4", "3"], True, id="a class and the others"),
        pytest.param([limit("4", ANY), limit("3", NONE)], ["4", "3"], True, id="any class and none"),
        pytest.param([limit("4", ANY), limit("3", HIGH)], ["4"], False, id="a class within any"),
        pytest.param([limit("4", "PriorityClass"), limit("3", HIGH, LOW)], ["4"], False, id="a scope that is empty"),
        pytest.param(
            [limit("4", "Terminating"), limit("8", HIGH)],
            ["4", "8"],
            False,
            id="scopes that overlap and can be had apart",
        ),
        pytest.param(
            [limit("4", "Terminating", HIGH), limit("8", HIGH)], ["8"], False, id="scopes together and one of them"
        ),
        pytest.param([limit("0")], [], True, id="nothing at all"),
        pytest.param(
            [limit("4", namespaces=("a",)), limit("3", namespaces=("b",))], ["4", "3"], True, id="two namespaces"
        ),
        pytest.param(
            [limit("4", namespaces=("a",)), limit("9", namespaces=("b",)), limit("6", namespaces=("a", "b"))],
            ["6"],
            True,
            id="two namespaces within a quota for both",
        ),
    ],
)
def test_what_several_limits_let_a_namespace_have(limits: list[Limit], expected: list[str], covered: bool) -> None:
    decimals = [decimal(share.amount) for share in namespace_shares(limits, ("a", "b"))]
    assert (decimals, is_covered(limits)) == (expected, covered)


@pytest.mark.parametrize(
    "spec",
    ["[]", "3", "{hard: [1]}", "{hard: {cpu: [9]}}", "{hard: {cpu: 9}, scopes: {a: 1}}", "{hard: '${HARD}'}", "null"],
)
def test_a_quota_that_cannot_be_read_may_limit_anything(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: odd, namespace: team-a}}\nspec: {spec}\n"
    files = {".quotalint.yaml": "capacity: {cpu: 20}\n", "a.yaml": broken, **teams(b="cpu: 4")}
    assert messages(checked(tmp_path, files, monkeypatch).findings) == NO_NEWS
