"""What is refused before and after a change is neither repaired nor new, whatever its amounts are."""

from __future__ import annotations

from typing import Any

import pytest
from git_repositories import Repository, deployment, difference, in_short, quota

BOUNDS = """\
apiVersion: v1
kind: LimitRange
metadata: {name: bounds, namespace: team-a}
spec:
  limits:
  - type: Container
    max: {cpu: "8", memory: 2Gi}
"""


def _pods(resources: str, more: str = "") -> str:
    plain = "resources: {requests: {cpu: '1'}}}\n"
    assert plain in deployment(1)
    return deployment(1).replace(plain, f"resources: {{{resources}}}}}\n{more}")


def _limits(cpu: str, memory: str = "1Gi") -> str:
    return _pods(f"limits: {{cpu: {cpu}, memory: {memory}}}")


@pytest.mark.parametrize(
    ("before", "after", "states"),
    [
        (_limits("9"), _limits("8.3"), {"still": 1}),
        (_limits("9"), _limits("8"), {"fixed": 1}),
        (_limits("9"), _limits("10"), {"new": 1, "worse": 1}),
        (_limits("9", "3Gi"), _limits("8", "3Gi"), {"still": 1, "fixed": 1}),
        (_limits("9"), _limits("9").replace("image: web,", "image: web:2,"), {"unchanged": 1}),
    ],
    ids=["nearer", "within", "farther", "one-of-two-bounds", "nothing-of-it"],
)
def test_a_bound_that_is_broken_as_before(
    before: str, after: str, states: dict[str, int], repository: Repository, capsys: Any
) -> None:
    repository.commit({"bounds.yaml": BOUNDS, "web.yaml": before})
    repository.commit({"web.yaml": after})
    status, report = difference(capsys, "HEAD~1", "HEAD")
    lists = {**report["findings"], "worse": report["worse"], "still": report["still"]}
    found = {name: sum(of["rule"] == "QL402" for of in listed) for name, listed in lists.items()}
    assert {name: number for name, number in found.items() if number} == states
    assert status == int(bool({"new", "still"}.intersection(states)))


def test_what_is_not_stated_still_and_what_is_not_stated_as_well(repository: Repository, capsys: Any) -> None:
    two = "        - {name: b, image: b}\n"
    limits = quota("limits.cpu: 9, limits.memory: 9Gi")
    repository.commit({"q.yaml": limits, "web.yaml": _pods("limits: {cpu: 1}", two)})
    repository.commit({"web.yaml": _pods("limits: {cpu: 1, memory: 1Gi}", two)})
    repository.commit({"web.yaml": _pods("", two)})
    _, eased = difference(capsys, "HEAD~2", "HEAD~1")
    assert [finding["rule"] for finding in eased["still"]] == ["QL401"]
    _, worse = difference(capsys, "HEAD~1", "HEAD")
    assert [finding["rule"] for finding in worse["worse"]] == ["QL401"]


def _causes(repository: Repository, capsys: Any, *states: dict[str, str]) -> list[list[str]]:
    for state in states:
        repository.commit(state)
    _, report = difference(capsys, "HEAD~1", "HEAD")
    return [finding["cause"]["changes"] for finding in report["findings"]["new"] if finding["rule"] == "QL402"]


def test_a_default_is_no_cause_for_who_states_a_limit(repository: Repository, capsys: Any) -> None:
    default = BOUNDS.replace("max:", "default: {memory: 1Gi}\n    max:")
    lower = default.replace("2Gi", "512Mi").replace("memory: 1Gi", "memory: 256Mi")
    states: tuple[dict[str, str], ...] = ({"bounds.yaml": default, "web.yaml": _limits("1")}, {"bounds.yaml": lower})
    assert _causes(repository, capsys, *states) == [["max.memory 2Gi → 512Mi"]]


def test_the_field_that_breaks_a_bound_is_named_however_many_change(repository: Repository, capsys: Any) -> None:
    def all_of(cpu: str, last: str) -> str:
        amounts = [cpu] * 4 + [last]
        others = (f"- {{name: c{n}, image: c, resources: {{limits: {{cpu: {of}}}}}}}" for n, of in enumerate(amounts))
        return _pods(f"limits: {{cpu: {cpu}}}", "".join(f"        {line}\n" for line in others))

    states: tuple[dict[str, str], ...] = (
        {"bounds.yaml": BOUNDS, "web.yaml": all_of("1", "1")},
        {"web.yaml": all_of("2", "9")},
    )
    assert _causes(repository, capsys, *states) == [["limits.cpu 1 → 9"]]


def _claim(storage: str) -> str:
    of = f"{{accessModes: [ReadWriteOnce], resources: {{requests: {{storage: {storage}}}}}}}"
    return f"apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{name: data, namespace: team-a}}\nspec: {of}\n"


def _stateful_set(replicas: int, storage: str) -> str:
    template = f"{{metadata: {{name: data}}, spec: {{resources: {{requests: {{storage: {storage}}}}}}}}}"
    return (
        deployment(replicas)
        .replace("kind: Deployment", "kind: StatefulSet")
        .replace("  strategy: {type: Recreate}\n", f"  volumeClaimTemplates: [{template}]\n")
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [(_claim("20Gi"), _claim("8Gi")), (_stateful_set(2, "10Gi"), _stateful_set(1, "8Gi"))],
    ids=["a claim", "a StatefulSet with its replicas"],
)
def test_an_update_that_is_refused_changes_no_sum(before: str, after: str, repository: Repository, capsys: Any) -> None:
    repository.commit({"q.yaml": quota("requests.storage: 35Gi"), "data.yaml": before})
    repository.commit({"q.yaml": quota("requests.storage: 15Gi"), "data.yaml": after})
    _, report = difference(capsys, "HEAD~1", "HEAD")
    assert in_short(report)[:2] == [
        "changed team-a/base",
        "  requests.storage: hard 35Gi → 15Gi, steady 20Gi below steady",
    ]
    assert sorted(finding["rule"] for finding in report["findings"]["new"]) == ["QL301", "QL407"]
