"""HierarchicalResourceQuota: which namespaces descend from its own, and what they use together."""

from __future__ import annotations

from pathlib import Path

import pytest
from family_outcome import Case, checked, document, expected, namespace, outcome_of, params, pod

HIDDEN = "top may have descendants that are not in view"
NOBODY = tuple(f"no workload of namespace {name} is in view" for name in ("top",))


def quota(spec: str = 'hard: {pods: "5"}') -> str:
    return document("hnc.x-k8s.io/v1alpha2 HierarchicalResourceQuota", "q", f"spec: {{{spec}}}", "top")


def under(parent: str, child: str) -> str:
    return document("hnc.x-k8s.io/v1alpha2 HierarchyConfiguration", "hierarchy", f"spec: {{parent: {parent}}}", child)


def anchor(parent: str, child: str) -> str:
    return document("hnc.x-k8s.io/v1alpha2 SubnamespaceAnchor", child, namespace=parent)


def counts(namespaces: str, used: int, certainty: str = "at-least") -> tuple[str, ...]:
    return (f"HierarchicalResourceQuota q [{namespaces}] pods {used}/5 {certainty}",)


def tree(name: str, manifests: str, namespaces: str, snapshot: str = "") -> Case:
    """Each namespace has one pod."""
    pods = "".join(map(pod, namespaces.split()))
    number = len(namespaces.split())
    if snapshot:
        return Case(name, quota() + manifests + pods, counts(namespaces, number, "exact"), snapshot=snapshot)
    return Case(name, quota() + manifests + pods, counts(namespaces, number), unknowns=(HIDDEN,))


CASES = [
    tree("its own namespace", under("other", "b"), "top"),
    tree("a child says who its parent is", under("top", "b"), "top b"),
    tree("a parent has an anchor for a child", anchor("top", "b"), "top b"),
    tree("grandchildren, both ways", under("top", "b") + anchor("b", "c") + under("c", "d"), "top b c d"),
    tree("siblings and strangers", under("top", "b") + under("top", "a") + under("x", "y") + pod("y"), "top a b"),
    tree("a namespace that says so of itself", namespace("b", "", "hnc.x-k8s.io/subnamespace-of: top"), "top b"),
    tree("a cycle through itself", under("top", "b") + under("b", "c") + under("c", "top"), "top b c"),
    tree("a cycle below it", under("top", "b") + under("b", "b"), "top"),
    tree("its own parent", under("top", "top"), "top"),
    tree("what the child says counts before the anchor", anchor("top", "b") + under("x", "b") + pod("b"), "top"),
    tree("without a parent", under("null", "b") + under("''", "c") + under("[top]", "d"), "top"),
    tree("a snapshot shows the tree", under("top", "b"), "top b", snapshot=under("x", "y")),
    tree(
        "a snapshot shows the labels of the tree",
        "",
        "top b c",
        snapshot=namespace("b", "b.tree.hnc.x-k8s.io/depth: '0', top.tree.hnc.x-k8s.io/depth: '1'")
        + namespace("c", "c.tree.hnc.x-k8s.io/depth: '0', top.tree.hnc.x-k8s.io/depth: '2'"),
    ),
    Case(
        "a quota of the cluster that is not the controller's counts by itself",
        quota() + under("top", "b") + pod("top") + pod("b"),
        ("ResourceQuota own [b] pods 1/3 exact", *counts("top b", 2, "exact")),
        snapshot=under("x", "y")
        + document("v1 ResourceQuota", "own", 'spec: {hard: {pods: "3"}}', "b")
        + document("v1 ResourceQuota", "hrq.hnc.x-k8s.io", 'spec: {hard: {pods: "5"}}', "b"),
    ),
    Case(
        "a namespace of the tree in which nothing is in view",
        quota() + under("top", "b") + pod("b"),
        counts("top b", 1),
        unknowns=(*NOBODY, HIDDEN),
    ),
    Case(
        "nobody is in view",
        quota() + under("top", "b"),
        ("HierarchicalResourceQuota q [top b] pods ?/5 unknown",),
        unknowns=(HIDDEN,),
    ),
    Case(
        "it has no scopes, so they are not read",
        quota('hard: {configmaps: "5"}, scopes: [BestEffort]') + pod("top"),
        ("HierarchicalResourceQuota q [top] configmaps 1/5 at-least",),
        unknowns=(HIDDEN,),
    ),
    Case(
        "each namespace has its own ConfigMap",
        quota('hard: {configmaps: "1"}') + under("top", "b") + pod("top") + pod("b"),
        ("HierarchicalResourceQuota q [top b] configmaps 2/1 at-least",),
        ("5 QL301 spec.hard[configmaps]",),
        (HIDDEN,),
    ),
    Case(
        "what the API server would refuse",
        quota("hard: {foo: 1, pods: ten}"),
        ("HierarchicalResourceQuota q [top] refused",),
        ("5 QL102 spec.hard[foo]", "5 QL103 spec.hard[pods]"),
    ),
    Case(
        "the ResourceQuota that the controller made of it is not another one",
        quota() + pod("top") + document("v1 ResourceQuota", "own", 'spec: {hard: {pods: "9"}}', "top"),
        ("ResourceQuota own [top] pods 1/9 exact", *counts("top b", 2, "exact")),
        snapshot=under("top", "b")
        + pod("b")
        + document("v1 ResourceQuota", "hrq.hnc.x-k8s.io", 'spec: {hard: {pods: "5"}}', "top")
        + document("v1 ResourceQuota", "hrq.hnc.x-k8s.io", 'spec: {hard: {pods: "5"}}', "b"),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_a_hierarchical_resource_quota(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome_of(case, tmp_path, monkeypatch) == expected(case)


def test_refusals_sound_as_the_controller_has_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifests = quota("hard: {requests.cpu: 1}") + under("top", "b") + pod("top") + pod("b") + pod("b", "idle", "")
    findings = checked(Case("", manifests, ()), tmp_path, monkeypatch).findings
    texts = [note.text for finding in findings for note in finding.notes_for_people] + [
        finding.message for finding in findings
    ]
    assert [text for text in texts if "quota: " in text or "quota in" in text] == [
        "1 of these 2 pods, whichever comes last, will be refused: "
        'exceeded hierarchical quota in namespace "top": "q", requested: requests.cpu=1, used: requests.cpu=1, '
        "limited: requests.cpu=1",
        "Pod idle is refused, because quota q requires every container to state requests.cpu (missing in c): "
        "failed quota: hrq.hnc.x-k8s.io: must specify requests.cpu for: c",
    ]


def test_without_descendants_the_quota_of_the_namespace_itself_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifests = quota("hard: {requests.cpu: 1}") + namespace("top") + pod("top", "a") + pod("top", "b")
    findings = checked(Case("", manifests, ()), tmp_path, monkeypatch).findings
    texts = [note.text for finding in findings for note in finding.notes_for_people] + [
        finding.message for finding in findings
    ]
    (refusal,) = (text for text in texts if "exceeded " in text)
    assert "exceeded quota: hrq.hnc.x-k8s.io, requested: requests.cpu=1" in refusal


def test_a_thousand_generations_have_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chain = "".join(under(f"n{number}", f"n{number + 1}") for number in range(1000))
    result = checked(Case("", quota() + under("top", "n0") + chain, ()), tmp_path, monkeypatch)
    assert [len(quota.namespaces) for quota in result.environments[0].quotas] == [1002]
