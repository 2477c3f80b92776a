"""Judges what quotalint says of a small repository by what is true of it.

A case is a folder: `repo/`, what else it needs beside it, and `case.json`, in which `why` says what decides. All other
fields are optional: `args` (further arguments, paths relative to `repo/`), `remote` (the URL of the repository),
`environments` (how many hold a quota), `rows`, `no_rows`, `findings`, `no_findings`, `skipped`, `text_lacks`, `exit`.
With `diff`, two commits are compared: the folder `base` of it and then `repo/`; `findings` and `no_findings` are of
what is new, `fixed` and `no_fixed` of what went away, `quotas` is how many change.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from amounts import amount
from git_repositories import Repository

from quotalint.cli import run

Json = Mapping[str, Any]


def report_of(
    case: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, Any]:
    """What `quotalint check` says of a copy of the case's repository, and its exit status."""
    wanted = json.loads((case / "case.json").read_text())
    shutil.copytree(case, scratch, symlinks=True, dirs_exist_ok=True)
    if "diff" in wanted:
        return _compared(wanted, scratch, monkeypatch, capsys)
    if "remote" in wanted:
        (scratch / "repo/.git").mkdir()
        (scratch / "repo/.git/config").write_text(f'[remote "origin"]\n\turl = {wanted["remote"]}\n')
    monkeypatch.chdir(scratch / "repo")
    arguments = ["--no-cache", *wanted.get("args", [])]
    status = run(["check", "--format", "json", *arguments])
    out, err = capsys.readouterr()
    assert out, err
    report = json.loads(out)
    if "text_lacks" in wanted:
        run(["check", "--format", "text", *arguments])
        report["text"] = capsys.readouterr().out
    return status, report


def _compared(
    wanted: Json, scratch: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, Any]:
    """What `quotalint diff` says of two commits of the case's repository, and its exit status."""
    after = (scratch / "repo").rename(scratch / "after")
    repository = Repository(scratch / "repo")
    for state in (scratch / wanted["diff"]["base"], after):
        for left in repository.folder.iterdir():
            if left.name != ".git":
                shutil.rmtree(left) if left.is_dir() else left.unlink()
        shutil.copytree(state, repository.folder, symlinks=True, dirs_exist_ok=True)
        # Files of the same size and time would pass for unchanged.
        (repository.folder / ".git/index").unlink(missing_ok=True)
        repository.commit({})
    monkeypatch.chdir(repository.folder)
    status = run(["diff", "HEAD~1", "HEAD", "--format", "json", *wanted.get("args", [])])
    out, err = capsys.readouterr()
    assert out, err
    return status, json.loads(out)


def differences(wanted: Json, report: Json, status: int) -> Iterator[str]:
    """What of the report is not as it should be."""
    if "diff" in wanted:
        yield from _of_change(wanted, report)
    else:
        yield from _of_quotas(wanted, report["quotas"])
        live = [finding for finding in report["findings"] if not finding["suppressed"]]
        yield from _of_findings(wanted.get("findings", ()), wanted.get("no_findings", ()), live)
    for skipped in wanted.get("skipped", ()):
        if not any(
            _ends(skipped_file["file"], skipped["file"]) and skipped.get("contains", "") in skipped_file["reason"]
            for skipped_file in report["skipped"]
        ):
            yield f"{skipped} is not among {report['skipped']}"
    for words in wanted.get("text_lacks", ()):
        if words.lower() in report["text"].lower():
            yield f"the text says {words}"
    if wanted.get("exit", status) != status:
        yield f"the exit status is {status}"


def _of_change(wanted: Json, report: Json) -> Iterator[str]:
    change, changed = wanted["diff"], report["quotas"]
    yield from _of_findings(wanted.get("findings", ()), wanted.get("no_findings", ()), report["findings"]["new"])
    yield from _of_findings(change.get("fixed", ()), change.get("no_fixed", ()), report["findings"]["fixed"])
    if change.get("quotas", len(changed)) != len(changed):
        yield f"the quotas that change are {list(map(_name, changed))}"


def _of_quotas(wanted: Json, quotas: Sequence[Json]) -> Iterator[str]:
    for row in wanted.get("rows", ()):
        yield from _of_row(row, quotas)
    for row in wanted.get("no_rows", ()):
        yield from (f"there is {_name(quota)}" for quota in _meant(row, quotas))
    names = sorted({quota["environment"] for quota in quotas})
    if wanted.get("environments", len(names)) != len(names):
        yield f"the environments are {names}"


def _of_findings(some: Sequence[Json], none: Sequence[Json], live: Sequence[Json]) -> Iterator[str]:
    for finding in some:
        if not any(_fits(item, finding) for item in live):
            yield f"nothing like {finding} among {[shortened(item) for item in live]}"
    for finding in none:
        yield from (f"there is {shortened(item)}" for item in live if _fits(item, finding))


def _of_row(row: Json, quotas: Sequence[Json]) -> Iterator[str]:
    meant = _meant(row, quotas)
    if not meant:
        yield f"no quota like {row} among {list(map(_name, quotas))}"
    for quota in meant:
        if "resource" not in row:
            if quota["certainty"] not in row.get("certainty", [quota["certainty"]]):
                yield f"{_name(quota)} is {quota['certainty']}: {quota['unknowns']}"
            continue
        entries = [resource for resource in quota["resources"] if resource["resource"] == row["resource"]]
        if not entries:
            yield f"{_name(quota)} has no {row['resource']}"
        for entry in entries:
            where = f"{_name(quota)} {row['resource']}"
            for key in ("hard", "steady", "surge", "peak", "used"):
                if key in row and not _is_amount(entry[key], row[key]):
                    yield f"{where}: {key} is {entry[key]}, not {row[key]}"
            if entry["certainty"] not in row.get("certainty", [entry["certainty"]]):
                yield f"{where} is {entry['certainty']}: {quota['unknowns']}"


def _meant(row: Json, quotas: Sequence[Json]) -> list[Json]:
    return [
        quota
        for quota in quotas
        if _ends(quota["environment"], row.get("environment", quota["environment"]))
        and quota["namespace"] == row.get("namespace", quota["namespace"])
        and quota["name"] == row.get("quota", quota["name"])
    ]


def _is_amount(given: str | None, wanted: str | None) -> bool:
    if given is None or wanted is None:
        return given is wanted
    given_units, sign = amount(given).nano, wanted[:2]
    if sign == ">=":
        return given_units >= amount(wanted[2:]).nano
    return given_units <= amount(wanted[2:]).nano if sign == "<=" else given_units == amount(wanted).nano


def _fits(finding: Json, wanted: Json) -> bool:
    places = [f"{place['label']} {place['message']} {place['file']}:{place['line']}" for place in finding["related"]]
    return (
        finding["rule"].startswith(wanted.get("rule", "QL"))
        and all(finding[key] == wanted[key] for key in ("severity", "namespace", "field") if key in wanted)
        and _ends(finding["file"], wanted.get("file", finding["file"]))
        and wanted.get("contains", "").lower() in f"{finding['message']}\n{finding['help']}".lower()
        and wanted.get("notes", "").lower() in "\n".join([*finding["notes"], *places]).lower()
    )


def _ends(path: str, wanted: str) -> bool:
    return path == wanted or path.endswith(f"/{wanted}")


def _name(quota: Json) -> str:
    return f"{quota['environment'] or '-'}:{quota['namespace']}/{quota['name']}"


def shortened(finding: Json) -> str:
    """A finding on one line, for who reads why a case fails."""
    return f"{finding['severity']} {finding['rule']} {finding['file']}:{finding['line']} {finding['message'][:120]}"
