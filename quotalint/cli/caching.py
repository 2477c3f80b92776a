"""`cache`: shows or clears the cache."""

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
        ("quotalint cache info", "Show its folder and size."),
        ("quotalint cache clear", "Clear it; the next run is only slower."),
        ("quotalint --no-cache", "Check once without it."),
    ),
    appendix=(("Folder", WHERE),),
)
@click.argument("action", type=click.Choice(("info", "clear")), metavar="info|clear")
def cache(action: str) -> None:
    """Show or clear the cache.

    `check`, `usage` and `render` store their answer, and print it again if nothing that it depends on has changed: no
    file of the repository, no option, no program, no version of quotalint.
    """
    at = folder.cache_folder()
    if not at:
        actions.print_report("No cache: the environment names no folder.\n")
    elif action == "clear":
        actions.print_report(f"{at}: removed {count_noun(folder.clear(at), 'entry', 'entries')}\n")
    else:
        entries = list(folder.kept_entries(at))
        size = sum(size for _, size, _ in entries)
        of = f"{size / 1e6:.1f} of {folder.MOST_BYTES / 1e6:.0f} MB"
        distrusted = bool(entries) and not folder.is_trusted(at)
        hint = "; not used: it belongs to another user, or others may write to it" if distrusted else ""
        actions.print_report(f"{at}: {count_noun(len(entries), 'entry', 'entries')}, {of}{hint}\n")
