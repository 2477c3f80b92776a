"""`quotalint diff`: compares two states of a repository, which are checked in turn."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import cache, partial
from typing import TypeVar

from quotalint.cli import printing
from quotalint.cli.actions import deliver_check, deliver_reports, exit_status, tell_of_programs
from quotalint.cli.decisions import StateSettings, baselines_of_states, decide_settings
from quotalint.cli.formats import CHECK, Report, report_of
from quotalint.cli.given_files import given_snapshots, refuse_unknown, snapshot_files
from quotalint.cli.progress_line import Progress
from quotalint.cli.request import CannotRun, Request
from quotalint.cli.states import Run, bring, check_state
from quotalint.cli.vendored_states import add_vendored
from quotalint.diff import git
from quotalint.diff.base_view import added_deployers, errors_beside, judged_as_before, with_errors_kept
from quotalint.diff.change_provenance import Provenance
from quotalint.diff.change_summary import ChangeSummary, summarize_change
from quotalint.diff.changes import SAME_FILES, Changes, find_changes
from quotalint.diff.edited_lines import EditedLines, WrittenLines
from quotalint.diff.explained import explain_findings, with_causes
from quotalint.diff.git import Git, Refused, remote
from quotalint.diff.lines import locate_changes
from quotalint.diff.lost_objects import find_lost
from quotalint.diff.revisions import Revision, merge_base, revision, revisions
from quotalint.diff.trees import Side, sides, with_absent
from quotalint.diff.unknown_effects import find_unknowns
from quotalint.named_tuples import NamedTuple
from quotalint.pipeline import Result, silent_result
from quotalint.programs import distrust_folders, inside
from quotalint.reports.excerpt import lines_of
from quotalint.reports.links import Links, links_of_commit
from quotalint.reports.summary import NOTHING_COUNTED
from quotalint.reports.terminal import Terminal
from quotalint.runtime.faults import attempt
from quotalint.runtime.recall import Memory
from quotalint.runtime.resource_limits import begin_stage
from quotalint.runtime.scratch import scratch_folder
from quotalint.suppression.trust import Trust
from quotalint.text.files import lies_in
from quotalint.text.reading import processors

_T = TypeVar("_T")
_ABOUT_CHANGES = frozenset(("text", "markdown", "github", "gitlab", "rdjson"))
"""Formats that are empty for a state without changes."""


class Difference(NamedTuple):
    """The data of the reports of a change."""

    base: Side
    head: Side
    changes: Changes
    change_summary: ChangeSummary
    """The summary for people."""
    links: Links
    now: Report
    """The second state, with only the findings that the change causes, or touches and leaves."""


def diff(request: Request, base: str | None, head: str | None) -> int:
    """Print what a change does; the exit status. Without a base, compare the index with HEAD."""
    with scratch_folder() as folder, ExitStack() as stack:
        compared = _compare_revisions(request, base, head, folder, stack)
        if isinstance(compared, Difference):
            deliver_reports(request, difference_formats(), compared)
            is_unknown = request.fails_on_unknown and bool(compared.changes.unknowns)
            return exit_status(compared.now.result) or int(is_unknown)
        deliver_check(request, compared)
        return 2


def _compare_revisions(
    request: Request, base: str | None, head: str | None, folder: str, stack: ExitStack
) -> Difference | Result:
    here = os.path.realpath(".")
    home = os.path.join(folder, "home")
    os.mkdir(home)
    of = git_answer(git.git(here, home))
    with distrust_folders(of.root, folder):
        tell_of_programs(of.root)
        return _compare_states(request, of, base, head, folder, stack)


def _compare_states(
    request: Request, of: Git, base: str | None, head: str | None, folder: str, stack: ExitStack
) -> Difference | Result:
    here = os.path.realpath(".")
    paths = paths_within(request.paths or (".",), here, of.root)
    with Progress(wanted=not request.quiet) as tell:
        tell("reading what git has")
        states = git_answer(sides(of, *_asked_revisions(of, base, head), folder, here, staged=request.staged))
    stack.enter_context(closing(states.blobs))
    first, second = states.base, states.head
    snapshots = given_snapshots(request.snapshots)
    for path in snapshot_files(request.snapshots):
        bring(os.path.abspath(path), of, first, second)
    missing = [path for path in paths if not any(side.holds_path(path, here) for side in (first, second))]
    if missing:
        raise CannotRun("\n".join(f"no such file or folder: {path}" for path in missing))
    by = decide_settings(request.options, paths, of, first, second, here, trusts_head=request.trust_head_config)
    replaced = add_vendored(first, by.was, second, by.now, here)
    if _is_told_by_names(request, by, first, second):
        return _same_files(request, first, second)
    baselines = baselines_of_states(by, of, first, second, here)
    common = Run(of, here, paths, request.jobs or processors(), snapshots, Memory(looks_often=False))
    with Progress(wanted=not request.quiet) as tell:
        before = check_state(common, first, by.was, tell, baselines[0])
        trust = Trust(
            before.result.environments,
            before.result.content,
            lambda name: not second.holds_path(name, here),
            baselines[0],
            by.changed,
            replaced,
            everything=request.trust_head_config,
        )
        after = check_state(common, second, by.now, tell, baselines[1], before, trust)
        edited = EditedLines(first, second, here)
        lost = cache(partial(find_lost, before.state, after.state, edited))
        seen, hidden = after, frozenset[str]()
        deployers = added_deployers(before.state, after.state, edited) if first.folder is not second.folder else []
        if deployers:
            without = partial(
                check_state, common, edited.head_without(deployers), by.now, tell, baselines[1], before, trust
            )
            third = cache(without)
            hidden = judged_as_before(before.state, after.state, lost(), lambda: third().state)
            seen = third() if hidden else after
    compared = git_answer(with_absent(first, second))
    stack.enter_context(second.laid_out())  # reports look at it
    results, found_out = (before.result, after.result), (before.state, after.state)
    environment_names = dict.fromkeys(facts.environment for result in results for facts in result.environments)
    refuse_unknown(snapshots, list(environment_names), by.now.environment_aliases)
    if not any(result.environments[0].repository.files for result in results):
        printing.tell(f"quotalint: nothing to compare: no YAML or JSON file below {', '.join(paths)}")

    def find_difference() -> Difference:
        unknowns = find_unknowns(*found_out, edited, after.result.locate, lost())
        difference = find_changes(before.state, seen.state, edited.before, lost().reasons)
        difference = with_errors_kept(difference, hidden, after.state)._replace(
            reconfigured=difference.reconfigured or bool(by.changed), unknowns=unknowns
        )
        beside = None
        if hidden:
            beside = errors_beside(find_changes(before.state, after.state, edited.before), seen.state)
        links = _links_of(request, of, compared[1])
        return explained_difference(request, compared, results, difference, edited, links, beside)

    def fall_back(reason: str, is_expensive: bool) -> Result:
        printing.tell(f"quotalint: the effect of the change is unknown; this is the report of {second.name}: {reason}")
        return after.result

    begin_stage()
    return attempt("comparing", "", find_difference, fall_back, whole=True, expected=CannotRun)


def _is_told_by_names(request: Request, by: StateSettings, first: Side, second: Side) -> bool:
    """Whether both states have the same files and settings, and no report needs more."""
    old, new = first.folder, second.folder
    if old is None or new is None or by.changed or by.was != by.now or first.left_out != second.left_out:
        return False
    if request.snapshots:  # whether their names are known is not told by files
        return False
    if not {output.format for output in request.outputs} <= _ABOUT_CHANGES or old.lacks_contents or new.lacks_contents:
        return False
    return old is new or new.tree.changes_since(old.tree) == frozenset()


def _same_files(request: Request, first: Side, second: Side) -> Difference:
    nothing = silent_result(())
    now = Report(nothing, NOTHING_COUNTED, tuple, request.quiet, request.verbose, asked=request.asked)
    return Difference(
        first, second, SAME_FILES, summarize_change(SAME_FILES, (), nothing.locate, lambda _: ()), Links(), now
    )


def _links_of(request: Request, of: Git, second: Side) -> Links:
    within = os.path.relpath(os.path.realpath("."), of.root).replace(os.sep, "/").strip(".")
    return _file_links(request.asked.link, remote(of), second.commit, within)


def explained_difference(
    request: Request,
    states: tuple[Side, Side],
    results: tuple[Result, Result],
    differing: Changes,
    edited: WrittenLines,
    address: Links,
    beside: Changes | None = None,
) -> Difference:
    """Two states and their differences, with each finding at its cause. `beside` has the findings that need more in
    view."""
    before, after = results
    provenance = Provenance(edited, after.locate)
    differing = locate_changes(differing, before.locate, after.locate)
    causes = explain_findings(differing, edited, provenance)
    if beside is not None:
        causes += explain_findings(locate_changes(beside, before.locate, after.locate), edited, provenance)
    differing = with_causes(differing, causes)
    failing = after._replace(findings=differing.findings.failing)
    now = report_of(failing, asked=request.asked, quiet=request.quiet, verbose=request.verbose)
    change_summary = summarize_change(
        differing, causes, after.locate, cache(lambda file: lines_of(after.content(file)))
    )
    return Difference(*states, differing, change_summary, address, now)


def _file_links(asked: str, cloned_from: str, commit: str, within: str) -> Links:
    if not asked:
        return links_of_commit(cloned_from, commit, within)
    from quotalint.cli.run_origin import asked_links

    return asked_links(asked, commit, within)


def git_answer(answer: _T | Refused) -> _T:
    """The answer of git. Raises CannotRun."""
    if isinstance(answer, Refused):
        raise CannotRun(answer.reason)
    return answer


def _asked_revisions(of: Git, base: str | None, head: str | None) -> tuple[Revision | None, Revision | None]:
    """The revisions of `BASE`, `BASE HEAD`, `BASE..HEAD`, or `BASE...HEAD` for the merge base; without HEAD, the last
    commit if there is one."""
    if base is None:
        last = revision(of, "HEAD")
        return (None if isinstance(last, Refused) and git.is_unborn(of) else git_answer(last)), None
    for dots in ("...", ".."):
        first, dots_found, right = base.partition(dots)
        if not dots_found:
            continue
        if head is not None:
            raise CannotRun(f"{base} names two revisions already, so {head!r} is one too many; write paths after `--`")
        base_revision, head_revision = map(git_answer, revisions(of, first or "HEAD", right or "HEAD"))
        return (
            git_answer(merge_base(of, base_revision, head_revision)) if dots == "..." else base_revision
        ), head_revision
    first_revision, *others = map(git_answer, revisions(of, base, *(() if head is None else (head,))))
    return first_revision, others[0] if others else None


def paths_within(paths: Sequence[str], here: str, root: str) -> tuple[str, ...]:
    """The paths from the working directory, all inside the repository. Raises CannotRun."""
    paths_found = []
    for path in paths:
        if path == "-":
            raise CannotRun("`-` is standard input, which has no revisions")
        full = os.path.normpath(os.path.join(here, path))
        if not lies_in(full, root):
            full = os.path.realpath(full)
            if not inside(full, root):
                raise CannotRun(f"{path} lies outside the repository {root}")
        way = os.path.relpath(full, here)
        paths_found.append(way if way != "-" else f".{os.sep}-")
    return tuple(paths_found)


def _text_report(of: Difference, to: Terminal) -> str:
    from quotalint.reports.diff_text import render

    return render(
        of.base,
        of.head,
        of.changes,
        of.change_summary,
        of.now.result.content,
        to,
        quiet=of.now.quiet,
        verbose=of.now.verbose,
    )


def _json_report(of: Difference, to: Terminal) -> str:
    from quotalint.reports.diff_json import render

    return render(of.base, of.head, of.changes)


def _markdown_report(of: Difference, to: Terminal) -> str:
    from quotalint.reports.diff_markdown import render

    return render(of.base, of.head, of.changes, of.change_summary, of.links)


def _html_report(of: Difference, to: Terminal) -> str:
    from quotalint.cli.run_origin import page_origin
    from quotalint.reports.diff_cells import revision_label as named
    from quotalint.reports.html import render
    from quotalint.reports.html.change import Compared

    result, compared = of.now.result, Compared(named(of.base), named(of.head), of.changes, of.change_summary)
    settings = result.environments[0].settings
    report_parts = of.now.folded(), of.now.tables(), of.now.for_people()[1], settings, result.content
    asked = of.now.asked
    origin = page_origin(asked.command, asked.link, settings.repository)
    # What is compared may be another commit than the one that is checked out.
    origin = origin._replace(commit=of.head.commit, links=of.links if of.links.prefix else origin.links)
    return render(*report_parts, compared, origin, asked.earlier)


def _github_report(of: Difference, to: Terminal) -> str:
    from quotalint.reports.github import unknown_commands

    told = {finding.file for finding in of.now.result.findings if finding.severity != "info"}
    unknowns = [unknown for unknown in of.changes.unknowns if unknown.file not in told]
    return CHECK["github"](of.now, to) + unknown_commands(unknowns)


def _as_check(name: str, of: Difference, to: Terminal) -> str:
    return CHECK[name](of.now, to)


def difference_formats() -> Mapping[str, Callable[[Difference, Terminal], str]]:
    """The formats of a difference, by name."""
    return _FORMATS


_FORMATS: Mapping[str, Callable[[Difference, Terminal], str]] = {
    **{name: partial(_as_check, name) for name in CHECK},
    "text": _text_report,
    "json": _json_report,
    "markdown": _markdown_report,
    "html": _html_report,
    "github": _github_report,
}
