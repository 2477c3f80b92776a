"""The proof that a repair changes nothing but the lines that it names, told of a repository that is repaired in place.

The JSON report names the lines of each repair; `--fix` makes them. Round by round the files must be what they were with
exactly these lines in place, say the same elsewhere, keep every comment, and be left alone by a second run.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from difflib import SequenceMatcher
from typing import Any, NamedTuple
from unittest import mock

from quotalint.cli import fixing, run
from quotalint.text.comments import comments
from quotalint.text.documents import read
from quotalint.text.place import Place
from quotalint.text.spans import locate

SUFFIXES = (".yaml", ".yml", ".json")
_ROUNDS = 12
Files = Mapping[str, bytes]


class Repaired(NamedTuple):
    """What repairing a repository came to."""

    fixed: tuple[str, ...]
    """What `--fix` told, as it told it."""
    left: tuple[str, ...]
    wrong: tuple[str, ...]
    """What the proof found wrong, nothing where it holds."""


def repair(repository: str, unsafe: bool, *options: str) -> Repaired:
    """Repair the repository until nothing is left to repair, looking on."""
    here = os.getcwd()
    os.chdir(repository)
    try:
        return _repair(unsafe, options)
    finally:
        os.chdir(here)


def _repair(unsafe: bool, options: Sequence[str]) -> Repaired:
    mode = "--unsafe-fixes" if unsafe else "--fix"
    fixed: list[str] = []
    for _ in range(_ROUNDS):
        proposed = [item for item in _report(options) if item["fix"] and not item["suppressed"]]
        wanted = [item for item in proposed if unsafe or item["fix"]["safe"]]
        before = _files()
        with mock.patch.object(fixing, "_ROUNDS", 1):
            lines = _run("check", mode, "--quiet", *options)[1].splitlines()
        after = _files()
        fixed += [line for line in lines if line.startswith("fixed ")]
        left = tuple(line for line in lines if line.startswith("left "))
        wrong = tuple(_wrong(before, after, [edit for item in wanted for edit in item["fix"]["edits"]]))
        if wrong or (before == after and not wanted):
            return Repaired(tuple(fixed), left, wrong)
        if before == after:
            return Repaired(tuple(fixed), left, (f"this is proposed and not made: {wanted[0]['fix']}",))
    return Repaired(tuple(fixed), left, ("there is no end of it",))


def _report(options: Sequence[str]) -> list[dict[str, Any]]:
    findings: list[dict[str, Any]] = json.loads(_run("check", "--format", "json", *options)[0])["findings"]
    return findings


def _run(*arguments: str) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        run(list(arguments))
    return out.getvalue(), err.getvalue()


def _files() -> Files:
    files = {}
    for folder, _, names in os.walk("."):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    files[os.path.relpath(path).replace(os.sep, "/")] = file.read()
    return files


def _wrong(before: Files, after: Files, edits: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if before.keys() != after.keys():
        yield f"other files: {sorted(before.keys() ^ after.keys())}"
    named = {edit["file"] for edit in edits}
    for name in sorted(before.keys() & after.keys()):
        if before[name] != after[name]:
            its = [edit for edit in edits if edit["file"] == name]
            for fault in faults(before[name], after[name], its, name.lower().endswith(".json")):
                yield f"{name}: {fault}"
        elif name in named:
            yield f"{name} is named and did not change"


def faults(before: bytes, after: bytes, edits: Sequence[Mapping[str, Any]], is_json: bool) -> Iterator[str]:
    """What changed in a file that should not have."""
    old, new = _lines(before), _lines(after)
    if not re.fullmatch(_expected(old, edits), "".join(new)):
        yield f"other lines than those of {edits}"
    if before.startswith(b"\xef\xbb\xbf") != after.startswith(b"\xef\xbb\xbf"):
        yield "the byte order mark"
    if before.endswith(b"\n") != after.endswith(b"\n"):
        yield "the end of the file"
    for every in (before.count(b"\n"), 0):
        if before.count(b"\r\n") == every and after.count(b"\r\n") != (after.count(b"\n") if every else 0):
            yield "line breaks"
    lost = commented(before, is_json) - commented(after, is_json)
    if lost:
        yield f"comments: {sorted(lost)}"
    yield from _values(before, after, old, new, edits, is_json)


def _lines(data: bytes) -> list[str]:
    text = data.removeprefix(b"\xef\xbb\xbf").decode().replace("\r\n", "\n")
    return text.splitlines(keepends=True) if "\r" not in text else re.findall(r"[^\n]*\n|[^\n]+", text)


def _expected(old: Sequence[str], edits: Sequence[Mapping[str, Any]]) -> str:
    """A pattern for the text with all edits made. What several say of the same lines is as many lines, whatever they
    come to together."""
    words, line = [], 0
    for first, last, its in _groups(edits):
        words.append(re.escape("".join(old[line:first])))
        afters = list(dict.fromkeys(edit["after"] for edit in its))
        most = sum(after.count("\n") + (not after.endswith("\n")) for after in afters)
        words.append(re.escape(afters[0]) if len(afters) == 1 else rf"(?:[^\n]*\n?){{0,{most}}}")
        if any(edit["before"] and edit["before"] != "".join(old[edit["line"] - 1 :][: _height(edit)]) for edit in its):
            return "(?!)"  # it names lines that are not there
        line = last
    return "".join((*words, re.escape("".join(old[line:]))))


def _groups(edits: Sequence[Mapping[str, Any]]) -> list[tuple[int, int, list[Mapping[str, Any]]]]:
    """The edits that touch the same lines: from which line to which, counted from 0, the end excluded."""
    groups: list[tuple[int, int, list[Mapping[str, Any]]]] = []
    for edit in sorted(edits, key=lambda edit: (edit["line"], _height(edit))):
        first = edit["line"] - 1
        last = first + _height(edit)
        if groups and (first < groups[-1][1] or (first, last) == groups[-1][:2]):
            groups[-1] = (groups[-1][0], max(last, groups[-1][1]), [*groups[-1][2], edit])
        else:
            groups.append((first, last, [edit]))
    return groups


def _height(edit: Mapping[str, Any]) -> int:
    text: str = edit["before"]
    return text.count("\n") + bool(text and not text.endswith("\n"))


def commented(data: bytes, is_json: bool) -> Counter[str]:
    """What people say to each other; what they say to quotalint of an entry goes with it."""
    return Counter(comment.text for comment in comments(data, "#", json=is_json) if "quotalint:" not in comment.text)


def _values(
    before: bytes,
    after: bytes,
    old: Sequence[str],
    new: Sequence[str],
    edits: Sequence[Mapping[str, Any]],
    is_json: bool,
) -> Iterator[str]:
    """Values that changed elsewhere than on the lines that are named: through an anchor, or by their neighbours."""
    reading, other = read(before, json=is_json), read(after, json=is_json)
    if [(doc.index, len(doc.duplicates)) for doc in reading.documents] != [
        (doc.index, len(doc.duplicates)) for doc in other.documents
    ] or (len(reading.failures), len(reading.dropped)) != (len(other.failures), len(other.dropped)):
        yield "other documents"
        return
    gone, come = set[Place](), set[Place]()
    for doc, its in zip(reading.documents, other.documents, strict=True):
        _differences(doc.value, its.value, Place("", doc.index), gone, come)
    named = {line for edit in edits for line in range(edit["line"], edit["line"] + _height(edit))}
    opcodes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    written = {line + 1 for tag, _, _, first, last in opcodes if tag != "equal" for line in range(first, last)}
    for data, places, lines in ((before, gone, named), (after, come, written)):
        for place, span in locate(data, places).items():
            if span.line not in lines:
                yield f"line {span.line}: the value of {place.path}"


def _differences(first: object, other: object, place: Place, gone: set[Place], come: set[Place]) -> None:
    if isinstance(first, dict) and isinstance(other, dict):
        gone.update(place.at(key) for key in first.keys() - other.keys())
        come.update(place.at(key) for key in other.keys() - first.keys())
        for key in first.keys() & other.keys():
            _differences(first[key], other[key], place.at(key), gone, come)
    elif isinstance(first, list) and isinstance(other, list) and len(first) == len(other):
        for index, pair in enumerate(zip(first, other, strict=True)):
            _differences(*pair, place.at(index), gone, come)
    elif first != other or type(first) is not type(other):
        gone.add(place)
        come.add(place)
