"""What a change brings about for many workloads is one finding in the text for people, its cause before it."""

from __future__ import annotations

import re
from typing import Any

from git_repositories import Repository, deployment, quota

from quotalint.cli import run

ROLLING = {f"{name}.yaml": deployment(1, name, cpu="1").replace("  strategy: {type: Recreate}\n", "") for name in "abc"}
NEW = {"new.yaml": deployment(2, "new")}


def report(repository: Repository, capsys: Any, *options: str) -> str:
    repository.commit({**ROLLING, "quota.yaml": quota("pods: 4")})
    repository.commit(NEW)
    run(["diff", "HEAD~1", "HEAD", *options])
    return str(capsys.readouterr().out)


def test_workloads_that_can_no_longer_roll_are_named_with_what_is_exceeded(repository: Repository, capsys: Any) -> None:
    text = report(repository, capsys)
    assert text.count("error  QL30") == 1
    assert re.search(r"also short +during rollouts of a, b, c \(QL302\)\n", text)
    assert "4 new findings (4 errors)" in text
    assert "3 of them follow from others, and are named there" in text


def test_each_is_shown_where_everything_is(repository: Repository, capsys: Any) -> None:
    assert report(repository, capsys, "--verbose").count("error  QL302") == 3


BOUNDS = """\
apiVersion: v1
kind: LimitRange
metadata: {name: bounds, namespace: team-a}
spec: {limits: [{type: Container, min: {cpu: "2", memory: 1Gi}}]}
"""


def test_what_is_one_finding_counts_once(repository: Repository, capsys: Any) -> None:
    small = deployment(1).replace("cpu: '1'", "cpu: '1', memory: 1Mi")
    repository.commit({"quota.yaml": quota("pods: 4")})
    repository.commit({"web.yaml": small, "bounds.yaml": BOUNDS})
    repository.commit({"bounds.yaml": None})
    run(["diff", "HEAD~2", "HEAD~1"])
    broken = capsys.readouterr().out
    run(["diff", "HEAD~1", "HEAD", "--verbose"])
    mended = capsys.readouterr().out
    assert broken.startswith("The pods of web are refused in team-a.\n")
    assert "\n1 new finding (1 error), 0 fixed" in broken
    assert mended.count("fixed: web.yaml") == 1
    assert "No new findings, 1 fixed" in mended


def test_a_comment_lists_them_as_well(repository: Repository, capsys: Any) -> None:
    text = report(repository, capsys, "--format", "markdown")
    assert "4 findings in full" in text
    assert "[QL302 rollout-exceeds-quota]" not in text
    assert "  - also short: during rollouts of a, b, c (QL302)\n" in text


SHADOWED = "requests.cpu: 4, limits.cpu: 4, requests.memory: 8Gi, limits.memory: 8Gi"


def test_a_remark_about_several_entries_counts_once(repository: Repository, capsys: Any) -> None:
    repository.commit({"other.yaml": quota("pods: 4", "other")})
    repository.commit({"quota.yaml": quota(SHADOWED)})
    run(["diff", "HEAD~1", "HEAD"])
    text = capsys.readouterr().out
    assert text.startswith("Quota base of team-a is new; how much of it is used is not known, with a remark.\n")
    assert "\n1 new finding (1 info), 0 fixed" in text


REFUSED = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: base}\nspec: {hard: {pods: 10x}}\n"


def overlays(resource: str, *, but: str = "") -> dict[str, str | None]:
    return {
        f"{name}/kustomization.yaml": f"namespace: team-{name}\nresources: [{'q.yaml' if name == but else resource}]\n"
        for name in "ab"
    }


def test_copies_that_become_one_base_repair_nothing(repository: Repository, capsys: Any) -> None:
    """What the base has wrong is one finding for both; it was one for each."""
    base = {"base/kustomization.yaml": "resources: [q.yaml]\n", "base/q.yaml": REFUSED}
    repository.commit({**overlays("q.yaml"), "a/q.yaml": REFUSED, "b/q.yaml": REFUSED})
    repository.commit({**overlays("../base"), **base, "a/q.yaml": None, "b/q.yaml": None})
    run(["diff", "HEAD~1", "HEAD", "--format", "markdown"])
    assert "repaired" not in capsys.readouterr().out
    repository.commit({**overlays("../base", but="b"), "b/q.yaml": REFUSED.replace("10x", "10")})
    run(["diff", "HEAD~2", "HEAD", "--format", "markdown"])
    assert "1 finding repaired" in capsys.readouterr().out


def test_what_is_smaller_and_still_wrong_counts_once(repository: Repository, capsys: Any) -> None:
    small = deployment(1).replace("cpu: '1'", "cpu: '1', memory: 1Mi")
    repository.commit({"web.yaml": small, "bounds.yaml": BOUNDS})
    repository.commit({"web.yaml": small.replace("cpu: '1', memory: 1Mi", "cpu: 1500m, memory: 2Mi")})
    for name in ("text", "html"):
        assert run(["diff", "HEAD~1", "HEAD", "-f", name]) == 1
        assert "1 still exceeded, 0 fixed" in capsys.readouterr().out


def test_a_cause_that_was_a_number_and_is_a_mapping(repository: Repository, capsys: Any) -> None:
    limits = BOUNDS.replace('min: {cpu: "2", memory: 1Gi}', "defaultRequest: {ephemeral-storage: 1Gi}")
    small = quota("requests.ephemeral-storage: 1Gi")
    number = re.sub("spec: .*", "spec: 1e300", limits)
    repository.commit({"web.yaml": deployment(2), "bounds.yaml": number, "quota.yaml": small})
    repository.commit({"bounds.yaml": limits})
    run(["diff", "HEAD~1", "HEAD"])
    assert "because spec of LimitRange bounds" in capsys.readouterr().out
