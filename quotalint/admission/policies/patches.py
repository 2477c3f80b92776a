"""The patches of Kyverno's mutate rules: strategic merges with anchors, and JSON patches.

Source: Kyverno 1.15, pkg/engine/mutate/patch/strategicPreprocessing.go (anchors) and patchJSON6902.go (missing parents
are made). Of strategic merges, lists of objects with names are merged by name, as containers are.
"""

from __future__ import annotations

from collections.abc import Iterable

from quotalint.admission.policies.target import matches_wildcard
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.text.digits import whole_number

_ADD, _IF, _IF_ALL = "+(", "(", "<("


class UnclearPatchError(Exception):
    """What a patch does to an object cannot be told."""


class _NoMatchError(Exception):
    """A conditional anchor does not hold, so this part of the patch is left out."""


class _NoRuleError(Exception):
    """A global anchor does not hold, so the whole patch is left out."""


def merged(patch: object, body: Body) -> Body:
    """An object after a strategic merge patch. Raises UnclearPatchError."""
    try:
        return _merged_mapping(mapping(patch), body)
    except (_NoMatchError, _NoRuleError):
        return body


def _merged_mapping(patch: Body, body: Body) -> Body:
    result = dict(body)
    for written, wanted in patch.items():
        anchor, key = _split_anchor(written)
        if anchor in (_IF, _IF_ALL) and not (key in body and _fits(body[key], wanted)):
            raise _NoMatchError if anchor == _IF else _NoRuleError
    for written, wanted in patch.items():
        anchor, key = _split_anchor(written)
        if anchor in (_IF, _IF_ALL) or (anchor == _ADD and key in body):
            continue
        if isinstance(wanted, dict):
            result[key] = _merged_mapping(wanted, mapping(body.get(key)))
        elif isinstance(wanted, list) and any(isinstance(item, dict) for item in wanted):
            result[key] = _merged_list(wanted, sequence(body.get(key)))
        elif wanted is None:
            result.pop(key, None)
        else:
            result[key] = wanted
    return result


def _split_anchor(key: object) -> tuple[str, str]:
    """The anchor around a key, and the key."""
    written = text(key)
    if not written.endswith(")"):
        if written.startswith("$"):
            raise UnclearPatchError
        return "", written
    anchor, _, inner = written[:-1].partition("(")
    if f"{anchor}(" not in (_ADD, _IF, _IF_ALL) or is_placeholder(inner):
        raise UnclearPatchError
    return f"{anchor}(", inner


def _merged_list(patch: Iterable[object], items: Iterable[object]) -> list[object]:
    result = list(items)
    for part in map(mapping, patch):
        name = part.get("name")
        if is_placeholder(name):
            raise UnclearPatchError
        conditions = [key for key in part if _split_anchor(key)[0] in (_IF, _IF_ALL)]
        for index, item in enumerate(result):
            if name is not None and mapping(item).get("name") != name:
                continue
            try:
                if name is not None or conditions:
                    result[index] = _merged_mapping(part, mapping(item))
            except _NoMatchError:
                continue
        if not conditions and not any(name is not None and mapping(item).get("name") == name for item in result):
            result.append(_merged_mapping(part, {}))
    return result


def _fits(value: object, pattern: object) -> bool:
    """Whether a value is as a conditional anchor wants it."""
    if isinstance(pattern, dict):
        fields = mapping(value)
        return all(key in fields and _fits(fields[key], inner) for key, inner in pattern.items())
    written = text(pattern)
    if isinstance(pattern, list) or is_placeholder(written) or written[:1] in ("<", ">") or "&" in written:
        raise UnclearPatchError
    return any(
        matches_wildcard(part.removeprefix("!"), text(value)) is not part.startswith("!")
        for part in map(str.strip, written.split("|"))
    )


def patched(operations: Iterable[object], body: Body) -> Body:
    """An object after JSON patch operations. Raises UnclearPatchError."""
    result: object = body
    for operation in map(mapping, operations):
        path = text(operation.get("path"))
        name = operation.get("op")
        if name not in ("add", "replace", "remove") or is_placeholder(path) or not path.startswith("/"):
            raise UnclearPatchError
        steps = [step.replace("~1", "/").replace("~0", "~") for step in path[1:].split("/")]
        result = _set_at(result, steps, name == "remove", operation.get("value"), inserts=name == "add")
    return mapping(result)


def _set_at(value: object, steps: list[str], removes: bool, new: object, *, inserts: bool) -> object:
    step, rest = steps[0], steps[1:]
    if isinstance(value, list):
        index = len(value) if step == "-" else whole_number(step)
        if index is None or (rest and index >= len(value)):
            raise UnclearPatchError  # Kyverno makes what lies between
        below = [_set_at(value[index], rest, removes, new, inserts=inserts)] if rest else [] if removes else [new]
        return [*value[:index], *below, *value[index if inserts and not rest else index + 1 :]]
    fields = dict(mapping(value))
    if rest:
        fields[step] = _set_at(fields.get(step), rest, removes, new, inserts=inserts)
    elif removes:
        fields.pop(step, None)
    else:
        fields[step] = new
    return fields
