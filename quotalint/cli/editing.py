"""The commands for editors and other programs: `lsp`, a language server, and `schema`, the JSON Schemas."""

from __future__ import annotations

import os

import click

from quotalint.cli import actions
from quotalint.cli.manual import Manual
from quotalint.cli.options import option
from quotalint.cli.request import CannotRun
from quotalint.runtime.data import schemas_folder
from quotalint.runtime.resource_limits import limit_looks


@click.command(
    cls=Manual,
    examples=(("quotalint lsp", "Start it from an editor; docs/editors.md shows how."),),
    appendix=(
        (
            "Answers",
            (
                ("diagnostics", "The findings of `check`, as you type, for unsaved buffers too."),
                (
                    "hover",
                    "On a quota: its usage and users. On a workload: its usage, and how many more pods fit.",
                ),
                ("code actions", "What --fix and --unsafe-fixes would write."),
                ("code lenses", "`requests.cpu 3800m of 4` above each entry of a quota."),
                ("definition", "From a finding or an entry to its other lines."),
            ),
        ),
    ),
)
@option(
    *("--with", "snapshots"),
    metavar="[ENV=]FILE",
    multiple=True,
    help="Objects of a cluster to add, read once at the start; as for `check`.",
)
@option("--stdio", is_flag=True, help="No effect: always so. Some editors pass it.")
def lsp(*, snapshots: tuple[str, ...], stdio: bool) -> int:
    """Serve an editor that speaks the Language Server Protocol, over standard input and output.

    The folder that the editor opens is the repository. It needs the extra `lsp`: pip install 'quotalint[lsp]'.
    """
    try:
        from quotalint.editor.server import server
    except ImportError:
        raise CannotRun("the language server needs pygls: `pip install 'quotalint[lsp]'`") from None
    from quotalint.cli.given_files import given_snapshots

    read = given_snapshots(snapshots)
    limit_looks()
    # The server closes its streams, and the caller flushes standard output afterwards.
    server(read).start_io(os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb"))
    return 0


SCHEMAS = {
    "config": ".quotalint.yaml, the configuration.",
    "report": "What `check --format json` and `usage --format json` write.",
    "diff": "What `diff --format json` writes.",
    "suggest": "What `suggest --format json` writes.",
    "rule": "A file of the rule catalogue.",
    "policy": "A rule of your own, in a file that `policies` names.",
    "resource-quota": "A ResourceQuota, as strictly as QL004 reads it.",
    "limit-range": "A LimitRange, as strictly as QL004 reads it.",
}


@click.command(
    cls=Manual,
    examples=(
        ("quotalint schema > .quotalint.schema.json", "For `# yaml-language-server: $schema=…` in .quotalint.yaml."),
        ("quotalint schema report", "The fields that scripts may rely on in a report."),
    ),
    appendix=(("Names", tuple(SCHEMAS.items())),),
)
@click.argument("name", type=click.Choice(tuple(SCHEMAS)), default="config", metavar="[NAME]")
def schema(name: str) -> None:
    """Print the JSON Schema of the configuration, or the one called NAME.

    An editor can use it offline to complete and check a file. It belongs to this version of quotalint.
    """
    with open(os.path.join(schemas_folder(), f"{name}.schema.json"), encoding="utf-8") as file:
        actions.print_report(file.read(), "json")
