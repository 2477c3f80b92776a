"""`cache`: what is kept from run to run, and how to be rid of it."""

from __future__ import annotations

import click

from quotalint.cache import folder
from quotalint.cli import actions
from quotalint.cli.manual import Manual
from quotalint.reports.terminal import count_noun

WHERE = (
    ("QUOTALINT_CACHE_DIR", "The folder, if it is set."),
    ("XDG_CACHE_HOME", "Otherwise: the folder `quotalint` in it."),
    ("", "Otherwise: ~/.cache/quotalint; on macOS ~/Library/Caches/quotalint, on Windows %LOCALAPPDATA%."),
)


@click.command(
    cls=Manual,
    examples=(
        ("quotalint cache info", "Where it is, and how large."),
        ("quotalint cache clear", "Throw it away; nothing but time is lost."),
        ("quotalint --no-cache", "Check without it, once."),
    ),
    appendix=(("Where it is", WHERE),),
)
@click.argument("action", type=click.Choice(("info", "clear")), metavar="info|clear")
def cache(action: str) -> None:
    """Show or clear what is kept from run to run.

    `check`, `usage` and `render` keep their answer and give it again while nothing has changed that it rests on: no
    file of the repository, no option, no program, no version of quotalint.
    """
    at = folder.cache_folder()
    if not at:
        actions.print_report("Nothing is kept: the environment names no folder.\n")
    elif action == "clear":
        actions.print_report(f"{at}: removed {count_noun(folder.clear(at), 'entry', 'entries')}\n")
    else:
        entries = list(folder.kept_entries(at))
        size = sum(size for _, size, _ in entries)
        of = f"{size / 1e6:.1f} of {folder.MOST_BYTES / 1e6:.0f} MB"
        distrusted = bool(entries) and not folder.is_trusted(at)
        hint = "; not used: it belongs to somebody else, or others may write to it" if distrusted else ""
        actions.print_report(f"{at}: {count_noun(len(entries), 'entry', 'entries')}, {of}{hint}\n")
