"""Completion of command lines in bash, zsh and fish, by click's scripts and their questions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import click
from click.shell_completion import CompletionItem, ShellComplete, get_completion_class

from quotalint.cli import COMMANDS, COMPLETING, printing
from quotalint.text.lazy_patterns import lazy_pattern

SHELLS = ("bash", "zsh", "fish")
WHERE = {
    "bash": 'eval "$(quotalint completion bash)" in ~/.bashrc',
    "zsh": 'eval "$(quotalint completion zsh)" in ~/.zshrc, after compinit',
    "fish": "quotalint completion fish > ~/.config/fish/completions/quotalint.fish",
}


def shell_script(shell: str, main: click.Command) -> str:
    """The script that the shell reads at its start."""
    return _shell_completion(shell, main).source().strip() + "\n"


def answer_shell(main: click.Command) -> int:
    """Print the completions at the cursor; the exit status."""
    shell, _, instruction = os.environ[COMPLETING].partition("_")
    if shell not in SHELLS or instruction != "complete":
        return 1
    complete = _shell_completion(shell, main)
    words, begun = complete.get_completion_args()
    for item in _completion_items(complete, words, begun):
        printing.write(complete.format_completion(item) + "\n")
    return 0


def _completion_items(complete: ShellComplete, words: list[str], begun: str) -> Iterator[Any]:
    if words and words[0] in COMMANDS:
        yield from complete.get_completions(words, begun)
        return
    # Without a command it is `check`. What stands for files comes first: bash takes the rest for all there is.
    yield from complete.get_completions(["check", *words], begun)
    if not words:
        yield from complete.get_completions([], begun)


def _shell_completion(shell: str, main: click.Command) -> ShellComplete:
    completion_class = get_completion_class(shell)
    assert completion_class is not None
    return completion_class(main, {}, "quotalint", COMPLETING)


class RuleName(click.ParamType):  # type: ignore[type-arg]  # generic in click 8.2 and later alone
    """The id or the name of one rule."""

    name = "rule"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """The rules with this prefix, with their summaries."""
        from quotalint.catalogue import rule_by_id, rule_ids

        rules = [rule_by_id(rule_id) for rule_id in rule_ids()]
        named = [CompletionItem(rule.id, help=rule.name) for rule in rules if rule.id.startswith(incomplete.upper())]
        return named or [CompletionItem(rule.name, help=rule.id) for rule in rules if rule.name.startswith(incomplete)]


class RevisionName(click.ParamType):  # type: ignore[type-arg]  # generic in click 8.2 and later alone
    """A revision of the git repository around the working directory."""

    name = "revision"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """The branches and tags with this prefix; behind `...` for the second revision."""
        import tempfile

        from quotalint.diff.git import Refused, git, references

        with tempfile.TemporaryDirectory() as home:
            of = git(os.path.realpath("."), os.path.realpath(home))
            reference_names = () if isinstance(of, Refused) else references(of)
        before, dots, last = incomplete.rpartition("...")
        # bash inserts a name without quoting it. Names with characters that a shell interprets are not proposed:
        # a branch `x;rm${IFS}-r` must not run when somebody presses Tab and Enter.
        plain = (name for name in ("HEAD", *reference_names) if _PLAIN.fullmatch(name))
        return [CompletionItem(before + dots + name) for name in plain if name.startswith(last)]


_PLAIN = lazy_pattern(r"[\w][\w./+@%=,:-]*")
