"""The commands. What they print is made by `quotalint.reports`; what they find out by `quotalint.pipeline`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import click

from quotalint.cli.options import project_options, terminal
from quotalint.version import __version__

if TYPE_CHECKING:
    from quotalint.pipeline import Result

PLANNED_COMMANDS = ("render", "diff", "suggest")
STATUS_FINDINGS = 1


class Commands(click.Group):
    """A group whose first word may be a path: `quotalint .` is `quotalint check .`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `check` in front of anything that is no command."""
        if not args or not self._is_command(args[0]):
            args = ["check", *args]
        return super().parse_args(ctx, args)

    def _is_command(self, word: str) -> bool:
        if word in self.commands or word in ("--help", "-h"):
            return True
        if word in PLANNED_COMMANDS and not os.path.lexists(word):
            raise click.UsageError(f"`quotalint {word}` is not supported yet by this version ({__version__})")
        return False


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def main() -> None:
    """Checks the Kubernetes quotas of a repository before you merge: offline, without a cluster.

    quotalint reads every manifest below PATH and says, with file and line, which ResourceQuotas the API server will
    refuse, which entries it will accept and never enforce, which namespaces ask for more than their quota, and which
    pods will be refused.

    \b
      quotalint                    check this folder (the same as: quotalint check .)
      quotalint usage              how full every quota will be, and who uses it
      quotalint explain QL301      why a rule exists, with examples
      kustomize build . | quotalint -

    \b
    Exit status:
      0  nothing at or above --fail-on (error by default)
      1  findings at or above it
      2  the run itself failed: a bad option, a bad configuration, no such path
    """


@main.command()
@project_options
@click.option("--select", metavar="RULE[,RULE…]", help="Report only these rules; prefixes work: QL3.")
@click.option("--ignore", metavar="RULE[,RULE…]", help="Do not report these rules, besides those of the configuration.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "info", "never"]),
    help="The least severity that makes the exit status 1 (default: error).",
)
@click.option("-q", "--quiet", is_flag=True, help="One line a finding, no summary.")
@click.option("-v", "--verbose", is_flag=True, help="Also name everything that was skipped.")
def check(paths: tuple[str, ...], output: str, color: str, quiet: bool, verbose: bool, **options: Any) -> int:
    """Print what is wrong, and exit with 1 if any of it is an error.

    PATH is a file, a folder (default: .), or - for standard input.
    """
    result = _result(paths, options)
    from quotalint.reports.summary import summary

    numbers = summary(result.facts, result.findings)
    if output == "json":
        from quotalint.reports.json import render as render_json
        from quotalint.reports.quota_table import quota_tables

        tables = quota_tables(result.facts, result.locate)
        click.echo(render_json(result.facts, result.findings, tables, numbers), nl=False)
    else:
        from quotalint.reports.text import render

        text = render(result.findings, numbers, result.facts, result.content, terminal(color), quiet, verbose)
        click.echo(text, nl=False)
    return _status(result)


@main.command()
@project_options
def usage(paths: tuple[str, ...], output: str, color: str, **options: Any) -> int:
    """Print how full every quota will be once everything has settled, and who uses it."""
    result = _result(paths, options)
    from quotalint.reports.quota_table import quota_tables
    from quotalint.reports.summary import summary

    tables = quota_tables(result.facts, result.locate)
    numbers = summary(result.facts, result.findings)
    if output == "json":
        from quotalint.reports.json import render_usage

        click.echo(render_usage(tables, numbers), nl=False)
    else:
        from quotalint.reports.usage import render

        click.echo(render(tables, numbers, result.facts, terminal(color)), nl=False)
    return 0


@main.command()
@click.option("-f", "--format", "output", type=click.Choice(["text", "json"]), default="text", help="text or json.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours.")
def rules(output: str, color: str) -> None:
    """List the rules."""
    from quotalint.reports.catalogue_text import render_rules, render_rules_json

    click.echo(render_rules_json() if output == "json" else render_rules(terminal(color)), nl=False)


@main.command()
@click.argument("rule")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours.")
def explain(rule: str, color: str) -> None:
    """Say why a rule exists, what Kubernetes does, and what to write; RULE is an id or a name."""
    from quotalint.catalogue import find_rule
    from quotalint.reports.catalogue_text import render_rule

    found = find_rule(rule)
    if isinstance(found, str):
        hint = f"; did you mean {found}?" if found else "; `quotalint rules` lists them"
        raise click.UsageError(f"there is no rule {rule!r}{hint}")
    click.echo(render_rule(found, terminal(color)), nl=False)


@main.command()
@click.argument("folder", default=".", type=click.Path(exists=True, file_okay=False))
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def init(folder: str, force: bool) -> None:
    """Write a commented .quotalint.yaml into FOLDER (default: .)."""
    from quotalint.init import starter, write

    path = os.path.join(folder, ".quotalint.yaml")
    error = write(path, starter(folder), force)
    if error:
        raise click.ClickException(error)
    click.echo(f"wrote {path}", err=True)


def _result(paths: tuple[str, ...], options: dict[str, Any]) -> Result:
    """Run the pipeline over the paths; a click error says what is wrong with the request."""
    from quotalint.catalogue import rule_ids
    from quotalint.pipeline import run
    from quotalint.settings import Options, Settings, describe, load
    from quotalint.text.reading import processors
    from quotalint.text.sources import find

    wanted = paths or (".",)
    overridden = Options(
        config=options["config"],
        select=_listed(options.get("select")),
        ignore=_listed(options.get("ignore")),
        fail_on=options.get("fail_on"),
        nodes=options["nodes"],
        kube_version=options["kube_version"],
    )
    settings = load(wanted, overridden, frozenset(rule_ids()))
    if not isinstance(settings, Settings):
        raise click.ClickException("\n".join(map(describe, settings)))
    found = find(wanted, settings.root, settings.exclude)
    if found.missing:
        raise click.ClickException("\n".join(f"no such file or folder: {path}" for path in found.missing))
    if not found.sources and not found.unreadable:
        click.echo(f"quotalint: nothing to check: no YAML or JSON file below {', '.join(wanted)}", err=True)
    return run(found, settings, _stdin(), options["jobs"] or processors())


def _stdin() -> Callable[[], bytes]:
    return cache(lambda: sys.stdin.buffer.read())


def _listed(value: str | None) -> tuple[str, ...] | None:
    return None if value is None else tuple(part.strip() for part in value.split(",") if part.strip())


def _status(result: Result) -> int:
    fail_on = result.facts.settings.fail_on
    severities = ("error", "warning", "info")
    failing = () if fail_on == "never" else severities[: severities.index(fail_on) + 1]
    return STATUS_FINDINGS if any(finding.severity in failing for finding in result.findings) else 0
