"""The nodes of a parsed Go template (Go 1.24, text/template/parse/node.go)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Union

from quotalint.named_tuples import NamedTuple


class Dot(NamedTuple):
    """`.`"""


class Nil(NamedTuple):
    """`nil`"""


class Literal(NamedTuple):
    """A constant; a float has a fraction, or was written as a float."""

    value: object


class Field(NamedTuple):
    """`.a.b`"""

    names: tuple[str, ...]


class VariableOperand(NamedTuple):
    """`$x.a.b`"""

    name: str
    names: tuple[str, ...]


class Function(NamedTuple):
    """The name of a function."""

    name: str


class Chain(NamedTuple):
    """`(…).a.b`"""

    pipe: Pipe
    names: tuple[str, ...]


Operand = Union[Dot, Nil, Literal, Field, VariableOperand, Function, Chain, "Pipe"]


class Pipe(NamedTuple):
    """`$x := a | b c`"""

    variables: tuple[str, ...]
    declares: bool
    commands: tuple[tuple[Operand, ...], ...]


class Text(NamedTuple):
    """Text outside actions."""

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


class TemplateCall(NamedTuple):
    """`{{ template "name" pipe }}`"""

    name: str
    pipe: Pipe | None


class Leave(NamedTuple):
    """`break` or `continue`"""

    word: str


Node = Union[Text, Action, Branch, TemplateCall, Leave]  # noqa: UP007  # Branch is used before its definition
Nodes = tuple[Node, ...]


class ParsedTemplate(NamedTuple):
    """A parsed template."""

    nodes: Nodes
    defined: Mapping[str, Nodes]
    """The templates defined by `define` and `block`."""
