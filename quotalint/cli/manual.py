"""`--help` as a manual page: a description, examples, options by section, exit status, files, environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

Rows = Sequence[tuple[str, str]]

EXIT_STATUS: Rows = (
    ("0", "Nothing at or above --fail-on (error, unless the configuration says otherwise)."),
    ("1", "Findings at or above it."),
    ("2", "The run itself failed: a bad option, a bad configuration, no such path. Standard error says why."),
)
FILES: Rows = (
    (".quotalint.yaml", "The configuration: the nearest one upwards from PATH; `quotalint init` writes one."),
    (".quotalint-baseline.yaml", "Accepted findings, which are not reported; --write-baseline writes it."),
    (".gitignore", "Files that are not read."),
)
ENVIRONMENT: Rows = (
    ("NO_COLOR", "If set: no colours."),
    ("FORCE_COLOR", "If set, and not 0: colours and bars without a terminal, too; so does CLICOLOR_FORCE."),
    ("TERM", "dumb: no colours, no bars, no progress."),
    ("PATH", "Where to find git for `diff`, and helm, kustomize and kubectl for rendering."),
    ("QUOTALINT_CACHE_DIR", "The folder of the cache; see `quotalint cache --help`."),
    ("QUOTALINT_NO_CACHE", "If set: the same as --no-cache."),
    ("QUOTALINT_DEBUG", "If set: a bug in quotalint shows its traceback."),
)
_LAST = "Other options"


class Option(click.Option):
    """An option that knows the section of the manual it is in."""

    def __init__(self, *declarations: Any, section: str = _LAST, **attributes: Any) -> None:
        super().__init__(*declarations, **attributes)
        self.section = section


class Manual(click.Command):
    """A command whose `--help` is a manual page. `examples` and `appendix` have rows of a term and its meaning."""

    def __init__(
        self, *arguments: Any, examples: Rows = (), appendix: Sequence[tuple[str, Rows]] = (), **attributes: Any
    ) -> None:
        super().__init__(*arguments, **attributes)
        self.examples = examples
        self.appendix = appendix

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Examples first, because most readers look for them."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if isinstance(param, click.Option) and record is not None:
                sections.setdefault(getattr(param, "section", _LAST), []).append(record)
        last = sections.pop(_LAST, [])
        last_section = (_LAST if sections else "Options", last)
        pages = (("Examples", self.examples), *sections.items(), last_section, *self.appendix)
        for title, rows in pages:
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows, col_max=36)
