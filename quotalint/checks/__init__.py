"""The checks: one module per subject, one function per rule. Every function with the `check` decorator is found."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module

from quotalint.checks.hit import Check
from quotalint.settings import Settings

_HERE = os.path.dirname(os.path.abspath(__file__))


@cache
def checks() -> tuple[Check, ...]:
    """Every check, in the order of the rules."""
    files = [name for name in os.listdir(_HERE) if name.endswith((".py", ".pyc")) and not name.startswith("_")]
    modules = [import_module(f"{__name__}.{name}") for name in sorted({name.partition(".")[0] for name in files})]
    labelled = [value for module in modules for value in vars(module).values() if isinstance(value, Check)]
    return tuple(sorted(labelled, key=lambda check: check.rule))


def policy_checks(settings: Settings) -> tuple[Check, ...]:
    """A check for each of the user's policies."""
    if not settings.policies:
        return ()
    from quotalint.checks.lazy.own_policies import checks_of

    return checks_of(settings.policies)
