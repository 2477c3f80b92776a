"""Repositories in which files are edited, one after another, with a memory of what was said before."""

from __future__ import annotations

import os
import random
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kept_answers import Answer, asked, runs_counted, trust_times

from quotalint.cli import sliced_answers


@contextmanager
def at_work(patch: Any, make: Callable[[Path], object]) -> Iterator[Path]:
    """In a repository that this makes, with a memory, however small it is."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        patch.setenv("QUOTALINT_CACHE_DIR", os.path.join(folder, "kept"))
        trust_times(patch)
        patch.setattr(sliced_answers, "SLICED_FROM", 0)
        top = Path(folder, "repo")
        make(top)
        os.chdir(top)
        try:
            yield top
        finally:
            os.chdir(before)


def answered(patch: Any, *command: str) -> tuple[Answer, bool]:
    """The answer, and whether that took a whole run."""
    with runs_counted(patch) as ran:
        answer = asked(*command)
    return answer, bool(ran)


def replaced(path: str, old: str, new: str) -> None:
    text = Path(path).read_text()
    assert old in text
    Path(path).write_text(text.replace(old, new))


WORDS = (
    "a",
    "b",
    "web",
    "worker",
    "base",
    "high",
    "[]",
    "{}",
    "null",
    "0",
    "1",
    "7",
    "12",
    "100m",
    "1Gi",
    "-1",
    "true",
)


def mutated(text: str, others: Sequence[str], generator: random.Random) -> str:
    """A text with one word or line other than before, or one of these others."""
    lines = text.splitlines(keepends=True)
    way = generator.randrange(5)
    if way == 0 and lines:
        del lines[generator.randrange(len(lines))]
        return "".join(lines)
    if way == 1 and lines:
        lines.insert(generator.randrange(len(lines)), generator.choice(lines))
        return "".join(lines)
    if way == 2:
        return generator.choice(others).replace("%s", generator.choice("abc"))
    words = list(re.finditer(r"[\w.-]+", text))
    if not words:
        return text
    word = generator.choice(words)
    instead = generator.choice(WORDS) if way == 3 else re.sub(r"\d", lambda _: str(generator.randrange(10)), word[0])
    return text[: word.start()] + instead + text[word.end() :]
