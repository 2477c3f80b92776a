"""The parsed command line, and the error that ends a run. All commands share them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quotalint.cli import printing
from quotalint.cli.fixing import Fixes
from quotalint.cli.formats import PageOptions
from quotalint.cli.outputs import Output
from quotalint.named_tuples import NamedTuple
from quotalint.settings import Options

if TYPE_CHECKING:
    from quotalint.reports.chosen_quotas import Choice


class CannotRun(Exception):  # noqa: N818  # what happened, not a class of errors
    """The run itself failed; the message tells the user why."""


def tell_failure(error: CannotRun) -> None:
    """Print why the run failed. The text may quote a file, so it must not control the terminal."""
    for line in str(error).splitlines():
        printing.tell(f"quotalint: {line}")


class Request(NamedTuple):
    """The parsed command line."""

    paths: tuple[str, ...] = ()
    outputs: tuple[Output, ...] = (Output("text"),)
    color: str = "auto"
    quiet: bool = False
    verbose: bool = False
    jobs: int | None = None
    snapshots: tuple[str, ...] = ()
    options: Options = Options()
    baseline: str | None = None
    write_baseline: bool = False
    fixes: Fixes = Fixes()
    trust_head_config: bool = False
    """Use the configuration, baseline and suppressions of the change, not those of the base."""
    staged: bool = False
    """Check the index, not the working tree."""
    choice: Choice | None = None
    """The quotas that `usage` shows; None: all."""
    asked: PageOptions = PageOptions()
    """Options of HTML and Markdown reports."""
    fails_on_unknown: bool = False
    """Exit with 1 also if the verdict is unknown."""
