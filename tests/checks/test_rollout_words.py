"""What QL302 quotes is what the API server would say: of what is refused first, with what is really in use then."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import checked
from manifests import quota, web


def notes(files: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch, rule: str = "QL302") -> list[str]:
    """The message of each finding, and its notes."""
    findings = [finding for finding in checked(folder, files, monkeypatch).findings if finding.rule.id == rule]
    return [
        line
        for finding in findings
        for line in (finding.message, *(f"{note.label}: {note.text}" for note in finding.notes))
    ]


def test_what_is_refused_for_another_reason_is_not_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "quota.yaml": quota("shop", hard="requests.cpu: 6, limits.memory: 9Gi"),
        "broken.yaml": web(1, "shop", "broken", cpu="1"),
        "web.yaml": web(3, "shop", "web", cpu="1").replace("{requests:", "{limits: {memory: 1Gi}, requests:"),
        "big.yaml": web(1, "shop", "big", cpu="2").replace("{requests:", "{limits: {memory: 1Gi}, requests:"),
    }
    assert notes(files, tmp_path, monkeypatch)[:3] == [
        "Rollouts of Deployment big will hang: they need requests.cpu 7 in shop; quota base allows 6",
        "in use: requests.cpu 5 at rest: Deployment web 3, itself 2",
        "so: the new pod (maxSurge 25% of 1) is not admitted: exceeded quota: base, requested: requests.cpu=2, "
        "used: requests.cpu=5, limited: requests.cpu=6",
    ]


def test_the_replica_set_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"quota.yaml": quota("shop", hard="count/replicasets.apps: 1, pods: 1"), "web.yaml": web(1, "shop", "web")}
    assert notes(files, tmp_path, monkeypatch) == [
        "Rollouts of Deployment web will hang: they need count/replicasets.apps 2 and pods 2 in "
        "shop; quota base allows 1 and 1",
        "in use: count/replicasets.apps 1 at rest: itself 1",
        "so: the new ReplicaSet is not admitted: exceeded quota: base, requested: count/replicasets.apps=1, used: "
        "count/replicasets.apps=1, limited: count/replicasets.apps=1",
        "then: the new revision has nothing to run in: the rollout makes no progress",
    ]


def test_an_entry_that_is_only_asked_for_is_not_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "quota.yaml": quota("shop", hard="requests.cpu: 4, pods: 5, limits.memory: 9Gi"),
        "broken.yaml": web(2, "shop", "broken", cpu="100m"),
        "web.yaml": web(2, "shop", "web", cpu="2").replace("{requests:", "{limits: {memory: 1Gi}, requests:"),
    }
    assert notes(files, tmp_path, monkeypatch)[0] == (
        "Rollouts of Deployment web will hang: they need requests.cpu 6 in shop; quota base allows 4"
    )


DEFERRED = {".quotalint.yaml": "enforcement: deferred\n"}


def test_with_deferred_enforcement_new_pods_stay_pending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**DEFERRED, "quota.yaml": quota("shop", hard="requests.cpu: 3"), "web.yaml": web(3, "shop", cpu="1")}
    assert notes(files, tmp_path, monkeypatch)[2:] == [
        "so: the new pod (maxSurge 25% of 3) stays Pending: 0/1 nodes are available: quota exceeded: base, requested: "
        "requests.cpu=1, used: requests.cpu=3, limited: requests.cpu=3.",
        "then: no old pod goes before a new one is ready, since maxUnavailable is 0, and no new one can start: "
        "the rollout never moves",
    ]


def test_with_deferred_enforcement_the_number_of_pods_is_not_deferred(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {**DEFERRED, "quota.yaml": quota("shop", hard="pods: 3"), "web.yaml": web(3, "shop", cpu="1")}
    assert notes(files, tmp_path, monkeypatch)[2] == (
        "so: the new pod (maxSurge 25% of 3) is not admitted: exceeded quota: base, requested: pods=1, used: pods=3, "
        "limited: pods=3"
    )


GROUPS = """
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: groups, namespace: shop}
spec:
  replicas: 1
  rolloutStrategy: {rollingUpdateConfiguration: {maxSurge: 1}}
  leaderWorkerTemplate:
    size: 2
    leaderTemplate: {spec: {containers: [{name: a, image: a, resources: {requests: {cpu: 1, memory: 0}}}]}}
    workerTemplate: {spec: {containers: [{name: a, image: a, resources: {requests: {cpu: 0, memory: 1Gi}}}]}}
