"""ClusterResourceQuota: which namespaces it counts, and what is said of them together."""

from __future__ import annotations

from pathlib import Path

import pytest
from family_outcome import Case, checked, document, expected, namespace, outcome_of, params, pod

A, B, C = (namespace(f"team-{name}", f"team: {name}, stage: prod") for name in "abc")
PODS = pod("team-a") + pod("team-b") + pod("team-c")
OUTSIDE = "its selector may match namespaces of the cluster that are not in view"


def quota(selector: str, spec: str = 'hard: {pods: "5"}', kind: str = "quota.openshift.io/v1") -> str:
    return document(f"{kind} ClusterResourceQuota", "q", f"spec: {{selector: {selector}, quota: {{{spec}}}}}")


def doubt(names: str) -> str:
    return f"whether its selector matches {names} depends on labels or annotations that are not in view"


def counts(namespaces: str, used: int, certainty: str = "at-least") -> tuple[str, ...]:
    return (f"ClusterResourceQuota q [{namespaces}] pods {used}/5 {certainty}",)


def selected(
    name: str, selector: str, namespaces: str, manifests: str = A + B + C + PODS, unknowns: tuple[str, ...] = (OUTSIDE,)
) -> Case:
    used = len(namespaces.split())
    return Case(name, quota(selector) + manifests, counts(namespaces, used), unknowns=unknowns)


