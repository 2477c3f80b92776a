"""`quotalint diff`, as click understands it."""

from __future__ import annotations

from typing import Any

import click

from quotalint.cli.completion import RevisionName
from quotalint.cli.formats import CHECK
from quotalint.cli.manual import Manual
from quotalint.cli.options import (
    color,
    finding_option,
    judging_options,
    loudness_options,
    reading_options,
    report_options,
    staged_option,
)
from quotalint.cli.parsed_options import request_of


class Compare(Manual):
    """Two revisions, and paths behind `--`, as git has it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the paths behind `--` aside, because click would read them as revisions."""
        at = args.index("--") if "--" in args else len(args)
        ctx.obj = tuple(args[at + 1 :])
        return super().parse_args(ctx, args[:at])


@click.command(
    cls=Compare,
    options_metavar="[OPTIONS] BASE [HEAD] [-- PATH...]",
    examples=(
        ("quotalint diff main", "What is not merged yet, committed or not."),
        ("quotalint diff origin/main...HEAD", "What a pull request changes."),
        ("quotalint diff v1.4 v1.5 -- clusters/prod", "Between two releases, in one folder."),
        ("quotalint diff --staged", "What the next commit does."),
    ),
    appendix=(
        (
            "Exit status",
            (
                ("0", "No new finding at or above --fail-on."),
                ("1", "A new finding at or above it."),
                ("2", "The run itself failed: no git, no such revision, a bad option. Standard error says why."),
            ),
        ),
    ),
)
@click.argument("base", metavar="", required=False, type=RevisionName())
@click.argument("head", metavar="", required=False, type=RevisionName())
@finding_option(
    "--trust-head-config",
    is_flag=True,
    help="Use the configuration, baseline and suppressions of the change, not those of BASE.",
)
@reading_options
@staged_option("Compare HEAD, or BASE, with")
@judging_options
@report_options(CHECK)
@loudness_options(
    "One line per new finding, and nothing else.", "Show every new finding in full, and name the fixed ones."
)
@color
def diff(base: str | None, head: str | None, **options: Any) -> int:
    """Show what a change does to each quota, and which findings are new or fixed.

    BASE and HEAD are revisions of the git repository around the working directory. Without HEAD, BASE is compared with
    the working tree, including new files. BASE...HEAD compares HEAD with the merge base, as a pull request does. The
    repository is not changed.
    """
    from quotalint.cli.comparing import diff as compare

    request = request_of(click.get_current_context().obj, **options)
    if base is None and not request.staged:
        raise click.UsageError("no revision is given, such as: quotalint diff main")
    if request.staged and (head is not None or ".." in (base or "")):
        raise click.UsageError("--staged compares the index with BASE, so it takes no HEAD")
    return compare(request, base, head)
