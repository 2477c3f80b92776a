"""The grammar of Go's text/template: a text as nodes (Go 1.24, text/template/parse)."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import NamedTuple, Union

from quotalint.gitops.go.values import GoError

MAX_NESTING = 40
"""How deep blocks and parentheses may lie in each other."""


class Dot(NamedTuple):
    """`.`"""


class Nil(NamedTuple):
    """`nil`"""


class Literal(NamedTuple):
    """A constant; a float here is one that is no whole number, or was written as none."""

    value: object


class Field(NamedTuple):
    """`.a.b`"""

    names: tuple[str, ...]


class Variable(NamedTuple):
    """`$x.a.b`"""

    name: str
    names: tuple[str, ...]


class Function(NamedTuple):
    """A function's name."""

    name: str


class Chain(NamedTuple):
    """`(…).a.b`"""

    pipe: Pipe
    names: tuple[str, ...]


Operand = Union[Dot, Nil, Literal, Field, Variable, Function, Chain, "Pipe"]


class Pipe(NamedTuple):
    """`$x := a | b c`"""

    variables: tuple[str, ...]
    declares: bool
    commands: tuple[tuple[Operand, ...], ...]


class Text(NamedTuple):
    """What stands outside of actions."""

    text: str


class Action(NamedTuple):
    """`{{ pipe }}`"""

    pipe: Pipe


class Branch(NamedTuple):
    """`if`, `with` or `range`"""

    word: str
    pipe: Pipe
    body: Nodes
    otherwise: Nodes


class Leave(NamedTuple):
    """`break` or `continue`"""

    word: str


Node = Union[Text, Action, Branch, Leave]  # noqa: UP007  # Branch is named before it is there
Nodes = tuple[Node, ...]


def parsed(text: str, functions: Container[str]) -> Nodes:
    """The nodes of a template. Raises GoError where Go finds no template, or one that is not read here."""
    return _Parser(_tokens(text), functions).whole()


class _Token(NamedTuple):
    kind: str
    """text, begin, end, or one of the groups of `_TOKEN`."""
    text: str


_TOKEN = re.compile(
    r"""
    (?P<space> [ \t\r\n]+ )
    | (?P<string> "(?:[^"\\\n]|\\.)*" | `[^`]*` )
    | (?P<character> '(?:[^'\\\n]|\\[^\n][0-9A-Fa-f]*)' )
    | (?P<field> \.[^\W\d]\w* )
    | (?P<number> [+-]?\.?[0-9][0-9A-Za-z_.]* (?:(?<=[eEpP])[+-]\d+)? )
    | (?P<dot> \. )
    | (?P<variable> \$\w* )
    | (?P<word> [^\W\d]\w* )
    | (?P<sign> := | [=|,()] )
    """,
    re.VERBOSE,
)
_COMMENT = re.compile(r"(?:-[ \t\r\n]+)?/\*")
_SPACES = " \t\r\n"
_FOLLOWING = frozenset(" \t\r\n.,|:)(}")


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    at = 0
    trim = False
    while True:
        begin = text.find("{{", at)
        plain = text[at : begin if begin >= 0 else len(text)]
        if trim:
            plain = plain.lstrip(_SPACES)
        inside = begin + 2
        left = begin >= 0 and text[inside : inside + 1] == "-" and text[inside + 1 : inside + 2] in tuple(_SPACES)
        if left:
            plain = plain.rstrip(_SPACES)
        if plain:
            tokens.append(_Token("text", plain))
        if begin < 0:
            return tokens
        comment = _COMMENT.match(text, inside)
        if comment:
            end = text.find("*/", comment.end())
            close = _CLOSE.match(text, end + 2) if end >= 0 else None
            if close is None:
                raise GoError("a comment does not end, or not before its braces do")
            at, trim = close.end(), close[0] != "}}"
            continue
        at, trim = _inside(text, inside + 1 if left else inside, tokens)


_CLOSE = re.compile(r"(?:[ \t\r\n]+-)?\}\}")


