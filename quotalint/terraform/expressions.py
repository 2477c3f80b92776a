"""Evaluates expressions of HCL (hashicorp/hcl, hclsyntax/spec.md)."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from quotalint.named_tuples import NamedTuple
from quotalint.runtime import budget
from quotalint.terraform.functions import call_function
from quotalint.terraform.hcl import (
    Attribute,
    HclError,
    HclFile,
    Node,
    inner_nodes,
    name_of,
    parse_text,
    without_parentheses,
)
from quotalint.terraform.values import (
    TOO_MUCH,
    RefusedError,
    Unknown,
    as_condition,
    as_number,
    as_text,
    causes_in,
    item_of,
)
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Mixed, Origin, Place, Whole, inner_document, place_of_lines

_VALUES = ("var", "local", "each", "count", "path")
"""The first names of references to values that are known in full. What a provider computes is not written."""
_MOST_TEXT = 1 << 20


class Scope(NamedTuple):
    """What the names in an expression mean."""

    file: HclFile
    find: Callable[[str, Sequence[object]], tuple[object, int]]
    """find(first name, steps): a value, and how many of the steps lead to it."""
    read: Callable[[str], str | None]
    """The text of a file, by its path from the root module; None if it is not in the repository."""
    names: Mapping[str, object] = {}
    """The names of `each`, `count`, of iterators and of `for`."""

    def naming(self, names: Mapping[str, object]) -> Scope:
        """The scope with more names."""
        return self._replace(names={**self.names, **names})


def value_of(attribute: Attribute, scope: Scope) -> object:
    """The value of an attribute; unknown if Terraform would refuse it."""
    scope = scope._replace(file=attribute.file)
    try:
        return evaluate(attribute.value, scope)
    except RefusedError as failure:
        return _unknown(attribute.value, scope, f"an error in `{scope.file.source(attribute.value)}` ({failure})")


def origin_of(attribute: Attribute, value: object, scope: Scope) -> Origin:
    """Where a value of an attribute and its parts are written."""
    scope = scope._replace(file=attribute.file)
    return _origin(attribute.value, value, scope, Whole(attribute.file.place(attribute.node)))


def _origin(node: Node, value: object, scope: Scope, whole: Whole) -> Origin:
    inner = without_parentheses(node)
    if inner.data == "object" and isinstance(value, dict):
        below: dict[str | int, Origin] = {}
        for element in inner_nodes(inner):
            key, expression = inner_nodes(element)
            try:
                name = _key_of(key, scope)
            except RefusedError:
                continue
            if isinstance(name, str) and name in value:
                below[name] = _origin(expression, value[name], scope, Whole(scope.file.place(element)))
        return Mixed(whole.place, {**dict.fromkeys(value, whole), **below})
    if inner.data == "function_call" and name_of(inner_nodes(inner)[0]) == "yamldecode":
        texts = [text for text in inner.iter_subtrees() if text.data.startswith("heredoc")]
        return _lines_of(texts[0], scope).at(inner_document(0)) if len(texts) == 1 else whole
    return _lines_of(inner, scope) if inner.data.startswith("heredoc") else whole


def _lines_of(heredoc: Node, scope: Scope) -> Place:
    first = heredoc.meta.line + 1
    return place_of_lines(scope.file.name, first, first + str(heredoc.children[0]).count("\n") - 3)


def evaluate(node: Node, scope: Scope) -> object:
    """The value of an expression. Raises RefusedError if Terraform would refuse it."""
    budget.spend(1 / budget.VALUES, TOO_MUCH)
    node = without_parentheses(node)
    return _KINDS[node.data](node, scope)


def _unknown(node: Node, scope: Scope, *causes: str) -> Unknown:
    return Unknown(f"${{{scope.file.source(node)}}}", causes)


def _literal(node: Node, scope: Scope) -> object:
    return {"true": True, "false": False, "null": None}[str(node.children[0])]


def _number(node: Node, scope: Scope) -> object:
    return as_number(str(node.children[0]))


def _reference(node: Node, scope: Scope) -> object:
    """A name with attributes, indexes and splats behind it."""
    steps: list[Node] = []
    base = node
    while base.data in ("get_attr_expr_term", "index_expr_term", "attr_splat_expr_term", "full_splat_expr_term"):
        below, step = inner_nodes(base)
        steps.append(step)
        base = without_parentheses(below)
    keys = [_step(step, scope) for step in reversed(steps)]
    if base.data != "identifier":
        return _renamed(_walked(evaluate(base, scope), keys), node, scope)
    name = name_of(base)
    try:
        value, used = (scope.names[name], 0) if name in scope.names else scope.find(name, keys)
        return _renamed(_walked(value, keys[used:]), node, scope)
    except RefusedError:
        if name in _VALUES or name in scope.names:
            raise
        return _unknown(node, scope, scope.file.source(node))  # the provider computes it


class _Splat(NamedTuple):
    keys: tuple[object, ...]


def _step(node: Node, scope: Scope) -> object:
    if node.data == "get_attr":
        return name_of(inner_nodes(node)[0])
    if node.data == "short_index":
        return name_of(node).lstrip(".")
    if node.data == "braces_index":
        return evaluate(inner_nodes(node)[0], scope)
    return _Splat(tuple(_step(step, scope) for step in inner_nodes(node)))


def _walked(value: object, keys: Sequence[object]) -> object:
    for key in keys:
        if isinstance(key, _Splat):
            if isinstance(value, Unknown):
                return value
            items = value if isinstance(value, list) else [] if value is None else [value]
            value = [_walked(item, key.keys) for item in items]
        else:
            value = item_of(value, key)
    return value


def _renamed(value: object, node: Node, scope: Scope) -> object:
    """The value; if it is unknown, it is named as it is here."""
    return _unknown(node, scope, *value.causes) if isinstance(value, Unknown) else value


_ESCAPED = lazy_pattern(r"\\(u([0-9a-fA-F]{4})|.)")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


def _unescaped(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        return chr(int(match[2], 16)) if match[2] else _ESCAPES.get(match[1], match[1])

    return _ESCAPED.sub(character, text)


def _template(node: Node, scope: Scope) -> object:
    parts = [part.children[0] for part in inner_nodes(node)]
    pieces: list[object] = []
    for part in parts:
        if isinstance(part, str):
            text = str(part)
            pieces.append(text[1:] if text.startswith(("$${", "%%{")) else _unescaped(text))
        elif part.data == "interpolation":
            pieces.append(evaluate(inner_nodes(part)[0], scope))
        else:
            return _unknown(node, scope, "a template with directives")
    return pieces[0] if len(parts) == 1 and not isinstance(parts[0], str) else _joined(pieces)


def _joined(pieces: Sequence[object]) -> object:
    texts = [piece.text if isinstance(piece, Unknown) else as_text(piece) for piece in pieces]
    size = sum(map(len, texts))
    budget.spend(size / (100 * budget.VALUES), TOO_MUCH)
    if size > _MOST_TEXT:
        raise budget.OverBudgetError(f"too expensive: {TOO_MUCH}")
    causes = causes_in([piece for piece in pieces if isinstance(piece, Unknown)])
    return Unknown("".join(texts), causes) if causes else "".join(texts)


_INTERPOLATION = lazy_pattern(r"\$\$\{|%%\{|\$\{|%\{")
_INSIDE = lazy_pattern(r'"(?:[^"\\]|\\.)*"|[{}]')


def fill_in(text: str, scope: Scope) -> object:
    """A text with `${…}` filled in. Raises RefusedError."""
    pieces: list[object] = []
    at = 0
    while match := _INTERPOLATION.search(text, at):
        pieces.append(text[at : match.start()])
        at = match.end()
        if len(match[0]) == 3:
            pieces.append(match[0][1:])
            continue
        end = _end_of_interpolation(text, at)
        if match[0] == "%{":
            raise RefusedError("a template with directives")
        expression = text[at:end].strip("~")
        try:
            body = parse_text(f"x = ({expression})")
        except HclError:
            raise RefusedError(f"`{expression[:60]}` is no expression") from None
        own = HclFile(scope.file.name, f"x = ({expression})")
        pieces.append(evaluate(inner_nodes(inner_nodes(body)[0])[1], scope._replace(file=own)))
        at = end + 1
    return _joined([*pieces, text[at:]])


def _end_of_interpolation(text: str, start: int) -> int:
    depth = 1
    for match in _INSIDE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return match.start()
    raise RefusedError("an interpolation does not end")


def _heredoc(node: Node, scope: Scope) -> object:
    _, *lines, _, _ = str(node.children[0]).replace("\r\n", "\n").split("\n")
    if node.data == "heredoc_template_trim":
        indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
        lines = [line[indent:] for line in lines]
    return fill_in("".join(f"{line}\n" for line in lines), scope)


def _tuple(node: Node, scope: Scope) -> object:
    return [evaluate(item, scope) for item in inner_nodes(node)]


def _object(node: Node, scope: Scope) -> object:
    result: dict[str, object] = {}
    for element in inner_nodes(node):
        key, expression = inner_nodes(element)
        name = _key_of(key, scope)
        if isinstance(name, Unknown):
            return _unknown(node, scope, *name.causes)
        result[name] = evaluate(expression, scope)
    return result


def _key_of(key: Node, scope: Scope) -> str | Unknown:
    expression = inner_nodes(key)[0]
    inner = inner_nodes(expression)[0] if expression.data == "expr_term" else expression
    if inner.data in ("identifier", "keyword", "literal_value"):
        return name_of(inner)
    value = evaluate(expression, scope)
    return value if isinstance(value, Unknown) else as_text(value)


def _call(node: Node, scope: Scope) -> object:
    name_node, *rest = inner_nodes(node)
    given = inner_nodes(rest[-1]) if rest and rest[-1].data == "arguments" else []
    name = name_of(name_node)
    if name in ("try", "can"):
        return _try(given, scope, name)
    arguments = [evaluate(argument, scope) for argument in given]
    if given and any(str(token) == "..." for token in rest[-1].children if isinstance(token, str)):
        last = arguments.pop()
        if isinstance(last, Unknown):
            return _unknown(node, scope, *last.causes)
        arguments += last if isinstance(last, list) else [last]
    if name in ("file", "templatefile") and arguments:
        hidden = causes_in(arguments[0])
        return _unknown(node, scope, *hidden) if hidden else _file(name, arguments, scope, node)
    return call_function(name, arguments, scope.file.source(node))


def _try(given: Sequence[Node], scope: Scope, name: str) -> object:
    """The first argument that has a value; for `can`, whether the first one has."""
    if not given:
        raise RefusedError(f"{name} needs a value")
    try:
        value = evaluate(given[0], scope)
    except RefusedError:
        return _try(given[1:], scope, name) if name == "try" else False
    return value if name == "try" or isinstance(value, Unknown) else True


def _file(name: str, arguments: Sequence[object], scope: Scope, node: Node) -> object:
    text = scope.read(as_text(arguments[0]))
    if text is None:
        return _unknown(node, scope, f"the file {as_text(arguments[0])}")
    if name == "file":
        return text
    table = arguments[1] if len(arguments) > 1 else {}
    names = table if isinstance(table, dict) else {}

    def nothing(first: str, _: Sequence[object]) -> tuple[object, int]:
        raise RefusedError(f"the template has no {first}")

    return fill_in(text, Scope(HclFile("", text), nothing, scope.read, names))


_NUMERIC: Mapping[str, Callable[[float, float], object]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


def _binary(node: Node, scope: Scope) -> object:
    left_node, term = inner_nodes(node)
    sign_node, right_node = inner_nodes(term)
    sign = name_of(sign_node).strip()
    left, right = evaluate(left_node, scope), evaluate(right_node, scope)
    if sign in ("&&", "||"):
        decisive = sign == "||"
        known = [as_condition(value) for value in (left, right) if not isinstance(value, Unknown)]
        if decisive in known:
            return decisive
    causes = causes_in([left, right])
    if causes:
        return _unknown(node, scope, *causes)
    if sign in ("&&", "||"):
        return sign == "&&"
    if sign in ("==", "!="):
        return ((left == right) and isinstance(left, bool) == isinstance(right, bool)) == (sign == "==")
    first, second = as_number(left), as_number(right)
    try:
        result = _NUMERIC[sign](first, second)
    except (ArithmeticError, KeyError):
        raise RefusedError(f"{sign} has no result") from None
    return result if isinstance(result, bool) else as_number(result)


def _unary(node: Node, scope: Scope) -> object:
    value = evaluate(inner_nodes(node)[0], scope)
    if isinstance(value, Unknown):
        return _unknown(node, scope, *value.causes)
    return not as_condition(value) if str(node.children[0]).strip() == "!" else -as_number(value)


def _conditional(node: Node, scope: Scope) -> object:
    condition, *branches = inner_nodes(node)
    decided = evaluate(condition, scope)
    if not isinstance(decided, Unknown):
        return evaluate(branches[0 if as_condition(decided) else 1], scope)
    first, second = (evaluate(branch, scope) for branch in branches)
    return first if first == second and not causes_in(first) else _unknown(node, scope, *decided.causes)


def _loop(node: Node, scope: Scope) -> object:
    """A `for` expression, of a list or a map."""
    intro, *results = inner_nodes(node)
    condition = inner_nodes(results.pop())[0] if results[-1].data == "for_cond" else None
    *name_nodes, collection_node = inner_nodes(intro)
    collection = evaluate(collection_node, scope)
    if isinstance(collection, Unknown):
        return _unknown(node, scope, *collection.causes)
    names = list(map(name_of, name_nodes))
    listed: list[object] = []
    mapped: dict[str, object] = {}
    is_grouped = any(str(token) == "..." for token in node.children if isinstance(token, str))
    for key, value in _entries(collection):
        inner = scope.naming(dict(zip(names, (key, value) if len(names) > 1 else (value,), strict=True)))
        wanted = True if condition is None else evaluate(condition, inner)
        own = [evaluate(result, inner) for result in results] if wanted is not False else []
        hidden = wanted if isinstance(wanted, Unknown) else own[0] if len(own) > 1 else None
        if isinstance(hidden, Unknown):
            return _unknown(node, scope, *hidden.causes)
        if not own or not as_condition(wanted):
            continue
        if len(own) == 1:
            listed.append(own[0])
        elif is_grouped:
            group = mapped.setdefault(as_text(own[0]), [])
            assert isinstance(group, list)
            group.append(own[1])
        else:
            mapped[as_text(own[0])] = own[1]
    return mapped if node.data == "for_object_expr" else listed


def _entries(collection: object) -> Iterator[tuple[object, object]]:
    if isinstance(collection, dict):
        yield from collection.items()
    elif isinstance(collection, list):
        yield from enumerate(collection)
    else:
        raise RefusedError("it is no list or map")


_KINDS: Mapping[str, Callable[[Node, Scope], object]] = {
    "literal_value": _literal,
    "int_lit": _number,
    "float_lit": _number,
    "identifier": _reference,
    "get_attr_expr_term": _reference,
    "index_expr_term": _reference,
    "attr_splat_expr_term": _reference,
    "full_splat_expr_term": _reference,
    "string": _template,
    "template_string": lambda node, scope: _unknown(node, scope, "a template with directives"),
    "heredoc_template": _heredoc,
    "heredoc_template_trim": _heredoc,
    "tuple": _tuple,
    "object": _object,
    "function_call": _call,
    "binary_op": _binary,
    "unary_op": _unary,
    "conditional": _conditional,
    "for_tuple_expr": _loop,
    "for_object_expr": _loop,
}