"""


def test_what_asks_for_nothing_of_an_entry_has_room_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**DEFERRED, "quota.yaml": quota("shop", hard="requests.cpu: 1, requests.memory: 1Gi"), "web.yaml": GROUPS}
    assert notes(files, tmp_path, monkeypatch)[:3] == [
        "Rollouts of LeaderWorkerSet groups will be slower: they need requests.cpu 2 and requests.memory 2Gi in shop "
        "for a while; quota base allows 1 and 1Gi",
        "in use: requests.cpu 1 at rest: itself 1",
        "so: the new pod (maxSurge 1) stays Pending: 0/1 nodes are available: quota exceeded: base, requested: "
        "requests.cpu=1, used: requests.cpu=1, limited: requests.cpu=1.",
    ]


@pytest.mark.parametrize(
    ("settings", "consequence"),
    [
        (
            {},
            "is not admitted: exceeded quota: base, requested: requests.cpu=3, used: requests.cpu=5, "
            "limited: requests.cpu=6",
        ),
        (
            DEFERRED,
            "stays Pending: 0/1 nodes are available: quota exceeded: base, requested: requests.cpu=3, "
            "used: requests.cpu=5, limited: requests.cpu=6.",
        ),
    ],
)
def test_where_the_leader_of_a_group_has_room_its_worker_is_refused(
    settings: dict[str, str], consequence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups = GROUPS.replace("{cpu: 1, memory: 0}", "{cpu: 1}").replace("{cpu: 0, memory: 1Gi}", "{cpu: 3}")
    files = {**settings, "quota.yaml": quota("shop", hard="requests.cpu: 6"), "groups.yaml": groups}
    actual_notes = notes(files, tmp_path, monkeypatch)
    assert [line for line in actual_notes if line.startswith("so: ")] == [f"so: the new pod (maxSurge 1) {consequence}"]


def test_workers_of_a_group_are_all_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There are more of them than leaders, which come first."""
    files = {
        "quota.yaml": quota("shop", hard="pods: 4"),
        "groups.yaml": GROUPS.replace("size: 2", "size: 3").replace("maxSurge: 1", "maxSurge: 0"),
        "web.yaml": web(1, "shop"),
    }
    actual_notes = notes(files, tmp_path, monkeypatch)
    assert [line.partition("exceeded quota: ")[2] for line in actual_notes if line.startswith("so")] == [
        "base, requested: pods=1, used: pods=4, limited: pods=4"
    ]


