"""The templates of a ResourceSet: Go's, with other braces and the function `inputs` (Flux Operator,
internal/builder/resourceset.go)."""

from __future__ import annotations

import re

from quotalint.gitops.go.go_templates import render_template
from quotalint.gitops.go.values import GoError
from quotalint.text.documents import read

_ACTION = re.compile(r"<<(.*?)>>", re.DOTALL)
_PART = re.compile(r'("(?:[^"\\]|\\.)*"|`[^`]*`)|(?<![\w.$])inputs(?!\w)')
_BRACES = {"{{": "\ue000", "}}": "\ue001"}
"""What stands for braces of the text itself."""


def is_template(written: str) -> bool:
    """Whether there is anything to fill in."""
    return "<<" in written


def filled_text(written: str, inputs: object) -> str:
    """A template with its inputs. Raises GoError."""
    for braces, sign in _BRACES.items():
        written = written.replace(braces, sign)
    template = _ACTION.sub(lambda match: "{{" + _PART.sub(_inputs_variable, match[1]) + "}}", written)
    result = render_template(template, {"inputs": inputs}, "error")
    if result.error:
        raise GoError(result.error)
    text = result.text
    for braces, sign in _BRACES.items():
        text = text.replace(sign, braces)
    return text


def _inputs_variable(match: re.Match[str]) -> str:
    return match[1] or "$.inputs"


def filled_value(value: object, inputs: object, depth: int = 0) -> object:
    """A resource with its inputs. The operator fills in its YAML text, which is read again: what stands there without
    quotes becomes what YAML makes of it. Raises GoError."""
    if depth > 100:
        raise GoError("a resource is nested too deeply")
    if isinstance(value, str):
        return _filled_scalar(value, inputs) if is_template(value) else value
    if isinstance(value, list):
        return [filled_value(item, inputs, depth + 1) for item in value]
    if isinstance(value, dict):
        return {
            filled_text(key, inputs) if is_template(key) else key: filled_value(below, inputs, depth + 1)
            for key, below in value.items()
        }
    return value


def _filled_scalar(written: str, inputs: object) -> object:
    text = filled_text(written, inputs)
    if "\n" in written or _read_unquoted(written) != (written,):
        return text  # it is written in quotes, or as a block
    read_again = _read_unquoted(text)
    if read_again is None:
        raise GoError(f"its result is not YAML: {text[:60]}")
    return read_again[0]


def _read_unquoted(text: str) -> tuple[object] | None:
    """What YAML makes of a text without quotes; None where it refuses it."""
    reading = read(b"x: " + text.encode("utf-8", "surrogatepass"))
    value = reading.documents[0].value if reading.documents and not reading.failures else None
    return (value["x"],) if isinstance(value, dict) and value.keys() == {"x"} else None
