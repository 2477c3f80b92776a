"""Whatever is typed, an editor is told what a first look at the same texts would tell it."""

from __future__ import annotations

import os
import random
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from quotalint.editor.looking import Look, Workspace
from quotalint.text.place import Place

HERE = Path(__file__).parent
REPOSITORIES = sorted(HERE.parent.glob("golden/*/repo"))
VIEWS = sorted(path for path in HERE.parent.glob("cases/views/*/repo") if path.is_dir())

_NUMBER = re.compile(rb"\d+")
_WORD = re.compile(rb"[a-z]{3,}")


def edited(data: bytes, by: random.Random) -> bytes:
    """A text in which somebody typed something: mostly a number, sometimes anything."""
    lines = data.split(b"\n")
    at = by.randrange(len(lines))
    kind = by.randrange(10)
    if kind < 5:
        numbers = list(_NUMBER.finditer(data))
        if numbers:
            one = by.choice(numbers)
            return data[: one.start()] + by.choice((b"0", b"1", b"7", b"4000", b"1000000")) + data[one.end() :]
    if kind == 5:
        words = list(_WORD.finditer(data))
        if words:
            one, other = by.choice(words), by.choice(words)
            return data[: one.start()] + other.group() + data[one.end() :]
    if kind == 6:
        del lines[at]
    elif kind == 7:
        lines.insert(at, lines[by.randrange(len(lines))])
    elif kind == 8:
        return data + b"\n---\n" + data
    else:
        lines.insert(at, by.choice((b"# typed", b"", b"  ", b"- {", b"quotalint: x")))
    return b"\n".join(lines)


def texts(root: Path) -> list[Path]:
    found = (path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink())
    return [path for path in found if path.suffix in (".yaml", ".yml", ".json", ".tpl", ".env", ".txt")]


def plain(value: object) -> object:
    """A value that can be compared: of places where they are, however that is known."""
    if isinstance(value, Place):
        return value.source, value.document, value.path, value.real._replace(made=None)
    if isinstance(value, (tuple, list)):
        return [plain(one) for one in value]
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else repr(key): plain(one) for key, one in value.items()}
    return value


def shown(look: Look) -> tuple[object, ...]:
    """All that an editor is told of a look."""
    if look.result is None:
        return (look.problem,)
    result = look.result
    problems = [(facts.environment, facts.problems, facts.unseen) for facts in result.environments]
    return tuple(map(plain, (look.problem, result.findings, look.tables, result.stale, result.untold, problems)))


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The working directory is put back."""
    before = Path.cwd()
    yield
    monkeypatch.chdir(before)


@pytest.mark.parametrize("repository", [*REPOSITORIES, *VIEWS], ids=lambda path: path.parent.name)
def test_typing_is_told_as_a_first_look_would(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_home: None
) -> None:
    top = tmp_path / "repo"
    shutil.copytree(repository, top, symlinks=True)
    monkeypatch.chdir(top)
    by = random.Random(repository.parent.name)
    files = texts(top)
    if not files:
        pytest.skip("there is nothing to type in")
    long = Workspace(".")
    long.look()
    for step in range(10):
        path = by.choice(files)
        real = os.path.realpath(path)
        data = long.buffers.get(real, path.read_bytes())
        long.buffers[real] = edited(data if by.randrange(4) else path.read_bytes(), by)
        if by.randrange(5) == 0:  # what is not known to be typed alone
            path.write_bytes(long.buffers.pop(real))
            told = shown(long.look())
        else:
            told = shown(long.look({real}))
        anew = Workspace(".")
        anew.buffers = dict(long.buffers)
        expected = shown(anew.look())
        for mine, other in zip(told, expected, strict=True):
            assert mine == other, f"step {step}: {path.relative_to(top)}"
