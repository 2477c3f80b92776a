"""The options that several commands have, and the types of their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import click

from quotalint.catalogue import rule_ids
from quotalint.cli.manual import Option
from quotalint.cli.outputs import Output

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

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
        """Completions of the last word of a list."""
        from click.shell_completion import CompletionItem

        before, comma, last = incomplete.rpartition(",")
        return [CompletionItem(before + comma + word) for word in _FAIL_ON if word.startswith(last)]


def option(*declarations: str, **attributes: Any) -> Decorator:
    """An option in a section of the manual."""
    return click.option(*declarations, cls=Option, **attributes)


def options_of(section: str) -> Callable[..., Decorator]:
    """What makes the options of a section of the manual."""
    return partial(option, section=section)


input_option = options_of("Input")
demand_option = options_of("Demand")
finding_option = options_of("Findings and exit status")
report_option = options_of("Reports")

color = report_option("--color", type=_COLORS, default="auto", help="Use colours and bars (auto: on a terminal).")
config = input_option(
    *("-c", "--config"), metavar="FILE", type=click.Path(), help="Use FILE instead of the nearest .quotalint.yaml."
)
kube_version = input_option(
    "--kube-version", metavar="VERSION", help="The Kubernetes release of the cluster, such as 1.36."
)
nodes = input_option("--nodes", type=click.IntRange(0), metavar="N", help="Number of nodes that DaemonSets run on.")


def limit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that limit time and memory."""
    return _combine_options(
        input_option(
            "--max-seconds",
            type=click.IntRange(0),
            metavar="N",
            help="CPU limit in seconds (0: none). Default: 120 for each stage, plus 10 per megabyte of input.",
        ),
        input_option(
            "--max-memory",
            type=click.IntRange(0),
            metavar="MIB",
            help="Memory limit in MiB (0: none). Default: 768, plus 32 per megabyte of input.",
        ),
    )(command)


def report_options(formats: Iterable[str]) -> Decorator:
    """The options that choose the reports."""
    format_names = tuple(formats)
    listed = f"{', '.join(format_names[:-1])} or {format_names[-1]}"
    return _combine_options(
        report_option("-f", "--format", type=Format(format_names), metavar="FORMAT", help=f"{listed}."),
        report_option(
            *("-o", "--output", "outputs"),
            type=FormatInFile(format_names),
            multiple=True,
            metavar="FORMAT=FILE",
            help="Also write a report to a file; may be given several times; - is standard output.",
        ),
        report_option(
            "--link",
            metavar="URL",
            default="",
            help="html, markdown: the address of the repository, or a pattern with {file} and {line}. Detected in CI.",
        ),
        report_option(
            "--history",
            metavar="FILE",
            multiple=True,
            type=click.Path(),
            help="html: a JSON report of an earlier run, or a folder of them, to show how full quotas were.",
        ),
    )


def demand_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that choose the demand."""
    return _combine_options(
        demand_option(
            "--scenario",
            type=click.Choice(["steady", "surge", "peak"]),
            help="The demand that must fit: settled (default), with the largest rollout or run, or all at once "
            "(but no pods that take longer to terminate than new ones to start).",
        ),
        demand_option(
            "--enforcement",
            type=click.Choice(["admission", "deferred"]),
            help="When compute quotas refuse pods: at admission (default), or later at scheduling (deferred).",
        ),
    )(command)


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command that reads a repository."""
    return _combine_options(
        config,
        input_option(
            *("--with", "snapshots"),
            metavar="[ENV=]FILE",
            multiple=True,
            help="Objects of a cluster to add: the output of `quotalint snapshot` or `kubectl get -o yaml`.",
        ),
        kube_version,
        nodes,
        input_option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Number of processes that read files."),
        input_option(
            "--no-cache", is_flag=True, help="Compute everything again, and store nothing (see `quotalint cache`)."
        ),
        limit_options,
        demand_options,
    )(command)


quota_option = input_option(
    *("--quota", "quotas"),
    metavar="FILE",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    help="A file with a quota for what PATH deploys, such as a chart that nothing deploys.",
)


def staged_option(verb: str) -> Decorator:
    """`--staged`, for hooks that run before a commit."""
    return input_option("--staged", is_flag=True, help=f"{verb} what git would commit now, not the working tree.")


def judging_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that choose the findings, and what fails."""
    return _combine_options(
        finding_option(
            "--select", metavar="RULE[,RULE]", type=Rules(), help="Report only these rules; prefixes work: QL3."
        ),
        finding_option(
            "--ignore",
            metavar="RULE[,RULE]",
            type=Rules(),
            help="Do not report these rules, in addition to those that the configuration ignores.",
        ),
        finding_option(
            "--fail-on",
            metavar="SEVERITY[,unknown]",
            type=FailOn(),
            multiple=True,
            help="The lowest severity that makes the exit status 1: error (default), warning, info or never. Add "
            "unknown to fail on an unknown verdict too.",
        ),
    )(command)


def loudness_options(quiet: str, verbose: str) -> Decorator:
    """How much is printed."""
    return _combine_options(
        report_option("-q", "--quiet", is_flag=True, help=quiet),
        report_option("-v", "--verbose", is_flag=True, help=verbose),
    )


def _combine_options(*decorators: Decorator) -> Decorator:
    """Several options, shown in this order."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate
