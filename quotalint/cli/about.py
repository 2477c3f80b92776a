"""The commands that read no repository: `rules`, `explain`, `init` and `completion`."""

from __future__ import annotations

import os
import sys

import click

from quotalint.cli import actions, printing
from quotalint.cli.completion import SHELLS, WHERE, RuleName, shell_script
from quotalint.cli.manual import Manual
from quotalint.cli.options import Format, color, option, report_option
from quotalint.cli.request import CannotRun, tell_failure


@click.command(
    cls=Manual,
    examples=(
        ("quotalint rules", "All rules, and the policies of the configuration."),
        ("quotalint rules --test", "Test the examples of the policies of the configuration."),
        ("quotalint rules --test policies/", "Test the examples of some rule files."),
    ),
)
@click.argument("files", nargs=-1, type=click.Path(), metavar="[FILE]...")
@report_option("-f", "--format", type=Format(("text", "json")), default="text", metavar="FORMAT", help="text or json.")
@option("--test", is_flag=True, help="Test the examples of policies; exit status 1 if one fails.")
@color
def rules(*, files: tuple[str, ...], format: str, test: bool, color: str) -> None:  # noqa: A002  # the option's name
    """List the rules, or test your own policies: those of the configuration, or of rule FILEs."""
    from quotalint.cli.own_rules import given_policies, tell_trials
    from quotalint.reports.catalogue_text import render_rules, render_rules_json, without_escapes

    try:
        own = given_policies(files)
    except CannotRun as error:
        if test or files:
            raise
        tell_failure(error)  # the rules are the same without a configuration
        own = ()
    if test:
        failed = tell_trials(own)
        raise click.exceptions.Exit(actions.STATUS_FINDINGS if failed else 0)
    if format == "json":
        actions.print_report(render_rules_json([policy.rule for policy in own]), "json")
    else:
        shown = [without_escapes(policy.rule) for policy in own]
        actions.print_report(render_rules(actions.terminal_for(color), own=shown), colored=True)


@click.command(cls=Manual)
@click.argument("rule", type=RuleName())
@option("--all", "all_examples", is_flag=True, help="Show all examples, not only a wrong and a right one.")
@color
def explain(*, rule: str, all_examples: bool, color: str) -> None:
    """Say why a rule exists, what Kubernetes does, and what to write.

    RULE is an id (QL301), a name (quota-exceeded), or the beginning of several ids (QL3), which lists them. On a
    terminal, $PAGER or less shows a long text; PAGER=cat prints it.
    """
    from quotalint.catalogue import find_rule, rule_ids
    from quotalint.reports.catalogue_text import render_rule, render_rules, without_escapes

    if rule.upper().startswith("QLC"):
        from quotalint.cli.own_rules import given_policies

        policies = [policy.rule for policy in given_policies(()) if policy.rule.id.lower() == rule.lower()]
        if not policies:
            raise CannotRun(f"no policy of the configuration is called {rule}; `quotalint rules` lists them")
        shown = without_escapes(policies[0])
        _write_paged(render_rule(shown, actions.terminal_for(color), all_examples=all_examples), color)
        return
    rule_or_hint = find_rule(rule)
    if isinstance(rule_or_hint, str):
        prefix = rule.upper()
        if prefix.startswith("QL") and any(rule_id.startswith(prefix) for rule_id in rule_ids()):
            actions.print_report(render_rules(actions.terminal_for(color), prefix), colored=True)
            return
        hint = f"did you mean {rule_or_hint}?" if rule_or_hint else ""
        raise CannotRun(f"there is no rule {rule!r}; {hint or '`quotalint rules` lists them'}")
    _write_paged(render_rule(rule_or_hint, actions.terminal_for(color), all_examples=all_examples), color)


def _write_paged(text: str, color: str) -> None:
    """Print a text; on a terminal that is too short for it, with $PAGER or `less`."""
    from shutil import get_terminal_size

    people = sys.stdout.isatty() and sys.stdin is not None and sys.stdin.isatty() and os.environ.get("TERM") != "dumb"
    if people and text.count("\n") >= get_terminal_size().lines:
        click.echo_via_pager(text, color=actions.terminal_for(color).color)
    else:
        actions.print_report(text, colored=True)


@click.command(cls=Manual)
@click.argument("folder", default=".", type=click.Path(exists=True, file_okay=False))
@option("--force", is_flag=True, help="Overwrite an existing file.")
def init(*, folder: str, force: bool) -> None:
    """Write a commented .quotalint.yaml into FOLDER (default: .)."""
    from quotalint.cli.proposals import propose_settings
    from quotalint.settings.init_file import starter_configuration, write_configuration
    from quotalint.settings.loading import NAME, configurations_in

    path = os.path.join(folder, ".quotalint.yaml")
    other_names = [name for name in configurations_in(folder) if os.path.basename(name) != NAME]
    if other_names:
        raise CannotRun(f"{other_names[0]} is already the configuration here; {path} would be a second one")
    proposed = propose_settings(folder) if os.path.isdir(folder) else None
    starter = starter_configuration(folder, *proposed) if proposed else starter_configuration(folder)
    error = write_configuration(path, starter.text, force=force)
    if error:
        raise CannotRun(error)
    for line in (f"wrote {path}", *(f"  {found}" for found in starter.found)):
        printing.tell(line)


@click.command(cls=Manual, appendix=(("Set-up", tuple(WHERE.items())),))
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print a script that lets a shell complete quotalint's commands, options, rules and revisions."""
    actions.print_report(shell_script(shell, click.get_current_context().find_root().command))
