"""Policies of the user's own: what is reported, and what is not known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from git_repositories import deployment, quota
from jsonschema import Draft202012Validator
from policy_runs import PEAK, policy, reported, written

from quotalint.cli import run
from quotalint.runtime.data import load_schema

pytest.importorskip("cel_expr_python", reason="the extra `policies` is not installed")

NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: team-a, labels: {tier: prod}}\n"
DAEMON = """---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: team-a}
spec: {template: {spec: {containers: [{name: agent, image: agent, resources: {requests: {cpu: 1}}}]}}}
"""


def test_an_entry_that_breaks_a_policy(folder: Path, capsys: Any) -> None:
    written(folder, PEAK, a=quota("requests.cpu: 4"), b=deployment(4))
    assert reported(capsys) == [("error", "a.yaml:6", "requests.cpu 4")]


def test_a_report_of_policies_fits_the_schema(folder: Path, capsys: Any) -> None:
    written(folder, PEAK, a=quota("requests.cpu: 4, pods: 9"), b=deployment(4))
    run(["check", "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert [error.message for error in Draft202012Validator(load_schema("report")).iter_errors(report)] == []


def test_exactly_four_fifths_are_not_more(folder: Path, capsys: Any) -> None:
    written(folder, PEAK, a=quota("requests.cpu: 5"), b=deployment(4))
    assert reported(capsys) == []


def test_what_is_not_in_view_is_neither_kept_nor_broken(folder: Path, capsys: Any) -> None:
    written(folder, PEAK, a=quota("requests.cpu: 5"))
    reason = "no workload of the namespace is in view"
    assert reported(capsys) == [
        (
            "info",
            "a.yaml:6",
            f"unknown whether requests.cpu of quota base in team-a keeps to this policy: {reason}",
        )
    ]


def test_it_is_said_once_for_each_cause(folder: Path, capsys: Any) -> None:
    written(folder, PEAK, a=quota("requests.cpu: 5, pods: 3, secrets: 3"))
    report = reported(capsys)
    assert len(report) == 1
    assert "and 2 more" in report[0][2]


@pytest.mark.parametrize(("hard", "verb"), [("requests.cpu: 5", "keeps"), ("requests.cpu: 5, pods: 3", "keep")])
def test_what_is_not_known_of_several_is_said_of_several(hard: str, verb: str, folder: Path, capsys: Any) -> None:
    written(folder, PEAK, a=quota(hard))
    ((_, _, message),) = reported(capsys)
    assert f" {verb} to this policy: " in message


@pytest.mark.parametrize("expression", ['entry.hard <= quantity("1")', 'quota.name != "base"'])
def test_a_quota_that_the_api_server_refuses_keeps_to_nothing(expression: str, folder: Path, capsys: Any) -> None:
    never = policy(expression)
    written(folder, never, a=quota("requests.cpu: 5"))
    assert len(reported(capsys)) == 1
    written(folder, never, a=quota("requests.cpu: 5", more="  scopes: [Terminating, NotTerminating]\n"))
    assert reported(capsys) == []


def test_what_does_not_depend_on_it_is_decided(folder: Path, capsys: Any) -> None:
    written(folder, policy('entry.hard <= quantity("1") && entry.peak <= entry.hard'), a=quota("requests.cpu: 5"))
    assert reported(capsys) == [("error", "a.yaml:6", "broken")]


def unused(capsys: Any, *arguments: str) -> list[str]:
    run(["check", "--format", "json", *arguments])
    findings = json.loads(capsys.readouterr().out)["findings"]
    return [finding["message"] for finding in findings if finding["rule"] == "QL006"]


def test_a_comment_that_silences_nothing_of_a_policy_is_unused(folder: Path, capsys: Any) -> None:
    written(folder, PEAK, a="# quotalint: ignore[QLC101]\n" + quota("requests.cpu: 9"), b=deployment(4))
    assert len([message for message in unused(capsys) if "QLC101" in message]) == 1
    assert unused(capsys, "--select", "QL006") == [], "the policy is not asked, so nobody knows"
    written(folder, PEAK, a="# quotalint: ignore[QLC102]\n" + quota("requests.cpu: 9"), b=deployment(4))
    assert "no rule is named `QLC102`" in unused(capsys)[0]
    assert "did you mean `QLC101`?" in unused(capsys)[0]
    written(folder, a="# quotalint: ignore[QLC102]\n" + quota("requests.cpu: 9"), b=deployment(4))
    assert unused(capsys) == [], "where there are no policies they may be in somebody else's configuration"


def test_a_baseline_keeps_what_it_says_of_policies(folder: Path, capsys: Any) -> None:
    written(folder, PEAK, a=quota("requests.cpu: 4"), b=deployment(4))
    assert run(["check", "--write-baseline"]) == 0
    assert run(["check"]) == 0
    capsys.readouterr()
    assert unused(capsys, "--select", "QL006,QL1") == [], "not asked for, so not known to be gone"
    configured = (folder / ".quotalint.yaml").read_text()
    (folder / ".quotalint.yaml").write_text("{}")
    assert unused(capsys) == [], "without its policies, nothing is known of it"
    (folder / ".quotalint.yaml").write_text(configured)
    (folder / "a.yaml").write_text(quota("requests.cpu: 9"))
    assert len([message for message in unused(capsys) if "QLC101" in message]) == 1


@pytest.mark.parametrize(
    ("hard", "expected"), [(4, ["error"]), (40, ["info"])], ids=["above the bound already", "perhaps enough"]
)
def test_of_a_lower_bound_only_an_excess_is_proof(folder: Path, capsys: Any, hard: int, expected: list[str]) -> None:
    written(folder, PEAK, a=quota(f"requests.cpu: {hard}"), b=deployment(4) + DAEMON)
    assert [severity for severity, _, _ in reported(capsys)] == expected


def test_nothing_equals_a_lower_bound(folder: Path, capsys: Any) -> None:
    written(folder, policy('entry.steady != quantity("5")'), a=quota("requests.cpu: 9"), b=deployment(4) + DAEMON)
    assert [severity for severity, _, _ in reported(capsys)] == ["info"]


def test_what_rests_on_a_guess_is_no_error(folder: Path, capsys: Any) -> None:
    written(folder, PEAK, a=quota("requests.cpu: 4"), b=deployment(4, namespace=""))
    report = reported(capsys)
    assert "error" not in [severity for severity, _, _ in report]
    assert report != []


def test_labels_of_a_namespace(folder: Path, capsys: Any) -> None:
    demand = policy('namespace.labels.tier == "prod" ? has(quota["limits.memory"]) : true')
    written(folder, demand, a=NAMESPACE + "---\n" + quota("pods: 4"))
    assert reported(capsys) == [("error", "a.yaml:5", "broken")]
    written(folder, demand, a=NAMESPACE + "---\n" + quota("limits.memory: 4"))
    assert reported(capsys) == []
    written(folder, demand, a=NAMESPACE.replace(", labels: {tier: prod}", "") + "---\n" + quota("pods: 4"))
    assert reported(capsys) == []


def test_a_namespace_that_is_not_in_view_has_no_labels_to_judge_by(folder: Path, capsys: Any) -> None:
    written(folder, policy('namespace.labels.tier != "prod"'), a=quota("pods: 4"))
    written(folder, policy('namespace.labels.tier != "prod" && has(quota.pods)'), a=quota("pods: 4"))
    reason = "Namespace team-a is not in view"
    assert reported(capsys) == [
        ("info", "a.yaml:1", f"unknown whether quota base in team-a keeps to this policy: {reason}")
    ]


def test_a_placeholder_in_hard_is_not_known(folder: Path, capsys: Any) -> None:
    written(folder, policy('quota["pods"] >= quantity("1")'), a=quota('pods: "${PODS}"'))
    assert [severity for severity, _, _ in reported(capsys)] == ["info"]


def test_hard_that_is_a_placeholder_as_a_whole_is_not_known(folder: Path, capsys: Any) -> None:
    text = quota("pods: 1").replace("{pods: 1}", '"${HARD}"')
    written(folder, policy('quota["pods"] >= quantity("1")'), a=text)
    ((severity, _, message),) = reported(capsys)
    assert severity == "info"
    assert message.endswith("of quota base, hard is not a mapping of resource names to quantities")


def test_of_nothing_there_are_no_shares(folder: Path, capsys: Any) -> None:
    written(folder, policy("entry.share < 1.0", **{"for": "entry"}), a=quota("pods: 0"), b=deployment(1))
    ((severity, _, message),) = reported(capsys)
    assert severity == "info"
    assert message.endswith("pods allows nothing, so there is no share of it")


def test_a_namespace_that_is_a_placeholder_keeps_to_everything(folder: Path, capsys: Any) -> None:
    demand = policy("namespace.quotas.size() > 5", **{"for": "namespace"})
    written(folder, demand, a=quota("pods: 1", namespace='"${NAMESPACE}"'), b=deployment(1, namespace='"${NAMESPACE}"'))
    assert reported(capsys) == []


def test_a_policy_that_fails_says_so_where_it_is_written(folder: Path, capsys: Any) -> None:
    written(folder, policy('quota["pods"] >= quantity("1")'), a=quota("secrets: 1"))
    report = reported(capsys)
    assert [(severity, place) for severity, place, _ in report] == [("warning", ".quotalint.yaml:1")]
    assert 'Key not found in map : "pods"' in report[0][2]


def test_totals_per_label(folder: Path, capsys: Any) -> None:
    demand = policy('cluster.totals.tier.prod.hard["requests.cpu"] <= quantity("5")', **{"for": "cluster"})
    second = NAMESPACE.replace("team-a", "team-b") + "---\n" + quota("requests.cpu: 3", namespace="team-b")
    written(folder, demand, a=NAMESPACE + "---\n" + quota("requests.cpu: 2"), b=second)
    assert reported(capsys) == []
    written(folder, demand, a=NAMESPACE + "---\n" + quota("requests.cpu: 2100m"), b=second)
    assert [severity for severity, _, _ in reported(capsys)] == ["error"]


def test_what_all_use_is_not_known_where_one_is_not(folder: Path, capsys: Any) -> None:
    demand = policy('cluster.steady["requests.cpu"] > quantity("1")', **{"for": "cluster"})
    unused = quota("requests.cpu: 3", namespace="team-b")
    written(folder, demand, a=NAMESPACE + "---\n" + quota("requests.cpu: 4") + "---\n" + deployment(4))
    assert reported(capsys) == []
    written(folder, demand, a=NAMESPACE + "---\n" + quota("requests.cpu: 4"), b=unused)
    assert [severity for severity, _, _ in reported(capsys)] == ["info"]


@pytest.mark.parametrize("unsure", ["team-a", "team-b"])
def test_a_sum_is_as_certain_as_the_least_certain_of_all(folder: Path, capsys: Any, unsure: str) -> None:
    """Whichever of them comes first: what a pod asks for is not known in one of two namespaces."""
    teams = {
        name: quota("requests.cpu: 9", namespace=name)
        + "---\n"
        + deployment(1, namespace=name, cpu="${CPU}" if name == unsure else "1")
        for name in ("team-a", "team-b")
    }
    for most, expected in (("4", ["info"]), ("0", ["error"])):
        demand = policy(f'cluster.steady["requests.cpu"] <= quantity("{most}")', **{"for": "cluster"})
        written(folder, demand, a=teams["team-a"], b=teams["team-b"])
        assert [severity for severity, _, _ in reported(capsys)] == expected


def test_the_severity_of_the_configuration_makes_no_error_of_what_is_not_known(folder: Path, capsys: Any) -> None:
    written(folder, PEAK, a=quota("requests.cpu: 5"))
    configuration = json.loads((folder / ".quotalint.yaml").read_text())
    (folder / ".quotalint.yaml").write_text(json.dumps({**configuration, "severity": {"QLC": "error"}}))
    assert [severity for severity, _, _ in reported(capsys)] == ["info"]


def test_suppression_and_selection_know_policies(folder: Path, capsys: Any) -> None:
    written(folder, PEAK, a=quota("requests.cpu: 4") + "# quotalint: ignore[QLC101]\n", b=deployment(4))
    (folder / "a.yaml").write_text("# quotalint: ignore[QLC101]\n" + quota("requests.cpu: 4"))
    run(["check", "--format", "json"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [
        finding["rule"]
        for finding in findings
        if finding["rule"].startswith(("QLC", "QL006")) and not finding["suppressed"]
    ] == []
    assert run(["check", "--select", "QLC9"]) == 2
    assert "no rule begins with `QLC9`" in capsys.readouterr().err


LIMITS = """---
apiVersion: v1
kind: LimitRange
metadata: {name: base, namespace: team-a}
spec: {limits: [{type: Container, default: {cpu: 2}, max: {cpu: 2}}]}
"""


@pytest.mark.parametrize(
    "expression",
    [
        'namespace.limits.exists(one, one.type == "Container" && one.max.cpu <= quantity("2"))',
        'namespace.quotas.all(one, one.steady["requests.cpu"] == quantity("4"))',
        'namespace.workloads.exists(one, one.kind == "Deployment" && one.object.spec.replicas == 4)',
        'namespace.labels["tier"] == "prod" && namespace.name == "team-a" && !has(namespace.annotations.a)',
        'namespace.labels["kubernetes.io/metadata.name"] == "team-a"',
        'workload.pods == 4 && workload.usage["requests.cpu"] == quantity("4") && workload.labels.app == ""',
        'quota.name == "base" && quota.scopes.size() == 0 && has(quota["requests.cpu"])',
        'entry . share == quantity("0.8") && entry.name == "requests.cpu" && environment.name == ""',
        'cluster.hard["requests.cpu"] * 2 <= cluster.capacity.cpu && cluster.steady["requests.cpu"] < 5',
        'cluster.quotas.all(one, one.namespace == "team-a" && one.labels.tier == "prod")',
        'cluster.namespaces.exists(one, one.name == "team-a" && one.labels.tier == "prod")',
    ],
)
def test_what_may_be_named(folder: Path, capsys: Any, expression: str) -> None:
    written(folder, policy(expression), a=NAMESPACE + "---\n" + quota("requests.cpu: 5") + LIMITS, b=deployment(4))
    configuration = json.loads((folder / ".quotalint.yaml").read_text())
    (folder / ".quotalint.yaml").write_text(json.dumps({**configuration, "capacity": {"cpu": 10}}))
    assert reported(capsys) == []
    negated = policy(f"!({expression})")
    (folder / ".quotalint.yaml").write_text(json.dumps({"policies": [negated], "capacity": {"cpu": 10}}))
    assert [severity for severity, _, _ in reported(capsys)] == ["error"]


def test_the_usage_of_a_workload_is_its_own(folder: Path, capsys: Any) -> None:
    mine = policy('workload.name != "web" || workload.usage["requests.cpu"] == quantity("4")')
    written(folder, mine, a=quota("requests.cpu: 9"), b=deployment(4), c=deployment(2, "other"))
    assert reported(capsys) == []


@pytest.mark.parametrize(
    ("replicas", "cpu", "reason"),
    [("${REPLICAS}", "1", "not a number of pods: '${REPLICAS}'"), ("4", "${CPU}", "the placeholder '${CPU}'")],
)
def test_the_usage_of_a_workload_that_is_filled_in_later_is_not_known(
    folder: Path, capsys: Any, replicas: str, cpu: str, reason: str
) -> None:
    web = deployment(4, cpu=cpu).replace("replicas: 4", f"replicas: {replicas}")
    mine = policy('workload.usage["requests.cpu"] == quantity("4")', **{"for": "workload"})
    written(folder, mine, a=quota("requests.cpu: 9"), b=web)
    ((severity, _, message),) = reported(capsys)
    assert (severity, reason in message) == ("info", True), message


def test_a_run_asks_for_so_many_evaluations_and_no_more(
    folder: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quotalint.cel.engine.MOST", 1)
    written(folder, policy("has(quota.pods)"), a=quota("pods: 1"), b=quota("pods: 1", namespace="team-b"))
    report = reported(capsys)
    assert [severity for severity, _, _ in report] == ["info"]
    assert "so the rest are not" in report[0][2]
