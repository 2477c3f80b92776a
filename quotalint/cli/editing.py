"""`lsp`: a language server over standard input and output."""

from __future__ import annotations

import os

import click

from quotalint.cli.actions import CannotRun
from quotalint.cli.manual import Manual
from quotalint.cli.options import option


@click.command(
    cls=Manual,
    examples=(("quotalint lsp", "What an editor starts; docs/editors.md has recipes."),),
    appendix=(
        (
            "What it answers",
            (
                ("diagnostics", "The findings of `check`, as you type, over buffers that are not saved."),
                ("hover", "On an entry of a quota: who uses it. On a workload: what it takes, how many more fit."),
                ("code actions", "What --fix and --unsafe-fixes would write."),
                ("code lenses", "`requests.cpu 3800m of 4` above each entry of a quota."),
                ("definition", "From a finding or an entry to the other lines that it comes from."),
            ),
        ),
    ),
)
@option("--stdio", is_flag=True, help="What it does anyway; editors pass it on.")
def lsp(*, stdio: bool) -> int:
    """Serve an editor that speaks the Language Server Protocol, over standard input and output.

    The folder that the editor opens is the repository. It needs the extra `lsp`: pip install 'quotalint[lsp]'.
    """
    try:
        from quotalint.editor.server import server
    except ImportError:
        raise CannotRun("the language server needs pygls: `pip install 'quotalint[lsp]'`") from None
    # It closes what it is given, and whoever called flushes standard output afterwards.
    server().start_io(os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb"))
    return 0
