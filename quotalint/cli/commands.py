"""The commands and their options, as click understands them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click

from quotalint.cli import COMMANDS, PLANNED_COMMANDS, actions
from quotalint.cli.actions import CannotRun, Request
from quotalint.cli.fixing import Fixes
from quotalint.cli.formats import CHECK, USAGE
from quotalint.cli.outputs import Output, wanted_outputs
from quotalint.settings import Options
from quotalint.version import __version__

_PLANNED_FORMATS = ("html",)
_PLANNED_OPTIONS = "--no-cache"
_COLORS = click.Choice(["auto", "always", "never"])


def run(arguments: Sequence[str]) -> int:
    """Run a command line; the exit status."""
    arguments = list(arguments)
    first = arguments[0] if arguments else ""
    if first in PLANNED_COMMANDS and not os.path.lexists(first):
        raise CannotRun(f"`quotalint {first}` is not supported yet by this version ({__version__})")
    if first not in (*COMMANDS, "-h", "--help", "--version", "-V"):
        arguments.insert(0, "check")
    try:
        status = main.main(arguments, prog_name="quotalint", standalone_mode=False)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.NoSuchOption as error:
        if error.option_name in _PLANNED_OPTIONS:
            raise CannotRun(f"{error.option_name} is not supported yet by this version ({__version__})") from None
        error.show(sys.stderr)
        return 2
    except click.ClickException as error:
        error.show(sys.stderr)
        return 2
    return status if isinstance(status, int) else 0


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "-V", "--version", message="quotalint %(version)s")
def main() -> None:
    """Checks the Kubernetes quotas of a repository before you merge: offline, without a cluster.

    quotalint reads every manifest below PATH and says, with file and line, which ResourceQuotas the API server will
    refuse, which entries it will accept and never enforce, which namespaces ask for more than their quota, and which
    pods will be refused.

    \b
      quotalint                            check this folder (quotalint check .)
      quotalint usage                      how full every quota will be, and who uses it
      quotalint diff main                  what a change does to quotas
      quotalint explain QL301              why a rule exists, with examples
      kubectl get quota -o yaml | quotalint -

    \b
    Exit status:
      0  nothing at or above --fail-on (error by default)
      1  findings at or above it
      2  the run itself failed: a bad option, a bad configuration, no such path
    """


class Format(click.ParamType):  # type: ignore[type-arg]  # generic in click 8.2 and later alone
    """An output format; those of later versions are refused by name."""

    name = "format"

    def __init__(self, formats: Sequence[str]) -> None:
        self.formats = formats

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The format, if this version has it."""
        if value not in self.formats:
            there_are = f"there are {', '.join(self.formats[:-1])} and {self.formats[-1]}"
            planned = value in _PLANNED_FORMATS
            refused = f"{value} is not supported yet by this version" if planned else f"{value!r} is no format"
            self.fail(f"{refused}; {there_are}", param, ctx)
        return str(value)


class FormatInFile(Format):
    """FORMAT=FILE."""

    name = "format=file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The output, if this version has the format."""
        format_, equals, file = str(value).partition("=")
        if not equals or not file:
            self.fail(f"{value!r} is not FORMAT=FILE, such as json=report.json", param, ctx)
        return Output(super().convert(format_, param, ctx), file)


