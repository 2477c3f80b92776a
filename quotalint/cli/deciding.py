"""The commands that help to decide: `suggest` and `what-if`."""

from __future__ import annotations

import os
from typing import Any

import click

from quotalint.cli.manual import Manual
from quotalint.cli.options import (
    color,
    judging_options,
    loudness_options,
    options_of,
    quota_option,
    reading_options,
    report_options,
)
from quotalint.cli.parsed_options import request_of

proposal_option = options_of("Proposal")
change_option = options_of("Change")


@click.command(
    cls=Manual,
    examples=(
        ("quotalint suggest", "Quotas and LimitRanges for every namespace, as manifests."),
        ("quotalint suggest -n shop --headroom 50%", "For one namespace, with 50 % headroom."),
        ("quotalint suggest --diff", "Show how the files of existing quotas would change."),
        ("quotalint suggest --write .", "Change the files; new manifests go to ENVIRONMENT/NAMESPACE.yaml."),
        ("quotalint suggest --diff --lower", "Also lower amounts that are larger than needed."),
        ("quotalint suggest --scenario steady -f json", "For a program, without the peak."),
    ),
)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path())
@reading_options
@quota_option
@proposal_option(
    *("-n", "--namespace", "namespaces"),
    metavar="NAMESPACE",
    multiple=True,
    help="Only these namespaces; * matches any text.",
)
@proposal_option(
    "--headroom",
    metavar="SHARE",
    default="20%",
    help="The share that is added to the need before it is rounded up (default: 20%).",
)
@proposal_option(
    "--write",
    "folder",
    metavar="DIR",
    type=click.Path(),
    help="Write below DIR only: edit the quotas there, and put new ones into new files.",
)
@proposal_option("--diff", is_flag=True, help="Show how existing quotas would be edited, and write nothing.")
@proposal_option(
    "--lower/--no-lower",
    default=False,
    help="Also lower amounts that are larger than needed here; without it they are only listed.",
)
@report_options(("text", "yaml", "json"))
@color
def suggest(
    paths: tuple[str, ...],
    namespaces: tuple[str, ...],
    headroom: str,
    folder: str | None,
    *,
    diff: bool,
    lower: bool,
    **options: Any,
) -> int:
    """Propose a ResourceQuota and a LimitRange for each namespace, sized for what is deployed there.

    Each amount is the need of the scenario plus the headroom, rounded up to a usual number. The default scenario is
    peak: rollouts, autoscalers at their maximum and scheduled runs all at once. Existing quotas keep their scopes and
    are edited in place. A larger amount is lowered only with --lower, and never if something out of view may use it.
    If the configuration has `sizes:`, or the repository has Components with quotas, the proposal is one of these.
    """
    from quotalint.cli.suggesting import SuggestionRequest
    from quotalint.cli.suggesting import suggest as propose

    options["scenario"] = options["scenario"] or "peak"
    return propose(request_of(paths, **options), SuggestionRequest(headroom, namespaces, folder, diff, lower))


@click.command(
    "what-if",
    cls=Manual,
    options_metavar="[OPTIONS] CHANGE... [PATH]...",
    examples=(
        ("quotalint what-if web=12", "Give the workload web 12 replicas."),
        ("quotalint what-if shop/web=12 shop/web.requests.memory=2Gi", "Give it more and larger replicas."),
        ("quotalint what-if worker:proxy.limits.cpu=500m", "Change the limit of one container, by its name."),
        ("quotalint what-if web.max=20", "Change a bound of its autoscaler (min, max)."),
        ("quotalint what-if quota.shop/base.pods=30", "Change the amount of a quota entry."),
        ("quotalint what-if node-loss=1 --nodes 6", "Remove one node, for DaemonSets and the cluster's capacity."),
        ("quotalint what-if +chart:./charts/redis@shop", "Add a release of a chart; +DIR adds manifests."),
    ),
    appendix=(
        (
            "Exit status",
            (
                ("0", "Nothing new at or above --fail-on."),
                ("1", "Something new at or above it."),
                ("2", "The run itself failed, or several workloads or quotas match."),
            ),
        ),
    ),
)
@click.argument("arguments", metavar="", nargs=-1)
@reading_options
@change_option(
    *("-e", "--environment", "environments"), metavar="NAME", multiple=True, help="Change only this environment."
)
@judging_options
@report_options(("text", "json", "markdown", "html"))
@loudness_options(
    "One line per new finding, and nothing else.", "Show every new finding in full, and name the fixed ones."
)
@color
def what_if(arguments: tuple[str, ...], environments: tuple[str, ...], **options: Any) -> int:
    """Show what a change you have not made yet would do to quotas, and how many more pods fit.

    The output is that of `diff`. A CHANGE is [NAMESPACE/][KIND/]NAME=REPLICAS; NAME.requests.RESOURCE=AMOUNT or
    NAME.limits.RESOURCE=AMOUNT, with NAME:CONTAINER where it has several; NAME.min=N or NAME.max=N;
    quota.NAMESPACE/QUOTA.ENTRY=AMOUNT; nodes=N or node-loss=N; +chart:DIR[@NAMESPACE] or +DIR[@NAMESPACE]. No file is
    changed.
    """
    from quotalint.cli.imagining import what_if as imagine
    from quotalint.whatif.wishes import is_wish

    changes = tuple(argument for argument in arguments if is_wish(argument) and not os.path.lexists(argument))
    paths = tuple(argument for argument in arguments if argument not in changes)
    if not changes:
        raise click.UsageError("no change is given, such as: quotalint what-if web=12")
    return imagine(request_of(paths, **options), changes, environments)
