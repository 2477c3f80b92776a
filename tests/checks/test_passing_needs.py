"""What rollouts, runs and autoscalers say where several entries or quotas are short, some of them already."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from gitops_outcome import checked
from manifests import quota, web

from quotalint.results.finding import Finding

ALL_FIVE = "pods: 4, requests.cpu: 1, requests.memory: 1Gi, limits.cpu: 1, limits.memory: 1Gi"


def messages(findings: Sequence[Finding], rule: str) -> list[str]:
    """What one rule says, up to what is allowed, and its label; what follows, what limits it, and its help.

    Of five entries at once the refusal is left out.
    """
    lines = []
    for finding in findings:
        if finding.rule.id == rule:
            begin = finding.message.partition("; quota")[0].partition(": that needs")[0]
            lines.append(f"{begin} ({finding.label})")
            lines += [
                f"{note.label}: {note.text}"
                for note in finding.notes
                if note.label != "in use" and "limits.memory" not in note.text
            ]
            lines += [f"{related.label}: {related.message}" for related in finding.related if related.label != "scales"]
            lines.append(f"help: {finding.help}")
    return lines


def autoscaler(maximum: int) -> str:
    return f"""\
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web, namespace: shop}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: {maximum}
"""


ASKS = "{cpu: 250m, memory: 256Mi}"
ALL = f"resources: {{requests: {ASKS}, limits: {ASKS}}}"
OTHER = web(3, "shop", "other", cpu="250m", kind="StatefulSet")
RUN = """\
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: report, namespace: shop}
spec:
  schedule: "0 3 * * *"
  concurrencyPolicy: Forbid
  jobTemplate:
    spec:
      parallelism: 2
      template: {spec: {containers: [{name: main, image: report, resources: {requests: {cpu: 100m}}}]}}
