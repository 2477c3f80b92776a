"""The commands, as click parses them."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Sequence
from typing import Any

import click

from quotalint.cli import COMMANDS, COMPLETING, actions, printing
from quotalint.cli.about import completion, explain, init, rules
from quotalint.cli.completion import answer_shell
from quotalint.cli.formats import CHECK, USAGE
from quotalint.cli.habits import as_commands_here, option_here
from quotalint.cli.manual import ENVIRONMENT, EXIT_STATUS, FILES, Manual
from quotalint.cli.options import (
    color,
    config,
    finding_option,
    judging_options,
    kube_version,
    limit_options,
    loudness_options,
    option,
    options_of,
    quota_option,
    reading_options,
    report_options,
    staged_option,
)
from quotalint.cli.parsed_options import request_of
from quotalint.cli.request import Request
from quotalint.version import __version__

fix_option = options_of("Fixes")
shown_option = options_of("Quotas to show")


def run_commands(arguments: Sequence[str]) -> int:
    """Run a command line; the exit status."""
    arguments = as_commands_here(arguments)
    if COMPLETING in os.environ:
        return answer_shell(main)
    typed = tuple(arguments)
    first = arguments[0] if arguments else ""
    if first not in (*COMMANDS, "-h", "--help", "--version", "-V"):
        arguments.insert(0, "check")
    try:
        status = main.main(arguments, prog_name="quotalint", standalone_mode=False, obj=typed)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        for line in _error_lines(error):
            printing.tell(line)
        return 2
    return status if isinstance(status, int) else 0


def _error_lines(error: click.ClickException) -> list[str]:
    """The lines of click's message about a command line, which may contain file names of the repository."""
    if isinstance(error, click.NoSuchOption) and (hint := option_here(error.option_name)):
        return [f"quotalint: no such option: {error.option_name}; {hint}"]
    with io.StringIO() as shown:
        error.show(shown)
        return shown.getvalue().splitlines()


LATER = {
    "cache": "quotalint.cli.caching",
    "diff": "quotalint.cli.diff_command",
    "fleet": "quotalint.cli.fleets",
    "lsp": "quotalint.cli.editing",
    "schema": "quotalint.cli.editing",
    "suggest": "quotalint.cli.deciding",
    "what-if": "quotalint.cli.deciding",
    "snapshot": "quotalint.cli.snapshot_command",
    "vendor": "quotalint.cli.vendor_command",
}
"""The modules of the commands that are imported only if they run, each with a function of the command's name."""


class Contents(Manual, click.Group):
    """The manual page of the whole program."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command; a rare one is imported here, so that it costs the others nothing."""
        if cmd_name in LATER and cmd_name not in self.commands:
            from importlib import import_module

            self.add_command(getattr(import_module(LATER[cmd_name]), cmd_name.replace("-", "_")), cmd_name)
        return super().get_command(ctx, cmd_name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order that people need them."""
        return list(COMMANDS)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, each with its summary, before the options."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, command_of(name).get_short_help_str(1000)) for name in COMMANDS])
        Manual.format_options(self, ctx, formatter)


@click.group(
    cls=Contents,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    options_metavar="",
    subcommand_metavar="[check] [OPTIONS] [PATH]... | COMMAND ...",
    examples=(
        ("quotalint", "Check this folder."),
        ("quotalint usage", "How full every quota will be, and who uses it."),
        ("quotalint diff main", "What a change does to quotas."),
        ("quotalint explain QL301", "Why a rule exists, with examples."),
        ("quotalint --fix", "Apply the safe fixes."),
        ("kubectl get quota -o yaml | quotalint -", "Check the objects of a cluster."),
    ),
    appendix=(("Exit status", EXIT_STATUS), ("Files", FILES), ("Environment", ENVIRONMENT)),
)
@click.version_option(__version__, "-V", "--version", message="quotalint %(version)s")
def main() -> None:
    """Checks the Kubernetes quotas of a repository before you merge: offline, without a cluster.

    quotalint reads every manifest below PATH and says, with file and line, which ResourceQuotas the API server will
    refuse, which entries it will accept and never enforce, which namespaces ask for more than their quota, and which
    pods will be refused.

    Without a command it checks; `quotalint check --help` lists the options.
    """


def command_of(name: str) -> click.Command:
    """One of COMMANDS."""
    command = main.get_command(click.Context(main), name)
    assert command is not None
    return command


watch_option = option("--watch", is_flag=True, help="Run again whenever a file changes, until Ctrl-C.")


def project_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """PATH and the options of every command that reads a repository."""
    return click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path())(reading_options(command))


@main.command(
    cls=Manual,
    examples=(
        ("quotalint", "Check this folder."),
        ("quotalint clusters/prod apps", "Check two folders; quotalint finds bases elsewhere in the repository."),
        ("quotalint --fail-on warning", "Fail on warnings, too."),
        ("quotalint --select QL3,QL4", "Only what will not fit or will be refused."),
        ("quotalint --scenario surge", "Also demand room for a rollout."),
        ("quotalint -o sarif=quota.sarif -o markdown=quota.md", "Also write two files."),
        ("quotalint --fix --diff", "Show what --fix would write."),
        ("quotalint --write-baseline", "Accept the current findings; report only new ones from now on."),
        ("kubectl get quota -o yaml | quotalint -", "Check standard input."),
    ),
    appendix=(("Exit status", EXIT_STATUS), ("Files", FILES), ("Environment", ENVIRONMENT)),
)
@project_options
@quota_option
@staged_option("Check")
@judging_options
@finding_option(
    "--baseline",
    metavar="FILE",
    type=click.Path(),
    help="Report only what is not in FILE (default: .quotalint-baseline.yaml).",
)
@finding_option("--write-baseline", is_flag=True, help="Write all findings to the baseline.")
@report_options(CHECK)
@loudness_options(
    "One line per finding, and no summary.",
    "Show every finding in full, name all skipped files, and print the settings of the run on standard error.",
)
@color
@fix_option("--fix", is_flag=True, help="Apply the safe fixes, then report what remains.")
@fix_option(
    "--unsafe-fixes", is_flag=True, help="Also apply fixes that need a decision: larger quotas, default limits."
)
@fix_option("--diff", is_flag=True, help="Show what --fix would write instead of the report; write nothing.")
@watch_option
def check(*, watch: bool, **options: Any) -> int:
    """Print what is wrong, and exit with 1 if any of it is an error.

    PATH is a file, a folder (default: .), or - for standard input. Each finding says what is wrong, where, what will
    happen, and what to write instead.
    """
    return _run_or_watch(actions.check, request_of(**options), watch=watch)


@main.command(
    cls=Manual,
    examples=(
        ("quotalint usage", "Every quota below this folder, the fullest first."),
        ("quotalint usage shop", "The quotas of namespace shop, with who uses them."),
        ("quotalint usage shop/compute", "One quota of that namespace."),
        ("quotalint usage --exceeded --environment prod", "What will not fit in prod."),
        ("quotalint usage --with cluster.yaml", "With the objects of a cluster added."),
        ("quotalint usage -f csv > quotas.csv", "For a spreadsheet."),
    ),
)
@click.argument("paths", metavar="[PATH | NAMESPACE[/QUOTA]]...", nargs=-1, type=click.Path())
@reading_options
@quota_option
@shown_option(
    *("-n", "--namespace", "quota_names"),
    metavar="NAMESPACE[/QUOTA]",
    multiple=True,
    help="Only these, in full; * matches any text. Needed if a file or folder has the same name.",
)
@shown_option(
    *("-e", "--environment", "environments"), metavar="NAME", multiple=True, help="Only the quotas of this environment."
)
@shown_option("--exceeded", is_flag=True, help="Only quotas that are exceeded, in full.")
@shown_option("--top", type=click.IntRange(1), metavar="N", help="Only the N fullest, in full.")
@shown_option("--all", "in_detail", is_flag=True, help="Every quota in full.")
@shown_option(
    "--sort",
    type=click.Choice(["share", "namespace", "environment"]),
    help="The order: the fullest first (share), or by name.",
)
@report_options(USAGE)
@color
@watch_option
def usage(  # an argument for each option
    *,
    watch: bool,
    paths: tuple[str, ...],
    quota_names: tuple[str, ...],
    environments: tuple[str, ...],
    exceeded: bool,
    top: int | None,
    in_detail: bool,
    sort: str | None,
    **options: Any,
) -> int:
    """Print how full every quota will be once everything has settled: a line for each, the fullest first.

    Quotas that you name, and three or fewer, are shown in full, with their users. STEADY is the settled state; SURGE
    adds the largest rolling update or scheduled run; PEAK adds all of them at once, with every autoscaler at its
    maximum. PATH is a file, a folder (default: .), or - for standard input. NAMESPACE is a namespace with a quota.
    """
    from quotalint.cli.asked_paths import split_paths
    from quotalint.reports.chosen_quotas import Choice

    paths, asked = split_paths(paths)
    choice = Choice((*asked, *quota_names), environments, exceeded, top, sort, in_detail)
    return _run_or_watch(actions.usage, request_of(paths, **options)._replace(choice=choice), watch=watch)


@main.command(
    cls=Manual,
    examples=(
        ("quotalint render", "All objects that are applied."),
        ("quotalint render --root clusters/prod", "The objects that `kubectl kustomize` prints for it."),
    ),
)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path())
@option("--root", metavar="DIR", type=click.Path(), help="Render the kustomization in DIR alone.")
@config
@kube_version
@limit_options
def render(paths: tuple[str, ...], root: str | None, **options: Any) -> int:
    """Print the objects as they will be applied, after rendering, as YAML.

    Annotations are added: quotalint.dev/environment names the environment, quotalint.dev/origin the file and line that
    an object comes from, then its patches, and quotalint.dev/assumed what was guessed about its namespace. --root adds
    no annotation. Standard error names the renderer, and what could not be rendered.
    """
    from quotalint.cli.render_command import render as render_manifests

    return render_manifests(request_of(paths, **options), root)


main.add_command(rules)
main.add_command(explain)
main.add_command(init)
main.add_command(completion)


def _run_or_watch(command: Callable[[Request], int], request: Request, *, watch: bool) -> int:
    if not watch:
        return command(request)
    from quotalint.cli.watching import watch_repository as repeat

    return repeat(request, command)
