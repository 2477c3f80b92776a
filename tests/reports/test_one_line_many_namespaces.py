"""One line of a change that breaks many namespaces: one summary, one proposal that passes, reports that stay short."""

from __future__ import annotations

import json
import re
from typing import Any

from git_repositories import Repository, autoscaler, deployment, quota

from quotalint.cli import run

TEAMS = 20
OVERLAY = (
    "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nnamespace: team-{0:02}\n"
    "resources: [web.yaml]\ncomponents: [../../components/small]\n"
)
COMPONENT = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [quota.yaml]\n"
QUOTA = "components/small/quota.yaml"


def rolling(replicas: int) -> str:
    text = deployment(replicas, namespace="").replace(", namespace: ''", "").replace(", namespace: ", "")
    return text.replace("  strategy: {type: Recreate}\n", "")


def limit(cpu: int) -> str:
    return quota(f"requests.cpu: {cpu}").replace(", namespace: team-a", "")


def write_history(repository: Repository, grown: int = 0) -> None:
    """A quota that is lowered for all teams, of which seven run four pods of one core; one of these may grow."""
    files = {"components/small/kustomization.yaml": COMPONENT, QUOTA: limit(6)}
    for team in range(1, TEAMS + 1):
        files[f"teams/{team:02}/kustomization.yaml"] = OVERLAY.format(team)
        files[f"teams/{team:02}/web.yaml"] = rolling(4 if team <= 7 else 1)
    repository.commit(files)
    repository.commit({QUOTA: limit(3), **({"teams/02/web.yaml": rolling(grown)} if grown else {})})


def printed(capsys: Any, *options: str) -> str:
    run(["diff", "HEAD~1", "HEAD", *options])
    return str(capsys.readouterr().out)


def take_over(repository: Repository, comment: str) -> None:
    """Write what the comment suggests, as a commit of its own in place of the change."""
    for file, line, new in re.findall(r"`([^`\n]+):(\d+)`\n\n```suggestion\n(.*)\n```", comment):
        path = repository.folder / file
        lines = path.read_text().split("\n")
        lines[int(line) - 1] = new
        repository.write({file: "\n".join(lines)})
    repository.git("add", "-A")
    repository.git("commit", "--amend", "--no-edit", "--quiet")


def errors(capsys: Any) -> list[str]:
    found = json.loads(printed(capsys, "--format", "json"))["findings"]["new"]
    return [finding["message"] for finding in found if finding["severity"] == "error"]


def test_one_value_suits_all(repository: Repository, capsys: Any) -> None:
    write_history(repository)
    comment = printed(capsys, "--format", "markdown")
    assert comment.startswith("### ❌ quotalint: `requests.cpu 6 → 3` breaks 7 of 20 namespaces\n")
    assert re.findall(r"\*\*To repair:\*\* (.*)", comment) == [f"`requests.cpu: 5` in `{QUOTA}:6`"]
    assert comment.count("```suggestion") == 1
    take_over(repository, comment)
    assert errors(capsys) == []


def test_a_namespace_that_grows_beyond_the_others_is_told_to_shrink(repository: Repository, capsys: Any) -> None:
    write_history(repository, grown=9)
    comment = printed(capsys, "--format", "markdown")
    assert "`team-02` grows in this change: `web` goes from 4 to 9 replicas (`teams/02/web.yaml:5`)" in comment
    both = f"`requests.cpu: 5` in `{QUOTA}:6`, which fits the other 6, and `replicas: 4` in `teams/02/web.yaml:5`"
    assert f"**Do both:** {both}\n" in comment
    assert comment.count("```suggestion") == 2
    take_over(repository, comment)
    assert errors(capsys) == []


def test_the_reports_stay_short(repository: Repository, capsys: Any) -> None:
    write_history(repository, grown=9)
    comment, text = printed(capsys, "--format", "markdown"), printed(capsys)
    visible = re.sub(r"<details>.*?</details>", "", comment, flags=re.DOTALL)
    assert len(comment.encode()) <= 8192
    assert len(visible.splitlines()) <= 60
    assert len(text.splitlines()) <= 60
    assert text.startswith("requests.cpu 6 → 3 breaks 7 of 20 namespaces.\n")


def test_annotations_go_to_distinct_lines_first(repository: Repository, capsys: Any) -> None:
    write_history(repository, grown=9)
    commands = re.findall(r"::error file=([^,]+),line=(\d+),col=\d+,title=(\w+)", printed(capsys, "--format", "github"))
    assert {command[:2] for command in commands[:2]} == {(QUOTA, "6"), ("teams/02/web.yaml", "5")}
    assert [rule for _, _, rule in commands[:2]] == ["QL301", "QL301"]


def test_what_all_may_use_is_not_raised_for_one_that_grows(repository: Repository, capsys: Any) -> None:
    write_history(repository)
    repository.commit({QUOTA: limit(9)})
    repository.commit({"teams/09/web.yaml": rolling(12)})
    comment = printed(capsys, "--format", "markdown")
    assert "**To repair:** `replicas: 7` in `teams/09/web.yaml:5`" in comment
    assert f"in `{QUOTA}" not in comment.partition("<details>")[0]


def test_a_field_at_the_beginning_of_a_sentence_keeps_its_case(repository: Repository, capsys: Any) -> None:
    names = ("quota", "web", "hpa")
    base = (quota("pods: 5"), deployment(1), autoscaler(1, 9))
    files = {
        f"base/{name}.yaml": text.replace(", namespace: team-a", "") for name, text in zip(names, base, strict=True)
    }
    overlays = {f"t{n}/kustomization.yaml": f"namespace: t{n}\nresources: [../base]\n" for n in range(5)}
    listed = "resources: [quota.yaml, web.yaml, hpa.yaml]\n"
    repository.commit({**files, **overlays, "base/kustomization.yaml": listed})
    repository.commit({"base/hpa.yaml": autoscaler(6, 9).replace(", namespace: team-a", "")})
    run(["diff", "HEAD~1", "HEAD"])
    text = capsys.readouterr().out
    assert "\n  minReplicas of web goes from 1 to 6 (base/hpa.yaml:5). 5 namespaces need more pods" in text
