"""The instructions into which a regular expression is compiled, and the character sets that they match."""

from __future__ import annotations

from quotalint.named_tuples import NamedTuple

SIGN, SPLIT, JUMP, MARK, ASSERT, MATCH = "sign", "split", "jump", "mark", "assert", "match"


class Characters(NamedTuple):
    """A set of characters, matching one character."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool = False
    ignores_case: bool = False

    def has(self, character: str) -> bool:
        forms = _forms_of(character) if self.ignores_case else (character,)
        return any(low <= form <= high for low, high in self.ranges for form in forms) != self.negated


class Instruction(NamedTuple):
    """One instruction; after SIGN, MARK and ASSERT the next one follows."""

    kind: str
    first: int = 0
    """The preferred target of SPLIT, the target of JUMP, or the index of a MARK."""
    second: int = 0
    sign: Characters | None = None
    assertion: str = ""

    @property
    def only_character(self) -> str:
        """The character that the instruction matches, if it matches only one; else empty."""
        if self.sign is None or self.sign.negated or self.sign.ignores_case or len(self.sign.ranges) != 1:
            return ""
        low, high = self.sign.ranges[0]
        return low if low == high else ""

    def holds(self, text: str, at: int) -> bool:
        """Whether the assertion holds at a position in a text."""
        before, after = text[at - 1 : at] if at else "", text[at : at + 1]
        if self.assertion == "\\A":
            return at == 0
        if self.assertion == "\\z":
            return at == len(text)
        if self.assertion == "^":
            return before in ("", "\n")
        if self.assertion == "$":
            return after in ("", "\n")
        return (_is_word(before) != _is_word(after)) == (self.assertion == "\\b")


Part = tuple[Instruction, ...]
"""Instructions with relative jump targets."""


def _is_word(character: str) -> bool:
    return character == "_" or (character.isascii() and character.isalnum())


def _forms_of(character: str) -> tuple[str, ...]:
    """The character and its other case, if any of them is ASCII (unicode.SimpleFold)."""
    if character in "kKſ\u212asS":
        return ("k", "K", "\u212a") if character in "kK\u212a" else ("s", "S", "ſ")
    return (character, character.swapcase()) if character.isascii() else (character,)


def complement(ranges: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """All other characters."""
    result: list[tuple[str, str]] = []
    begin = 0
    for low, high in sorted(ranges):
        if ord(low) > begin:
            result.append((chr(begin), chr(ord(low) - 1)))
        begin = max(begin, ord(high) + 1)
    return (*result, (chr(begin), "\U0010ffff")) if begin <= 0x10FFFF else tuple(result)


PERL_CLASSES = {
    "d": (("0", "9"),),
    "s": (("\t", "\n"), ("\f", "\r"), (" ", " ")),
    "w": (("0", "9"), ("A", "Z"), ("_", "_"), ("a", "z")),
}
NAMED_CLASSES = {
    "alnum": (("0", "9"), ("A", "Z"), ("a", "z")),
    "alpha": (("A", "Z"), ("a", "z")),
    "ascii": (("\0", "\x7f"),),
    "blank": (("\t", "\t"), (" ", " ")),
    "cntrl": (("\0", "\x1f"), ("\x7f", "\x7f")),
    "digit": (("0", "9"),),
    "graph": (("!", "~"),),
    "lower": (("a", "z"),),
    "print": ((" ", "~"),),
    "punct": (("!", "/"), (":", "@"), ("[", "`"), ("{", "~")),
    "space": (("\t", "\r"), (" ", " ")),
    "upper": (("A", "Z"),),
    "word": PERL_CLASSES["w"],
    "xdigit": (("0", "9"), ("A", "F"), ("a", "f")),
}
