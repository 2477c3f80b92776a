"""`--help` in the sections of a manual page: what a command does, examples, its options by what they are about, exit
status, files, environment."""

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
    (".quotalint.yaml", "The configuration: the nearest one from PATH upwards; `quotalint init` writes one."),
    (".quotalint-baseline.yaml", "Findings that are known and not reported; --write-baseline writes it."),
    (".gitignore", "What it names is not read."),
)
ENVIRONMENT: Rows = (
    ("NO_COLOR", "If set: no colours."),
    ("TERM", "dumb: no colours, no bars, no progress."),
    ("PATH", "Where helm, kustomize, kubectl and git are looked for: for charts, rare kustomizations, and `diff`."),
    ("QUOTALINT_CACHE_DIR", "The folder for what is kept from run to run; by default in that of the user's caches."),
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
    """A command whose `--help` is a manual page. `examples` and `appendix` are rows of what to type, or what there is,
    and what that means."""

    def __init__(
        self, *arguments: Any, examples: Rows = (), appendix: Sequence[tuple[str, Rows]] = (), **attributes: Any
    ) -> None:
        super().__init__(*arguments, **attributes)
        self.examples = examples
        self.appendix = appendix

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Examples first, since most readers look for nothing else."""
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
