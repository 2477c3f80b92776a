"""Judges what quotalint tells of a pull request by what a person has to hear of it.

A case is a folder: `repo-base/` and `repo/`, which are committed one after the other, and `case.json`. There `why` says
what decides; `exit` is the status, and `diff` has what is asked of the report:

remote          the address that the repository was cloned from, beside `diff`
new, no_new, worse, still, fixed, no_fixed   patterns of findings: rule (or how it begins), severity, file, namespace,
                contains (in message or help), resource (named anywhere), says (in the message)
primary         where a finding stands, in JSON, as an annotation and in SARIF: rule, file, line, level (error)
blames, not_blamed   workloads of which it is said that their pods are refused, and of which it is not
markdown_has, markdown_lacks   patterns for what stands above the fold; `amount:28Gi` is any number of that value
first_line      a pattern for the first line
max_rows, max_lines   of the tables, and of all text, above the fold
quotas          how many quotas have numbers that change; `<=1`: at most so many
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from git_repositories import Repository

from quotalint.cli import run
from quotalint.kube.quantity import Quantity, parse

Json = Mapping[str, Any]
_REFUSED = re.compile(r"refused|(?:not|n't|cannot) (?:be )?(?:start|run|fit|creat|schedul|com)|None of the", re.I)
_LATER = re.compile(r"restart|next|later|rollout|until it stops", re.I)
_NUMBER = re.compile(r"(?<![\w.\-])\d+(?:\.\d+)?(?:[numkMGTPE]|[KMGTPE]i)?(?![\w\-]|\.\d)")


class Report(NamedTuple):
    """What is said of a change, in each format."""

    status: int
    json: Json
    markdown: str
    github: str
    sarif: Json

    @property
    def head(self) -> str:
        """What stands above the fold, as it reads."""
        text = re.sub(r"<!--.*?-->", "", self.markdown.split("<details")[0], flags=re.S)
        text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
        text = re.sub(r"&#(\d+);", lambda found: chr(int(found[1])), text)
        return re.sub(r"</?sub>", "", text).replace("**", "").replace("`", "")

    @property
    def groups(self) -> Mapping[str, Sequence[Json]]:
        """The findings by what became of them."""
        found: Mapping[str, Sequence[Json]] = self.json["findings"]
        worse = {one["fingerprint"] for one in self.json["worse"]}
        return {**found, "worse": [one for one in found["new"] if one["fingerprint"] in worse]}


def report_of(
    case: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, arguments: Sequence[str]
) -> Report:
    """What `quotalint diff` says of the two states of a case."""
    repository = Repository(scratch / "repo")
    remote = json.loads((case / "case.json").read_text()).get("remote")
    if remote:
        repository.git("remote", "add", "origin", remote)
    for name in ("repo-base", "repo"):
        for left in repository.folder.iterdir():
            if left.name != ".git":
                shutil.rmtree(left) if left.is_dir() else left.unlink()
        shutil.copytree(case / name, repository.folder, symlinks=True, dirs_exist_ok=True)
        (repository.folder / ".git/index").unlink(
            missing_ok=True
        )  # files of one size and time would pass for unchanged
        repository.git("add", "--all", "--force")
        repository.commit({})
    monkeypatch.chdir(repository.folder)
    outputs = [f"--output={name}={scratch / name}" for name in ("json", "markdown", "sarif")]
    status = run(["diff", "HEAD~1", "HEAD", "--format=github", *outputs, *arguments])
    said = {name: (scratch / name).read_text() for name in ("json", "markdown", "sarif")}
    github = capsys.readouterr().out
    for revision in ("HEAD~1", "HEAD"):
        name, commit = revision.replace("HEAD~1", "BASE"), repository.git("rev-parse", revision)
        said = {key: text.replace(commit, name).replace(commit[:9], name) for key, text in said.items()}
    return Report(status, json.loads(said["json"]), said["markdown"], github, json.loads(said["sarif"]))


def differences(wanted: Json, report: Report) -> Iterator[str]:
    """What is not told as it should be."""
    change, groups = wanted["diff"], report.groups
    for group in ("new", "worse", "still", "fixed"):
        for one in change.get(group, ()):
            if not any(_fits(finding, one) for finding in groups[group]):
                yield f"{group}: nothing like {one} among {list(map(_short, groups[group]))}"
    for group in ("new", "fixed"):
        for one in change.get(f"no_{group}", ()):
            yield from (f"{group}: there is {_short(each)}" for each in groups[group] if _fits(each, one))
    if "primary" in change:
        yield from _place(change["primary"], report)
    yield from _blame(change, report)
    yield from _text(change, report)
    numbers = sum(any(_moves(entry) for entry in one["resources"]) for one in report.json["quotas"])
    if "quotas" in change:
        limit = str(change["quotas"])
        if not (numbers <= int(limit[2:]) if limit.startswith("<=") else numbers == int(limit)):
            yield f"the numbers of {numbers} quotas change"
    if wanted.get("exit", report.status) != report.status:
        yield f"the exit status is {report.status}"


def _place(wanted: Json, report: Report) -> Iterator[str]:
    findings = [*report.groups["new"], *report.groups["still"]]
    mine = [one for one in findings if _fits(one, {"rule": wanted["rule"]})]
    places = [(one["file"], one["line"]) for one in mine]
    annotations = re.findall(r"^::(\w+) file=([^,]*),line=(\d+).*?title=(QL\d+)", report.github, re.M)
    level = wanted.get("level", "error")
    marked = [(file, int(line)) for kind, file, line, rule in annotations if (kind, rule) == (level, wanted["rule"])]
    results = (one for one in report.sarif["runs"][0]["results"] if one["ruleId"] == wanted["rule"])
    physical = [one["locations"][0]["physicalLocation"] for one in results]
    scanned = [(one["artifactLocation"]["uri"], one["region"]["startLine"]) for one in physical]
    for name, found in (("JSON", places), ("annotations", marked), ("SARIF", scanned)):
        if not any(file == wanted["file"] and line == wanted.get("line", line) for file, line in found):
            yield f"primary: {name} has {wanted['rule']} at {found}"


def _blame(change: Json, report: Report) -> Iterator[str]:
    findings = [*report.groups["new"], *report.groups["still"]]
    texts = [text for one in findings for text in (one["message"], *one["notes"])]
    for who in change.get("blames", ()):
        if not any(_names(one, who) and _REFUSED.search(one) for one in texts):
            yield f"nobody says that pods of {who} are refused: {texts}"
    clauses = [one for text in (*texts, report.head) for one in re.split(r"[.;:!,()|—–](?:\s+|$)|\n", text)]
    for who in change.get("not_blamed", ()):
        said = [one for one in clauses if _REFUSED.search(one) and not _LATER.search(one) and _names(one, who)]
        yield from (f"{who} is blamed: {one}" for one in said)


def _text(change: Json, report: Report) -> Iterator[str]:
    head = report.head
    lines = [line.strip().lstrip("#> ") for line in head.splitlines() if line.strip()]
    if not re.search(change.get("first_line", ""), lines[0], re.I):
        yield f"the first line is {lines[0]}"
    yield from (f"above the fold there is no {one}" for one in change.get("markdown_has", ()) if not _says(head, one))
    yield from (f"above the fold there is {one}" for one in change.get("markdown_lacks", ()) if _says(head, one))
    shown = re.sub(r"<details>.*?</details>|<sub>.*?</sub>", "", report.markdown, flags=re.S)
    rows = [line for line in shown.splitlines() if line.startswith("|")]
    number = len(rows) - 2 * sum("---" in row or "--:" in row for row in rows)
    if number > change.get("max_rows", number):
        yield f"there are {number} rows"
    number = sum(bool(line.strip()) for line in shown.splitlines())
    if number > change.get("max_lines", number):
        yield f"there are {number} lines"


def _fits(one: Json, wanted: Json) -> bool:
    places = [f"{place['label']} {place['message']}" for place in one["related"]]
    every = "\n".join([one["message"], one["help"], one["field"] or "", *one["notes"], *places])
    return (
        one["rule"].startswith(wanted.get("rule", "QL"))
        and all(one[key] == wanted[key] for key in ("severity", "namespace") if key in wanted)
        and one["file"].endswith(wanted.get("file", ""))
        and wanted.get("contains", "").lower() in f"{one['message']}\n{one['help']}".lower()
        and _word(wanted.get("says", ""), one["message"])
        and _word(wanted.get("resource", ""), every)
    )


def _word(word: str, text: str) -> bool:
    return not word or re.search(rf"(?<![\w.]){re.escape(word)}(?![\w.])", text) is not None


def _names(text: str, who: str) -> bool:
    return re.search(rf"(?<![\w.\-/]){re.escape(who.split(' ', 1)[-1])}(?![\w\-/]|\.\w)", text) is not None


def _says(text: str, wanted: str) -> bool:
    if wanted.startswith("amount:"):
        return any(_amount(one) == _amount(wanted.removeprefix("amount:")) for one in _NUMBER.findall(text))
    return re.search(wanted, text, re.I | re.M) is not None


def _moves(entry: Json) -> bool:
    pairs = (entry[name] for name in ("hard", "steady", "surge", "peak"))
    return any(one["before"] != one["after"] for one in pairs)


def _amount(text: str) -> int:
    found = parse(text)
    assert isinstance(found, Quantity), text
    return found.nano


def _short(one: Json) -> str:
    return f"{one['severity']} {one['rule']} {one['file']}:{one['line']} {one['message'][:120]}"