def _inside(text: str, at: int, tokens: list[_Token]) -> tuple[int, bool]:
    """Adds the tokens of an action; where it ends, and whether it trims what follows."""
    tokens.append(_Token("begin", ""))
    while True:
        close = _CLOSE.match(text, at)
        if close:
            tokens.append(_Token("end", ""))
            return close.end(), close[0] != "}}"
        found = _TOKEN.match(text, at)
        if found is None or found.lastgroup is None:
            raise GoError(_senseless(text[at : at + 20]))
        at = found.end()
        if found.lastgroup in _WORDS and text[at : at + 1] not in _FOLLOWING:
            raise GoError(_senseless(text[found.start() : at + 1] if at < len(text) else ""))
        tokens.append(_Token(found.lastgroup, found[0]))


_WORDS = frozenset(("field", "variable", "word", "number"))


def _senseless(what: str) -> str:
    return f"there is no sense in {what!r} inside of braces" if what else "braces are not closed"


class _Parser:
    """Reads tokens from the first to the last."""

    def __init__(self, tokens: list[_Token], functions: Container[str]) -> None:
        self.tokens = tokens
        self.functions = functions
        self.at = 0
        self.depth = 0
        self.ranges = 0

    def whole(self) -> Nodes:
        nodes, word = self.nodes()
        if word:
            raise GoError(f"there is {{{{{word}}}}} without a block")
        return nodes

    def nodes(self) -> tuple[Nodes, str]:
        """Nodes up to an `end` or `else`, and which of them; the rest of an `else` is not yet read."""
        nodes: list[Node] = []
        self.deeper(1)
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            if token.kind == "text":
                nodes.append(Text(token.text))
                continue
            word = self.peek()
            if word.kind == "word" and word.text in ("end", "else"):
                self.at += 1
                self.deeper(-1)
                return tuple(nodes), word.text
            nodes.append(self.action(word))
        self.deeper(-1)
        return tuple(nodes), ""

    def action(self, first: _Token) -> Node:
        if first.kind == "word" and first.text in ("if", "with", "range"):
            self.at += 1
            return self.branch(first.text)
        if first.kind == "word" and first.text in ("break", "continue"):
            self.at += 1
            if not self.ranges:
                raise GoError(f"there is {{{{{first.text}}}}} outside of a range")
            self.close()
            return Leave(first.text)
        if first.kind == "word" and first.text in ("define", "template", "block"):
            raise GoError(f"{first.text} is not read here")
        pipe = self.pipe()
        self.close()
        return Action(pipe)

    def branch(self, word: str) -> Branch:
        pipe = self.pipe(word == "range")
        self.close()
        self.ranges += word == "range"
        body, last = self.nodes()
        self.ranges -= word == "range"
        otherwise: Nodes = ()
        if last == "else":
            following = self.peek()
            if following.kind == "word" and following.text in ("if", "with") and following.text == word:
                self.at += 1
                self.deeper(1)
                otherwise = (self.branch(word),)  # it takes the `end` of both
                self.deeper(-1)
                return Branch(word, pipe, body, otherwise)
            self.close()
            otherwise, last = self.nodes()
        if last != "end":
            raise GoError(f"{word} has no end, or more than one else")
        self.close()
        return Branch(word, pipe, body, otherwise)

    def pipe(self, ranges: bool = False) -> Pipe:
        names, declares = self.variables(ranges)
        commands: list[tuple[Operand, ...]] = []
        while True:
            command = self.command()
            if not command:
                raise GoError("a value is missing")
            if commands and isinstance(command[0], (Literal, Dot, Nil)):
                raise GoError("what a value is piped into is no function")
            commands.append(command)
            if self.peek() != _BAR:
                return Pipe(names, declares, tuple(commands))
            self.at += 1

    def variables(self, ranges: bool) -> tuple[tuple[str, ...], bool]:
        names: list[str] = []
        start = self.at
        while self.peek().kind == "variable":
            names.append(self.peek().text)
            self.at += 1
            sign = self.peek()
            if sign.kind == "sign" and sign.text in (":=", "="):
                self.at += 1
                return tuple(names), sign.text == ":="
            if sign != _COMMA or not ranges or len(names) == 2:
                break
            self.at += 1
        self.at = start
        return (), False

    def command(self) -> tuple[Operand, ...]:
        operands: list[Operand] = []
        while True:
            spaced = self.tokens[self.at].kind == "space"
            token = self.peek()
            if token.kind == "end" or token in (_BAR, _CLOSING):
                return tuple(operands)
            if operands and not spaced:
                raise GoError(f"there is no space before {token.text!r}")
            operands.append(self.operand(token))

    def operand(self, token: _Token) -> Operand:
        self.at += 1
        if token.kind == "field":
            return Field((token.text[1:], *self.names()))
        if token.kind == "variable":
            return Variable(token.text, self.names())
        if token.kind == "dot":
            return Dot()
        if token.kind == "word":
            return self.word(token.text)
        if token.kind == "string":
            return Literal(_string(token.text))
        if token.kind == "character":
            return Literal(ord(_string(f'"{token.text[1:-1]}"'.replace("\\'", "'"))))
        if token.kind == "number":
            return Literal(_number(token.text))
        if token == _OPENING:
            self.deeper(1)
            pipe = self.pipe()
            if self.peek() != _CLOSING:
                raise GoError("a parenthesis is not closed")
            self.at += 1
            self.deeper(-1)
            names = self.names()
            return Chain(pipe, names) if names else pipe
        raise GoError(f"{token.text!r} stands where a value should")

    def word(self, word: str) -> Operand:
        if word in ("true", "false"):
            return Literal(word == "true")
        if word == "nil":
            return Nil()
        if word not in self.functions:
            raise GoError(f"the function {word} is not known here")
        return Function(word)

    def names(self) -> tuple[str, ...]:
        names = []
        while self.tokens[self.at].kind == "field":
            names.append(self.tokens[self.at].text[1:])
            self.at += 1
        return tuple(names)

    def peek(self) -> _Token:
        """The next token that is no space."""
        while self.tokens[self.at].kind == "space":
            self.at += 1
        return self.tokens[self.at]

    def close(self) -> None:
        token = self.peek()
        if token.kind != "end":
            raise GoError(f"there is no sense in {token.text!r} there")
        self.at += 1

    def deeper(self, step: int) -> None:
        self.depth += step
        if self.depth > MAX_NESTING:
            raise GoError("the template is nested too deeply")


