"""`snapshot`: records what a cluster holds, for `--with`. No other command asks a cluster."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from quotalint.cli import actions, printing
from quotalint.cli.given_files import given_file
from quotalint.cli.manual import Manual
from quotalint.cli.options import option
from quotalint.cli.outputs import write_report
from quotalint.cli.request import CannotRun
from quotalint.text.lazy_patterns import lazy_pattern

if TYPE_CHECKING:
    from quotalint.snapshots.asking import Answer

_TAKEN = lazy_pattern(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))?")


@click.command(
    cls=Manual,
    examples=(
        ("quotalint snapshot > cluster.yaml", "Record the cluster of the current context, for `--with cluster.yaml`."),
        ("quotalint snapshot --context prod-eu -e prod -o prod.yaml", "Record another cluster, as environment prod."),
        ("quotalint snapshot -n shop -n shop-dev > shop.yaml", "Record two namespaces, if you may read no more."),
        ("quotalint snapshot --stamp -o snapshots/monday.yaml", "Add to a history: `--with 'snapshots/*.yaml'`."),
        (
            "kubectl get all,quota,limits -A -o json | quotalint snapshot --from -",
            "Convert the output of kubectl from another machine.",
        ),
    ),
    appendix=(
        (
            "Exit status",
            (
                ("0", "The snapshot is written. Standard error and the file name what could not be read."),
                ("2", "Nothing could be read: no kubectl, no cluster, everything forbidden. Standard error says why."),
            ),
        ),
    ),
)
@option("--context", default="", metavar="NAME", help="The context of the kubeconfig (default: the current one).")
@option(
    *("-n", "--namespace", "namespaces"),
    metavar="NAME",
    multiple=True,
    help="Read only this namespace; may be given several times. All others are then unknown.",
)
@option("-e", "--environment", default="", metavar="NAME", help="The environment that the cluster is.")
@option(
    "--stamp",
    is_flag=False,
    flag_value="now",
    default="",
    metavar="[TIME]",
    help="Record the time, which orders a history; without it the file changes only with the cluster.",
)
@option(
    "--from",
    "dump_path",
    metavar="FILE",
    help="Read kubectl's output (YAML or JSON) instead; - is standard input.",
)
@option("-o", "--output", metavar="FILE", type=click.Path(), help="Write to FILE, as a whole or not at all.")
def snapshot(
    context: str, namespaces: Sequence[str], environment: str, stamp: str, dump_path: str | None, output: str | None
) -> None:
    """Record what a cluster holds, in a small file for `--with`.

    It runs `kubectl get` for quotas, limit ranges, workloads, claims, services and classes, with your kubeconfig, and
    changes nothing. The file has what quotas depend on, and `status.used`. It has no environment variables, commands,
    annotations, ConfigMaps or Secrets, and nothing else that changes by itself. It also names what could not be read,
    so that sums which depend on that are not exact.
    """
    from quotalint.snapshots.snapshot_file import snapshot_text

    taken = _time(stamp)
    answer = _answer_of_dump(dump_path) if dump_path is not None else _answer_of_cluster(context, namespaces)
    about, objects = answer
    about = about._replace(environment=environment, taken=taken)
    if dump_path is not None:
        about = about._replace(cluster=context, namespaces=tuple(namespaces))
    text = snapshot_text(about, objects)
    if output is None:
        actions.print_report(text, "yaml")
        return
    failure = write_report(output, text)
    if failure:
        raise CannotRun(f"{output} cannot be written: {failure}")
    printing.tell(f"wrote {output}")


def _time(stamp: str) -> str:
    if stamp == "now":
        from datetime import datetime, timezone

        return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    if stamp and not _TAKEN.fullmatch(stamp):
        raise CannotRun(f"--stamp {stamp}: it is not a time such as 2026-11-22 or 2026-11-22T08:00:00Z")
    return stamp


def _answer_of_cluster(context: str, namespaces: Sequence[str]) -> Answer:
    from quotalint.cli.progress_line import Progress
    from quotalint.settings import Options
    from quotalint.snapshots.asking import NoAnswer, ask_cluster, kubectl

    settings = actions.settings_of((".",), Options())
    program = kubectl(context, settings.repository)
    if isinstance(program, NoAnswer):
        raise CannotRun(program.reason)
    with Progress(wanted=True) as tell:
        answer = ask_cluster(program, namespaces, tell)
    if isinstance(answer, NoAnswer):
        raise CannotRun(answer.reason)
    for gap in answer.about.unread:
        where = f" in {gap.namespace}" if gap.namespace else ""
        printing.tell(f"quotalint: not read: {gap.resource}{where}: {gap.reason}")
    return answer


def _answer_of_dump(dump_path: str) -> Answer:
    from quotalint.snapshots.asking import Answer, NoAnswer, read_objects
    from quotalint.snapshots.snapshot import MAX_SNAPSHOT
    from quotalint.snapshots.snapshot_header import About

    data = given_file(f"--from {dump_path}", dump_path, MAX_SNAPSHOT, or_stdin=True)
    parsed = read_objects(data, os.path.basename(dump_path) if dump_path != "-" else "dump")
    if isinstance(parsed, NoAnswer):
        raise CannotRun(f"--from {dump_path}: {parsed.reason}")
    if not parsed:
        raise CannotRun(f"--from {dump_path}: there is no Kubernetes object in it")
    return Answer(About(), parsed)
