"""Parses Go's text/template into nodes (Go 1.24, text/template/parse)."""

from __future__ import annotations

import re
from collections.abc import Container

from quotalint.gitops.go.go_nodes import (
    Action,
    Branch,
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
    ParsedTemplate,
    Pipe,
    TemplateCall,
    Text,
    VariableOperand,
)
from quotalint.gitops.go.go_tokens import TemplateToken, tokens_of
from quotalint.gitops.go.values import GoError
from quotalint.text.lazy_patterns import lazy_pattern


def string_of(written: str) -> str:
    """The string of a quoted literal, as by strconv.Unquote."""
    if written[0] == "`":
        return written[1:-1].replace("\r", "")
    return _ESCAPE.sub(_unescape_match, written[1:-1])


_ESCAPE = lazy_pattern(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([0-7]{3})|(.))", re.DOTALL)
_NAMED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\", '"': '"', "'": "'"}


def _unescape_match(match: re.Match[str]) -> str:
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


_OLD_OCTAL = lazy_pattern(r"[+-]?0[0-7_]+$")


def _float(written: str) -> float:
    if re.fullmatch(r"[+-]?(?:[0-9][0-9_]*\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", written) is None:
        raise GoError(f"{written} is not a number supported here")
    value = float(written.replace("_", ""))
    if value in (float("inf"), float("-inf")):
        raise GoError("a number is too large")
    return value


MAX_NESTING = 40
"""The largest nesting of blocks and parentheses."""


def parse_template(text: str, functions: Container[str]) -> ParsedTemplate:
    """A parsed template. Raises GoError if Go refuses the text, or if a feature is not supported here."""
    return _Parser(tokens_of(text), functions).parse_whole()