def reports(formats: Iterable[str]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options that say which reports are written."""
    names = tuple(formats)

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        listed = f"{', '.join(names[:-1])} or {names[-1]}"
        command = click.option(
            *("-o", "--output", "outputs"),
            type=FormatInFile(names),
            multiple=True,
            metavar="FORMAT=FILE",
            help="Write a report to a file as well; may be given several times, and - is standard output.",
        )(command)
        return click.option("-f", "--format", type=Format(names), metavar="FORMAT", help=f"{listed}.")(command)

    return decorate


def project(command: Callable[..., Any]) -> Callable[..., Any]:
    """PATH and the options of every command that reads a repository."""
    return click.argument("paths", metavar="[PATH]...", nargs=-1)(reading(command))


def reading(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command that reads a repository."""
    for decorate in reversed(
        (
            click.option("-c", "--config", metavar="FILE", help="Use FILE instead of the nearest .quotalint.yaml."),
            click.option("--kube-version", metavar="VERSION", help="The Kubernetes release, such as 1.34."),
            click.option("--nodes", type=click.IntRange(0), metavar="N", help="How many nodes DaemonSets run on."),
            click.option(
                "--scenario",
                type=click.Choice(["steady", "surge", "peak"]),
                help="The demand that has to fit: settled (default), with the largest rollout or run, or all at once.",
            ),
            click.option(
                "--enforcement",
                type=click.Choice(["admission", "deferred"]),
                help="When compute quotas refuse pods: at admission (default), or deferred to scheduling.",
            ),
            click.option(
                *("--with", "snapshots"),
                metavar="[ENV=]FILE",
                multiple=True,
                help="What a cluster holds beside this: kubectl get quota,limits,deploy,pod -A -o yaml.",
            ),
            click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="How many processes read files."),
            click.option("--color", type=_COLORS, default="auto", help="Colours and bars; auto: on a terminal."),
        )
    ):
        command = decorate(command)
    return command


