"""Reads files of Terraform with python-hcl2: its parser, and the positions of what it finds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from quotalint.named_tuples import NamedTuple
from quotalint.runtime import budget
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Place, Span, place_in_text

if TYPE_CHECKING:
    from lark import Token, Tree

    Node = Tree[Token]
else:
    Node = Any

NOT_INSTALLED = "it needs a parser of Terraform (`pip install 'quotalint[terraform]'`)"
_PARSED, _BACKTRACKED = 40, 30_000
"""The bytes that are parsed, and the steps in runs of blanks, that cost one unit. The parser's pattern of a text
between `<<END` and `END` takes as many steps as the square of the blanks in it."""
_BLANKS = lazy_pattern(r"\s{64,}")
_FOREIGN = lazy_pattern(r'(?:resource|data)[ \t]+"(?!kubernetes_|kubectl_|helm_)|provider[ \t]')
_INSIDE = ("", " ", "\t", "\r")
"""How a line begins that is empty or indented."""
_OPEN = ("<<", "/*", "*/")
"""What may begin in a block and end behind it."""


class HclError(Exception):
    """A file cannot be parsed. Line and column count from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class HclFile(NamedTuple):
    """A file and its text."""

    name: str
    text: str

    def source(self, node: Node) -> str:
        """The text of an expression, in one line."""
        words = " ".join(self.text[node.meta.start_pos : node.meta.end_pos].split())
        return words if len(words) <= 100 else f"{words[:97]}..."

    def place(self, node: Node) -> Place:
        """Where an expression, attribute or block begins: its first line."""
        meta = node.meta
        end = (meta.end_line, meta.end_column) if meta.end_line == meta.line else (meta.line, meta.column + 1)
        return place_in_text(self.name, Span(meta.line, meta.column, *end))


class Attribute(NamedTuple):
    """`name = expression`."""

    file: HclFile
    node: Node
    value: Node


class Block(NamedTuple):
    """`type "label" { … }`."""

    type: str
    labels: tuple[str, ...]
    body: Body
    place: Place
    file: HclFile


class Body(NamedTuple):
    """The attributes and blocks of a file or block."""

    attributes: Mapping[str, Attribute] = {}
    blocks: tuple[Block, ...] = ()

    def of(self, kind: str) -> tuple[Block, ...]:
        """The blocks of a type."""
        return tuple(block for block in self.blocks if block.type == kind)


def is_installed() -> bool:
    """Whether python-hcl2 is installed."""
    from importlib.util import find_spec

    return find_spec("hcl2") is not None


def warm_up() -> None:
    """Import the parser, and build its tables if nobody has before: that takes seconds, once after an installation."""
    from hcl2.parser import parser

    parser()


def read_hcl(name: str, data: bytes) -> Body:
    """The content of a file. Raises HclError."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise HclError("it is not UTF-8", 1 + data.count(b"\n", 0, error.start), 1) from None
    needed = _without_foreign_blocks(text)
    steps = sum(len(blanks) ** 2 for blanks in _BLANKS.findall(needed)) if "<<" in needed else 0
    budget.spend(len(data) / _PARSED + steps / _BACKTRACKED, f"{name} takes too long to parse")
    return _body_of(parse_text(needed), HclFile(name, text))


def _without_foreign_blocks(text: str) -> str:
    """The text with blocks blanked that declare nothing for Kubernetes, because parsing takes most of the time."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        start, at = at, at + 1
        if not (_FOREIGN.match(lines[start]) and lines[start].rstrip().endswith("{")):
            continue
        while at < len(lines) and lines[at][:1] in _INSIDE:
            at += 1
        block = lines[start:at]
        if at < len(lines) and lines[at].rstrip() == "}" and not any(mark in line for line in block for mark in _OPEN):
            lines[start : at + 1] = [""] * (len(block) + 1)
    return "\n".join(lines)


def parse_text(text: str) -> Node:
    """The body of a text. Raises HclError."""
    from hcl2.parser import parser
    from lark.exceptions import LarkError, UnexpectedInput

    try:
        return parser().parse(f"{text}\n").children[0]  # type: ignore[return-value]  # the grammar's start is a body
    except UnexpectedInput as error:
        line, column = max(error.line or 1, 1), max(error.column or 1, 1)
        lines = text.splitlines()
        written = lines[line - 1].strip()[:60] if line <= len(lines) else ""
        message = f"`{written}` is no HCL" if written else "it ends within a block or an expression"
        raise HclError(message, min(line, max(len(lines), 1)), column) from None
    except LarkError as error:
        raise HclError(str(error).partition("\n")[0], 1, 1) from None


def inner_nodes(node: Node) -> list[Node]:
    """The parts of a node without tokens, line ends and comments."""
    return [child for child in node.children if not isinstance(child, str) and child.data != "new_line_or_comment"]


def without_parentheses(node: Node) -> Node:
    """The expression inside parentheses and terms."""
    while node.data == "expr_term":
        node = inner_nodes(node)[0]
    return node


def _body_of(node: Node, file: HclFile) -> Body:
    attributes: dict[str, Attribute] = {}
    blocks: list[Block] = []
    for child in inner_nodes(node):
        parts = inner_nodes(child)
        if child.data == "attribute":
            attributes[name_of(parts[0])] = Attribute(file, child, parts[1])
        else:
            kind, *labels = map(name_of, parts[:-1])
            blocks.append(Block(kind, tuple(labels), _body_of(parts[-1], file), file.place(child), file))
    return Body(attributes, tuple(blocks))


def name_of(node: Node) -> str:
    """The text of an identifier, a keyword, or a quoted label."""
    return "".join(str(token) for token in node.scan_values(lambda token: token != '"'))
