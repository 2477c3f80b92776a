"""Go's regular expressions (package regexp, syntax RE2). All paths through a text are followed at once, so the time is
at most proportional to both lengths. `expression_syntax` parses them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.named_tuples import NamedTuple
from quotalint.text.expression_steps import ASSERT, JUMP, MARK, MATCH, SIGN, SPLIT, Instruction
from quotalint.text.expression_syntax import read_expression

MOST_WORK = 500_000
"""The most steps of one search."""


class TooExpensiveError(Exception):
    """A search takes too many steps."""


Marks = tuple[int, ...]
"""The start and end of each group, -1 if it does not take part; the whole match first."""


class Match(NamedTuple):
    """The position of a match, and its groups."""

    text: str
    marks: Marks
    names: Sequence[str]

    @property
    def start(self) -> int:
        return self.marks[0]

    @property
    def end(self) -> int:
        return self.marks[1]

    @property
    def whole(self) -> str:
        return self.text[self.start : self.end]

    def group(self, name: str) -> str:
        """The text of a group by number or name; empty if there is none."""
        number = (
            int(name)
            if name.isascii() and name.isdecimal() and len(name) < 6
            else self.names.index(name)
            if name in self.names
            else -1
        )
        if not 0 <= 2 * number < len(self.marks) or self.marks[2 * number] < 0:
            return ""
        return self.text[self.marks[2 * number] : self.marks[2 * number + 1]]


class Expression:
    """A compiled expression."""

    def __init__(self, written: str) -> None:
        """Raises ExpressionError (invalid) and UnreadExpressionError (not supported)."""
        self._steps, self._names = read_expression(written)
        self._literal = _literal(self._steps)
        self._begins_text = _begins_text(self._steps)

    def occurs(self, text: str) -> bool:
        """Whether it matches some part of a text. Raises TooExpensiveError."""
        return self._search(text, 0, whole=False, allowance=_Allowance(MOST_WORK)) is not None

    def covers(self, text: str) -> bool:
        """Whether it matches the whole text, like `^(?:…)$`. Raises TooExpensiveError."""
        if self._literal is not None:
            return text == self._literal
        return self._search(text, 0, whole=True, allowance=_Allowance(MOST_WORK)) is not None

    def matches(self, text: str) -> Iterator[Match]:
        """All matches in order, each the one that Go prefers at its start. An empty match directly after another is
        skipped. Raises TooExpensiveError."""
        allowance = _Allowance(MOST_WORK)
        at = 0
        last = -1
        while at <= len(text):
            match = self._search(text, at, whole=False, allowance=allowance)
            if match is None:
                return
            if match.end > match.start or match.start != last:
                yield match
            last = match.end
            at = match.end + (match.end == match.start)

    def _search(self, text: str, start: int, allowance: _Allowance, *, whole: bool) -> Match | None:
        best: Marks | None = None
        paths: list[tuple[int, Marks]] = []
        nothing = (-1,) * (2 * len(self._names))
        first_only = whole or self._begins_text
        for at in range(start, len(text) + 1):
            if best is None and not (first_only and at):
                paths.append((0, nothing))
            may_end = not whole or at == len(text)
            visited_steps: set[int] = set()
            following: list[tuple[int, Marks]] = []
            for first, marks in paths:
                matched = self._follow(
                    first, marks, at, text, may_end=may_end, visited_steps=visited_steps, following=following
                )
                if matched is not None:
                    best = matched
                    break
            allowance.take(len(visited_steps))
            paths = following
            if not paths and (best is not None or first_only):
                break
        return Match(text, best, self._names) if best is not None else None

    def _follow(
        self,
        first: int,
        marks: Marks,
        at: int,
        text: str,
        visited_steps: set[int],
        following: list[tuple[int, Marks]],
        *,
        may_end: bool,
    ) -> Marks | None:
        """Collects the steps that are waiting for the next character, preferred ones first; returns the marks of a
        match that ends here, which is preferred to all later paths."""
        pending = [(first, marks)]
        while pending:
            number, marks = pending.pop()
            if number in visited_steps:
                continue
            visited_steps.add(number)
            step = self._steps[number]
            if step.kind == SIGN:
                if at < len(text) and step.sign is not None and step.sign.has(text[at]):
                    following.append((number + 1, marks))
            elif step.kind == SPLIT:
                pending += ((step.second, marks), (step.first, marks))
            elif step.kind == JUMP:
                pending.append((step.first, marks))
            elif step.kind == MARK:
                pending.append((number + 1, (*marks[: step.first], at, *marks[step.first + 1 :])))
            elif step.kind == ASSERT:
                if step.holds(text, at):
                    pending.append((number + 1, marks))
            elif may_end:
                return marks
        return None


class _Allowance:
    """The remaining number of steps."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def take(self, steps: int) -> None:
        self._left -= steps + 1
        if self._left < 0:
            raise TooExpensiveError


def _begins_text(steps: Sequence[Instruction]) -> bool:
    """Whether it can only match at the beginning of a text."""
    first = next((step for step in steps if step.kind != MARK), None)
    return first is not None and first.kind == ASSERT and first.assertion == "\\A"


def _literal(steps: Sequence[Instruction]) -> str | None:
    """The only text that the instructions match as a whole; None if there are several."""
    if not all(step.kind in (MARK, MATCH) or step.only_character for step in steps):
        return None
    return "".join(step.only_character for step in steps if step.kind == SIGN)