class _Parser:
    """A recursive-descent parser over tokens."""

    def __init__(self, tokens: list[TemplateToken], functions: Container[str]) -> None:
        self.tokens = tokens
        self.functions = functions
        self.at = 0
        self.depth = 0
        self.ranges = 0
        self.defined: dict[str, Nodes] = {}

    def parse_whole(self) -> ParsedTemplate:
        nodes, word = self.parse_nodes()
        if word:
            raise GoError(f"there is {{{{{word}}}}} without a block")
        return ParsedTemplate(nodes, self.defined)

    def parse_nodes(self) -> tuple[Nodes, str]:
        """The nodes up to `end` or `else`, and that word; the rest of an `else` is still to be read."""
        nodes: list[Node] = []
        self.nest_deeper(1)
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            if token.kind == "text":
                nodes.append(Text(token.text))
                continue
            word = self.next_token()
            if word.kind == "word" and word.text in ("end", "else"):
                self.at += 1
                self.nest_deeper(-1)
                return tuple(nodes), word.text
            if word.kind == "word" and word.text == "define" and self.depth == 1:
                self.at += 1
                self.define_template(self.parse_name("define"))
                continue
            nodes.append(self.parse_action(word))
        self.nest_deeper(-1)
        return tuple(nodes), ""

    def parse_action(self, first: TemplateToken) -> Node:
        if first.kind == "word" and first.text in ("if", "with", "range"):
            self.at += 1
            return self.parse_branch(first.text)
        if first.kind == "word" and first.text in ("break", "continue"):
            self.at += 1
            if not self.ranges:
                raise GoError(f"there is {{{{{first.text}}}}} outside a range")
            self.expect_end()
            return Leave(first.text)
        if first.kind == "word" and first.text in ("template", "block"):
            self.at += 1
            name = self.parse_name(first.text)
            pipe = self.parse_pipe() if self.next_token().kind != "end" or first.text == "block" else None
            if first.text == "block":
                self.define_template(name)
            else:
                self.expect_end()
            return TemplateCall(name, pipe)
        pipe = self.parse_pipe()
        self.expect_end()
        return Action(pipe)

    def parse_name(self, word: str) -> str:
        token = self.next_token()
        if token.kind != "string":
            raise GoError(f"{word} needs a name in quotes")
        self.at += 1
        return string_of(token.text)

    def define_template(self, name: str) -> None:
        """Parse and store a template's body. A later definition replaces an empty one; two non-empty definitions are an
        error."""
        self.expect_end()
        ranges, self.ranges = self.ranges, 0
        nodes, last = self.parse_nodes()
        self.ranges = ranges
        if last != "end":
            raise GoError(f"the template {name} has no end")
        self.expect_end()
        if name not in self.defined or _is_empty(self.defined[name]):
            self.defined[name] = nodes
        elif not _is_empty(nodes):
            raise GoError(f'multiple definition of template "{name}"')

    def parse_branch(self, word: str) -> Branch:
        pipe = self.parse_pipe(ranges=word == "range")
        self.expect_end()
        self.ranges += word == "range"
        body, last = self.parse_nodes()
        self.ranges -= word == "range"
        otherwise: Nodes = ()
        if last == "else":
            following = self.next_token()
            if following.kind == "word" and following.text in ("if", "with") and following.text == word:
                self.at += 1
                self.nest_deeper(1)
                otherwise = (self.parse_branch(word),)  # the inner branch reads the `end` of both
                self.nest_deeper(-1)
                return Branch(word, pipe, body, otherwise)
            self.expect_end()
            otherwise, last = self.parse_nodes()
        if last != "end":
            raise GoError(f"{word} has no end, or more than one else")
        self.expect_end()
        return Branch(word, pipe, body, otherwise)

    def parse_pipe(self, *, ranges: bool = False) -> Pipe:
        names, declares = self.parse_variables(ranges=ranges)
        commands: list[tuple[Operand, ...]] = []
        while True:
            command = self.parse_command()
            if not command:
                raise GoError("a value is missing")
            if commands and isinstance(command[0], (Literal, Dot, Nil)):
                raise GoError("a value is piped into something that is not a function")
            commands.append(command)
            if self.next_token() != _BAR:
                return Pipe(names, declares, tuple(commands))
            self.at += 1

    def parse_variables(self, *, ranges: bool) -> tuple[tuple[str, ...], bool]:
        names: list[str] = []
        start = self.at
        while self.next_token().kind == "variable":
            names.append(self.next_token().text)
            self.at += 1
            sign = self.next_token()
            if sign.kind == "sign" and sign.text in (":=", "="):
                self.at += 1
                return tuple(names), sign.text == ":="
            if sign != _COMMA or not ranges or len(names) == 2:
                break
            self.at += 1
        self.at = start
        return (), False

    def parse_command(self) -> tuple[Operand, ...]:
        operands: list[Operand] = []
        while True:
            spaced = self.tokens[self.at].kind == "space"
            token = self.next_token()
            if token.kind == "end" or token in (_BAR, _CLOSING):
                return tuple(operands)
            if operands and not spaced:
                raise GoError(f"there is no space before {token.text!r}")
            operands.append(self.parse_operand(token))

    def parse_operand(self, token: TemplateToken) -> Operand:
        self.at += 1
        if token.kind == "field":
            return Field((token.text[1:], *self.field_names()))
        if token.kind == "variable":
            return VariableOperand(token.text, self.field_names())
        if token.kind == "dot":
            return Dot()
        if token.kind == "word":
            return self.parse_word(token.text)
        if token.kind == "string":
            return Literal(string_of(token.text))
        if token.kind == "character":
            return Literal(ord(string_of(f'"{token.text[1:-1]}"'.replace("\\'", "'"))))
        if token.kind == "number":
            return Literal(number_of(token.text))
        if token == _OPENING:
            self.nest_deeper(1)
            pipe = self.parse_pipe()
            if self.next_token() != _CLOSING:
                raise GoError("a parenthesis is not closed")
            self.at += 1
            self.nest_deeper(-1)
            names = self.field_names()
            return Chain(pipe, names) if names else pipe
        raise GoError(f"expected a value, found {token.text!r}")

    def parse_word(self, word: str) -> Operand:
        if word in ("true", "false"):
            return Literal(word == "true")
        if word == "nil":
            return Nil()
        if word not in self.functions:
            raise GoError(f"the function {word} is not known here")
        return Function(word)

    def field_names(self) -> tuple[str, ...]:
        names = []
        while self.tokens[self.at].kind == "field":
            names.append(self.tokens[self.at].text[1:])
            self.at += 1
        return tuple(names)

    def next_token(self) -> TemplateToken:
        """The next token after spaces; it is not consumed."""
        while self.tokens[self.at].kind == "space":
            self.at += 1
        return self.tokens[self.at]

    def expect_end(self) -> None:
        token = self.next_token()
        if token.kind != "end":
            raise GoError(f"{token.text!r} makes no sense there")
        self.at += 1

    def nest_deeper(self, step: int) -> None:
        self.depth += step
        if self.depth > MAX_NESTING:
            raise GoError("the template is nested too deeply")


def _is_empty(nodes: Nodes) -> bool:
    return all(isinstance(node, Text) and not node.text.strip() for node in nodes)


_BAR = TemplateToken("sign", "|")
_COMMA = TemplateToken("sign", ",")
_OPENING = TemplateToken("sign", "(")
_CLOSING = TemplateToken("sign", ")")
