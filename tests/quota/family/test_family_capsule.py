"""Capsule's Tenants: quotas over all of their namespaces or in each, and LimitRanges."""

from __future__ import annotations

from pathlib import Path

import pytest
from family_outcome import Case, checked, document, expected, namespace, outcome_of, params, pod

A = namespace("oil-a", "capsule.clastix.io/tenant: oil")
B = namespace("oil-b", "capsule.clastix.io/tenant: oil")
HIDDEN = "tenant oil may have namespaces that are not in view"
FIVE = 'items: [{hard: {pods: "5"}}]'


def tenant(spec: str, version: str = "v1beta2", more: str = "") -> str:
    return document(f"capsule.clastix.io/{version} Tenant", "oil", f"spec: {{{spec}}}\n{more}")


def quotas(spec: str = FIVE, version: str = "v1beta2") -> str:
    return tenant(f"resourceQuotas: {{{spec}}}", version)


def owned(name: str, by: str = "oil", kind: str = "Tenant", more: str = "") -> str:
    owner = f"{{apiVersion: capsule.clastix.io/v1beta2, kind: {kind}, name: {by}, uid: u}}"
    return document("v1 Namespace", name, f"metadata.ownerReferences: [{owner}]{more}")


def counts(namespaces: str, used: int, certainty: str = "at-least", index: int = 0) -> str:
    return f"Tenant capsule-oil-{index} [{namespaces}] pods {used}/5 {certainty}"


def made(kind: str, name: str, spec: str, namespace: str) -> str:
    owner = "{apiVersion: capsule.clastix.io/v1beta2, kind: Tenant, name: oil, uid: u}"
    return (
        f"---\napiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}, namespace: {namespace}, "
        f"ownerReferences: [{owner}]}}\nspec: {spec}\n"
    )


def shared(name: str, manifests: str, namespaces: str, version: str = "v1beta2") -> Case:
    pods = "".join(map(pod, namespaces.split()))
    used = len(namespaces.split())
    return Case(name, quotas(version=version) + manifests + pods, (counts(namespaces, used),), unknowns=(HIDDEN,))


