"""What a live Kubernetes 1.36 API server said of 521 small repositories and 992 single objects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from live_answers import VERSION, Difference, bundle, differences
from written_files import write_as_is

from quotalint.cli import run

SCENARIOS = bundle("scenarios")
OBJECTS = bundle("validation")

# What is known to differ, and why; the page docs/live-server.md tells it.
CONFIGURED = "the files hold a .quotalint.yaml that the server was not told of: deferred enforcement, namespaces, nodes"
ADD_ONS = "kinds of add-ons, and an AdmissionConfiguration, that the server did not have"
NODES = "the server had three nodes, the files do not say how many"
DEFINED = "kinds of add-ons that nothing in view defines: the entry is `unknown`, and the server did not have them"
PAUSED = "a Deployment that was created paused has no pods, one that ran before keeps them: nothing is said of it"
RUNNING = "the pods of the Job did not end while this was recorded, and the rollout waits for that"
CHANCE = "what was refused and tried again was faster than the rollout: quotalint warns that it may be"
SEQUENCE = "the scenario rolled out one workload after the other, and the ReplicaSets of the first stayed"
NOT_READY = "the fake nodes never made these pods ready, or their claims were refused"
NAMELESS = "a workload without a namespace: the server was told `default`, here it is guessed from its folder"
BY_HAND = "the harness ran a CronJob by hand that is suspended, and so never runs"
PILE_UP = "the harness ran two Jobs; quotalint counts those that are kept, and that overlap within their deadline"
ANY_ORDER = "two LimitRanges with different defaults: the server took the other one first"
SPELLING = "one amount, spelled otherwise: that depends on the order in which the server added it up"
EXPONENT = (
    "`memory: 2e8`, which kubectl sends as a number; the harness sent it as a string, and the server spells that 200e6"
)
SCALED_DOWN = "the autoscaler of the scenario, without metrics, scaled the workload down before it was counted"

KNOWN: dict[str, tuple[str, list[Difference]]] = {
    "autoscalers-1-01": (SCALED_DOWN, [Difference("pods", "shop/Deployment/cart")]),
    "golden-cronjob-pile-up": (PILE_UP, [Difference("run", "cronjob-pile-up/CronJob/sync")]),
    "golden-deferred": (
        CONFIGURED,
        [
            Difference("pods", "shop/Deployment/shop"),
            Difference("object", "shop/Pod/pinned"),
            Difference("rollout", "shop/Deployment/shop"),
        ],
    ),
    "golden-family": (
        ADD_ONS,
        [Difference("pods", "oil-testing/StatefulSet/pump"), Difference("object", "org-team-dev/Pod/debug")],
    ),
    "golden-namespaces": (
        CONFIGURED,
        [
            Difference("pods", "default/Deployment/web"),
            Difference("pods", "team-a/Deployment/web"),
            Difference("rollout", "default/Deployment/web"),
        ],
    ),
    "golden-quota-table": (
        f"{NODES}; {NAMELESS}",
        [
            Difference("pods", "team-d/DaemonSet/agent"),
            Difference("sentence", "team-a/Deployment/web"),
            Difference("rollout", "team-d/DaemonSet/agent"),
        ],
    ),
    "init-and-sidecars-1-06": (CHANCE, [Difference("rollout", "shop/Deployment/cart")]),
    "mixed-night-1-01": (RUNNING, [Difference("rollout", "shop/Deployment/chat")]),
    "mixed-night-1-06": (SPELLING, [Difference("sentence of a rollout", "shop/Deployment/site")]),
    "odd-pods-1-03": (EXPONENT, [Difference("sentence of a rollout", "shop/Deployment/pay")]),
    "odd-pods-1-04": (NOT_READY, [Difference("rollout", "shop/Deployment/cart")]),
    "odd-pods-1-07": (EXPONENT, [Difference("sentence of a rollout", "shop/Deployment/site")]),
    "odd-rollouts-1-01": (PAUSED, [Difference("pods", "shop/Deployment/auth")]),
    "odd-rollouts-1-04": (PAUSED, [Difference("pods", "shop/Deployment/mail")]),
    "odd-rollouts-1-07": (SEQUENCE, [Difference("rollout", "shop/Deployment/cache")]),
    "pod-level-and-limits-1-06": (ANY_ORDER, [Difference("sentence", "shop/Deployment/worker")]),
    "priority-scopes-1-01": (CHANCE, [Difference("rollout", "shop/Deployment/pay")]),
    "resource-claims-1-04": (NOT_READY, [Difference("rollout", "shop/Deployment/auth")]),
    "resource-claims-1-06": (NOT_READY, [Difference("rollout", "shop/Deployment/pay")]),
    "runtime-overhead-1-03": (CHANCE, [Difference("sentence of a rollout", "shop/Deployment/cache")]),
    "rule-ql201-good-2": (DEFINED, [Difference("demand", "team-a/objects/count/resourcegroups.kro.run")]),
    "rule-ql202-good-2": (
        DEFINED,
        [
            Difference("demand", "team-a/objects/count/routes.route.openshift.io"),
            Difference("demand", "team-a/objects/count/widgets.example.com"),
        ],
    ),
    "rule-ql301-bad-2": (
        NODES,
        [Difference("demand", "team-a/base/pods"), Difference("pods", "team-a/DaemonSet/agent")],
    ),
    "rule-ql301-bad-3": (
        NODES,
        [
            Difference("demand", "team-a/base/requests.memory"),
            Difference("pods", "team-a/DaemonSet/agent"),
            Difference("rollout", "team-a/DaemonSet/agent"),
        ],
    ),
    "rule-ql303-bad-1": (PILE_UP, [Difference("run", "shop/CronJob/sync")]),
    "rule-ql303-good-1": (BY_HAND, [Difference("run", "shop/CronJob/never")]),
    "rule-ql401-good-5": (BY_HAND, [Difference("run", "team-a/CronJob/report")]),
    "rule-ql403-bad-0": (ADD_ONS, [Difference("pods", "monitoring/Deployment/exporter")]),
    "rule-ql403-bad-2": (ADD_ONS, [Difference("object", "team-a/PersistentVolumeClaim/data")]),
    "rule-ql403-bad-3": (ADD_ONS, [Difference("pods", "team-a/Deployment/web")]),
}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: str(scenario["id"]))
def test_agrees_with_the_server(
    scenario: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_as_is(tmp_path, scenario["files"])
    monkeypatch.chdir(tmp_path)
    run(["check", ".", "--format", "json", "--kube-version", VERSION])
    actual = list(differences(scenario, json.loads(capsys.readouterr().out)))
    _, expected = KNOWN.get(scenario["id"], ("", []))
    assert actual == expected


def test_the_page_tells_how_many_agree() -> None:
    page = (Path(__file__).parents[2] / "docs" / "live-server.md").read_text(encoding="utf-8")
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    agreeing = len(SCENARIOS) - len(KNOWN)
    assert (len(SCENARIOS), len(OBJECTS)) == (521, 992)
    assert f"{agreeing} of {len(SCENARIOS)} scenarios" in page
    assert f"agrees with a live Kubernetes 1.36 API server on {agreeing} of {len(SCENARIOS)} scenarios" in readme
    assert [name for name in KNOWN if name not in page] == []


def test_refuses_the_objects_that_the_server_refuses_at_the_same_fields(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for case in OBJECTS:
        obj = json.loads(json.dumps(case["object"]))
        obj["metadata"]["namespace"] = case["id"]
        (tmp_path / f"{case['id']}.json").write_text(json.dumps(obj), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    run(["check", ".", "--format", "json", "--kube-version", VERSION])
    errors: dict[str, list[tuple[str, str]]] = {case["id"]: [] for case in OBJECTS}
    for finding in json.loads(capsys.readouterr().out)["findings"]:
        if finding["rule"].startswith(("QL1", "QL00")):
            errors[finding["file"].removesuffix(".json")].append((finding["rule"], finding["field"] or ""))
    assert {case["id"]: _refused(errors[case["id"]], case["server"]) for case in OBJECTS} == {
        case["id"]: _answered(case["server"]) for case in OBJECTS
    }


def _refused(errors: list[tuple[str, str]], server: dict[str, Any]) -> tuple[bool, list[str]]:
    """Whether there is an error, and at which fields: those of validation, where the server had come so far."""
    if not _answered(server)[1]:
        return bool(errors), []
    return bool(errors), sorted({field for rule, field in errors if field and rule.startswith("QL1")})


def _answered(server: dict[str, Any]) -> tuple[bool, list[str]]:
    causes = server.get("causes") or []
    return not server["accepted"], sorted({cause["field"] for cause in causes if cause.get("field")})
