"""Parses the syntax of Go's regular expressions (regexp/syntax/parse.go) into instructions."""

from __future__ import annotations

from quotalint.named_tuples import NamedTuple
from quotalint.text.expression_steps import (
    ASSERT,
    JUMP,
    MARK,
    MATCH,
    NAMED_CLASSES,
    PERL_CLASSES,
    SIGN,
    SPLIT,
    Characters,
    Instruction,
    Part,
    complement,
)

MOST_STEPS = 5_000
"""The most instructions of an expression, with `{n,m}` expanded."""
_MOST_TIMES = 1000
_MOST_GROUPS = 100
_DEEPEST = 200


class ExpressionError(Exception):
    """The text is no regular expression in Go."""


class UnreadExpressionError(ExpressionError):
    """The expression may be valid in Go but is not supported here."""


class _Flags(NamedTuple):
    ignores_case: bool = False
    many_lines: bool = False
    dot_takes_all: bool = False
    is_lazy: bool = False


def read_expression(written: str) -> tuple[Part, tuple[str, ...]]:
    """The instructions, and the names of the groups, with the whole match first. Raises ExpressionError."""
    reader = _ExpressionReader(written)
    body = reader.alternatives(_Flags(), 0)
    if reader.at < len(written):
        raise ExpressionError(f"`{written}` is not a regular expression")
    whole = (Instruction(MARK, 0), *body, Instruction(MARK, 1), Instruction(MATCH))
    steps = tuple(
        step._replace(first=step.first + number, second=step.second + number) if step.kind in (SPLIT, JUMP) else step
        for number, step in enumerate(whole)
    )
    return steps, tuple(reader.names)


