"""Judges what quotalint tells of a pull request by what a person has to hear of it.

A case is a folder: `repo-base/` and `repo/`, which are committed one after the other, and `case.json`. There `why` says
what decides; `exit` is the status, and `diff` has what is asked of the report:

remote          the address that the repository was cloned from, beside `diff`
new, no_new, worse, still, better, fixed, no_fixed   patterns of findings: rule (or how it begins), severity, file,
                namespace, field, contains (in message or help), resource (named anywhere), says (in the message)
primary         where a finding stands, in JSON, as an annotation and in SARIF: rule, file, line, level (error)
cause           of a finding with this rule: the first change that it names, and what no change that it names matches
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
from amounts import amount
from git_repositories import Repository
from view_judge import Json, shortened

from quotalint.cli import run

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
        text = re.sub(r"&#(\d+);", lambda match: chr(int(match[1])), text)
        return re.sub(r"</?sub>", "", text).replace("**", "").replace("`", "")

    @property
    def groups(self) -> Mapping[str, Sequence[Json]]:
        """The findings by what became of them."""
        findings: Mapping[str, Sequence[Json]] = self.json["findings"]
        worse = {finding["fingerprint"] for finding in self.json["worse"]}
        return {**findings, "worse": [finding for finding in findings["new"] if finding["fingerprint"] in worse]}


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
    messages = {name: (scratch / name).read_text() for name in ("json", "markdown", "sarif")}
    github = capsys.readouterr().out
    for revision in ("HEAD~1", "HEAD"):
        name, commit = revision.replace("HEAD~1", "BASE"), repository.git("rev-parse", revision)
        messages = {key: text.replace(commit, name).replace(commit[:9], name) for key, text in messages.items()}
    return Report(status, json.loads(messages["json"]), messages["markdown"], github, json.loads(messages["sarif"]))


def differences(wanted: Json, report: Report) -> Iterator[str]:
    """What is not told as it should be."""
    change, groups = wanted["diff"], report.groups
    for group in ("new", "worse", "still", "better", "fixed"):
        for item in change.get(group, ()):
            if not any(_fits(finding, item) for finding in groups[group]):
                yield f"{group}: nothing like {item} among {list(map(shortened, groups[group]))}"
    for group in ("new", "fixed"):
        for item in change.get(f"no_{group}", ()):
            yield from (f"{group}: there is {shortened(each)}" for each in groups[group] if _fits(each, item))
    if "primary" in change:
        yield from _place(change["primary"], report)
    if "cause" in change:
        yield from _cause(change["cause"], report)
    yield from _blame(change, report)
    yield from _text(change, report)
    numbers = sum(any(_moves(entry) for entry in quota["resources"]) for quota in report.json["quotas"])
    if "quotas" in change:
        limit = str(change["quotas"])
        if not (numbers <= int(limit[2:]) if limit.startswith("<=") else numbers == int(limit)):
            yield f"the numbers of {numbers} quotas change"
    if wanted.get("exit", report.status) != report.status:
        yield f"the exit status is {report.status}"


def _place(wanted: Json, report: Report) -> Iterator[str]:
    findings = [*report.groups["new"], *report.groups["still"]]
    mine = [finding for finding in findings if _fits(finding, {"rule": wanted["rule"]})]
    places = [(item["file"], item["line"]) for item in mine]
    annotations = re.findall(r"^::(\w+) file=([^,]*),line=(\d+).*?title=(QL\d+)", report.github, re.M)
    level = wanted.get("level", "error")
    marked = [(file, int(line)) for kind, file, line, rule in annotations if (kind, rule) == (level, wanted["rule"])]
    results = (result for result in report.sarif["runs"][0]["results"] if result["ruleId"] == wanted["rule"])
    physical = [result["locations"][0]["physicalLocation"] for result in results]
    scanned = [(item["artifactLocation"]["uri"], item["region"]["startLine"]) for item in physical]
    for name, told_places in (("JSON", places), ("annotations", marked), ("SARIF", scanned)):
        if not any(file == wanted["file"] and line == wanted.get("line", line) for file, line in told_places):
            yield f"primary: {name} has {wanted['rule']} at {told_places}"


def _cause(wanted: Json, report: Report) -> Iterator[str]:
    findings = [finding for finding in (*report.groups["new"], *report.groups["still"]) if _fits(finding, wanted)]
    for finding in findings:
        changes: Sequence[str] = (finding["cause"] or {}).get("changes", ())
        if not changes or not re.search(wanted["first"], changes[0]):
            yield f"the cause is {changes}"
        yield from (f"the cause is {change}" for change in changes if re.search(wanted["lacks"], change))
    if not findings:
        yield f"cause: there is no finding like {wanted}"


def _blame(change: Json, report: Report) -> Iterator[str]:
    findings = [*report.groups["new"], *report.groups["still"]]
    texts = [text for finding in findings for text in (finding["message"], *finding["notes"])]
    for who in change.get("blames", ()):
        if not any(_names(text, who) and _REFUSED.search(text) for text in texts):
            yield f"nobody says that pods of {who} are refused: {texts}"
    clauses = [part for text in (*texts, report.head) for part in re.split(r"[.;:!,()|—–](?:\s+|$)|\n", text)]
    for who in change.get("not_blamed", ()):
        messages = [
            clause
            for clause in clauses
            if _REFUSED.search(clause) and not _LATER.search(clause) and _names(clause, who)
        ]
        yield from (f"{who} is blamed: {message}" for message in messages)


def _text(change: Json, report: Report) -> Iterator[str]:
    head = report.head
    lines = [line.strip().lstrip("#> ") for line in head.splitlines() if line.strip()]
    if not re.search(change.get("first_line", ""), lines[0], re.I):
        yield f"the first line is {lines[0]}"
    yield from (
        f"above the fold there is no {item}" for item in change.get("markdown_has", ()) if not _says(head, item)
    )
    yield from (
        f"above the fold there is {markdown_lack}"
        for markdown_lack in change.get("markdown_lacks", ())
        if _says(head, markdown_lack)
    )
    shown = re.sub(r"<details>.*?</details>|<sub>.*?</sub>", "", report.markdown, flags=re.S)
    rows = [line for line in shown.splitlines() if line.startswith("|")]
    number = len(rows) - 2 * sum("---" in row or "--:" in row for row in rows)
    if number > change.get("max_rows", number):
        yield f"there are {number} rows"
    number = sum(bool(line.strip()) for line in shown.splitlines())
    if number > change.get("max_lines", number):
        yield f"there are {number} lines"


def _fits(finding: Json, wanted: Json) -> bool:
    places = [f"{place['label']} {place['message']}" for place in finding["related"]]
    text = "\n".join([finding["message"], finding["help"], finding["field"] or "", *finding["notes"], *places])
    return (
        finding["rule"].startswith(wanted.get("rule", "QL"))
        and all(finding[key] == wanted[key] for key in ("severity", "namespace", "field") if key in wanted)
        and finding["file"].endswith(wanted.get("file", ""))
        and wanted.get("contains", "").lower() in f"{finding['message']}\n{finding['help']}".lower()
        and _word(wanted.get("says", ""), finding["message"])
        and _word(wanted.get("resource", ""), text)
    )


def _word(word: str, text: str) -> bool:
    return not word or re.search(rf"(?<![\w.]){re.escape(word)}(?![\w.])", text) is not None


def _names(text: str, who: str) -> bool:
    return re.search(rf"(?<![\w.\-/]){re.escape(who.split(' ', 1)[-1])}(?![\w\-/]|\.\w)", text) is not None


def _says(text: str, wanted: str) -> bool:
    if wanted.startswith("amount:"):
        return any(amount(word).nano == amount(wanted.removeprefix("amount:")).nano for word in _NUMBER.findall(text))
    return re.search(wanted, text, re.I | re.M) is not None


def _moves(entry: Json) -> bool:
    pairs = (entry[name] for name in ("hard", "steady", "surge", "peak"))
    return any(pair["before"] != pair["after"] for pair in pairs)
