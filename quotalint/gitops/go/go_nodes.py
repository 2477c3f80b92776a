"""What a template of Go consists of (Go 1.24, text/template/parse/node.go)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Union

from quotalint.named_tuples import NamedTuple


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


class VariableOperand(NamedTuple):
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


Operand = Union[Dot, Nil, Literal, Field, VariableOperand, Function, Chain, "Pipe"]


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


class TemplateCall(NamedTuple):
    """`{{ template "name" pipe }}`"""

    name: str
    pipe: Pipe | None


class Leave(NamedTuple):
    """`break` or `continue`"""

    word: str


Node = Union[Text, Action, Branch, TemplateCall, Leave]  # noqa: UP007  # Branch is named before it is there
Nodes = tuple[Node, ...]


class ParsedTemplate(NamedTuple):
    """A text that was parsed."""

    nodes: Nodes
    defined: Mapping[str, Nodes]
    """What its `define` and `block` name."""
