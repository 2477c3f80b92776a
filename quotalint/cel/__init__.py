"""Expressions in the Common Expression Language, evaluated in a child process by cel-expr-python (the extra
`policies`). Nothing of it is imported before a repository has an expression."""

from __future__ import annotations

MODULE = "cel_expr_python"
INSTALL = "pip install 'quotalint[policies]'"
NEEDED = f"policies need the CEL engine, which needs Python 3.11 or later: `{INSTALL}`"


def is_installed() -> bool:
    """Whether the extra is: nothing is imported."""
    from importlib.util import find_spec

    return find_spec(MODULE) is not None