def helps(files: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rule, what it is about and its help, of each finding but of those that tell how full a quota is."""
    findings = checked(folder, files, monkeypatch).findings
    return [f"{finding.rule.id} {finding.file}: {finding.help}" for finding in findings if finding.rule.id != "QL305"]


def test_room_that_a_rollout_has_only_since_others_are_refused_is_raised_with_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "a.yaml": quota("shop", hard="requests.cpu: 4, pods: 3"),
        "b.yaml": web(2, "shop", "web", cpu="1"),
        "c.yaml": web(1, "shop", "zeta", cpu="4"),
    }
    assert helps(files, tmp_path, monkeypatch) == [
        "QL301 a.yaml: raise requests.cpu to 10 and pods to 4 or more (room for rollouts), or ask for less: fewer "
        "replicas, lower requests, fewer objects",
        "QL302 c.yaml: raise pods to 4; or set maxSurge to 0 and maxUnavailable to 1",
    ]


def test_a_rollout_among_those_that_wait_is_raised_to_what_lets_it_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"q.yaml": quota("shop", hard="pods: 3"), "a.yaml": web(2, "shop", "a"), "b.yaml": web(2, "shop", "b")}
    assert helps(files, tmp_path, monkeypatch) == [
        "QL302 a.yaml: raise pods to 5",
        "QL301 q.yaml: raise pods to 5 or more (room for rollouts), or ask for less: fewer replicas, lower requests, "
        "fewer objects",
    ]


def test_of_several_quotas_the_tightest_says_what_stays_pending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rolling = "spec:\n  strategy: {rollingUpdate: {maxSurge: 3, maxUnavailable: 0}}\n"
    quotas = (("compute", "requests.cpu: 3"), ("wide", "pods: 9"), ("tight", "pods: 2"))
    files = {
        **DEFERRED,
        "q.yaml": "---\n".join(quota("shop", name, hard) for name, hard in quotas),
        "a.yaml": web(2, "shop", "a", cpu="1").replace("spec:\n", rolling, 1),
    }
    so = "so: all 2 new pods (maxSurge 2) are not admitted: exceeded quota: tight, requested: pods=1, used: pods=2, "
    actual_notes = notes(files, tmp_path, monkeypatch)
    assert [line for line in actual_notes if line.startswith("so")] == [f"{so}limited: pods=2"] * 2


def test_fewer_replicas_leave_the_room_of_their_claims_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    claim = "{volumeClaimTemplate: {spec: {resources: {requests: {storage: 1Gi}}}}}"
    volumes = f"volumes: [{{name: scratch, ephemeral: {claim}}}], "
    files = {
        "q.yaml": quota("shop", hard="pods: 9, persistentvolumeclaims: 9"),
        "a.yaml": web(9, "shop").replace("containers:", f"{volumes}containers:"),
    }
    assert helps(files, tmp_path, monkeypatch) == [
        "QL302 a.yaml: raise pods to 12 and persistentvolumeclaims to 12; or set maxSurge to 0; or run 7 replicas"
    ]


def test_several_histories_are_told_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hard = "count/replicasets.apps: 15, count/controllerrevisions.apps: 30"
    kinds = (("a", "Deployment"), ("b", "Deployment"), ("c", "StatefulSet"))
    workloads = {f"{name}.yaml": web(1, "shop", name, kind=kind) for name, kind in kinds}
    assert helps({"quota.yaml": quota("shop", hard=hard), **workloads}, tmp_path, monkeypatch) == [
        "QL302 a.yaml: raise count/replicasets.apps to 23; or set a lower revisionHistoryLimit in each"
    ]


def test_one_history_that_does_not_fit_alone_is_told_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = web(1, "shop", "b").replace("spec:\n", "spec:\n  revisionHistoryLimit: 3\n", 1)
    hard = quota("shop", hard="count/replicasets.apps: 7")
    files = {"quota.yaml": hard, "a.yaml": web(1, "shop", "a"), "b.yaml": short}
    (message, *_) = [line for line in notes(files, tmp_path, monkeypatch) if "then never again" in line]
    assert message.startswith("Deployment a can be changed 5 more times")
    assert not [
        line for line in notes(files, tmp_path, monkeypatch) if "several" in line or "workloads of shop" in line
    ]


def test_the_quota_without_room_is_named_and_not_one_that_is_just_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = quota("shop", "a", "pods: 4") + "---\n" + quota("shop", "b", "pods: 3")
    files = {"quotas.yaml": two, "web.yaml": web(3, "shop")}
    assert "quota b allows 3" in notes(files, tmp_path, monkeypatch)[0]


def test_a_pod_that_others_take_the_room_of_is_refused_in_these_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rolling = "spec:\n  strategy: {rollingUpdate: {maxUnavailable: 1, maxSurge: 0}}\n"
    files = {
        "q.yaml": quota("shop", hard="pods: 2"),
        "pay.yaml": web(1, "shop", "pay").replace("spec:\n", rolling, 1),
        "queue.yaml": web(2, "shop", "queue", kind="ReplicaSet"),
    }
    assert notes(files, tmp_path, monkeypatch) == [
        "Rollouts of Deployment pay may hang: they need pods 3 in shop, and pods that are refused now may take the "
        "room of the old pods; quota base allows 2",
        "so: the first new pod that finds no room is refused: exceeded quota: base, requested: pods=1, used: pods=2, "
        "limited: pods=2",
        "then: ReplicaSet queue may take the room that old pods leave, and then it waits",
        "also: pods is already exceeded: 3 of 2 (QL301)",
    ]


def test_a_run_is_given_the_room_that_rollouts_need_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "quota.yaml": quota("shop", hard="requests.cpu: 4"),
        "web.yaml": web(3, "shop", cpu="1").replace(
            "spec:\n", "spec:\n  strategy: {rollingUpdate: {maxSurge: 3}}\n", 1
        ),
        "report.yaml": "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: report, namespace: shop}\n"
        "spec:\n  schedule: 0 3 * * *\n  concurrencyPolicy: Forbid\n  jobTemplate: {spec: {template: {spec: "
        "{restartPolicy: Never, containers: [{name: a, image: a, resources: {requests: {cpu: 2}}}]}}}}\n",
    }
    assert helps(files, tmp_path, monkeypatch) == [
        "QL303 report.yaml: raise requests.cpu to 6 (room for rollouts); or let a run ask for less: lower requests, or "
        "less parallelism",
        "QL302 web.yaml: raise requests.cpu to 6; or set maxSurge to 0 and maxUnavailable to 1; or run 2 replicas",
    ]


def test_what_is_refused_is_called_by_its_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = "apiVersion: v1\nkind: Service\nmetadata: {name: %s, namespace: shop}\nspec: {ports: [{port: 80}]}\n"
    files = {"quota.yaml": quota("shop", hard="services: 1"), "all.yaml": "---\n".join((service % "a", service % "b"))}
    assert notes(files, tmp_path, monkeypatch, "QL301")[1].startswith(
        "so: 1 of these 2 Services, whichever comes last, will be refused: exceeded quota: base"
    )


def test_of_many_that_wait_the_first_four_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = {f"w{number}.yaml": web(1, "shop", f"w{number}", kind="ReplicaSet") for number in range(6)}
    rolling = "spec:\n  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}\n"
    files = {
        "quota.yaml": quota("shop", hard="pods: 2"),
        "a.yaml": web(2, "shop", "a").replace("spec:\n", rolling, 1),
        **waiting,
    }
    assert [line for line in notes(files, tmp_path, monkeypatch) if line.startswith("then")] == [
        "then: ReplicaSet w0, ReplicaSet w1, ReplicaSet w2, ReplicaSet w3, 2 more may take the room that old pods "
        "leave, and then it waits"
    ]


REFUSED = "so: the new pod (maxSurge 25% of 3) is not admitted: exceeded quota: base, requested: pods=1, used: pods="


@pytest.mark.parametrize(
    ("files", "hard", "consequences"),
    [
        # Refused and never created, where both run out at once.
        pytest.param(DEFERRED, "pods: 3, requests.cpu: 3", [f"{REFUSED}3, limited: pods=3"], id="two entries at once"),
        # Only two of three pods are there, and a third one is refused before a fourth is.
        pytest.param({}, "pods: 2, requests.cpu: 3", [f"{REFUSED}2, limited: pods=2"], id="all of what is exceeded"),
        # How many there are by then depends on who was first, and on what the scheduler has placed.
        pytest.param({"other.yaml": web(1, "shop", "other")}, "pods: 3, requests.cpu: 3", [], id="beside others"),
        pytest.param(
            {"other.yaml": web(1, "shop", "other")},
            "pods: 3, requests.cpu: 2, requests.memory: 3Gi",
            [],
            id="all of one entry that is exceeded, beside others in another",
        ),
        pytest.param(DEFERRED, "pods: 2, requests.cpu: 3", [], id="what is exceeded, deferred"),
    ],
)
def test_what_happens_to_new_pods_is_said_where_it_is_known(
    files: dict[str, str], hard: str, consequences: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifests = {**files, "quota.yaml": quota("shop", hard=hard), "web.yaml": web(3, "shop", cpu="1, memory: 1Gi")}
    actual_notes = notes(manifests, tmp_path, monkeypatch)
    assert [line for line in actual_notes if line.startswith("so: the new pod")] == consequences


def test_a_scaled_job_grows_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = (
        "apiVersion: keda.sh/v1alpha1\nkind: ScaledJob\nmetadata: {name: import, namespace: shop}\n"
        "spec: {maxReplicaCount: 10, jobTargetRef: {template: {spec: {containers: [{name: c, image: c}]}}}}\n"
    )
    files = {"quota.yaml": quota("shop", hard="pods: 4"), "job.yaml": job}
    assert notes(files, tmp_path, monkeypatch, "QL304")[0] == (
        "ScaledJob import cannot grow to 10 pods: that needs pods 10; quota base allows 4"
    )
