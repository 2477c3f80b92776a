"""What a change does to quotas and findings, end to end, in real repositories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
from git_repositories import Repository, deployment, difference, in_short, quota

Files = Mapping[str, "str | None"]
START = {"team-a/quota.yaml": quota("requests.cpu: 4, pods: 10"), "team-a/web.yaml": deployment(3)}
OVERLAY = {
    "base/kustomization.yaml": "resources: [web.yaml, quota.yaml]\n",
    "base/web.yaml": deployment(2, namespace=""),
    "base/quota.yaml": quota("pods: 5").replace(", namespace: team-a", ""),
    "overlays/prod/kustomization.yaml": "namespace: prod\nresources: [../../base]\n",
}


class Case(NamedTuple):
    """A change, what it comes to, and the exit status."""

    change: Files
    expected: list[str]
    status: int = 0
    start: Files = START
    trusting: bool = False
    """What the change says of itself counts (`--trust-head-config`), and is told all the same (QL008)."""


SHOP = {
    **{path: text for path, text in OVERLAY.items() if not path.startswith("overlays/")},
    "overlays/prod/kustomization.yaml": "namespace: shop\nresources: [../../base]\n",
}


def overlay(name: str, replicas: int) -> Files:
    """Another overlay of that base."""
    text = f"namespace: shop\nresources: [../../base]\nreplicas: [{{name: web, count: {replicas}}}]\n"
    return {f"overlays/{name}/kustomization.yaml": text}


CASES = {
    "nothing": Case({}, []),
    "an overlay more, and the one that was there under another name": Case(
        {"overlays/prod/kustomization.yaml": None, **overlay("a", 4), **overlay("b", 2)},
        ["added a:shop/base", "  pods: hard None → 5, steady None → 4", "  added Deployment web: None → 4"],
        start=SHOP,
    ),
    "a quota and its workloads that move to another namespace together": Case(
        {"overlays/prod/kustomization.yaml": "namespace: live\nresources: [../../base]\n"},
        ["changed live/base"],
        start=OVERLAY,
    ),
    "an overlay more, without room": Case(
        overlay("a", 9),
        [
            "added a:shop/base",
            "  pods: hard None → 5, steady None → 9",
            "  added Deployment web: None → 9",
            "new QL301 overlays/a/kustomization.yaml:2",
        ],
        1,
        SHOP,
    ),
    "the same in other words": Case(
        {"team-a/quota.yaml": quota("requests.memory: 1073741824")},
        [],
        start={"team-a/quota.yaml": quota("requests.memory: 1Gi")},
    ),
    "more replicas than fit": Case(
        {"team-a/web.yaml": deployment(5)},
        [
            "changed team-a/base",
            "  pods: hard 10, steady 3 → 5",
            "  requests.cpu: hard 4, steady 3 → 5",
            "  changed Deployment web: 3 → 5",
            "new QL301 team-a/web.yaml:5",
        ],
        1,
    ),
    "the same amount in other words": Case({"team-a/quota.yaml": quota('requests.cpu: 4000m, pods: "10"')}, []),
    "the same scopes in another order": Case(
        {"team-a/quota.yaml": quota("pods: 10", more="  scopes: [NotBestEffort, NotTerminating]\n")},
        [],
        start={"team-a/quota.yaml": quota("pods: 10", more="  scopes: [NotTerminating, NotBestEffort]\n")},
    ),
    "lines that move": Case({"team-a/web.yaml": "# a comment\n" + deployment(3)}, []),
    "lowered": Case(
        {"team-a/quota.yaml": quota("requests.cpu: 3500m, pods: 10")},
        ["changed team-a/base", "  requests.cpu: hard 4 → 3500m, steady 3"],
    ),
    "lowered below what is used": Case(
        {"team-a/quota.yaml": quota("requests.cpu: 4, pods: 2")},
        ["changed team-a/base", "  pods: hard 10 → 2, steady 3 below steady", "new QL301 team-a/quota.yaml:6"],
        1,
    ),
    "an entry comes, another goes": Case(
        {"team-a/quota.yaml": quota("pods: 10, services: 5")},
        [
            "changed team-a/base",
            "  requests.cpu: hard 4 → None, steady 3 → None",
            "  services: hard None → 5, steady None → 0",
            "  changed Deployment web: 3",
        ],
    ),
    "a quota comes": Case(
        {"team-a/small.yaml": quota("requests.cpu: 3500m", "small")},
        [
            "added team-a/small",
            "  requests.cpu: hard None → 3500m, steady None → 3",
            "  added Deployment web: None → 3",
            "new QL206 team-a/small.yaml:6",
        ],
    ),
    "a quota goes": Case(
        {"team-a/quota.yaml": None},
        [
            "removed team-a/base",
            "  pods: hard 10 → None, steady 3 → None",
            "  requests.cpu: hard 4 → None, steady 3 → None",
            "  removed Deployment web: 3 → None",
        ],
    ),
    "a workload goes, another comes": Case(
        {"team-a/web.yaml": None, "team-a/api.yaml": deployment(3, "api")},
        ["changed team-a/base", "  added Deployment api: None → 3", "  removed Deployment web: 3 → None"],
    ),
    "a namespace is renamed": Case(
        {"team-a/quota.yaml": quota("pods: 10", namespace="a"), "team-a/web.yaml": deployment(3, namespace="a")},
        [
            "changed a/base",
            "  requests.cpu: hard 4 → None, steady 3 → None",
            "  changed Deployment web: 3",
        ],
    ),
    "files move": Case(
        {
            "team-a/quota.yaml": None,
            "team-a/web.yaml": None,
            "apps/quota.yml": START["team-a/quota.yaml"],
            "apps/all.yaml": START["team-a/web.yaml"],
        },
        [],
    ),
    "files move with what is wrong with them": Case(
        {"q.yaml": None, "b/q.yaml": quota("pod: 1")}, ["unchanged QL102 b/q.yaml:6"], 0, {"q.yaml": quota("pod: 1")}
    ),
    "repaired": Case(
        {"q.yaml": quota("pods: 1")},
        ["changed team-a/base", "  pods: hard None → 1, steady None → 0", "fixed QL102 q.yaml:6"],
        0,
        {"q.yaml": quota("pod: 1")},
    ),
    "refused now": Case(
        {"team-a/quota.yaml": quota("requests.cpu: 4, pod: 10")},
        [
            "changed team-a/base",
            "  pods: hard 10 → None, steady 3 → None",
            "  requests.cpu: hard 4 → None, steady 3 → None",
            "new QL102 team-a/quota.yaml:6",
        ],
        1,
    ),
    "one of several alike": Case(
        {"c.yaml": "a: b: c\napiVersion: v1\nkind: Pod\n"},
        ["new QL001 c.yaml:1", "unchanged QL001 b.yaml:1"],
        1,
        {"b.yaml": "a: b: c\napiVersion: v1\nkind: Pod\n"},
    ),
    "an overlay": Case(
        {
            "overlays/prod/kustomization.yaml": "namespace: prod\nresources: [../../base]\n"
            "replicas: [{name: web, count: 6}]\n"
        },
        [
            "changed prod/base",
            "  pods: hard 5, steady 2 → 6",
            "  changed Deployment web: 2 → 6",
            "new QL301 overlays/prod/kustomization.yaml:3",
        ],
        1,
        OVERLAY,
    ),
    "a second overlay": Case(
        {
            "overlays/dev/kustomization.yaml": "namespace: prod\nresources: [../../base]\n"
            "replicas: [{name: web, count: 1}]\n"
        },
        [
            "added dev:prod/base",
            "  pods: hard None → 5, steady None → 1",
            "  added Deployment web: None → 1",
        ],
        0,
        OVERLAY,
    ),
    "scopes": Case(
        {"q.yaml": quota("pods: 1", more="  scopes: [NotTerminating]\n")},
        ["changed team-a/base", "new QL111 q.yaml:5"],
        1,
        {"q.yaml": quota("pods: 1", more="  scopes: [Terminating]\n")},
    ),
    "scopes of a quota that each apply makes anew": Case(
        {"q.yaml": quota("pods: 1", "", more="  scopes: [NotTerminating]\n").replace("name: ,", "generateName: q-,")},
        ["changed team-a/"],
        0,
        {"q.yaml": quota("pods: 1", "", more="  scopes: [Terminating]\n").replace("name: ,", "generateName: q-,")},
    ),
    "scopes, and it is said that this is meant": Case(
        {"q.yaml": quota("pods: 1", more="  scopes: [NotTerminating]  # quotalint: ignore[QL111] made anew\n")},
        ["changed team-a/base", "new QL008 q.yaml:5"],
        0,
        {"q.yaml": quota("pods: 1", more="  scopes: [Terminating]\n")},
        trusting=True,
    ),
    "suppressed now": Case(
        {"q.yaml": quota("pod: 1").replace("{pod", "# quotalint: ignore[QL102]\n    {pod")},
        ["new QL008 q.yaml:6", "silenced QL102 q.yaml:6"],
        0,
        {"q.yaml": quota("pod: 1")},
        trusting=True,
    ),
    "suppressed now, which does not count yet": Case(
        {"q.yaml": quota("pod: 1").replace("{pod", "# quotalint: ignore[QL102]\n    {pod")},
        ["new QL008 q.yaml:6", "unchanged QL102 q.yaml:7"],
        0,
        {"q.yaml": quota("pod: 1")},
    ),
    "suppressed no more": Case(
        {"q.yaml": quota("pod: 1")},
        ["new QL102 q.yaml:6"],
        1,
        {"q.yaml": quota("pod: 1").replace("{pod", "# quotalint: ignore[QL102]\n    {pod")},
    ),
    "more severe": Case(
        {".quotalint.yaml": "severity: {QL305: error}\n"},
        ["new QL008 .quotalint.yaml:1", "new QL305 team-a/quota.yaml:6"],
        1,
        {**START, "team-a/web.yaml": deployment(4), ".quotalint.yaml": "severity: {QL305: warning}\n"},
        trusting=True,
    ),
    "each by its own configuration": Case(
        {".quotalint.yaml": "thresholds: {nearlyFull: 100}\n"},
        ["new QL008 .quotalint.yaml:1", "fixed QL305 team-a/quota.yaml:6"],
        0,
        {**START, "team-a/web.yaml": deployment(4)},
        trusting=True,
    ),
    "both by the configuration of the base": Case(
        {".quotalint.yaml": "thresholds: {nearlyFull: 100}\n"},
        ["new QL008 .quotalint.yaml:1", "unchanged QL305 team-a/quota.yaml:6"],
        0,
        {**START, "team-a/web.yaml": deployment(4)},
    ),
    "the new state decides what fails": Case(
        {"team-a/web.yaml": deployment(5), ".quotalint.yaml": "failOn: never\n"},
        [
            "changed team-a/base",
            "  pods: hard 10, steady 3 → 5",
            "  requests.cpu: hard 4, steady 3 → 5",
            "  changed Deployment web: 3 → 5",
            "new QL008 .quotalint.yaml:1",
            "new QL301 team-a/web.yaml:5",
        ],
        trusting=True,
    ),
    "the base decides what fails": Case(
        {"team-a/web.yaml": deployment(5), ".quotalint.yaml": "failOn: never\n"},
        [
            "changed team-a/base",
            "  pods: hard 10, steady 3 → 5",
            "  requests.cpu: hard 4, steady 3 → 5",
            "  changed Deployment web: 3 → 5",
            "new QL008 .quotalint.yaml:1",
            "new QL301 team-a/web.yaml:5",
        ],
        1,
    ),
}


@pytest.mark.parametrize("committed", [True, False], ids=["committed", "in the work tree"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_change_comes_to(case: Case, committed: bool, repository: Repository, capsys: Any) -> None:
    repository.commit({**case.start, "README.md": "a file that is no manifest\n"})
    repository.write(case.change)
    if committed and case.change:
        repository.commit({})
    states = ("HEAD~1" if case.change else "HEAD", "HEAD") if committed else ("HEAD",)
    status, report = difference(capsys, *states, *(["--trust-head-config"] if case.trusting else []))
    assert (in_short(report), status) == (case.expected, case.status)
