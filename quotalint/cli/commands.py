"""The commands and their options, as click understands them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from quotalint.cli import COMMANDS, PLANNED_COMMANDS, actions
from quotalint.cli.actions import CannotRun, Request
from quotalint.settings import Options
from quotalint.version import __version__

_PLANNED_FORMATS = ("sarif", "github", "gitlab", "junit", "markdown", "html")
_PLANNED_OPTIONS = (*("--fix", "--diff", "--baseline", "--write-baseline", "--output", "--no-cache"),)
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

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The format, if this version has it."""
        if value in _PLANNED_FORMATS:
            self.fail(f"{value} is not supported yet by this version; there are text and json", param, ctx)
        if value not in ("text", "json"):
            self.fail(f"{value!r} is no format; there are text and json", param, ctx)
        return str(value)


def project(command: Callable[..., Any]) -> Callable[..., Any]:
    """PATH and the options of every command that reads a repository."""
    for decorate in reversed(
        (
            click.argument("paths", metavar="[PATH]...", nargs=-1),
            click.option("-f", "--format", type=Format(), default="text", metavar="FORMAT", help="text or json."),
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


@main.command()
@project
@click.option("--select", metavar="RULE[,RULE]", help="Report only these rules; prefixes work: QL3.")
@click.option("--ignore", metavar="RULE[,RULE]", help="Do not report these rules, nor those the configuration ignores.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "info", "never"]),
    help="The least severity that makes the exit status 1 (default: error).",
)
@click.option("-q", "--quiet", is_flag=True, help="One line a finding, and no summary.")
@click.option("-v", "--verbose", is_flag=True, help="Show every info finding, and name everything that was skipped.")
def check(**given: Any) -> int:
    """Print what is wrong, and exit with 1 if any of it is an error.

    PATH is a file, a folder (default: .), or - for standard input.
    """
    return actions.check(_request(**given))


@main.command()
@project
def usage(**given: Any) -> int:
    """Print how full every quota will be once everything has settled, and who uses it.

    PATH is a file, a folder (default: .), or - for standard input.
    """
    return actions.usage(_request(**given))


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
    return actions.render(_request(paths, "text", "auto", None, **options), root)


@main.command()
@click.option("-f", "--format", type=Format(), default="text", metavar="FORMAT", help="text or json.")
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
    format: str,  # noqa: A002  # the option's name
    color: str,
    jobs: int | None,
    snapshots: tuple[str, ...] = (),
    quiet: bool = False,
    verbose: bool = False,
    select: str | None = None,
    ignore: str | None = None,
    **options: Any,
) -> Request:
    wanted = Options(select=_listed(select), ignore=_listed(ignore), **options)
    return Request(paths, format, color, quiet, verbose, jobs, snapshots, wanted)


def _listed(value: str | None) -> tuple[str, ...] | None:
    return None if value is None else tuple(part.strip() for part in value.split(",") if part.strip())
