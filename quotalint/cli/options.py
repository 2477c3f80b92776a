"""The options that several commands have, and the types of their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click

from quotalint.catalogue import rule_ids
from quotalint.cli.manual import Option
from quotalint.cli.outputs import Output

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

INPUT = "What is read"
DEMAND = "What has to fit"
FINDINGS = "What is reported, and what fails"
REPORTS = "How it is reported"
_FAIL_ON = ("error", "warning", "info", "never", "unknown")
_COLORS = click.Choice(["auto", "always", "never"])


class Format(click.ParamType):  # type: ignore[type-arg]  # generic in click 8.2 and later alone
    """An output format."""

    name = "format"

    def __init__(self, formats: Sequence[str]) -> None:
        self.formats = formats

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The format, if there is such a one."""
        if value not in self.formats:
            there_are = f"there are {', '.join(self.formats[:-1])} and {self.formats[-1]}"
            self.fail(f"{value!r} is not a format; {there_are}", param, ctx)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """The formats that begin so."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(format_name) for format_name in self.formats if format_name.startswith(incomplete)]


class FormatInFile(Format):
    """FORMAT=FILE."""

    name = "format=file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The output, if there is such a format."""
        format_, equals, file = str(value).partition("=")
        if not equals or not file:
            self.fail(f"{value!r} is not FORMAT=FILE, such as json=report.json", param, ctx)
        return Output(super().convert(format_, param, ctx), file)


class Rules(click.ParamType):  # type: ignore[type-arg]  # generic in click 8.2 and later alone
    """RULE[,RULE]: names and prefixes of rules, for the configuration to judge."""

    name = "rules"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """The rules that the last of several may be."""
        from click.shell_completion import CompletionItem

        before, comma, last = incomplete.rpartition(",")
        return [CompletionItem(before + comma + rule_id) for rule_id in rule_ids() if rule_id.startswith(last.upper())]


class FailOn(click.ParamType):  # type: ignore[type-arg]  # generic in click 8.2 and later alone
    """SEVERITY[,unknown]: what makes the run fail."""

    name = "fail-on"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """The words, if all of them are known."""
        words = tuple(part.strip() for part in value.split(",")) if isinstance(value, str) else tuple(value)
        for word in words:
            if word not in _FAIL_ON:
                self.fail(f"{word!r} is not one of {', '.join(_FAIL_ON)}", param, ctx)
        return words

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """What the last of several may be."""
        from click.shell_completion import CompletionItem

        before, comma, last = incomplete.rpartition(",")
        return [CompletionItem(before + comma + word) for word in _FAIL_ON if word.startswith(last)]


def option(*declarations: str, **attributes: Any) -> Decorator:
    """An option of a section."""
    return click.option(*declarations, cls=Option, **attributes)


color = option("--color", type=_COLORS, default="auto", help="Colours and bars; auto: on a terminal.", section=REPORTS)
config = option(
    *("-c", "--config"),
    metavar="FILE",
    type=click.Path(),
    help="Use FILE instead of the nearest .quotalint.yaml.",
    section=INPUT,
)
kube_version = option(
    "--kube-version", metavar="VERSION", help="The Kubernetes release of the cluster, such as 1.36.", section=INPUT
)

nodes = option("--nodes", type=click.IntRange(0), metavar="N", help="How many nodes DaemonSets run on.", section=INPUT)


def limit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say when something is given up for what it takes."""
    return _combine_options(
        option(
            "--max-seconds",
            type=click.IntRange(0),
            metavar="N",
            help="Give up what takes longer than N seconds of computing; 0: nothing. Usual: 5, and 10 a megabyte.",
            section=INPUT,
        ),
        option(
            "--max-memory",
            type=click.IntRange(0),
            metavar="MIB",
            help="Give up what takes more memory; 0: nothing. Usual: 768, and 32 a megabyte.",
            section=INPUT,
        ),
    )(command)


def report_options(formats: Iterable[str]) -> Decorator:
    """The options that say which reports are written."""
    format_names = tuple(formats)
    listed = f"{', '.join(format_names[:-1])} or {format_names[-1]}"
    return _combine_options(
        option("-f", "--format", type=Format(format_names), metavar="FORMAT", help=f"{listed}.", section=REPORTS),
        option(
            *("-o", "--output", "outputs"),
            type=FormatInFile(format_names),
            multiple=True,
            metavar="FORMAT=FILE",
            help="Write a report to a file as well; may be given several times, and - is standard output.",
            section=REPORTS,
        ),
        option(
            "--link",
            metavar="URL",
            default="",
            help="html, markdown: where the repository can be read, or a pattern with {file} and {line}; CI says it.",
            section=REPORTS,
        ),
        option(
            "--history",
            metavar="FILE",
            multiple=True,
            type=click.Path(),
            help="html: a JSON report of an earlier run, or a folder of them, for how full quotas were.",
            section=REPORTS,
        ),
    )


def demand_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say what has to fit."""
    return _combine_options(
        option(
            "--scenario",
            type=click.Choice(["steady", "surge", "peak"]),
            help="The demand that has to fit: settled (default), with the largest rollout or run, or all at once.",
            section=DEMAND,
        ),
        option(
            "--enforcement",
            type=click.Choice(["admission", "deferred"]),
            help="When compute quotas refuse pods: at admission (default), or deferred to scheduling.",
            section=DEMAND,
        ),
    )(command)


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command that reads a repository."""
    return _combine_options(
        config,
        option(
            *("--with", "snapshots"),
            metavar="[ENV=]FILE",
            multiple=True,
            help="What a cluster holds beside this: what `quotalint snapshot` or `kubectl get -o yaml` wrote.",
            section=INPUT,
        ),
        kube_version,
        nodes,
        option(
            "-j", "--jobs", type=click.IntRange(1), metavar="N", help="How many processes read files.", section=INPUT
        ),
        option(
            "--no-cache",
            is_flag=True,
            help="Work everything out afresh, and keep nothing (see `quotalint cache`).",
            section=INPUT,
        ),
        limit_options,
        demand_options,
    )(command)


def staged_option(verb: str) -> Decorator:
    """`--staged`, for hooks that run before a commit."""
    return option(
        "--staged", is_flag=True, help=f"{verb} what git would commit now, not the working tree.", section=INPUT
    )


def judging_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say what is reported, and what fails."""
    return _combine_options(
        option(
            "--select",
            metavar="RULE[,RULE]",
            type=Rules(),
            help="Report only these rules; prefixes work: QL3.",
            section=FINDINGS,
        ),
        option(
            "--ignore",
            metavar="RULE[,RULE]",
            type=Rules(),
            help="Do not report these rules, nor those the configuration ignores.",
            section=FINDINGS,
        ),
        option(
            "--fail-on",
            metavar="SEVERITY[,unknown]",
            type=FailOn(),
            multiple=True,
            help="The least severity that makes the exit status 1: error (the default), warning, info or never. With "
            "unknown also what is not known.",
            section=FINDINGS,
        ),
    )(command)


def loudness_options(quiet: str, verbose: str) -> Decorator:
    """How much is said."""
    return _combine_options(
        option("-q", "--quiet", is_flag=True, help=quiet, section=REPORTS),
        option("-v", "--verbose", is_flag=True, help=verbose, section=REPORTS),
    )


def _combine_options(*decorators: Decorator) -> Decorator:
    """Several options, shown in this order."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate
