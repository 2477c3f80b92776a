"""`fleet`: several repositories judged as one."""

from __future__ import annotations

from typing import Any

import click

from quotalint.cli import printing
from quotalint.cli.actions import deliver_reports, exit_status
from quotalint.cli.formats import CHECK, report_of
from quotalint.cli.manual import EXIT_STATUS, Manual
from quotalint.cli.options import (
    color,
    demand_options,
    judging_options,
    kube_version,
    loudness_options,
    nodes,
    option,
    report_options,
)
from quotalint.cli.request import CannotRun


@click.command(
    cls=Manual,
    examples=(
        ("quotalint fleet fleet.yaml", "Check all repositories of the list together."),
        ("quotalint fleet fleet.yaml --usage", "Show how full every quota will be, and what uses it."),
        ("quotalint fleet fleet.yaml -o html=fleet.html", "One report over all of them."),
        ("quotalint fleet fleet.yaml --scenario peak", "Require room for all rollouts and runs at once."),
        ("quotalint -o json=shop.json", "Write the report that one repository publishes."),
        ("quotalint diff main --with quotas.json", "Show what a pull request does to quotas of another repository."),
    ),
    appendix=(
        ("Exit status", EXIT_STATUS),
        (
            "The list",
            (
                (
                    "repositories: [../quotas, ../shop]",
                    "Folders of checkouts, or JSON reports, from the file's folder.",
                ),
                (
                    "repositories: {shop: {path: ../shop, environments: {production: prod}}}",
                    "With names, and with the environment names of each.",
                ),
            ),
        ),
    ),
)
@click.argument("file", metavar="FILE", type=click.Path())
@kube_version
@nodes
@demand_options
@judging_options
@option("--usage", is_flag=True, help="Print the quotas, as `quotalint usage` does, instead of the findings.")
@report_options(CHECK)
@loudness_options("One line per finding, and no summary.", "Show every finding in full, and name all skipped files.")
@color
def fleet(file: str, *, usage: bool, **arguments: Any) -> int:
    """Check several repositories as one: quotas in one of them, workloads in another.

    FILE lists checkouts on this machine, or the JSON reports that repositories publish. Amounts of the same environment
    and namespace are added up. Environments are matched by their names in the repositories, or by those in FILE. A
    repository without such a name stays separate, and nothing is guessed about it.
    """
    from quotalint.catalogue import rule_ids
    from quotalint.cli.formats import USAGE
    from quotalint.cli.parsed_options import request_of
    from quotalint.cli.progress_line import Progress
    from quotalint.repositories.joint import joint_result
    from quotalint.repositories.listing import NoList, listed_repositories
    from quotalint.text.reading import processors

    request = request_of((), **arguments)
    members = listed_repositories(file)
    if isinstance(members, NoList):
        raise CannotRun(members.reason)
    with Progress(wanted=not request.quiet) as tell:
        joint = joint_result(members, request.options, frozenset(rule_ids()), processors(), tell)
    if isinstance(joint, NoList):
        raise CannotRun(joint.reason)
    for name in joint.apart:
        printing.tell(
            f"quotalint: {name} names no environment, so it stays separate: write `environments: {{'': NAME}}` "
            f"into {file}"
        )
    for unheeded in joint.unheeded:
        keys = ", ".join(f"`{key}`" for key in unheeded.keys)
        printing.tell(
            f"quotalint: {unheeded.file}: {keys} of {unheeded.name} {'does' if len(unheeded.keys) == 1 else 'do'} not "
            "count here: the configuration of the first checkout applies to all"
        )
    report = report_of(
        joint.result, quiet=request.quiet, verbose=request.verbose, asked=request.asked._replace(of_several=True)
    )
    formats = USAGE if usage else CHECK
    unknown = next((output.format for output in request.outputs if output.format not in formats), "")
    if unknown:
        raise CannotRun(f"--usage has no format {unknown}; it has {', '.join(formats)}")
    deliver_reports(request, formats, report)
    return 0 if usage else exit_status(joint.result)