class _ExpressionReader:
    """Parses an expression from left to right."""

    def __init__(self, written: str) -> None:
        self.written = written
        self.at = 0
        self.names = [""]

    def alternatives(self, flags: _Flags, depth: int) -> Part:
        if depth > _DEEPEST:
            raise self.unsupported_error()
        alternatives: list[Part] = [()]
        last_part: Part | None = None
        repeats = False
        while self.at < len(self.written) and self.written[self.at] != ")":
            sign = self.written[self.at]
            if sign == "|":
                self.at += 1
                alternatives.append(())
                last_part, repeats = None, False
                continue
            times = self.repetition(flags)
            if times is not None:
                if last_part is None or repeats:
                    raise self.malformed_error()
                alternatives[-1] = alternatives[-1][: len(alternatives[-1]) - len(last_part)] + self.repeat_part(
                    last_part, *times
                )
                repeats = True
                continue
            if self.written.startswith("(?", self.at) and (changed := self.flags_alone(flags)) is not None:
                flags, last_part = changed, None
                continue
            last_part, repeats = self.atom(flags, depth), False
            alternatives[-1] += last_part
            self.check_size(alternatives[-1])
        whole = alternatives.pop()
        while alternatives:
            alternative = alternatives.pop()
            whole = (
                Instruction(SPLIT, 1, len(alternative) + 2),
                *alternative,
                Instruction(JUMP, len(whole) + 1),
                *whole,
            )
            self.check_size(whole)
        return whole

    def repetition(self, flags: _Flags) -> tuple[int, int, bool] | None:
        """The smallest and largest number of repetitions (-1: unlimited), and whether it is lazy; None if nothing is
        repeated."""
        sign = self.written[self.at]
        if sign in "*+?":
            least, most = {"*": (0, -1), "+": (1, -1), "?": (0, 1)}[sign]
            self.at += 1
        elif sign == "{":
            close = self.written.find("}", self.at, self.at + 20)
            low, comma, high = self.written[self.at + 1 : max(close, 0)].partition(",")
            if close < 0 or not _is_number(low) or not (_is_number(high) or not high):
                return None  # a literal brace
            least, most = int(low), int(high) if high else -1 if comma else int(low)
            if least > _MOST_TIMES or most > _MOST_TIMES or 0 <= most < least:
                raise self.malformed_error()
            self.at = close + 1
        else:
            return None
        lazy = self.written.startswith("?", self.at)
        self.at += lazy
        return least, most, lazy != flags.is_lazy

    def repeat_part(self, part: Part, least: int, most: int, lazy: bool) -> Part:
        if len(part) * max(least, most, 1) > MOST_STEPS:
            raise self.unsupported_error()

        def fork(into: int, out: int) -> Instruction:
            return Instruction(SPLIT, out, into) if lazy else Instruction(SPLIT, into, out)

        if most < 0:
            if least == 0:
                # A part that may be empty is not repeated at one position: Go compiles x* as (x+)?.
                loop = (*part, fork(-len(part), 1))
                return (fork(1, len(loop) + 1), *loop)
            return part * (least - 1) + (*part, fork(-len(part), 1))
        optional_part: Part = ()
        for _ in range(most - least):
            optional_part = (fork(1, len(part) + len(optional_part) + 1), *part, *optional_part)
        return part * least + optional_part

    def flags_alone(self, flags: _Flags) -> _Flags | None:
        """The flags after `(?i)` and similar; None if a group begins."""
        close = self.at + 2
        while self.written[close : close + 1] in set("imsU-"):
            close += 1
        if self.written[close : close + 1] != ")":
            return None
        changed = self.changed_flags(flags, self.written[self.at + 2 : close])
        self.at = close + 1
        return changed

    def changed_flags(self, flags: _Flags, letters: str) -> _Flags:
        on, minus, off = letters.partition("-")
        if (not on and not off) or (minus and not off) or "-" in off:
            raise self.malformed_error()
        names = {"i": "ignores_case", "m": "many_lines", "s": "dot_takes_all", "U": "is_lazy"}
        return flags._replace(**{names[letter]: True for letter in on}, **{names[letter]: False for letter in off})

    def atom(self, flags: _Flags, depth: int) -> Part:
        sign = self.written[self.at]
        self.at += 1
        if sign == "(":
            return self.group(flags, depth)
        if sign == "[":
            return (Instruction(SIGN, sign=self.bracket(flags)),)
        if sign == ".":
            return (Instruction(SIGN, sign=Characters(() if flags.dot_takes_all else (("\n", "\n"),), negated=True)),)
        if sign == "^":
            return (Instruction(ASSERT, assertion="^" if flags.many_lines else "\\A"),)
        if sign == "$":
            return (Instruction(ASSERT, assertion="$" if flags.many_lines else "\\z"),)
        if sign != "\\":
            return (Instruction(SIGN, sign=self.literal(sign, flags)),)
        letter = self.written[self.at : self.at + 1]
        if letter and letter in "AzbB":
            self.at += 1
            return (Instruction(ASSERT, assertion="\\" + letter),)
        ranges = PERL_CLASSES.get(letter.lower()) if letter else None
        if ranges is not None:
            self.at += 1
            return (Instruction(SIGN, sign=Characters(ranges, negated=letter.isupper())),)
        return (Instruction(SIGN, sign=self.literal(self.escaped_character(), flags)),)

    def group(self, flags: _Flags, depth: int) -> Part:
        number = 0
        if not self.written.startswith("?", self.at):
            number = self.name_group("")
        elif self.written.startswith(("?P<", "?<"), self.at):
            begin = self.written.index("<", self.at) + 1
            close = self.written.find(">", begin)
            name = self.written[begin : max(close, 0)]
            if not name.isascii() or not name.replace("_", "a").isalnum() or name in self.names:
                raise self.malformed_error()
            self.at = close + 1
            number = self.name_group(name)
        else:
            colon = self.at + 1
            while self.written[colon : colon + 1] in set("imsU-"):
                colon += 1
            if self.written[colon : colon + 1] != ":":
                raise self.malformed_error()
            if colon > self.at + 1:
                flags = self.changed_flags(flags, self.written[self.at + 1 : colon])
            self.at = colon + 1
        body = self.alternatives(flags, depth + 1)
        if not self.written.startswith(")", self.at):
            raise self.malformed_error()
        self.at += 1
        return (Instruction(MARK, 2 * number), *body, Instruction(MARK, 2 * number + 1)) if number else body

    def name_group(self, name: str) -> int:
        if len(self.names) > _MOST_GROUPS:
            raise self.unsupported_error()
        self.names.append(name)
        return len(self.names) - 1

    def literal(self, character: str, flags: _Flags) -> Characters:
        if flags.ignores_case and not character.isascii():
            raise self.unsupported_error()
        cased = flags.ignores_case and character.isalpha()
        return Characters(
            ((character.lower(), character.lower()) if cased else (character, character),),
            negated=False,
            ignores_case=cased,
        )

    def bracket(self, flags: _Flags) -> Characters:
        negated = self.written.startswith("^", self.at)
        self.at += negated
        ranges: list[tuple[str, str]] = []
        first = True
        while first or not self.written.startswith("]", self.at):
            if self.at >= len(self.written):
                raise self.malformed_error()
            if self.written.startswith("[:", self.at):
                ranges += self.named_class()
            elif self.written.startswith("\\", self.at) and (
                perl := PERL_CLASSES.get(self.written[self.at + 1 : self.at + 2].lower())
            ):
                ranges += complement(perl) if self.written[self.at + 1].isupper() else perl
                self.at += 2
            else:
                low = self.one_of_bracket()
                high = low
                if self.written.startswith("-", self.at) and self.written[self.at + 1 : self.at + 2] not in ("", "]"):
                    self.at += 1
                    high = self.one_of_bracket()
                if high < low:
                    raise self.malformed_error()
                ranges.append((low, high))
            first = False
        self.at += 1
        if flags.ignores_case and not all(low.isascii() and high.isascii() for low, high in ranges):
            raise self.unsupported_error()
        return Characters(tuple(ranges), negated, flags.ignores_case)

    def one_of_bracket(self) -> str:
        sign = self.written[self.at : self.at + 1]
        self.at += 1
        if not sign:
            raise self.malformed_error()
        return self.escaped_character() if sign == "\\" else sign

    def named_class(self) -> tuple[tuple[str, str], ...]:
        close = self.written.find(":]", self.at + 2)
        name = self.written[self.at + 2 : max(close, 0)]
        ranges = NAMED_CLASSES.get(name.removeprefix("^"))
        if close < 0 or ranges is None:
            raise self.malformed_error()
        self.at = close + 2
        return complement(ranges) if name.startswith("^") else ranges

    def escaped_character(self) -> str:
        """The character after a backslash."""
        letter = self.written[self.at : self.at + 1]
        self.at += 1
        if letter in _CONTROLS:
            return _CONTROLS[letter]
        if letter.isascii() and letter and not letter.isalnum():
            return letter
        after = self.written[self.at : self.at + 1]
        if letter and (letter in "pPQEx0" or (letter in "1234567" and after and after in "01234567")):
            raise self.unsupported_error()
        raise self.malformed_error()

    def check_size(self, part: Part) -> None:
        if len(part) > MOST_STEPS:
            raise self.unsupported_error()

    def malformed_error(self) -> ExpressionError:
        return ExpressionError(f"`{_shortened_text(self.written)}` is not a regular expression")

    def unsupported_error(self) -> ExpressionError:
        return UnreadExpressionError(f"the pattern `{_shortened_text(self.written)}` is not supported here")


def _shortened_text(written: str) -> str:
    return written if len(written) <= 100 else written[:100] + "…"


def _is_number(written: str) -> bool:
    return written.isascii() and written.isdecimal() and (written == "0" or not written.startswith("0"))


_CONTROLS = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
