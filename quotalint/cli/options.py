"""The options that several commands share, and what they mean."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from quotalint.reports.terminal import Terminal

PLANNED_FORMATS = ("sarif", "github", "gitlab", "junit", "markdown", "html")


class Format(click.ParamType):  # type: ignore[type-arg]  # generic in click 8.2 and later alone
    """An output format; the planned ones are refused by name."""

    name = "format"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The format, if this version has it."""
        if value in PLANNED_FORMATS:
            self.fail(f"{value} is not supported yet by this version; there are text and json", param, ctx)
        if value not in ("text", "json"):
            self.fail(f"{value!r} is no format; there are text and json", param, ctx)
        return str(value)


def project_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """PATH and the options of every command that reads a repository."""
    for decorate in reversed(
        (
            click.argument("paths", metavar="[PATH]...", nargs=-1),
            click.option(
                "-f", "--format", "output", type=Format(), default="text", metavar="FORMAT", help="text or json."
            ),
            click.option(
                "-c", "--config", metavar="FILE", help="Use this file instead of the nearest .quotalint.yaml."
            ),
            click.option("--kube-version", metavar="VERSION", help="The Kubernetes release, such as 1.34."),
            click.option("--nodes", type=click.IntRange(0), metavar="N", help="How many nodes DaemonSets run on."),
            click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="How many processes read files."),
            click.option(
                "--color",
                type=click.Choice(["auto", "always", "never"]),
                default="auto",
                help="Colours and bars: on a terminal (auto), always or never.",
            ),
        )
    ):
        command = decorate(command)
    return command


def terminal(color: str) -> Terminal:
    """What the report is written to."""
    from quotalint.reports.terminal import Terminal

    is_terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    colored = color == "always" or (color == "auto" and is_terminal and not os.environ.get("NO_COLOR"))
    width = _width() if is_terminal else 100
    return Terminal(color=colored, bars=color == "always" or (color == "auto" and is_terminal), width=width)


def _width() -> int:
    try:
        return min(max(os.get_terminal_size(sys.stdout.fileno()).columns, 60), 140)
    except OSError:
        return 100
