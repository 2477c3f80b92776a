"""Everything beside files that quotalint looks at belongs to the question."""

from __future__ import annotations

import ast

from rooms import nodes_of

from quotalint import programs
from quotalint.cache.identity import PROGRAMS, VARIABLES, identity
from quotalint.settings.loading import NAMES

# Answered without memory, or no part of an answer.
ELSEWHERE = {
    "_QUOTALINT_COMPLETE",
    "QUOTALINT_DEBUG",
    "QUOTALINT_NO_CACHE",
    "QUOTALINT_CACHE_DIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "GIT_ATTR_SOURCE",
    "LOCALAPPDATA",
    "HOME",
}


def asked_for() -> set[str]:
    """The names of variables that our modules ask for; what is put together is named by its source."""
    words = set()
    for path, node in nodes_of(r"environ|getenv"):
        if path.name == "identity.py":
            continue
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("os.environ.get", "os.getenv"):
            words.add(ast.unparse(node.args[0]))
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "os.environ":
            words.add(ast.unparse(node.slice))
        elif isinstance(node, ast.Compare) and ast.unparse(node.comparators[0]) == "os.environ":
            words.add(ast.unparse(node.left))
    return {name.strip("'\"") for name in words}


def test_no_variable_is_looked_at_that_does_not_belong_to_the_question() -> None:
    names = asked_for()
    # f'GITHUB_{name}' of the Markdown of `diff`, which is never kept; COMPLETING, VARIABLE and name are constants.
    plain = {name for name in names if name.isupper() and name not in ("COMPLETING", "VARIABLE")}
    assert plain - ELSEWHERE - set(VARIABLES) == set()


def test_the_programs_are_those_that_may_be_run() -> None:
    assert set(PROGRAMS) == set(programs.RUN)


def test_every_name_of_a_configuration_is_looked_for() -> None:
    from quotalint.cache import identity as module

    assert set(NAMES) <= set(module._NEARBY)


def test_it_is_the_same_for_the_same_question() -> None:
    assert (identity(["check"]) == identity(["check"]), identity(["check"]) == identity(["usage"])) == (True, False)
