"""Who may change the quota of a namespace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from access_manifests import (
    MINE,
    RBAC,
    Manifest,
    binding,
    by,
    files,
    group,
    lets,
    messages,
    part,
    role,
    rule,
    sa,
    sum_of,
    user,
    verdict,
)
from gitops_outcome import checked
from manifests import quota
from pipeline_runs import run_pipeline, snapshot_of
from written_files import Files, write
from yaml_texts import dump_documents


@pytest.mark.parametrize(
    ("rule_of_role", "expected"),
    [
        pytest.param(rule("update"), lets("change"), id="update"),
        pytest.param(rule("patch get"), lets("change"), id="patch"),
        pytest.param(rule("delete"), lets("delete"), id="delete"),
        pytest.param(rule("deletecollection"), lets("delete"), id="deletecollection"),
        pytest.param(rule("*"), lets("change and delete"), id="every verb"),
        pytest.param(rule("*", "*", "*"), lets("change and delete"), id="everything"),
        pytest.param(rule("update", "pods resourcequotas", "apps *"), lets("change"), id="among others"),
        pytest.param(rule("create"), "info Role r lets Group devs create ResourceQuotas in team-a", id="create"),
        pytest.param(rule("get list watch"), "", id="read"),
        pytest.param(rule("Update"), "", id="verbs are in small letters"),
        pytest.param(rule("*", "*", "apps"), "", id="another group"),
        pytest.param(rule("*", "resourcequotas/status"), "", id="the status"),
        pytest.param(rule("*", "*/status resourcequotas/* */*"), "", id="subresources"),
        pytest.param(rule("*", "ResourceQuota resourcequota"), "", id="a kind is no resource"),
        pytest.param(rule("update delete", names="base"), lets("change and delete"), id="by name"),
        pytest.param(rule("update", names="other"), "", id="another one by name"),
        pytest.param(rule("create deletecollection", names="base"), "", id="requests without a name"),
        pytest.param(rule("*", names="other base"), lets("change and delete"), id="everything, by name"),
        pytest.param({"apiGroups": [""], "resources": ["*"]}, "", id="no verbs"),
        pytest.param({"nonResourceURLs": ["*"], "verbs": ["*"]}, "", id="URLs"),
        pytest.param({"apiGroups": "*", "resources": "*", "verbs": "*"}, "", id="texts instead of lists"),
        pytest.param({"apiGroups": [{}, None], "resources": [["*"]], "verbs": [True, 1]}, "", id="other things"),
        pytest.param("*", "", id="a text"),
    ],
)
def test_a_rule_of_a_role(rule_of_role: Any, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict(messages(checked(tmp_path, files(role(rule_of_role), binding()), monkeypatch).findings)) == expected


def test_what_may_only_be_created_is_not_named_beside_what_may_be_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    granted = files(role(rule("create"), rule("delete", names="base")), binding())
    two = {**granted, "more.yaml": quota("team-a", "more")}
    assert verdict(messages(checked(tmp_path, two, monkeypatch).findings)) == lets("delete")


@pytest.mark.parametrize(
    ("subjects", "expected"),
    [
        pytest.param([user("jane"), group("devs")], "User jane, Group devs", id="people"),
        pytest.param([sa("team-a")], "ServiceAccount team-a/deployer", id="a service account"),
        pytest.param([{"kind": "ServiceAccount", "name": "ci"}], "ServiceAccount team-a/ci", id="of the namespace"),
        pytest.param([sa("ci")], "ServiceAccount ci/deployer", id="of another namespace"),
        pytest.param([sa("argocd"), sa("flux-system"), sa("kube-system"), sa("openshift-gitops")], "", id="deployers"),
        pytest.param([sa("argocd"), user("jane")], "User jane", id="a deployer and somebody else"),
        pytest.param([group("system:masters"), user("system:kube-controller-manager")], "", id="Kubernetes itself"),
        pytest.param([group("system:authenticated")], "Group system:authenticated", id="anybody"),
        pytest.param([group("system:serviceaccounts")], "Group system:serviceaccounts", id="any service account"),
        pytest.param(
            [group("system:serviceaccounts:team-a"), group("system:serviceaccounts:argocd")],
            "Group system:serviceaccounts:team-a",
            id="the service accounts of a namespace",
        ),
        pytest.param(
            [user("system:serviceaccount:team-a:ci"), user("system:serviceaccount:flux-system:flux")],
            "User system:serviceaccount:team-a:ci",
            id="service accounts as users",
        ),
        pytest.param([user("system:serviceaccount:")], "User system:serviceaccount:", id="half a name"),
        pytest.param(
            [user(f"u{number}") for number in range(10)],
            ", ".join(f"User u{number}" for number in range(8)) + " and 2 more",
            id="many",
        ),
        pytest.param([{"kind": "Robot", "name": "r"}, {"kind": "User"}, 3, None, [], {}], "", id="nobody"),
    ],
)
def test_whom_a_binding_is_for(
    subjects: list[Any], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    findings = checked(tmp_path, files(role(rule("delete")), binding("Role", *subjects)), monkeypatch).findings
    assert verdict(messages(findings)) == (lets("delete", whom=expected) if expected else "")


TO_EDIT = {f"{RBAC}/aggregate-to-edit": "true"}


@pytest.mark.parametrize(
    ("manifests", "expected"),
    [
        pytest.param(
            [role(rule("delete"), kind="ClusterRole"), binding("ClusterRole")], "ClusterRole cr", id="its own"
        ),
        pytest.param([part({"mine": "yes"}), sum_of(MINE), binding("ClusterRole")], "ClusterRole cr", id="a sum"),
        pytest.param([part({"mine": "no"}), sum_of(MINE), binding("ClusterRole")], "", id="another value"),
        pytest.param([part({}), sum_of(), binding("ClusterRole")], "", id="of none"),
        pytest.param(
            [part({"tier": "b"}), sum_of(MINE, by("tier", "In", "a", "b")), binding("ClusterRole")],
            "ClusterRole cr",
            id="one of several selectors",
        ),
        pytest.param(
            [part({"tier": "b"}), sum_of({**MINE, **by("tier", "In", "b")}), binding("ClusterRole")],
            "",
            id="both halves of a selector",
        ),
        pytest.param(
            [part({"tier": "b"}), sum_of(by("tier", "Exists")), binding("ClusterRole")], "ClusterRole cr", id="Exists"
        ),
        pytest.param(
            [
                part({"tier": "b"}),
                sum_of(by("tier", "DoesNotExist") | {"matchLabels": {"tier": "b"}}),
                binding("ClusterRole"),
            ],
            "",
            id="DoesNotExist",
        ),
        pytest.param(
            [part({"mine": "yes"}), sum_of({**MINE, **by("tier", "NotIn", "b")}), binding("ClusterRole")],
            "ClusterRole cr",
            id="NotIn",
        ),
        pytest.param([part({"mine": "yes"}), sum_of(by("mine", "Like", "y")), binding("ClusterRole")], "", id="Like"),
        pytest.param(
            [
                part({"mine": "yes"}),
                sum_of(MINE, name="middle", labels={"up": "1"}),
                sum_of({"matchLabels": {"up": "1"}}),
                binding("ClusterRole"),
            ],
            "ClusterRole cr",
            id="a sum of a sum",
        ),
        pytest.param(
            [
                sum_of(MINE, labels={"mine": "yes"}),
                sum_of(MINE, name="x", labels={"mine": "yes"}),
                binding("ClusterRole"),
            ],
            "",
            id="sums of each other",
        ),
        pytest.param(
            [sum_of(MINE) | {"rules": [rule("delete")]}, binding("ClusterRole")], "", id="rules that are overwritten"
        ),
        pytest.param([part(TO_EDIT), binding("ClusterRole", name="edit")], "ClusterRole edit", id="added to edit"),
        pytest.param([part(TO_EDIT), binding("ClusterRole", name="admin")], "ClusterRole admin", id="so to admin"),
        pytest.param([part(TO_EDIT), binding("ClusterRole", name="view")], "", id="and not to view"),
        pytest.param([binding("ClusterRole", name="admin")], "", id="admin itself"),
        pytest.param([binding("ClusterRole", name="edit")], "", id="edit itself"),
        pytest.param([binding("ClusterRole", name="elsewhere")], "", id="not in view"),
        pytest.param([role(rule("delete")), binding("ClusterRole", name="r")], "", id="a Role is no ClusterRole"),
        pytest.param([role(rule("delete")), binding("Role", namespace="team-b")], "", id="in another namespace"),
        pytest.param(
            [role(rule("delete"), kind="ClusterRole"), binding("ClusterRole") | {"kind": "ClusterRoleBinding"}],
            "",
            id="of the whole cluster",
        ),
    ],
)
def test_roles_of_the_cluster(
    manifests: list[Manifest], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    actual_verdict = verdict(messages(checked(tmp_path, files(*manifests), monkeypatch).findings))
    assert actual_verdict == (lets("delete", expected) if expected else "")


def test_a_sum_of_all_roles_has_those_that_every_cluster_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    findings = checked(tmp_path, files(sum_of({}), binding("ClusterRole")), monkeypatch).findings
    assert messages(findings) == [
        "rbac.yaml:16 warning RoleBinding b gives Group devs the ClusterRole cr in team-a, which may change and delete "
        "ResourceQuota base"
    ]


def test_a_role_that_is_bound_in_many_namespaces_is_one_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    teams = [f"team-{number}" for number in range(10)]
    bindings = [binding("ClusterRole", group(team), namespace=team) for team in teams]
    everything = {
        "quotas.yaml": "---\n".join(map(quota, teams)),
        "rbac.yaml": dump_documents([role(rule(), kind="ClusterRole"), *bindings], sort_keys=False),
    }
    (finding,) = [
        finding for finding in checked(tmp_path, everything, monkeypatch).findings if finding.rule.id == "QL504"
    ]
    assert (finding.message, [note.text for note in finding.notes], len(finding.related)) == (
        f"ClusterRole cr lets {', '.join(f'Group {team}' for team in teams[:8])} and 2 more change and delete "
        f"ResourceQuota base of {', '.join(teams[:8])} and 2 more",
        ["2 more bindings do the same"],
        16,
    )


def test_where_it_is_said_and_what_belongs_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifests = [
        role(rule("get"), rule("delete"), rule("update")),
        binding(),
        binding("ClusterRole", name="cluster-admin"),
    ]
    manifests[2]["metadata"]["name"] = "owners"
    text = dump_documents(manifests, sort_keys=False)
    more = {"more.yaml": quota("team-a", "other", "pods: 1") + "---\n" + quota("team-a", "refused", "pods: x")}
    result = checked(tmp_path, {**files(*manifests), **more}, monkeypatch)
    shown = [
        [
            f"{finding.file}:{finding.span.line} {finding.field}",
            *(f"{other.label} {other.file}" for other in finding.related),
        ]
        for finding in result.findings
        if finding.rule.id == "QL504"
    ]
    lines = text.splitlines()
    second = lines.index("- apiGroups:", lines.index("- apiGroups:") + 1) + 1
    reference = [number for number, line in enumerate(lines, 1) if line == "roleRef:"][1]
    assert shown == [
        [f"rbac.yaml:{second} rules[1]", "bound by rbac.yaml", "quota more.yaml", "quota quota.yaml"],
        [f"rbac.yaml:{reference} roleRef", "quota more.yaml", "quota quota.yaml"],
    ]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        pytest.param({"quota.yaml": quota("team-a", hard="cpus: 1")}, "", id="a quota that is refused"),
        pytest.param({"quota.yaml": quota("team-b")}, "", id="a quota elsewhere"),
        pytest.param(
            {"two.yaml": quota("team-a", "two")}, lets("delete", quotas="base, two"), id="two quotas of the namespace"
        ),
    ],
)
def test_only_quotas_that_take_effect(
    more: Files, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = {**files(role(rule("delete")), binding()), **more}
    assert verdict(messages(checked(tmp_path, everything, monkeypatch).findings)) == expected


@pytest.mark.parametrize(
    ("own", "shown", "expected"),
    [
        pytest.param([role(rule("delete"))], [binding()], "rbac.yaml:8", id="a binding of the cluster"),
        pytest.param([binding()], [role(rule("delete"))], "rbac.yaml:6", id="a role of the cluster"),
        pytest.param(
            [binding("ClusterRole")],
            [sum_of(MINE) | {"rules": [rule("delete")]}],
            "rbac.yaml:6",
            id="a sum of the cluster",
        ),
    ],
)
def test_what_the_cluster_shows(
    own: list[Manifest], shown: list[Manifest], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = dump_documents(shown, sort_keys=False)
    write(tmp_path, {**files(*own), "cluster.txt": text})
    monkeypatch.chdir(tmp_path)
    actual_messages = messages(run_pipeline(snapshots=[snapshot_of(text)]).findings)
    assert [actual_message.partition(" ")[0] for actual_message in actual_messages] == [expected]
