"""Expressions in the Common Expression Language, evaluated by cel-expr-python in a child process (the extra
`policies`). It is imported only if a repository has an expression."""

from __future__ import annotations

MODULE = "cel_expr_python"
INSTALL = "pip install 'quotalint[policies]'"
NEEDED = f"policies need the CEL engine, which needs Python 3.11 or later: `{INSTALL}`"


def is_installed() -> bool:
    """Whether the extra is installed; nothing is imported."""
    from importlib.util import find_spec

    return find_spec(MODULE) is not None