_BAR = _Token("sign", "|")
_COMMA = _Token("sign", ",")
_OPENING = _Token("sign", "(")
_CLOSING = _Token("sign", ")")


def _string(written: str) -> str:
    """strconv.Unquote."""
    if written[0] == "`":
        return written[1:-1].replace("\r", "")
    return _ESCAPE.sub(_unescaped, written[1:-1])


_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([0-7]{3})|(.))", re.DOTALL)
_NAMED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\", '"': '"', "'": "'"}


def _unescaped(found: re.Match[str]) -> str:
    byte, short, long, octal, named = found.groups()
    code = int(octal, 8) if octal else int(byte or short or long or "-1", 16)
    if named:
        if named not in _NAMED:
            raise GoError(f"there is no escape {found[0]}")
        return _NAMED[named]
    if code > 0x10FFFF or 0xD800 <= code < 0xE000 or ((byte or octal) and code > 0x7F):
        raise GoError(f"the escape {found[0]} is not read here")
    return chr(code)


def _number(written: str) -> int | float:
    if re.fullmatch(r"[+-]?0[0-9_]*[89][0-9_]*", written):
        raise GoError(f"{written} is no number")
    try:
        value = int(written, 0) if not _OLD_OCTAL.match(written) else int(written, 8)
    except ValueError:
        return _float(written)
    if not -(2**63) <= value < 2**63:
        raise GoError(f"the number {written} is too large")
    return value


_OLD_OCTAL = re.compile(r"[+-]?0[0-7_]+$")


def _float(written: str) -> float:
    if re.fullmatch(r"[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", written) is None:
        raise GoError(f"{written} is no number that is read here")
    value = float(written.replace("_", ""))
    if value in (float("inf"), float("-inf")):
        raise GoError("a number is too large")
    return value
