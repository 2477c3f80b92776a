"""What becomes of findings: what gets worse fails, and what goes out of view is not fixed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from git_repositories import Repository, deployment, difference, quota

Files = Mapping[str, "str | None"]
OVER = {"team-a/quota.yaml": quota("pods: 2"), "team-a/web.yaml": deployment(3)}
KUSTOMIZED = {**OVER, "team-a/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n"}
ROLLING = deployment(3).replace("strategy: {type: Recreate}", "strategy: {rollingUpdate: {maxSurge: %s}}")
LARGE_ROLLING = (ROLLING % 1).replace("cpu: '1'", "cpu: '3'")
OVERLAY = "resources: [../base]\nreplicas: [{name: web, count: %s}]\n"
BASE = {
    "base/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n",
    "base/quota.yaml": quota("pods: 2"),
    "base/web.yaml": deployment(1),
}
REMOTE = "https://github.com/example/base?ref=v1"
REMOTE_BASE = {**BASE, "base/kustomization.yaml": f"resources: [quota.yaml, web.yaml, '{REMOTE}']\n"}


class Case(NamedTuple):
    """A change, what became of the findings, and the exit status."""

    change: Files
    expected: list[str]
    status: int = 0
    start: Files = OVER
    trusting: bool = False
    """What the change says of itself counts (`--trust-head-config`), and is told all the same (QL008)."""


CASES = {
    "more is missing": Case(
        {"team-a/web.yaml": deployment(9)}, ["new QL301 worse: 1 short before, 7 short now", "worse QL301 1 → 7"], 1
    ),
    "more is missing since less is allowed": Case(
        {"team-a/quota.yaml": quota("pods: 1")},
        ["new QL301 worse: 1 short before, 2 short now", "worse QL301 1 → 2"],
        1,
    ),
    "as much is missing": Case(
        {"team-a/quota.yaml": quota("pods: 4"), "team-a/web.yaml": deployment(5)}, ["still QL301"], 1
    ),
    "less is missing": Case(
        {"team-a/web.yaml": deployment(4)},
        ["still QL301"],
        1,
        start={**OVER, "team-a/web.yaml": deployment(9)},
    ),
    "one entry gets worse and another better": Case(
        {"team-a/quota.yaml": quota('requests.cpu: "1", pods: 2')},
        ["new QL301 worse: 1 short before, 2 short now", "still QL301", "worse QL301 1 → 2"],
        1,
        {"team-a/quota.yaml": quota('requests.cpu: "2", pods: 1'), "team-a/web.yaml": deployment(3)},
    ),
    "a rollout needs more": Case(
        {"team-a/web.yaml": ROLLING % 3},
        ["new QL302 worse: 1 short before, 2 short now", "worse QL302 1 → 2"],
        0,
        {"team-a/quota.yaml": quota("pods: 4"), "team-a/web.yaml": ROLLING % 2},
    ),
    "a rollout has room in one entry, and lacks as much of another as it did": Case(
        {"team-a/quota.yaml": quota("requests.cpu: 10500m, pods: 9")},
        ["fixed QL305", "still QL302"],
        1,
        {"team-a/quota.yaml": quota("requests.cpu: 10500m, pods: 3"), "team-a/web.yaml": LARGE_ROLLING},
    ),
    "a rollout has room in one entry, and none in another that had": Case(
        {"team-a/quota.yaml": quota("requests.cpu: 10500m, pods: 9")},
        ["new QL302 worse: 0 short before, 1500m short now", "outdone QL305", "worse QL302 0 → 1500m"],
        1,
        {"team-a/quota.yaml": quota('requests.cpu: "15", pods: 3'), "team-a/web.yaml": LARGE_ROLLING},
    ),
    "a rollout has room in one entry, and another is exceeded as before": Case(
        {"team-a/quota.yaml": quota("requests.cpu: 2, pods: 9")},
        ["fixed QL302", "fixed QL305", "unchanged QL301"],
        0,
        {"team-a/quota.yaml": quota("requests.cpu: 2, pods: 3"), "team-a/web.yaml": ROLLING % 1},
    ),
    "a file that is not seen through counts in an environment that is new": Case(
        {"prod/kustomization.yaml": OVERLAY % 1},
        ["unchanged QL003"],
        0,
        {**REMOTE_BASE, "dev/kustomization.yaml": OVERLAY % 1, "test/kustomization.yaml": OVERLAY % 1},
    ),
    "a file that is not seen through counts in an environment that was there": Case(
        {"prod/kustomization.yaml": OVERLAY % 1},
        ["new QL003 worse: before in dev, test alone, now in prod as well", "worse QL003 dev, test → dev, prod, test"],
        0,
        {
            **REMOTE_BASE,
            "dev/kustomization.yaml": OVERLAY % 1,
            "test/kustomization.yaml": OVERLAY % 1,
            "prod/kustomization.yaml": "resources: [web.yaml]\n",
            "prod/web.yaml": deployment(1),
        },
    ),
    "a file that is not seen through counts for more, in an environment that is new": Case(
        {"prod/kustomization.yaml": OVERLAY % 1, ".quotalint.yaml": "severity: {QL003: error}\n"},
        [
            "new QL003 worse: a warning before, an error now; before in dev, test alone, now in prod as well",
            "new QL008",
            "worse QL003 dev, test → dev, prod, test",
        ],
        1,
        {**REMOTE_BASE, "dev/kustomization.yaml": OVERLAY % 1, "test/kustomization.yaml": OVERLAY % 1},
        trusting=True,
    ),
    "the same is true of another environment": Case(
        {"prod/kustomization.yaml": OVERLAY % 3},
        ["new QL301 worse: before in dev alone, now in prod as well", "worse QL301 dev → dev, prod"],
        1,
        {**BASE, "dev/kustomization.yaml": OVERLAY % 3, "prod/kustomization.yaml": OVERLAY % 1},
    ),
    "the same is true of the second environment that there is": Case(
        {"prod/kustomization.yaml": OVERLAY % 3},
        ["new QL301 worse: before in dev alone, now in prod as well", "worse QL301 dev → dev, prod"],
        1,
        {**BASE, "dev/kustomization.yaml": OVERLAY % 3},
    ),
    "all is well in the second environment that there is": Case(
        {"prod/kustomization.yaml": OVERLAY % 1},
        ["unchanged QL301"],
        0,
        {**BASE, "dev/kustomization.yaml": OVERLAY % 3},
    ),
    "a file that is not seen through counts in the second environment that there is": Case(
        {"prod/kustomization.yaml": OVERLAY % 1},
        ["unchanged QL003"],
        0,
        {**REMOTE_BASE, "dev/kustomization.yaml": OVERLAY % 1},
    ),
    "it is true of one environment less": Case(
        {"prod/kustomization.yaml": OVERLAY % 1},
        ["still QL301"],
        1,
        {**BASE, "dev/kustomization.yaml": OVERLAY % 3, "prod/kustomization.yaml": OVERLAY % 3},
    ),
    "less is missing in one environment, and in another as much as was missing there": Case(
        {"dev/kustomization.yaml": OVERLAY % 5, "prod/kustomization.yaml": OVERLAY % 9},
        ["new QL301", "still QL301"],
        1,
        {**BASE, "dev/kustomization.yaml": OVERLAY % 9, "prod/kustomization.yaml": OVERLAY % 1},
    ),
    "more severe, and more is missing": Case(
        {"team-a/web.yaml": deployment(4), ".quotalint.yaml": "severity: {QL301: error}\n"},
        [
            "new QL008",
            "new QL301 worse: a warning before, an error now; 1 short before, 2 short now",
            "worse QL301 1 → 2",
        ],
        1,
        {**OVER, ".quotalint.yaml": "severity: {QL301: warning}\n"},
        trusting=True,
    ),
    "more is missing, and that is excused": Case(
        {"team-a/web.yaml": deployment(9), ".quotalint.yaml": "ignore: [QL301]\n"},
        ["new QL008", "silenced QL301"],
        trusting=True,
    ),
    "more is missing, and that is not excused yet": Case(
        {"team-a/web.yaml": deployment(9), ".quotalint.yaml": "ignore: [QL301]\n"},
        ["new QL008", "new QL301 worse: 1 short before, 7 short now", "worse QL301 1 → 7"],
        1,
    ),
    "nearly full as before, though the change touches it": Case(
        {"team-a/quota.yaml": quota("pods: 40"), "team-a/web.yaml": deployment(38)},
        ["still QL305"],
        0,
        {"team-a/quota.yaml": quota("pods: 20"), "team-a/web.yaml": deployment(19)},
    ),
    "the workload goes": Case({"team-a/web.yaml": None}, ["fixed QL301"]),
    "the workload cannot be read": Case(
        {"team-a/web.yaml": "a: b: c\n" + deployment(3)},
        ["new QL001", "unknown QL301 team-a/web.yaml could not be read"],
        1,
    ),
    "the workload is no manifest any more": Case(
        {"team-a/web.yaml": "{{ a }}: b: c\n"}, ["unknown QL301 team-a/web.yaml could not be read"]
    ),
    "the quota cannot be read": Case(
        {"team-a/quota.yaml": "a: b: c\n" + quota("pods: 2")},
        ["new QL001", "unknown QL301 team-a/quota.yaml could not be read"],
        1,
    ),
    "the quota is refused": Case(
        {"team-a/quota.yaml": quota("pods: 2, pod: 1")},
        ["new QL102", "unknown QL301 the API server refuses the quota, so that nothing is limited by it"],
        1,
    ),
    "the workload is in another repository": Case(
        {"team-a/kustomization.yaml": f"namespace: team-a\nresources: [quota.yaml, '{REMOTE}']\n"},
        ["new QL003", f"unknown QL301 team-a/kustomization.yaml: {REMOTE} is remote"],
        0,
        KUSTOMIZED,
    ),
    "the quota is in another repository": Case(
        {"team-a/kustomization.yaml": f"namespace: team-a\nresources: [web.yaml, '{REMOTE}']\n"},
        ["new QL003", f"unknown QL301 team-a/kustomization.yaml: {REMOTE} is remote"],
        0,
        KUSTOMIZED,
    ),
    "a second source that is not in view": Case(
        {"team-b/kustomization.yaml": f"namespace: team-a\nresources: ['{REMOTE[:-3]}/other?ref=v1']\n"},
        ["unchanged QL003", "unchanged QL305"],
        0,
        {
            "quota.yaml": quota("pods: 3"),
            "team-a/kustomization.yaml": f"namespace: team-a\nresources: [web.yaml, '{REMOTE}']\n",
            "team-a/web.yaml": deployment(3),
        },
    ),
    "one source less that is not in view": Case(
        {"team-b/kustomization.yaml": None},
        ["unchanged QL003", "unchanged QL305"],
        0,
        {
            "quota.yaml": quota("pods: 3"),
            "team-a/kustomization.yaml": f"namespace: team-a\nresources: [web.yaml, '{REMOTE}']\n",
            "team-a/web.yaml": deployment(3),
            "team-b/kustomization.yaml": f"namespace: team-a\nresources: ['{REMOTE[:-3]}/other?ref=v1']\n",
        },
    ),
    "what is not in view was not before": Case(
        {"team-a/web.yaml": deployment(2)},
        ["better QL305", "fixed QL301", "unchanged QL003"],
        0,
        {**OVER, "team-a/kustomization.yaml": f"namespace: team-a\nresources: [quota.yaml, web.yaml, '{REMOTE}']\n"},
    ),
    "something of another namespace goes out of view": Case(
        {"team-a/web.yaml": None, "b/kustomization.yaml": f"namespace: b\nresources: ['{REMOTE}']\n"},
        ["fixed QL301", "new QL003"],
        0,
        {**OVER, "b/kustomization.yaml": "namespace: b\nresources: [web.yaml]\n", "b/web.yaml": deployment(1)},
    ),
    "what is wrong with an object alone is known to be fixed": Case(
        {"team-a/quota.yaml": quota("pods: 2"), "b.yaml": "a: b: c\napiVersion: v1\nkind: Pod\n"},
        ["fixed QL102", "new QL001"],
        1,
        {"team-a/quota.yaml": quota("pod: 2")},
    ),
    "what is wrong with what is no object yet is fixed": Case(
        {"team-a/quota.yaml": quota("pods: 2")},
        ["fixed QL004"],
        0,
        {
            "team-a/namespace.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: team-a}\n",
            "team-a/quota.yaml": "- " + quota("pods: 2").replace("\n", "\n  "),
        },
    ),
    "what is wrong with a file is the same where a second environment comes": Case(
        {"overlays/dev/kustomization.yaml": "namespace: a\nresources: [../../base]\n"},
        ["unchanged QL001"],
        0,
        {
            "base/kustomization.yaml": "resources: [quota.yaml]\n",
            "base/quota.yaml": quota("pods: 9", namespace=""),
            "overlays/prod/kustomization.yaml": "namespace: a\nresources: [../../base]\n",
            "broken.yaml": "a: b: c\napiVersion: v1\nkind: Pod\n",
        },
    ),
    "what held an object is one that is broken, though nothing of it says so any more": Case(
        {"team-a/web.yaml": "a: [\n", "notes.yaml": "a: [\n", "tools.json": "{"},
        ["new QL001"],
        1,
        {"team-a/quota.yaml": quota("pods: 9"), "team-a/web.yaml": deployment(3), "tools.json": '{"a": 1}'},
    ),
    "a rule that is switched off": Case(
        {".quotalint.yaml": "severity: {QL3: off}\n"}, ["new QL008", "silenced QL301"], trusting=True
    ),
    "a rule that may not be switched off": Case(
        {".quotalint.yaml": "severity: {QL3: off}\n"}, ["new QL008", "unchanged QL301"]
    ),
    "a rule that is not selected": Case(
        {".quotalint.yaml": "select: [QL1, QL008]\n"}, ["new QL008", "silenced QL301"], trusting=True
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_finding_comes_to(case: Case, repository: Repository, capsys: Any) -> None:
    repository.commit(case.start)
    repository.write(case.change)
    status, report = difference(capsys, "HEAD", *(["--trust-head-config"] if case.trusting else []))
    assert (sorted(_changes_of(report)), status) == (case.expected, case.status)


def _changes_of(actual: Mapping[str, Any]) -> list[str]:
    changes = []
    for group, findings in actual["findings"].items():
        for finding in findings:
            notes = [
                note.removeprefix("unknown: ") for note in finding["notes"] if note.startswith(("worse", "unknown"))
            ]
            changes.append(" ".join((group, finding["rule"], *notes)))
    for finding in actual["worse"]:
        short, places = finding["short"], finding["environments"]
        by = short if places["before"] == places["after"] else {key: ", ".join(names) for key, names in places.items()}
        changes.append(f"worse {finding['rule']} {by['before']} → {by['after']}")
    return changes


def test_two_configurations_are_said_to_differ(repository: Repository, capsys: Any) -> None:
    repository.commit({**OVER, ".quotalint.yaml": "thresholds: {nearlyFull: 80}\n"})
    messages = []
    for text in ("# in other words\nthresholds:\n  nearlyFull: 80\n", "thresholds: {nearlyFull: 81}\n", None):
        repository.write({".quotalint.yaml": text})
        messages.append(difference(capsys, "HEAD")[1]["configurationDiffers"])
    assert messages == [False, True, True]


def test_a_quota_goes_out_of_view(repository: Repository, capsys: Any) -> None:
    repository.commit(OVER)
    repository.write({"team-a/quota.yaml": "a: b: c\n" + quota("pods: 2")})
    _, unread = difference(capsys, "HEAD")
    repository.write({"team-a/quota.yaml": None})
    _, deleted = difference(capsys, "HEAD")
    assert [item["quotas"][0]["lost"] for item in (unread, deleted)] == ["team-a/quota.yaml could not be read", None]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"team-a/quota.yaml": quota("pods: 2", "other")}, [("other", "base", None)]),
        ({"team-a/quota.yaml": quota("pods: 3", "other")}, [("other", "base", None)]),
        ({"team-a/quota.yaml": quota("pods: 2", "base", "b")}, [("base", None, "team-a")]),
        ({"team-a/quota.yaml": None, "moved.yaml": quota("pods: 2", "other")}, [("other", "base", None)]),
        (
            {"team-a/quota.yaml": None, "moved.yaml": quota("pods: 9", "other")},
            [("base", None, None), ("other", None, None)],
        ),
        (
            {"team-a/quota.yaml": quota("pods: 2", "c"), "team-a/second.yaml": quota("pods: 2", "d")},
            [("c", "base", None), ("d", None, None)],
        ),
    ],
    ids=["another name", "other limits", "another namespace", "another file", "another quota", "which of two"],
)
def test_a_quota_is_renamed(
    change: Files, expected: list[tuple[str, str | None, str | None]], repository: Repository, capsys: Any
) -> None:
    repository.commit(OVER)
    repository.write(change)
    _, report = difference(capsys, "HEAD")
    assert sorted((quota["name"], quota["renamed"], quota["movedFrom"]) for quota in report["quotas"]) == expected


def test_what_several_namespaces_share_stays_where_the_first_of_them_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    quota = "kind: ResourceQuota\napiVersion: v1\nmetadata: {name: q}\nspec: {hard: {limits.cpu: 2, requests.cpu: 4}}\n"
    overlays = {
        f"overlays/{name}/kustomization.yaml": f"namespace: shop-{name}\nnamePrefix: {name}-\nresources: [../../base]\n"
        for name in ("a", "b")
    }
    base = {"base/kustomization.yaml": "resources: [quota.yaml]\n", "base/quota.yaml": quota}
    listed = "resources: [overlays/a, overlays/b]\n"
    repository = Repository(tmp_path, {**base, **overlays, "kustomization.yaml": listed})
    repository.commit({"kustomization.yaml": "resources: [overlays/b]\n", "overlays/a/kustomization.yaml": None})
    _, report = difference(capsys, "HEAD~1", "HEAD")
    findings = report["findings"]
    assert [entry["rule"] for entry in findings["unchanged"]] == ["QL206"]
    assert (findings["new"], findings["fixed"]) == ([], [])