"""

SERVICE = """\
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {ports: [{port: 80}]}
"""

FIVE_NEEDED = "pods to {}, requests.cpu to {}, requests.memory to {}, limits.cpu to {} and limits.memory to {}"
FIVE_LIMITED = [
    "limited by: quota base: pods 4, 0 free",
    "limited by: quota base: requests.cpu 1, 0 free",
    "limited by: quota base: requests.memory 1Gi, 0 free",
    "limited by: quota base: limits.cpu 1, 0 free",
    "limited by: quota base: limits.memory 1Gi, 0 free",
]
CPU = "requested: requests.cpu=250m, used: requests.cpu={}, limited: requests.cpu={}"
STOPS = "so: it stops at {} of {} pods, just when the load calls for more: exceeded quota: {}, "
ALREADY = "also: requests.cpu is already exceeded: 2250m of 2 (QL301)"
TEN = "limited by: quota base: pods 10, {} free"
WANTED_TEN = "limited by: quota base: pods 10, {} free, {} asked for by what is refused"
NO_CPU = "limited by: quota base: requests.cpu 2, 0 free"
TWO_QUOTAS = quota("shop", hard="pods: 3") + "---\n" + quota("shop", "compute", "requests.cpu: 700m")
TOO_FEW_CPUS = quota("shop", hard="pods: 10") + "---\n" + quota("shop", "compute", "requests.cpu: 2")


@pytest.mark.parametrize(
    ("hard", "files", "rule", "expected"),
    [
        pytest.param(
            quota("shop", hard=ALL_FIVE),
            web(4, "shop").replace("image: web", f"image: web, {ALL}") + autoscaler(6),
            "QL304",
            [
                "HorizontalPodAutoscaler web cannot bring Deployment web to 6 pods (2 short of pods)",
                *FIVE_LIMITED,
                f"help: raise {FIVE_NEEDED.format(6, '1500m', '1536Mi', '1500m', '1536Mi')}; or set the maximum to 4, "
                "so that nobody counts on more",
            ],
            id="each of five entries is named for an autoscaler",
        ),
        pytest.param(
            quota("shop", hard=ALL_FIVE),
            web(4, "shop").replace("image: web", f"image: web, {ALL}"),
            "QL302",
            [
                "Rollouts of Deployment web will be slower: they need pods 5, requests.cpu 1250m, "
                "requests.memory 1280Mi, limits.cpu 1250m and limits.memory 1280Mi in shop for a while "
                "(1 short of pods)",
                "then: the rollout still completes: one old pod may go first (maxUnavailable), which makes room; it "
                "takes longer, runs with fewer pods meanwhile, and reports refusals until it is done",
                *FIVE_LIMITED,
                f"help: raise {FIVE_NEEDED.format(5, '1250m', '1280Mi', '1250m', '1280Mi')}; or set maxSurge to 0; or "
                "run 3 replicas",
            ],
            id="each of five entries is named for a rollout",
        ),
        pytest.param(
            quota("shop", hard="requests.cpu: 2, pods: 10"),
            web(9, "shop", cpu="250m") + autoscaler(12),
            "QL304",
            [
                "HorizontalPodAutoscaler web cannot bring Deployment web to 12 pods (2 short of pods)",
                STOPS.format(8, 12, "base") + CPU.format(2, 2),
                ALREADY,
                TEN.format(2),
                NO_CPU,
                "help: raise pods to 12 and requests.cpu to 3",
            ],
            id="the autoscaled pods exceed an entry already",
        ),
        pytest.param(
            quota("shop", hard="requests.cpu: 2, pods: 10"),
            web(9, "shop", cpu="250m"),
            "QL302",
            [
                "Rollouts of Deployment web will be slower: they need pods 12 in shop for a while (2 short)",
                "so: all 3 new pods (maxSurge 25% of 9) are not admitted: exceeded quota: base, " + CPU.format(2, 2),
                ALREADY,
                TEN.format(2),
                "help: raise pods to 12; or set maxSurge to 0",
            ],
            id="the updated pods exceed an entry already",
        ),
        pytest.param(
            quota("shop", hard="requests.cpu: 2, pods: 10"),
            web(6, "shop", cpu="250m") + autoscaler(9) + "---\n" + OTHER,
            "QL304",
            [
                "HorizontalPodAutoscaler web cannot bring Deployment web to 9 pods (2 short of pods)",
                STOPS.format(6, 9, "base") + CPU.format(2, 2),
                ALREADY,
                TEN.format(2),
                NO_CPU,
                "help: raise pods to 12 and requests.cpu to 3",
            ],
            id="who is refused already is played, so it is known where an autoscaler stops",
        ),
        pytest.param(
            quota("shop", hard="requests.cpu: 2, pods: 10"),
            web(6, "shop", cpu="250m") + "---\n" + OTHER,
            "QL302",
            [
                "Rollouts of Deployment web may hang: they need pods 11 in shop, and pods that are refused now may "
                "take the room of the old pods (1 short)",
                ALREADY,
                WANTED_TEN.format(2, 1),
                "help: raise pods to 11",
            ],
            id="who is refused waits for room, and may take what a rollout leaves",
        ),
        pytest.param(
            quota("shop", hard="requests.cpu: 2, pods: 10"),
            web(6, "shop", cpu="250m") + "---\n" + OTHER + RUN,
            "QL303",
            [
                "A run of CronJob report needs pods 11 and requests.cpu 2450m in shop (1 short of pods)",
                "so: 2 of 2 pods of one run are refused: exceeded quota: base, requested: requests.cpu=100m, "
                "used: requests.cpu=2, limited: requests.cpu=2",
                WANTED_TEN.format(2, 1),
                NO_CPU,
                "help: raise pods to 11 and requests.cpu to 2750m (room for rollouts); or let a run ask for less: "
                "lower requests, or less parallelism",
            ],
            id="who is refused already is played, so it is known what a run gets",
        ),
        pytest.param(
            TWO_QUOTAS,
            web(3, "shop", cpu="250m") + autoscaler(4),
            "QL304",
            [
                "HorizontalPodAutoscaler web cannot bring Deployment web to 4 pods (1 short)",
                STOPS.format(2, 4, "compute") + CPU.format("500m", "700m"),
                "limited by: quota base: pods 3, 1 free, 1 asked for by what is refused",
                "help: raise pods to 4",
                "HorizontalPodAutoscaler web cannot bring Deployment web to 4 pods (300m short)",
                STOPS.format(2, 4, "compute") + CPU.format("500m", "700m"),
                "also: requests.cpu is already exceeded: 750m of 700m (QL301)",
                "limited by: quota compute: requests.cpu 700m, 200m free",
                "help: raise requests.cpu to 1",
            ],
            id="an entry of another quota is exceeded already",
        ),
        pytest.param(
            TOO_FEW_CPUS,
            web(6, "shop", cpu="250m") + autoscaler(12),
            "QL304",
            [
                "HorizontalPodAutoscaler web cannot bring Deployment web to 12 pods (2 short)",
                STOPS.format(8, 12, "compute") + CPU.format(2, 2),
                TEN.format(4),
                "help: raise pods to 12; or set the maximum to 8, so that nobody counts on more",
                "HorizontalPodAutoscaler web cannot bring Deployment web to 12 pods (1 short)",
                STOPS.format(8, 12, "compute") + CPU.format(2, 2),
                "limited by: quota compute: requests.cpu 2, 500m free",
                "help: raise requests.cpu to 3; or set the maximum to 8, so that nobody counts on more",
            ],
            id="another quota has less room",
        ),
        pytest.param(
            quota("shop", hard="services: 0, pods: 3"),
            web(3, "shop") + autoscaler(4) + SERVICE,
            "QL304",
            [
                "HorizontalPodAutoscaler web cannot bring Deployment web to 4 pods (1 short)",
                STOPS.format(3, 4, "base") + "requested: pods=1, used: pods=3, limited: pods=3",
                "limited by: quota base: pods 3, 0 free",
                "help: raise pods to 4; or set the maximum to 3, so that nobody counts on more",
            ],
            id="what only others exceed is nothing to it",
        ),
    ],
)
def test_what_is_short_and_what_is_short_already(
    hard: str, files: str, rule: str, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = checked(tmp_path, {"quota.yaml": hard, "web.yaml": files}, monkeypatch)
    assert messages(result.findings, rule) == expected


CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\n"


@pytest.mark.parametrize(
    ("beside", "resting_on_it"),
    [
        (CONFIG, ()),
        (web(1, "shop", "tool", cpu="10m"), ("QL302", "QL303", "QL304")),
        (RUN.removeprefix("---\n").replace("name: report", "name: backup"), ("QL303",)),
    ],
    ids=["of a ConfigMap", "of a workload that takes processors", "of one that does at times"],
)
@pytest.mark.parametrize(
    ("rule", "severity", "files"),
    [
        ("QL302", "error", web(2, "shop", cpu="500m")),
        ("QL303", "warning", web(2, "shop", cpu="500m") + RUN),
        ("QL304", "warning", web(2, "shop", cpu="500m") + autoscaler(6)),
    ],
)
def test_a_passing_need_rests_on_what_is_guessed_of_its_own_entries_alone(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rule: str,
    severity: str,
    files: str,
    beside: str,
    resting_on_it: tuple[str, ...],
) -> None:
    # `tools/` names no environment, and stands beside folders that do: whether it is applied with them is a guess.
    tree = {
        "k8s/prod/quota.yaml": quota("shop", hard="configmaps: 5, requests.cpu: 1"),
        "k8s/prod/web.yaml": files,
        "k8s/dev/quota.yaml": quota("shop-dev"),
        "tools/beside.yaml": beside,
    }
    findings = [finding for finding in checked(tmp_path, tree, monkeypatch).findings if finding.rule.id == rule]
    guesses = int(rule in resting_on_it)
    assert {(finding.severity, len(finding.guesses)) for finding in findings} == {
        ("warning" if guesses else severity, guesses)
    }
