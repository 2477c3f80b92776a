"""Whatever is edited, what is said with a cache is to the byte what is said without: what is printed, the status, and
what `--output` writes."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import pytest
from git_repositories import Repository
from hypothesis import given, settings
from hypothesis import strategies as st
from kept_answers import Answer, asked, trust_times
from known_edits import argo, bases, charts, flux, folders, spaces, stages, states, team_overlays, teams
from known_edits.rows import Edit, Files, Rows, Swap
from written_files import Link

from quotalint.cli import states as cli_states

LAYOUTS: dict[str, tuple[Files, Rows]] = {
    "teams": (teams.LAYOUT, {**teams.ROWS, **team_overlays.ROWS}),
    "bases of stages": (bases.STAGES, bases.OF_STAGES),
    "bases and lists": (bases.LISTED, bases.OF_LISTS),
    "bases below others": (bases.OVERLAID, bases.OF_OVERLAID),
    "a folder for each namespace": (spaces.LIVE, spaces.OF_LIVE),
    "built for each namespace": (spaces.SCOPE, spaces.OF_SCOPE),
    "plain": (stages.PLAIN, stages.OF_PLAIN),
    "Kustomize": (stages.STAGED, stages.OF_STAGED),
    "Kustomize of many folders": (folders.LAYOUT, folders.ROWS),
    "Flux": (flux.LAYOUT, flux.ROWS),
    "Argo CD": (argo.LAYOUT, argo.ROWS),
    "Helm": (charts.HELM, charts.OF_HELM),
    "helmfile": (charts.HELMFILE, charts.OF_HELMFILE),
    "mixed": (stages.MIXED, stages.OF_MIXED),
}
COMMANDS = {
    "check": (
        *((), ("-f", "json"), ("-f", "html"), ("-f", "markdown")),
        ("-f", "github", "-o", "sarif=../report", "--scenario", "peak"),
    ),
    "usage": ((), ("-f", "json"), ("--all", "-o", "html=../report")),
    "diff": (("HEAD", "-o", "json=../report"), *(("HEAD", "-f", form) for form in ("markdown", "text", "json"))),
}
# To compare two states takes three times as long: one way in nine is enough here, as the tests below ask for all.
OF_KNOWN = tuple((command, *options) for command, several in COMMANDS.items() for options in several)[:-3]


class Said(NamedTuple):
    """What came of a command."""

    answer: Answer
    report: str
    """What it wrote."""


def said(command: Sequence[str]) -> Said:
    """What is said of the repository in which we are."""
    report = Path("../report")
    report.unlink(missing_ok=True)
    answer = asked(*command)
    return Said(answer, report.read_text() if report.exists() else "")


def said_anew(patch: pytest.MonkeyPatch, command: Sequence[str]) -> Said:
    """The same without a cache, and of two states without what one has for the other. A page shows options, so it is
    no option that says so."""
    with patch.context() as inner:
        inner.setenv("QUOTALINT_NO_CACHE", "1")
        inner.setattr(cli_states, "recalling", lambda _: nullcontext())
        return said(command)


@contextmanager
def in_repository(patch: pytest.MonkeyPatch, files: Files) -> Iterator[Repository]:
    """Where these files are committed, with a cache of its own."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        patch.setenv("QUOTALINT_CACHE_DIR", os.path.join(folder, "kept"))
        trust_times(patch)
        repository = Repository(Path(folder, "repo"), files)
        os.chdir(repository.folder)
        try:
            yield repository
        finally:
            os.chdir(before)


def applied(edit: Edit) -> Edit:
    """Edit the files; the edit that takes that back."""
    before: dict[str, str | Link | None] = {}
    for name, content in edit.items():
        path = Path(name)
        before[name] = Link(os.readlink(path)) if path.is_symlink() else _text(path) if path.exists() else None
        if isinstance(content, Swap):
            was = before[name]
            assert isinstance(was, str), name
            assert content.old in was, (name, content.old)
            content = was.replace(*content, 1)
        path.unlink(missing_ok=True)
        if content is None:
            for folder in path.parents[:-1]:
                if folder.is_dir() and not any(folder.iterdir()):
                    folder.rmdir()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Link):
            path.symlink_to(content.target.replace("{top}", os.getcwd()))
        else:
            path.write_bytes(content.encode())
    return dict(reversed(before.items()))


