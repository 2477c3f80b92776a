"""Go's text/template with sprig's functions, as far as ApplicationSets and helmfiles need it: without side effects,
within limits.

An unsupported feature is an error that names it. Go 1.24, text/template/exec.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import TypeVar

from quotalint.gitops.go.go_functions import FUNCTIONS, Functions, fit_argument, handling_steps
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
from quotalint.gitops.go.hidden import HiddenValue, call_with_hidden, condition_note, entry_of
from quotalint.gitops.go.syntax import parse_template
from quotalint.gitops.go.values import (
    MAX_TEXT,
    MISSING,
    NO_ENTRY,
    PARTS_A_STEP,
    GoError,
    StringMap,
    TooFarError,
    call_walking,
    go_text,
    is_true,
    join_limited,
    type_name,
    walked_parts,
)
from quotalint.named_tuples import NamedTuple

MAX_STEPS = 100_000
"""The step limit of one text: one step per evaluation, and one per 256 characters or items handled."""

MAX_CALLS = 50
"""The largest depth of nested template calls."""


class RenderedText(NamedTuple):
    """The output of a template."""

    text: str
    error: str
    """Why it fails in Go, or which unsupported feature it uses; `text` is empty then."""
    assumed: tuple[str, ...] = ()
    """The assumptions about values that are not in view, as clauses."""


def render_template(
    text: str,
    data: object,
    missing_key: str = "default",
    spend: Callable[[int], None] = lambda _: None,
    functions: Functions | None = None,
    most_steps: int = MAX_STEPS,
) -> RenderedText:
    """The output of a template. Numbers in `data` that Go reads from JSON or YAML must be floats (`as_decoded`).

    `missing_key` is Go's option: default, invalid, zero or error. `spend` receives the steps taken. `functions`
    override built-in ones. Raises nothing.
    """
    all_functions = {**FUNCTIONS, **functions} if functions else FUNCTIONS
    execution = _Execution(data, missing_key, all_functions, most_steps)
    try:
        template = _parse_or_reason(text, frozenset(functions or ()))
        if isinstance(template, str):
            return RenderedText("", template)
        return RenderedText(execution.template_text(template), "", tuple(execution.assumed))
    except (GoError, TooFarError) as error:
        return RenderedText("", str(error))
    except RecursionError:
        return RenderedText("", "a value is nested too deeply")
    finally:
        spend(execution.steps)


@lru_cache(maxsize=512)
def _parse_or_reason(text: str, further: frozenset[str]) -> ParsedTemplate | str:
    try:
        return parse_template(text, further.union(FUNCTIONS) if further else FUNCTIONS)
    except GoError as error:
        return str(error)


_NOTHING_PIPED = object()
_Result = TypeVar("_Result")


class _LeaveError(Exception):
    """A `break` or `continue`, raised to reach its range."""


class _Execution:
    """One execution of a template."""

    def __init__(self, data: object, missing_key: str, functions: Functions, most_steps: int) -> None:
        self.missing_key = missing_key
        self.functions = functions
        self.most_steps = most_steps
        self.variables: list[tuple[str, object]] = [("$", data)]
        self.data = data
        self.defined: Mapping[str, Nodes] = {}
        self.depth = 0
        self.assumed: dict[str, None] = {}
        self.steps = 0
        self.size = 0

    def template_text(self, template: ParsedTemplate) -> str:
        self.defined = template.defined
        return "".join(self.walk_nodes(template.nodes, self.data))

    def walk_nodes(self, nodes: Nodes, dot: object) -> Iterator[str]:
        for node in nodes:
            self.count_steps(1)
            yield from self.write_node(node, dot)

    def write_node(self, node: Node, dot: object) -> Iterator[str]:
        if isinstance(node, Text):
            yield self.count_written(node.text)
        elif isinstance(node, Action):
            value = self.pipe_value(node.pipe, dot)
            if not node.pipe.variables:
                if isinstance(value, HiddenValue):
                    self.note_assumption(value.reason)
                yield self.count_written("<no value>" if value in (None, MISSING) else self.walk_values(go_text, value))
        elif isinstance(node, Leave):
            raise _LeaveError(node.word)
        elif isinstance(node, TemplateCall):
            yield from self.write_template(node, dot)
        elif node.word == "range":
            yield from self.write_range(node, dot)
        else:
            mark = len(self.variables)
            value = self.pipe_value(node.pipe, dot)
            inner = value if node.word == "with" else dot
            if isinstance(value, HiddenValue):
                yield from self.branch_that_works(node, value, dot)
            elif is_true(value):
                yield from self.walk_nodes(node.body, inner)
            else:
                yield from self.walk_nodes(node.otherwise, dot)
            del self.variables[mark:]

    def branch_that_works(self, node: Branch, value: HiddenValue, dot: object) -> tuple[str, ...]:
        """The output of the likelier branch, or of the other if that fails: deployed templates do not fail."""
        branches = [(True, node.body, value if node.word == "with" else dot), (False, node.otherwise, dot)]
        first, second = branches if value.likely else branches[::-1]
        variables, written = list(self.variables), self.size
        try:
            if not value.expected:
                self.note_assumption(condition_note(value))
            return tuple(self.walk_nodes(first[1], first[2]))
        except GoError as error:
            self.variables, self.size = variables, written
            try:
                second_values = tuple(self.walk_nodes(second[1], second[2]))
            except GoError:
                raise error from None
            self.assumed.pop(condition_note(value), None)
            self.note_assumption(condition_note(HiddenValue(value.name, value.reason, likely=second[0])))
            return second_values

    def write_template(self, node: TemplateCall, dot: object) -> Iterator[str]:
        data = MISSING if node.pipe is None else self.pipe_value(node.pipe, dot)
        if node.name not in self.defined:
            raise GoError(f'template "{node.name}" not defined')
        if self.depth >= MAX_CALLS:
            raise GoError("templates call each other too deeply")
        outer, self.variables = self.variables, [("$", data)]
        self.depth += 1
        try:
            yield from self.walk_nodes(self.defined[node.name], data)
        finally:
            self.variables = outer
            self.depth -= 1

    def write_range(self, node: Branch, dot: object) -> Iterator[str]:
        outer = len(self.variables)
        # Range variables are set for each item, not to the whole value.
        value = self.pipe_value(node.pipe._replace(variables=()), dot)
        pairs = list(self.pairs_of_range(value))
        names = node.pipe.variables
        if node.pipe.declares:
            self.variables += ((name, None) for name in names)
        inner = len(self.variables)
        for key, item in pairs:
            self.count_steps(1)
            loop_values = (item,) if len(names) == 1 else (key, item)
            for name, loop_value in zip(names, loop_values, strict=False):
                self.assign_variable(name, loop_value)
            del self.variables[inner:]
            try:
                yield from self.walk_nodes(node.body, item)
            except _LeaveError as leave:
                if str(leave) == "break":
                    break
        del self.variables[outer:]
        if not pairs:
            yield from self.walk_nodes(node.otherwise, dot)

    def pairs_of_range(self, value: object) -> Iterator[tuple[object, object]]:
        if isinstance(value, HiddenValue):
            self.note_assumption(f"{value.reason}: it is assumed to be empty")
        elif isinstance(value, dict):
            yield from ((key, value[key]) for key in sorted(value))
        elif isinstance(value, list):
            yield from enumerate(value)
        elif isinstance(value, int) and not isinstance(value, bool):
            self.count_steps(max(value, 0))
            yield from ((number, number) for number in range(value))
        elif value not in (None, MISSING):
            raise GoError(f"range can't iterate over {type_name(value)}")

    def pipe_value(self, pipe: Pipe, dot: object) -> object:
        value: object = _NOTHING_PIPED
        for command in pipe.commands:
            value = self.command_value(command, dot, value)
            if value is None:
                value = MISSING  # a nil interface has no type
        for name in pipe.variables:
            if pipe.declares:
                self.variables.append((name, value))
            else:
                self.assign_variable(name, value)
        return value

    def command_value(self, command: tuple[Operand, ...], dot: object, piped: object) -> object:
        first = command[0]
        if isinstance(first, Function):
            return self.call_function(first.name, command[1:], dot, piped)
        if len(command) > 1 or piped is not _NOTHING_PIPED:
            raise GoError("something that is not a function has arguments")
        if isinstance(first, Nil):
            raise GoError("nil is not a command")
        return self.operand_value(first, dot)

    def operand_value(self, operand: Operand, dot: object) -> object:
        self.count_steps(1)
        if isinstance(operand, Dot):
            return dot
        if isinstance(operand, Literal):
            return operand.value
        if isinstance(operand, Field):
            return self.field_value(dot, operand.names)
        if isinstance(operand, VariableOperand):
            _, value = self.variables[self.place_of_variable(operand.name)]
            return self.field_value(value, operand.names)
        if isinstance(operand, Chain):
            return self.field_value(self.pipe_value(operand.pipe, dot), operand.names)
        if isinstance(operand, Function):
            return self.call_function(operand.name, (), dot, _NOTHING_PIPED)
        return None if isinstance(operand, Nil) else self.pipe_value(operand, dot)

    def field_value(self, value: object, names: tuple[str, ...]) -> object:
        for name in names:
            if isinstance(value, HiddenValue):
                value = value.entry(name)
                continue
            if value is MISSING:
                if self.missing_key == "error":
                    raise GoError(f'nil data; no entry for key "{name}"')
                continue
            if value is None:
                raise GoError(f"nil pointer evaluating interface {{}}.{name}")
            if not isinstance(value, dict):
                raise GoError(f"can't evaluate field {name} in type {type_name(value)}")
            entry = entry_of(value, name)
            if entry is not MISSING:
                value = entry
            elif self.missing_key == "error":
                raise GoError(f'{NO_ENTRY} "{name}"')
            elif self.missing_key == "zero":
                value = "" if isinstance(value, StringMap) else None
            else:
                value = MISSING
        return value

    def call_function(self, name: str, operands: tuple[Operand, ...], dot: object, piped: object) -> object:
        kinds, implementation = self.functions[name]
        count = len(operands) + (piped is not _NOTHING_PIPED)
        least = len(kinds.rstrip("*")) - kinds.endswith("*")
        if count < least or (count > least and not kinds.endswith("*")):
            raise GoError(f"wrong number of args for {name}: want {least} got {count}")
        kinds = kinds.rstrip("*").ljust(count, kinds.rstrip("*")[-1])
        arguments = []
        all_operands = operands if piped is _NOTHING_PIPED else (*operands, None)
        for operand, kind in zip(all_operands, kinds, strict=False):
            value = piped if operand is None else self.operand_value(operand, dot)
            arguments.append(fit_argument(value, kind, literal=isinstance(operand, Literal), name=name))
            self.count_steps(handling_steps(value))
            if name in ("and", "or") and not isinstance(value, HiddenValue) and is_true(value) != (name == "and"):
                break
        if any(isinstance(argument, HiddenValue) for argument in arguments):
            result = self.walk_values(call_with_hidden, name, implementation, arguments, self.note_assumption)
        else:
            result = self.walk_values(implementation, *arguments)
        return join_limited((result,)) if isinstance(result, str) else result

    def assign_variable(self, name: str, value: object) -> None:
        self.variables[self.place_of_variable(name)] = (name, value)

    def place_of_variable(self, name: str) -> int:
        for at in range(len(self.variables) - 1, -1, -1):
            if self.variables[at][0] == name:
                self.count_steps((len(self.variables) - at) // 64)
                return at
        raise GoError(f"undefined variable: {name}")

    def note_assumption(self, clause: str) -> None:
        self.assumed[clause] = None

    def count_written(self, text: str) -> str:
        self.size += len(text)
        if self.size > MAX_TEXT:
            raise GoError(f"it writes more than {MAX_TEXT:,} characters")
        return text

    def walk_values(self, function: Callable[..., _Result], *arguments: object) -> _Result:
        begun = walked_parts()
        try:
            result = call_walking(function, arguments, (self.most_steps - self.steps) * PARTS_A_STEP)
        finally:
            self.steps += (walked_parts() - begun) // PARTS_A_STEP
        self.count_steps(handling_steps(result))
        return result

    def count_steps(self, steps: int) -> None:
        self.steps += steps
        if self.steps > self.most_steps:
            raise GoError(f"it takes more than {self.most_steps:,} steps")