CASES = [
    selected("by a label", "{labels: {matchLabels: {team: a}}}", "team-a"),
    selected("by two labels", "{labels: {matchLabels: {team: a, stage: prod}}}", "team-a"),
    selected("all of the labels", "{labels: {matchLabels: {stage: prod}}}", "team-a team-b team-c"),
    selected("In", "{labels: {matchExpressions: [{key: team, operator: In, values: [a, c]}]}}", "team-a team-c"),
    selected("NotIn", "{labels: {matchExpressions: [{key: team, operator: NotIn, values: [a, c]}]}}", "team-b"),
    selected("Exists", "{labels: {matchExpressions: [{key: team, operator: Exists}]}}", "team-a team-b team-c"),
    selected(
        "labels and expressions",
        "{labels: {matchLabels: {stage: prod}, matchExpressions: [{key: team, operator: In, values: [b]}]}}",
        "team-b",
    ),
    selected(
        "by an annotation, with labels null as the server prints them",
        "{labels: null, annotations: {owner: alice}}",
        "team-a",
        namespace("team-a", "", "owner: alice") + namespace("team-b", "", "owner: bob") + pod("team-a"),
    ),
    selected(
        "both must match",
        "{labels: {matchLabels: {team: a}}, annotations: {owner: alice}}",
        "team-a",
        namespace("team-a", "team: a", "owner: alice")
        + namespace("team-b", "team: a")
        + namespace("team-c", "", "owner: alice")
        + PODS,
    ),
    selected(
        "a Project is a namespace",
        "{labels: {matchLabels: {team: a}}}",
        "team-a",
        document("project.openshift.io/v1 Project", "team-a", "metadata.labels: {team: a}") + pod("team-a"),
    ),
    Case(
        "the group of OpenShift 3",
        quota("{labels: {matchLabels: {team: a}}}", kind="v1") + A + PODS,
        counts("team-a", 1),
        unknowns=(OUTSIDE, doubt("team-b, team-c")),
    ),
    Case(
        "a namespace of which only the workloads are in view may match",
        quota("{labels: {matchLabels: {team: a}}}") + A + PODS,
        counts("team-a", 1),
        unknowns=(OUTSIDE, doubt("team-b, team-c")),
    ),
    Case(
        "its name is a label, so that nothing else is matched",
        quota("{labels: {matchLabels: {kubernetes.io/metadata.name: team-a}}}") + PODS,
        counts("team-a", 1, "exact"),
    ),
    Case(
        "its name twice, so that both say which",
        quota(
            "{labels: {matchLabels: {kubernetes.io/metadata.name: team-a}, matchExpressions: "
            "[{key: kubernetes.io/metadata.name, operator: In, values: [team-a, x]}]}}"
        )
        + PODS,
        counts("team-a", 1, "exact"),
    ),
    Case(
        "a placeholder for an annotation",
        quota("{annotations: {owner: '${OWNER}'}}") + namespace("team-a", "", "owner: alice") + pod("team-a"),
        ("ClusterResourceQuota q [] pods ?/5 unknown",),
        unknowns=(OUTSIDE, doubt("team-a")),
    ),
    Case(
        "several names, one of them of a namespace that nothing is known of",
        quota("{labels: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [team-a, x]}]}}")
        + PODS,
        counts("team-a x", 1),
        unknowns=("no workload of namespace x is in view",),
    ),
    Case(
        "a placeholder in a label may be the value",
        quota("{labels: {matchLabels: {team: a}}}") + namespace("team-b", "team: '${TEAM}'") + A + pod("team-a"),
        counts("team-a", 1),
        unknowns=(OUTSIDE,),
    ),
    Case(
        "a placeholder in one of the labels of a namespace that has workloads",
        quota("{labels: {matchLabels: {team: a}}}")
        + namespace("team-b", "team: '${TEAM}', stage: prod")
        + A
        + pod("team-a")
        + pod("team-b"),
        counts("team-a", 1),
        unknowns=(OUTSIDE, doubt("team-b")),
    ),
    Case(
        "a placeholder for an operator is no error",
        quota("{labels: {matchExpressions: [{key: team, operator: '${OPERATOR}', values: [a]}]}}") + A + pod("team-a"),
        ("ClusterResourceQuota q [] pods ?/5 unknown",),
        unknowns=(OUTSIDE,),
    ),
    Case(
        "a placeholder in the selector",
        quota("{labels: {matchLabels: {team: '${TEAM}'}}}") + A + pod("team-a"),
        ("ClusterResourceQuota q [] pods ?/5 unknown",),
        unknowns=(OUTSIDE, doubt("team-a")),
    ),
    Case(
        "a kustomization gives it no namespace",
        {
            "kustomization.yaml": "namespace: team-a\nresources: [all.yaml]\n",
            "all.yaml": quota("{labels: {matchLabels: {team: a}}}") + A + pod("elsewhere"),
        },
        counts("team-a", 1),
        unknowns=(OUTSIDE,),
    ),
    Case(
        "nothing matches",
        quota("{labels: {matchLabels: {team: x}}}") + A + pod("team-a"),
        ("ClusterResourceQuota q [] pods ?/5 unknown",),
        unknowns=(OUTSIDE,),
    ),
    Case(
        "a snapshot shows all namespaces",
        quota("{labels: {matchLabels: {stage: prod}}}") + A + pod("team-a"),
        counts("team-a team-b", 2, "exact"),
        snapshot=B + pod("team-b") + namespace("other"),
    ),
    Case(
        "a snapshot shows what others added to a namespace of the repository",
        quota("{labels: {matchLabels: {team: a}}, annotations: {openshift.io/requester: alice}}")
        + A
        + pod("team-a")
        + document("project.openshift.io/v1 Project", "team-c", "metadata.labels: {team: x}"),
        counts("team-a", 1, "exact"),
        snapshot=namespace("team-a", "team: old", "openshift.io/requester: alice")
        + namespace("team-c", "team: a", "openshift.io/requester: alice")
        + pod("team-c"),
    ),
    Case(
        "a snapshot of namespaces alone does not show who is in them",
        quota("{labels: {matchLabels: {stage: prod}}}") + A + pod("team-a"),
        counts("team-a team-b", 1),
        unknowns=("no workload of namespace team-b is in view",),
        snapshot=B,
    ),
    Case(
        "scopes, and what they do not admit",
        quota("{labels: {matchLabels: {team: a}}}", 'hard: {pods: "5", configmaps: "1"}, scopes: [BestEffort]')
        + A
        + PODS,
        ("ClusterResourceQuota q [team-a] refused",),
        ("5 QL108 spec.quota.scopes",),
    ),
    Case(
        "a scope counts what it matches",
        quota("{labels: {matchLabels: {stage: prod}}}", 'hard: {pods: "5"}, scopes: [BestEffort]')
        + (A + B + pod("team-a") + pod("team-b", "idle", "")),
        counts("team-a team-b", 1),
        unknowns=(OUTSIDE,),
    ),
    Case(
        "names, amounts and selectors of scopes are validated",
        quota(
            "{labels: {matchLabels: {team: a}}}",
            "hard: {memory.limit: 1, pods: ten, services: -1, secrets: 1500m, count/jobs: 1},"
            " scopeSelector: {matchExpressions: [{scopeName: Nope, operator: Exists}]}",
        ),
        ("ClusterResourceQuota q [] refused",),
        (
            "5 QL102 spec.quota.hard[memory.limit]",
            "5 QL103 spec.quota.hard[pods]",
            "5 QL104 spec.quota.hard[services]",
            "5 QL105 spec.quota.hard[secrets]",
            "5 QL202 spec.quota.hard[count/jobs]",
            "5 QL106 spec.quota.scopeSelector.matchExpressions.scopeName",
        ),
    ),
    Case(
        "exceeded by all together",
        quota("{labels: {matchLabels: {stage: prod}}}", 'hard: {pods: "2"}') + A + B + C + PODS,
        ("ClusterResourceQuota q [team-a team-b team-c] pods 3/2 at-least",),
        ("5 QL301 spec.quota.hard[pods]",),
        (OUTSIDE,),
    ),
    Case(
        "pods must state what it limits",
        quota("{labels: {matchLabels: {team: a}}}", "hard: {requests.cpu: 5}") + A + pod("team-a", cpu=""),
        ("ClusterResourceQuota q [team-a] requests.cpu 0/5 at-least",),
        ("15 QL401 spec.containers[0].resources",),
        (OUTSIDE,),
    ),
    Case(
        "an alias within it is tighter; a quota of one of its namespaces is another matter",
        quota("{labels: {matchLabels: {stage: prod}}}", "hard: {requests.cpu: 5, cpu: 4}")
        + (A + B + pod("team-a") + pod("team-b"))
        + document("v1 ResourceQuota", "own", "spec: {hard: {requests.cpu: 9}}", "team-a"),
        (
            "ResourceQuota own [team-a] requests.cpu 1/9 exact",
            "ClusterResourceQuota q [team-a team-b] cpu 2/4 at-least",
            "ClusterResourceQuota q [team-a team-b] requests.cpu 2/5 at-least",
        ),
        ("5 QL206 spec.quota.hard[requests.cpu]",),
        (OUTSIDE,),
    ),
    Case(
        "without a selector it is refused",
        quota("{}") + A + pod("team-a"),
        ("ClusterResourceQuota q [] refused",),
        ("5 QL112 spec.selector",),
    ),
    Case(
        "an empty label selector is refused even beside annotations",
        quota("{labels: {}, annotations: {a: b}}") + A + pod("team-a"),
        ("ClusterResourceQuota q [] refused",),
        ("5 QL112 spec.selector.labels",),
    ),
    Case(
        "no limits at all",
        quota("{labels: {matchLabels: {team: a}}}", "hard: {}") + A + pod("team-a"),
        ("ClusterResourceQuota q [team-a] limits nothing",),
        ("5 QL208 spec.quota.hard",),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_a_cluster_resource_quota(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome_of(case, tmp_path, monkeypatch) == expected(case)


def test_its_messages_name_the_namespaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifests = quota("{labels: {matchLabels: {stage: prod}}}", 'hard: {pods: "2"}') + A + B + C + PODS
    (finding,) = checked(Case("", manifests, ()), tmp_path, monkeypatch).findings
    refused = "exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2"
    assert (
        finding.message,
        [related.message for related in finding.related],
        [note.text for note in finding.notes],
    ) == (
        "3 namespaces (team-a, team-b, team-c) ask for pods 3 at least; quota q allows 2",
        [f"Pod p of team-{name}: 1 pod × 1 = 1" for name in "abc"],
        [
            f"1 of these 3 pods, whichever comes last, will be refused: {refused}",
            f"Pod p of team-c will be refused: {refused}",
        ],
    )
