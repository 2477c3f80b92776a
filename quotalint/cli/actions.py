"""What the commands do after the command line is parsed. Nothing here knows click."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from quotalint.cache.files_in_memory import files_in_memory
from quotalint.catalogue import SEVERITIES, rule_ids
from quotalint.cli import printing
from quotalint.cli.formats import CHECK, USAGE, report_of
from quotalint.cli.outputs import STDOUT, deliver_file
from quotalint.cli.progress_line import Progress
from quotalint.cli.request import CannotRun, Request
from quotalint.kube.releases import release
from quotalint.pipeline import Result, run
from quotalint.programs import programs_brought
from quotalint.reports.check_verdict import holds_unknown
from quotalint.reports.terminal import Terminal, count_noun
from quotalint.runtime.faults import attempt
from quotalint.runtime.resource_limits import begin_stage, share
from quotalint.runtime.transcript import note_covered, note_doubt, note_pure
from quotalint.settings import Options, Settings, describe_error
from quotalint.settings.loading import LEADS_OUT, NAMES, load_settings
from quotalint.snapshots.snapshot import Snapshot
from quotalint.suppression import baseline_file
from quotalint.text.disk import is_there
from quotalint.text.files import leads_out_of_git, lies_in
from quotalint.text.reading import processors
from quotalint.text.sources import Found, find
from quotalint.text.words import list_some

if TYPE_CHECKING:
    from quotalint.results.finding import Finding
    from quotalint.suppression.baseline import Baseline

STATUS_FINDINGS = 1
_Of = TypeVar("_Of")  # what a format is made of


def check(request: Request) -> int:
    """Print what is wrong; the exit status."""
    if request.staged:
        from quotalint.cli.staging import check_staged

        return check_staged(request)
    if request.fixes.diff or request.fixes.write:
        from quotalint.cli.repairing import run_fixes

        return run_fixes(request)
    note_pure()
    result = result_of(request)
    deliver_check(request, result)
    return exit_status(result) or int(request.fails_on_unknown and holds_unknown(result.environments))


def usage(request: Request) -> int:
    """Print the quota table; the exit status."""
    from quotalint.cli.asked_paths import hint_at_names, refuse_unmatched

    note_pure()
    usage_report = report_of(result_of(request), choice=request.choice, asked=request.asked)
    if request.choice is not None:
        refuse_unmatched(request.choice, usage_report, request.paths)
    deliver_reports(request, USAGE, usage_report)
    hint = hint_at_names(request.paths)
    if hint and not usage_report.numbers.quotas:
        printing.tell(f"quotalint: {hint}")
    return 0


def deliver_check(request: Request, result: Result) -> None:
    """Write every requested report of `check`. Raises CannotRun."""
    report = report_of(result, asked=request.asked, quiet=request.quiet, verbose=request.verbose)
    deliver_reports(request, CHECK, report)


def deliver_reports(request: Request, formats: Mapping[str, Callable[[_Of, Terminal], str]], of: _Of) -> None:
    """Write every requested report. Raises CannotRun."""
    failures = []
    for output in request.outputs:
        if output.file == STDOUT:
            to = terminal_for(request.color)
            text = _make_report(output.format, formats, of, to)
            print_report(text or "", output.format, colored=to.color and output.format == "text")
            if text is None:
                failures.append(f"there is no report {output.format}")
            continue
        text = _make_report(output.format, formats, of, Terminal())
        written = None if text is None else deliver_file(output, text)
        failure = "there is no report" if text is None else written
        if failure:
            failures.append(f"--output {output.format}={output.file}: {failure}")
    if failures:
        raise CannotRun("\n".join(failures))


def _make_report(name: str, formats: Mapping[str, Callable[[_Of, Terminal], str]], of: _Of, to: Terminal) -> str | None:
    """A report, which may be empty; None if making it raises, so that the other reports are still written."""

    def tell_unwritten(reason: str, is_expensive: bool) -> None:
        if is_expensive:
            printing.tell(f"quotalint: the report {name} is not written: {reason}")

    begin_stage()
    # A report is its whole stage: it takes time from nothing else.
    return attempt(f"the report {name}", "", lambda: formats[name](of, to), tell_unwritten, whole=True)


def terminal_for(color: str) -> Terminal:
    """How to write to standard output; `color` is `auto`, `always` or `never`."""
    is_terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    is_forced = any(os.environ.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE"))
    bars = color == "always" or (color == "auto" and (is_terminal or is_forced))
    colored = bars and (color == "always" or not os.environ.get("NO_COLOR"))
    width = _width_of_terminal() if is_terminal or os.environ.get("COLUMNS") else None
    return Terminal(color=colored, bars=bars, width=width or 100, wraps=width is not None)


def _width_of_terminal() -> int:
    from shutil import get_terminal_size

    return min(max(get_terminal_size((100, 24)).columns, 60), 140)


def print_report(text: str, kind: str = "text", *, colored: bool = False) -> None:
    """Print a report of a format."""
    try:
        printing.write(text, kind, colored=colored)
    except printing.OutputError as error:
        raise CannotRun(str(error)) from None


def result_of(request: Request, stdin: Callable[[], bytes] | None = None, by: Callable[..., Result] = run) -> Result:
    """The result of a run; `by` does it, called like `pipeline.run`. Raises CannotRun."""
    paths = request.paths or (".",)
    settings = settings_of(paths, request.options)
    tell_of_programs(settings.repository)
    snapshots = snapshots_of(request)
    stdin, jobs = stdin or standard_input(), request.jobs or processors()
    file = baseline_file(request.baseline, settings)
    if (request.write_baseline or settings.baseline) and not request.baseline:
        from quotalint.cli.accepting import refuse_elsewhere

        refuse_elsewhere(file, settings)
    baseline = known_baseline(file, needed=bool(request.baseline or settings.baseline) and not request.write_baseline)
    note_basis(settings, paths)
    if request.verbose:
        for line in _basis_lines(settings, baseline, jobs):
            printing.tell(f"quotalint: {line}")
    with Progress(wanted=not request.quiet) as tell:
        tell("looking for manifests")
        if links := [path for path in paths if path != "-" and leads_out_of_git(path)]:
            from quotalint.cli.asked_paths import links_out

            raise CannotRun(links_out(links))
        with share(whole=True):
            found_files = find(paths, settings.root, settings.exclude)
        if found_files.missing:
            from quotalint.cli.asked_paths import missing_paths

            raise CannotRun(missing_paths(found_files.missing))
        result = by(found_files, settings, stdin, jobs, snapshots, baseline, known=files_in_memory(), tell=tell)
    _tell_of_nothing(paths, found_files, result)
    endings = (source.path for source in found_files.sources if source.path.endswith(NAMES))
    if settings.file or any(os.path.basename(path) in NAMES for path in endings):
        from quotalint.cli.configuration_notes import tell_of_configuration

        tell_of_configuration(settings, found_files, result, paths)
    if snapshots:
        from quotalint.cli.given_files import refuse_unknown

        refuse_unknown(snapshots, [facts.environment for facts in result.environments], settings.environment_aliases)
    if not request.write_baseline:
        if baseline is not None and result.stale:
            among = count_noun(len(baseline.entries), "finding")
            printing.tell(f"quotalint: {baseline.file}: {len(result.stale)} of {among} no longer found")
        return result
    note_doubt("it writes a baseline")
    from quotalint.cli.accepting import write_baseline

    write_baseline(file, result)
    return run(found_files, settings, stdin, jobs, snapshots, known_baseline(file, needed=True))


def note_basis(settings: Settings, paths: Sequence[str]) -> None:
    """Note that an answer depends on the whole repository and the paths; on more if a configuration lies above them."""
    covered = [os.path.realpath(path) for path in (settings.repository, *paths)]
    if any(lies_in(os.path.realpath(settings.root), path) for path in covered):
        note_covered(covered)


def _tell_of_nothing(paths: Sequence[str], found_files: Found, result: Result) -> None:
    """Say so if there was nothing to check."""
    if not found_files.sources and not found_files.unreadable and not result.environments[0].cluster.objects:
        printing.tell(f"quotalint: nothing to check: no YAML or JSON file below {', '.join(paths)}")
    elif tuple(paths) == ("-",) and not result.findings and not result.environments[0].cluster.objects:
        printing.tell("quotalint: nothing to check: standard input has no Kubernetes object")


def _basis_lines(settings: Settings, ignored: Baseline | None, jobs: int) -> Iterator[str]:
    """The settings that decide a verdict, as lines."""
    from quotalint.deployed import kustomize_renderer

    configuration = settings.file or "none (`quotalint init` writes one)"
    yield (
        f"configuration: {configuration}; Kubernetes {settings.kube_version}, "
        f"scenario {settings.scenario}, enforcement {settings.enforcement}"
    )
    yield f"kustomizations: {kustomize_renderer(settings.renderers.kustomize, settings.repository)}"
    baseline = ignored.file if ignored else "none"
    yield f"baseline: {baseline}; up to {count_noun(jobs, 'process', 'processes')} read files"


def known_baseline(file: str, *, needed: bool) -> Baseline | None:
    """A baseline; None if there is none and none is needed. Raises CannotRun."""
    if not needed and not is_there(file):
        return None
    if not needed and leads_out_of_git(file):
        raise CannotRun(f"{file}: {LEADS_OUT}; `--baseline {file}` reads it anyway")
    from quotalint.suppression.baseline import Baseline, read_baseline

    read = read_baseline(file)
    if isinstance(read, Baseline):
        return read
    hint = "" if is_there(file) else "; `quotalint --write-baseline` writes it"
    raise CannotRun("\n".join(describe_error(error) + hint for error in read))


def settings_of(paths: tuple[str, ...], options: Options) -> Settings:
    """The settings for these paths. Raises CannotRun if they are invalid."""
    settings = load_settings(paths, options, frozenset(rule_ids()))
    if not isinstance(settings, Settings):
        raise CannotRun("\n".join(map(describe_error, settings)))
    refuse_unsound(settings)
    tell_of_release(settings)
    return settings


def refuse_unsound(settings: Settings) -> None:
    """End the run if a policy of the user cannot be evaluated: its demand must not be skipped. Raises CannotRun."""
    if settings.policies:
        from quotalint.cli.own_rules import unsound_policies

        if wrong := unsound_policies(settings.policies):
            raise CannotRun("\n".join(wrong))


def tell_of_programs(repository: str) -> None:
    """Print which programs are not run, because they are part of the repository."""
    if programs := programs_brought(repository):
        printing.tell(f"quotalint: not run, because it is part of the repository: {list_some(programs, 4)}")


def tell_of_release(settings: Settings) -> None:
    """Print which release is used instead of an unsupported one."""
    nearest = release(settings.kube_version).version
    if nearest != settings.kube_version:
        printing.tell(f"quotalint: Kubernetes {settings.kube_version} is not supported; using the rules of {nearest}")


def snapshots_of(request: Request) -> tuple[Snapshot, ...]:
    """The snapshots that the command line names."""
    if not request.snapshots:
        return ()
    from quotalint.cli.given_files import given_snapshots

    return given_snapshots(request.snapshots)


def standard_input() -> Callable[[], bytes]:
    # `<&-` closes standard input.
    return cache(lambda: sys.stdin.buffer.read() if sys.stdin else b"")


def exit_status(result: Result) -> int:
    """The exit status for the findings of a run."""
    environment_names = [facts.environment for facts in result.environments]

    def fails_run(finding: Finding) -> bool:
        settings = result.environments[0].settings
        # A finding that names no environment is true of all of them, or of none in particular.
        limits = (settings.fail_on_in(name) for name in finding.environments or environment_names)
        return any(
            limit != "never" and SEVERITIES.index(finding.severity) <= SEVERITIES.index(limit) for limit in limits
        )

    is_failed = any(finding.suppressed is None and fails_run(finding) for finding in result.findings)
    return STATUS_FINDINGS if is_failed else 0