CASES = [
    shared("namespaces by their label", A + B + namespace("gas", "capsule.clastix.io/tenant: gas"), "oil-a oil-b"),
    shared("v1beta1", A + B, "oil-a oil-b", "v1beta1"),
    shared("the label that came later", namespace("oil-a", "projectcapsule.dev/tenant: oil"), "oil-a"),
    shared("namespaces by their owner", owned("x") + owned("y", "gas") + owned("z", kind="Pool"), "x"),
    shared(
        "the owner counts before the label",
        owned("x", "gas", more=", labels: {capsule.clastix.io/tenant: oil}") + A,
        "oil-a",
    ),
    Case(
        "scope Tenant, written out",
        quotas(f"scope: Tenant, {FIVE}") + A + B + pod("oil-a") + pod("oil-b"),
        (counts("oil-a oil-b", 2),),
        unknowns=(HIDDEN,),
    ),
    Case(
        "scope Namespace gives each its own",
        quotas(f"scope: Namespace, {FIVE}") + A + B + pod("oil-a") + pod("oil-a", "other") + pod("oil-b"),
        (counts("oil-a", 2, "exact"), counts("oil-b", 1, "exact")),
    ),
    Case(
        "several items are several quotas",
        quotas('items: [{hard: {pods: "5"}}, {hard: {pods: "5"}, scopes: [BestEffort]}]')
        + (A + B + pod("oil-a") + pod("oil-b", "idle", "")),
        (counts("oil-a oil-b", 2), counts("oil-a oil-b", 1, index=1)),
        unknowns=(HIDDEN,),
    ),
    Case(
        "exceeded by the tenant",
        quotas('items: [{hard: {pods: "1"}}]') + A + B + pod("oil-a") + pod("oil-b"),
        ("Tenant capsule-oil-0 [oil-a oil-b] pods 2/1 at-least",),
        ("5 QL301 spec.resourceQuotas.items[0].hard[pods]",),
        (HIDDEN,),
    ),
    Case(
        "exceeded in each namespace",
        quotas('scope: Namespace, items: [{hard: {pods: "0"}}]') + A + B + pod("oil-a") + pod("oil-b"),
        ("Tenant capsule-oil-0 [oil-a] pods 1/0 exact", "Tenant capsule-oil-0 [oil-b] pods 1/0 exact"),
        ("5 QL301 spec.resourceQuotas.items[0].hard[pods]", "5 QL301 spec.resourceQuotas.items[0].hard[pods]"),
    ),
    Case(
        "a snapshot shows the namespaces, and what the controller made",
        quotas() + A + pod("oil-a"),
        (counts("oil-a oil-c", 2, "exact"),),
        snapshot=owned("oil-c")
        + pod("oil-c")
        + made("ResourceQuota", "capsule-oil-0", '{hard: {pods: "4"}}', "oil-c")
        + made("ResourceQuota", "capsule-oil-0", '{hard: {pods: "4"}}', "oil-a"),
    ),
    Case(
        "a tenant of a snapshot lists its namespaces",
        pod("oil-a"),
        (counts("oil-a oil-z", 1),),
        unknowns=(HIDDEN,),
        snapshot=tenant(f"resourceQuotas: {{{FIVE}}}", more="status: {namespaces: [oil-a, oil-z]}\n") + pod("other"),
    ),
    Case(
        "without namespaces its mistakes are found all the same",
        quotas("scope: Namespace, items: [{hard: {foo: 1}}]"),
        ("Tenant capsule-oil-0 [] refused",),
        ("5 QL102 spec.resourceQuotas.items[0].hard[foo]",),
    ),
    Case(
        "without namespaces the mistakes of its LimitRanges are found as well",
        tenant("limitRanges: {items: [{limits: [{type: Container, maxLimitRequestRatio: {cpu: 500m}}]}]}"),
        (),
        ("5 QL121 spec.limitRanges.items[0].limits[0].maxLimitRequestRatio[cpu]",),
    ),
    Case(
        "a quota of the repository is its own, whoever owns it",
        quotas() + A + pod("oil-a") + made("ResourceQuota", "base", '{hard: {pods: "4"}}', "oil-a"),
        ("ResourceQuota base [oil-a] pods 1/4 exact", counts("oil-a", 1)),
        ("5 QL206 spec.resourceQuotas.items[0].hard[pods]",),
        unknowns=(HIDDEN,),
    ),
    Case(
        "validated once for all namespaces",
        quotas('scope: Namespace, items: [{hard: {pods: "1"}}, {hard: {pods: x}, scopes: [Nope]}]')
        + A
        + B
        + pod("oil-a"),
        (
            "Tenant capsule-oil-0 [oil-a] pods 1/1 exact",
            "Tenant capsule-oil-0 [oil-b] pods ?/1 unknown",
            "Tenant capsule-oil-1 [oil-a] refused",
            "Tenant capsule-oil-1 [oil-b] refused",
        ),
        (
            "5 QL103 spec.resourceQuotas.items[1].hard[pods]",
            "5 QL106 spec.resourceQuotas.items[1].scopes",
        ),
        ("no workload of the namespace is in view",),
    ),
    Case(
        "a scope that there is not",
        quotas(f"scope: Cluster, {FIVE}") + A + pod("oil-a"),
        ("Tenant capsule-oil-0 [oil-a] refused",),
        ("5 QL112 spec.resourceQuotas.scope",),
    ),
    Case(
        "LimitRanges give defaults in each namespace",
        tenant(
            "resourceQuotas: {scope: Namespace, items: [{hard: {requests.cpu: 1}}]}, "
            "limitRanges: {items: [{limits: [{type: Container, defaultRequest: {cpu: 300m}}]}]}"
        )
        + (A + B + pod("oil-a", cpu="") + pod("oil-b", cpu="")),
        (
            "Tenant capsule-oil-0 [oil-a] requests.cpu 300m/1 exact",
            "Tenant capsule-oil-0 [oil-b] requests.cpu 300m/1 exact",
        ),
    ),
    Case(
        "LimitRanges refuse pods",
        tenant("limitRanges: {items: [{}, {limits: [{type: Container, max: {cpu: 500m}}]}]}") + A + pod("oil-a"),
        (),
        ("16 QL402 spec.containers[0].resources.requests.cpu",),
    ),
    Case(
        "a LimitRange that the API server would refuse",
        tenant("limitRanges: {items: [{limits: [{type: Container, min: {cpu: 2}, max: {cpu: 1}}]}]}")
        + A
        + B
        + pod("oil-a"),
        (),
        (
            "5 QL121 spec.limitRanges.items[0].limits[0].min[cpu]",
            "5 QL121 spec.limitRanges.items[0].limits[0].defaultRequest[cpu]",
            "5 QL121 spec.limitRanges.items[0].limits[0].default[cpu]",
        ),
    ),
    Case(
        "a tenant without a name has none of the namespaces that are of no tenant",
        quotas().replace("name: oil", "generateName: oil-") + namespace("other") + pod("other"),
        ("Tenant capsule--0 [] pods ?/5 unknown",),
        unknowns=(HIDDEN.replace("oil", ""),),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_a_tenant_counts_its_namespaces_together(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome_of(case, tmp_path, monkeypatch) == expected(case)


def test_a_refusal_gives_no_numbers_that_depend_on_other_namespaces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifests = quotas('items: [{hard: {pods: "1"}}]') + A + B + pod("oil-a") + pod("oil-b")
    (finding,) = checked(Case("", manifests, ()), tmp_path, monkeypatch).findings
    assert [note.text for note in finding.notes_for_people] == [
        "1 of these 2 pods, whichever comes last, will be refused: exceeded quota: capsule-oil-0, requested: pods=1"
    ]


def test_findings_in_several_namespaces_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifests = quotas('scope: Namespace, items: [{hard: {pods: "0"}}]') + A + B + pod("oil-a") + pod("oil-b")
    findings = checked(Case("", manifests, ()), tmp_path, monkeypatch).findings
    assert len({finding.fingerprint for finding in findings}) == len(findings) == 2
