"""The grammar of Go's text/template: a text as nodes (Go 1.24, text/template/parse)."""

from __future__ import annotations

import re
from collections.abc import Container

from quotalint.gitops.go.nodes import (
    Action,
    Branch,
    Call,
    Chain,
    Dot,
    Field,
    Function,
    Leave,
    Literal,
    Nil,
    Node,
    Nodes,
    Operand,
    Pipe,
    Template,
    Text,
    Variable,
)
from quotalint.gitops.go.tokens import Token, tokens_of
from quotalint.gitops.go.values import GoError


def string_of(written: str) -> str:
    """strconv.Unquote."""
    if written[0] == "`":
        return written[1:-1].replace("\r", "")
    return _ESCAPE.sub(_unescaped, written[1:-1])


_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([0-7]{3})|(.))", re.DOTALL)
_NAMED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\", '"': '"', "'": "'"}


def _unescaped(match: re.Match[str]) -> str:
    byte, short, long, octal, named = match.groups()
    code = int(octal, 8) if octal else int(byte or short or long or "-1", 16)
    if named:
        if named not in _NAMED:
            raise GoError(f"there is no escape {match[0]}")
        return _NAMED[named]
    if code > 0x10FFFF or 0xD800 <= code < 0xE000 or ((byte or octal) and code > 0x7F):
        raise GoError(f"the escape {match[0]} is not supported here")
    return chr(code)


def number_of(written: str) -> int | float:
    if re.fullmatch(r"[+-]?0[0-9_]*[89][0-9_]*", written):
        raise GoError(f"{written} is not a number")
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
        raise GoError(f"{written} is not a number supported here")
    value = float(written.replace("_", ""))
    if value in (float("inf"), float("-inf")):
        raise GoError("a number is too large")
    return value


MAX_NESTING = 40
"""How deep blocks and parentheses may lie in each other."""


def parsed(text: str, functions: Container[str]) -> Template:
    """A template. Raises GoError where Go finds none, or one that is not supported here."""
    return _Parser(tokens_of(text), functions).whole()


class _Parser:
    """Reads tokens from the first to the last."""

    def __init__(self, tokens: list[Token], functions: Container[str]) -> None:
        self.tokens = tokens
        self.functions = functions
        self.at = 0
        self.depth = 0
        self.ranges = 0
        self.defined: dict[str, Nodes] = {}

    def whole(self) -> Template:
        nodes, word = self.nodes()
        if word:
            raise GoError(f"there is {{{{{word}}}}} without a block")
        return Template(nodes, self.defined)

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
            if word.kind == "word" and word.text == "define" and self.depth == 1:
                self.at += 1
                self.define(self.name("define"))
                continue
            nodes.append(self.action(word))
        self.deeper(-1)
        return tuple(nodes), ""

    def action(self, first: Token) -> Node:
        if first.kind == "word" and first.text in ("if", "with", "range"):
            self.at += 1
            return self.branch(first.text)
        if first.kind == "word" and first.text in ("break", "continue"):
            self.at += 1
            if not self.ranges:
                raise GoError(f"there is {{{{{first.text}}}}} outside a range")
            self.close()
            return Leave(first.text)
        if first.kind == "word" and first.text in ("template", "block"):
            self.at += 1
            name = self.name(first.text)
            pipe = self.pipe() if self.peek().kind != "end" or first.text == "block" else None
            if first.text == "block":
                self.define(name)
            else:
                self.close()
            return Call(name, pipe)
        pipe = self.pipe()
        self.close()
        return Action(pipe)

    def name(self, word: str) -> str:
        token = self.peek()
        if token.kind != "string":
            raise GoError(f"{word} needs a name in quotes")
        self.at += 1
        return string_of(token.text)

    def define(self, name: str) -> None:
        """The body of a template: a later one of a name counts unless it is empty; two that say something are wrong."""
        self.close()
        ranges, self.ranges = self.ranges, 0
        nodes, last = self.nodes()
        self.ranges = ranges
        if last != "end":
            raise GoError(f"the template {name} has no end")
        self.close()
        if name not in self.defined or _is_empty(self.defined[name]):
            self.defined[name] = nodes
        elif not _is_empty(nodes):
            raise GoError(f'multiple definition of template "{name}"')

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
                raise GoError("a value is piped into something that is not a function")
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

    def operand(self, token: Token) -> Operand:
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
            return Literal(string_of(token.text))
        if token.kind == "character":
            return Literal(ord(string_of(f'"{token.text[1:-1]}"'.replace("\\'", "'"))))
        if token.kind == "number":
            return Literal(number_of(token.text))
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

    def peek(self) -> Token:
        """The next token that is no space."""
        while self.tokens[self.at].kind == "space":
            self.at += 1
        return self.tokens[self.at]

    def close(self) -> None:
        token = self.peek()
        if token.kind != "end":
            raise GoError(f"{token.text!r} makes no sense there")
        self.at += 1

    def deeper(self, step: int) -> None:
        self.depth += step
        if self.depth > MAX_NESTING:
            raise GoError("the template is nested too deeply")


def _is_empty(nodes: Nodes) -> bool:
    return all(isinstance(node, Text) and not node.text.strip() for node in nodes)


_BAR = Token("sign", "|")
_COMMA = Token("sign", ",")
_OPENING = Token("sign", "(")
_CLOSING = Token("sign", ")")