def _text(path: Path) -> str:
    return path.read_bytes().decode()


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_known_edits(layout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same question after each of them, and when all is as before. A sixth of the edits is tried with `check` and
    `usage`, whose answers are kept whole; all that fall to `diff` are."""
    files, rows = LAYOUTS[layout]
    first: dict[Sequence[str], Said] = {}
    with in_repository(monkeypatch, files):
        for name, edits in rows.items():
            number = crc32(name.encode())
            command = OF_KNOWN[number % len(OF_KNOWN)]
            if command[0] != "diff" and number // len(OF_KNOWN) % 6:
                continue
            if command not in first:
                first[command] = said_anew(monkeypatch, command)
            assert said(command) == first[command], (name, command)
            back = []
            for step, edit in enumerate(edits):
                back.append(applied(edit))
                assert said(command) == said_anew(monkeypatch, command), (name, step, command)
            for edit in reversed(back):
                applied(edit)
            assert said(command) == first[command], (name, command)


ASKED_OF_STATES = (
    ("check", "-v", "--kube-version", "1.30"),
    ("check", "a"),
    ("diff", "HEAD~1", "HEAD", "-f", "json"),
    ("usage",),
    ("diff", "--staged"),
    ("diff", "HEAD~1", "--", "a"),
)


@pytest.mark.skipif(os.name != "posix", reason="links")
@pytest.mark.parametrize("name", states.STEPS)
def test_other_states(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What git has, what links lead to, and what lies around the repository belong to the question."""
    with in_repository(monkeypatch, states.LAYOUT) as repository:
        repository.commit({"README.md": "What this is now.\n"})
        for command in ASKED_OF_STATES:
            said(command)
        for number, step in enumerate(states.STEPS[name]):
            if isinstance(step, str):
                repository.git(*step.split())
            elif isinstance(step, tuple):
                said(step)
            else:
                applied(step)
            for command in ASKED_OF_STATES[number % 3 :: 3]:
                assert said(command) == said_anew(monkeypatch, command), (number, command)


WORDS = ("a", "b", "web", "base", "[]", "{}", "null", "0", "1", "7", "100m", "1Gi", "-1", "true", "team-a", "")
CONFIGURATIONS = (
    "failOn: never\n",
    "exclude: [a/]\n",
    "ignore: [{rules: [QL301]}]\n",
    "scenario: peak\n",
    "failOn: 7\n",
)
IGNORED = ("a/\n", "*.yaml\n!quota.yaml\n", "")
CHANGES = ("word", "word", "line", "twice", "move", "copy", "go", "link", "known", "known", "ignore", "configure")


def any_edit(what: str, number: int, other: int, layout: str) -> Edit:
    """One edit of the files there are."""
    paths = sorted(str(path) for path in Path().rglob("*") if path.is_file() and path.parts[0] != ".git")
    path, second = (paths[n % len(paths)] for n in (number, other))
    text = _text(Path(path))
    lines = text.splitlines(keepends=True) or [""]
    at = other % len(lines)
    words = list(re.finditer(r"[\w.-]+", text))
    folder = os.path.dirname(second)
    name = os.path.join(folder, f"{WORDS[number % 4]}-{os.path.basename(path)}")
    if what == "known":
        rows = list(LAYOUTS[layout][1].values())
        edits = [edit for edits in rows for edit in edits]
        return {name: new for name, new in edits[number % len(edits)].items() if _fits(name, new)}
    if what == "ignore":
        return {os.path.join(folder, ".gitignore"): IGNORED[number % len(IGNORED)]}
    if what == "configure":
        return {".quotalint.yaml": CONFIGURATIONS[number % len(CONFIGURATIONS)]}
    if what == "word" and words:
        word = words[other % len(words)]
        return {path: text[: word.start()] + WORDS[number % len(WORDS)] + text[word.end() :]}
    if what == "link":
        return {name: Link(os.path.relpath(path, folder))}
    if what in ("move", "copy", "go"):
        return {path: text if what == "copy" else None} | ({} if what == "go" else {name: text})
    return {path: "".join((*lines[:at], *([lines[at]] * 2 if what == "twice" else ()), *lines[at + 1 :]))}


def _fits(name: str, new: object) -> bool:
    path = Path(name)
    return not isinstance(new, Swap) or (path.is_file() and new.old in _text(path))


EDITS = st.tuples(st.sampled_from(CHANGES), st.integers(0, 999), st.integers(0, 999))


# Each of them makes nine to fifteen comparisons: `QUOTALINT_TEST_EDITS=300` makes more than 3,000.
_HISTORIES = int(os.environ.get("QUOTALINT_TEST_EDITS", "5"))


@pytest.mark.slow
@settings(max_examples=_HISTORIES)
@given(layout=st.sampled_from(sorted(LAYOUTS)), edits=st.lists(EDITS, min_size=3, max_size=5), turn=st.integers(0, 59))
def test_any_edits(layout: str, edits: list[tuple[str, int, int]], turn: int) -> None:
    asked_here = [(command, *several[turn % len(several)]) for command, several in COMMANDS.items()]
    with pytest.MonkeyPatch.context() as patch, in_repository(patch, LAYOUTS[layout][0]):
        for command in asked_here:
            said(command)
        for edit in edits:
            applied(any_edit(*edit, layout))
            for command in asked_here:
                assert said(command) == said_anew(patch, command), command