def judging(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say what is reported, and what fails."""
    fail_on = click.option(
        "--fail-on",
        type=click.Choice(["error", "warning", "info", "never"]),
        help="The least severity that makes the exit status 1 (default: error).",
    )
    ignored = "Do not report these rules, nor those the configuration ignores."
    ignore = click.option("--ignore", metavar="RULE[,RULE]", help=ignored)
    selected = "Report only these rules; prefixes work: QL3."
    return click.option("--select", metavar="RULE[,RULE]", help=selected)(ignore(fail_on(command)))


@main.command()
@reports(CHECK)
@project
@judging
@click.option("--baseline", metavar="FILE", help="Report only what is not in FILE (default: .quotalint-baseline.yaml).")
@click.option("--write-baseline", is_flag=True, help="Write everything that is found to the baseline.")
@click.option("--fix", is_flag=True, help="Repair what leaves no doubt, then report what remains.")
@click.option("--unsafe-fixes", is_flag=True, help="Also repair what takes a decision: larger quotas, default limits.")
@click.option("--diff", is_flag=True, help="Show what --fix would write, instead of the report, and write nothing.")
@click.option("-q", "--quiet", is_flag=True, help="One line a finding, and no summary.")
@click.option("-v", "--verbose", is_flag=True, help="Show every info finding, and name everything that was skipped.")
def check(**given: Any) -> int:
    """Print what is wrong, and exit with 1 if any of it is an error.

    PATH is a file, a folder (default: .), or - for standard input.
    """
    return actions.check(_request(**given))


@main.command()
@reports(USAGE)
@project
def usage(**given: Any) -> int:
    """Print how full every quota will be once everything has settled, and who uses it.

    PATH is a file, a folder (default: .), or - for standard input.
    """
    return actions.usage(_request(**given))


class Compare(click.Command):
    """Two revisions, and paths behind `--`, as git has it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """What click would take for more revisions is put aside."""
        at = args.index("--") if "--" in args else len(args)
        ctx.obj = tuple(args[at + 1 :])
        return super().parse_args(ctx, args[:at])


@main.command(cls=Compare, options_metavar="[OPTIONS] BASE [HEAD] [-- PATH...]")
@click.argument("base", metavar="", required=False)
@click.argument("head", metavar="", required=False)
@reports(CHECK)
@reading
@judging
@click.option("-q", "--quiet", is_flag=True, help="One line a new finding, and nothing else.")
@click.option("-v", "--verbose", is_flag=True, help="Show every new finding in full, and name the fixed ones.")
def diff(base: str | None, head: str | None, **given: Any) -> int:
    """Print what a change adds to each quota and takes from it, and which findings are new or fixed.

    BASE and HEAD are revisions of the git repository around the working directory; without HEAD, the working tree is
    compared, new files included. BASE...HEAD compares HEAD with where the two parted, as a pull request does. Nothing
    of the repository is touched.

    \b
      quotalint diff main                       what is not yet merged, committed or not
      quotalint diff origin/main...HEAD         what a pull request changes
      quotalint diff v1.4 v1.5 -- clusters/prod

    The exit status is 1 if a new finding is at or above --fail-on.
    """
    from quotalint.cli.comparing import diff as compare

    if base is None:
        raise click.UsageError("which revision to compare with? For example: quotalint diff main")
    return compare(_request(click.get_current_context().obj, **given), base, head)


@main.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("--root", metavar="DIR", help="Render the kustomization in DIR alone.")
@click.option("-c", "--config", metavar="FILE", help="Use FILE instead of the nearest .quotalint.yaml.")
@click.option("--kube-version", metavar="VERSION", help="The Kubernetes release, such as 1.34.")
def render(paths: tuple[str, ...], root: str | None, **options: Any) -> int:
    """Print the objects as they will be applied, after rendering, as YAML.

    Two annotations are added: quotalint.dev/environment names the environment, and quotalint.dev/origin the file and
    line that an object comes from, then what patched it. What could not be rendered is said on standard error.
    """
    return actions.render(_request(paths, **options), root)


@main.command()
@click.option("-f", "--format", type=Format(("text", "json")), default="text", metavar="FORMAT", help="text or json.")
@click.option("--color", type=_COLORS, default="auto", help="Colours; auto: on a terminal.")
def rules(format: str, color: str) -> None:  # noqa: A002  # the option's name
    """List the rules."""
    from quotalint.reports.catalogue_text import render_rules, render_rules_json

    actions.write(render_rules_json() if format == "json" else render_rules(actions.terminal(color)))


@main.command()
@click.argument("rule")
@click.option("--color", type=_COLORS, default="auto", help="Colours; auto: on a terminal.")
def explain(rule: str, color: str) -> None:
    """Say why a rule exists, what Kubernetes does, and what to write.

    RULE is an id (QL301) or a name (quota-exceeded).
    """
    from quotalint.catalogue import find_rule
    from quotalint.reports.catalogue_text import render_rule

    found = find_rule(rule)
    if isinstance(found, str):
        hint = f"did you mean {found.upper() if found.startswith('ql') else found}?" if found else ""
        raise CannotRun(f"there is no rule {rule!r}; {hint or '`quotalint rules` lists them'}")
    actions.write(render_rule(found, actions.terminal(color)))


@main.command()
@click.argument("folder", default=".", type=click.Path(exists=True, file_okay=False))
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def init(folder: str, force: bool) -> None:
    """Write a commented .quotalint.yaml into FOLDER (default: .)."""
    from quotalint.init import starter, write

    path = os.path.join(folder, ".quotalint.yaml")
    error = write(path, starter(folder), force)
    if error:
        raise CannotRun(error)
    sys.stderr.write(f"wrote {path}\n")


def _request(
    paths: tuple[str, ...],
    format: str | None = None,  # noqa: A002  # the option's name
    outputs: tuple[Output, ...] = (),
    color: str = "auto",
    jobs: int | None = None,
    snapshots: tuple[str, ...] = (),
    quiet: bool = False,
    verbose: bool = False,
    select: str | None = None,
    ignore: str | None = None,
    baseline: str | None = None,
    write_baseline: bool = False,
    fix: bool = False,
    unsafe_fixes: bool = False,
    diff: bool = False,
    **options: Any,
) -> Request:
    wanted = Options(select=_listed(select), ignore=_listed(ignore), **options)
    written = wanted_outputs(format, outputs)
    if isinstance(written, str):
        raise CannotRun(written)
    if diff and written[-1].format != "text":
        raise CannotRun(f"--diff and a report as {written[-1].format}: one of them alone can go to standard output")
    fixes = Fixes(fix or unsafe_fixes, unsafe_fixes, diff)
    return Request(paths, written, color, quiet, verbose, jobs, snapshots, wanted, baseline, write_baseline, fixes)


def _listed(value: str | None) -> tuple[str, ...] | None:
    return None if value is None else tuple(part.strip() for part in value.split(",") if part.strip())
