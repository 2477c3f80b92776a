"""The commands that help to decide: how large a quota should be, and what would happen if."""

from __future__ import annotations

import os
from typing import Any

import click

from quotalint.cli.manual import Manual
from quotalint.cli.options import color, judging_options, loudness_options, option, reading_options, report_options
from quotalint.cli.requests import request_of

CHOSEN = "What is proposed"
CHANGED = "What changes"


@click.command(
    cls=Manual,
    examples=(
        ("quotalint suggest", "Quotas and LimitRanges for every namespace, as manifests."),
        ("quotalint suggest -n shop --headroom 50%", "For one namespace, with half as much again."),
        ("quotalint suggest --diff", "The change of the files that existing quotas are written in."),
        ("quotalint suggest --write .", "Make it; new manifests go to ENVIRONMENT/NAMESPACE.yaml."),
        ("quotalint suggest --diff --lower", "Also what would do with less."),
        ("quotalint suggest --scenario steady -f json", "For a program, without the peak."),
    ),
)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path())
@reading_options
@option(
    *("-n", "--namespace", "namespaces"),
    metavar="NAMESPACE",
    multiple=True,
    help="Only these; * stands for any text.",
    section=CHOSEN,
)
@option(
    "--headroom",
    metavar="SHARE",
    default="20%",
    help="What is added to what is needed, before it is rounded up (default: 20%).",
    section=CHOSEN,
)
@option(
    "--write",
    "folder",
    metavar="DIR",
    type=click.Path(),
    help="Write below DIR, and nowhere else: edit the quotas that stand there, put new ones into new files.",
    section=CHOSEN,
)
@option("--diff", is_flag=True, help="Show how existing quotas would be edited, and write nothing.", section=CHOSEN)
@option(
    "--lower/--no-lower",
    default=False,
    help="Lower also what is larger than what is deployed here needs; else that is only said.",
    section=CHOSEN,
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

    Each amount is what the scenario needs (peak, unless --scenario says otherwise: rollouts, autoscalers at their
    maximum and scheduled runs all at once), and the headroom, rounded up to an amount that people write. Quotas that
    exist keep their scopes and are edited where they are written. What is larger than that is lowered with --lower
    alone, and never where something may use it that is not in view. `sizes:` in the configuration, or Components of
    the repository, are chosen from.
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
        ("quotalint what-if web=12", "With 12 replicas of the workload web."),
        ("quotalint what-if shop/web=12 shop/web.requests.memory=2Gi", "Larger ones; of namespace shop."),
        ("quotalint what-if worker:proxy.limits.cpu=500m", "One container of several."),
        ("quotalint what-if web.max=20", "Another bound of its autoscaler (min, max)."),
        ("quotalint what-if quota.shop/base.pods=30", "Another amount of a quota."),
        ("quotalint what-if node-loss=1 --nodes 6", "A node less, for DaemonSets and the cluster's capacity."),
        ("quotalint what-if +chart:./charts/redis@shop", "A release more; +DIR adds manifests."),
    ),
    appendix=(
        (
            "Exit status",
            (
                ("0", "Nothing new at or above --fail-on."),
                ("1", "Something new at or above it."),
                ("2", "The run itself failed, or it is not clear which workload or quota is meant."),
            ),
        ),
    ),
)
@click.argument("arguments", metavar="", nargs=-1)
@reading_options
@option(
    *("-e", "--environment", "environments"),
    metavar="NAME",
    multiple=True,
    help="Change it in this environment alone.",
    section=CHANGED,
)
@judging_options
@report_options(("text", "json", "markdown", "html"))
@loudness_options(
    "One line per new finding, and nothing else.", "Show every new finding in full, and name the fixed ones."
)
@color
def what_if(arguments: tuple[str, ...], environments: tuple[str, ...], **options: Any) -> int:
    """Print what a change would do to quotas that nobody has written yet, as `diff` does, and how many more fit.

    A CHANGE is [NAMESPACE/][KIND/]NAME=REPLICAS; NAME.requests.RESOURCE=AMOUNT or NAME.limits.RESOURCE=AMOUNT, with
    NAME:CONTAINER where it has several; NAME.min=N or NAME.max=N; quota.NAMESPACE/QUOTA.ENTRY=AMOUNT; nodes=N or
    node-loss=N; +chart:DIR[@NAMESPACE] or +DIR[@NAMESPACE]. No file is changed.
    """
    from quotalint.cli.imagining import what_if as imagine
    from quotalint.whatif.wishes import is_wish

    changes = tuple(argument for argument in arguments if is_wish(argument) and not os.path.lexists(argument))
    paths = tuple(argument for argument in arguments if argument not in changes)
    if not changes:
        raise click.UsageError("what is to change? For example: quotalint what-if web=12")
    return imagine(request_of(paths, **options), changes, environments)
