"""The arrows of the pipeline, in order. The only file that knows every room."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from quotalint.accounting import facts_of
from quotalint.accounts.embedded import embedded_limits, rounds_of_creation, without_rendered
from quotalint.accounts.facts import Facts, Repository
from quotalint.accounts.limiting_templates import limiting_templates
from quotalint.accounts.server_limits import read_configurations
from quotalint.checks import checks, policy_checks
from quotalint.deployed import Environment, Rendering, View, deployed
from quotalint.kube.kinds import declares_namespace
from quotalint.named_tuples import NamedTuple
from quotalint.results.finding import Finding
from quotalint.results.findings import findings
from quotalint.runtime.recall import memory_in_use, recalled
from quotalint.runtime.resource_limits import begin_stage, share
from quotalint.settings import Settings
from quotalint.snapshots.snapshot import Snapshot
from quotalint.text.documents import MAX_BYTES
from quotalint.text.files import content
from quotalint.text.place import Place, Span
from quotalint.text.progress import Tell, tell_nobody
from quotalint.text.reading import File
from quotalint.text.sources import Found, Source
from quotalint.text.template_words import TemplateWords
from quotalint.unknowns.unseen import Skipped

if TYPE_CHECKING:
    from quotalint.suppression.baseline import Baseline, BaselineEntry
    from quotalint.suppression.trust import Trust


class Result(NamedTuple):
    """What one run found out."""

    environments: tuple[Facts, ...]
    """At least one."""
    findings: tuple[Finding, ...]
    """All findings, with suppressed ones."""
    locate: Callable[[Iterable[Place]], Mapping[Place, Span]]
    """Places → lines, for reports that show more of them."""
    content: Callable[[str], bytes]
    """The bytes of a file by its name in the report."""
    stale: tuple[BaselineEntry, ...] = ()
    """The entries of the baseline that are true no more."""
    untold: tuple[BaselineEntry, ...] = ()
    """The baseline entries that this run could not judge."""
    path: Callable[[str], str] = str
    """What to open for a file, by its name in the report; empty for standard input."""

    def refusal(self, name: str) -> str:
        """Why no repair may change a file; empty where one may."""
        from quotalint.fixes.sharing import refusal_to_change

        return refusal_to_change(self.path(name), self.environments[0].settings.repository)


def run(
    files_found: Found,
    settings: Settings,
    stdin: Callable[[], bytes],
    jobs: int,
    snapshots: Sequence[Snapshot] = (),
    baseline: Baseline | None = None,
    before: Sequence[Facts] = (),
    known: Callable[[Source], File | None] | None = None,
    tell: Tell = tell_nobody,
    trust: Trust | None = None,
) -> Result:
    """Everything there is to say of these sources, and of clusters that hold more; of a change too where `before` is
    what was found out of the state before it, and `trust` says what of it that silences counts. What is `known` to be
    in a file is not read again."""
    return judged(gathered(files_found, settings, stdin, jobs, snapshots, known, tell), baseline, before, tell, trust)


class Gathered(NamedTuple):
    """What is applied in each environment, before sums are computed."""

    files_found: Found
    repository: Repository
    seen: View
    snapshots: Sequence[Snapshot]
    stdin: Callable[[], bytes]


def gathered(
    files_found: Found,
    settings: Settings,
    stdin: Callable[[], bytes],
    jobs: int,
    snapshots: Sequence[Snapshot] = (),
    known: Callable[[Source], File | None] | None = None,
    tell: Tell = tell_nobody,
) -> Gathered:
    """What is applied in each environment, within the budget of a run."""
    begin_stage()
    with share(whole=True):
        applied = gather(files_found, settings, stdin, jobs, snapshots, known, tell)
    if snapshots:
        from quotalint.joining import join_snapshots

        snapshots = join_snapshots(
            snapshots, [environment.name for environment in applied[1].environments], settings.environment_aliases
        )
    return Gathered(files_found, *applied, snapshots, stdin)


def judged(
    of: Gathered,
    baseline: Baseline | None = None,
    before: Sequence[Facts] = (),
    tell: Tell = tell_nobody,
    trust: Trust | None = None,
) -> Result:
    """The result for what is applied. The other parameters are as in `run`."""
    repository, view, snapshots = of.repository, of.seen, of.snapshots
    tell("adding up requests")
    begin_stage()
    facts = tuple(facts_of(repository, environment, view, snapshots) for environment in view.environments)
    if repository.embedded:
        repository, facts = _without_enforced(repository, facts)
    if before:
        from quotalint.diff.pairs import with_before

        facts = with_before(before, facts)
    paths = recalled(
        "paths", (of.files_found,), None, lambda: {source.name: source.path for source in of.files_found.sources}
    )
    lines = {at: line for snapshot in snapshots for at, line in snapshot.lines.items()}

    def of_file(name: str) -> bytes:
        return _content(paths.get(name, name), of.stdin)

    spans = partial(_spans, content_of=of_file, lines=lines)
    tell("checking")
    begin_stage()
    unapplied = tuple(facts_of(repository, environment, view, ()) for environment in view.unapplied)
    all_checks = (*checks(), *policy_checks(repository.settings))
    all_findings, stale, untold = findings(
        facts,
        all_checks,
        spans,
        of_file,
        baseline,
        (*unapplied, *_within(repository, view)),
        trust,
        whole=of.files_found.whole,
    )
    return Result(facts, all_findings, spans, of_file, stale, untold, lambda name: paths.get(name, name))


def silent_result(environments: tuple[Facts, ...]) -> Result:
    """The result for facts without findings. Their files are read by name."""

    def of_file(name: str) -> bytes:
        return _content(name, bytes)

    return Result(environments, (), lambda places: _spans(places, of_file, {}), of_file)


def _without_enforced(repository: Repository, facts: tuple[Facts, ...]) -> tuple[Repository, tuple[Facts, ...]]:
    """Without the quotas and LimitRanges inside other objects that policies make in namespaces in view."""
    enforced = {limits.object.place.real for of in facts for limits in of.quotas}
    enforced |= {limits.object.place.real for of in facts for limits in of.limit_ranges}
    embedded = tuple(obj for obj in repository.embedded if obj.place.real not in enforced)
    if len(embedded) == len(repository.embedded):
        return repository, facts
    facts = tuple(of._replace(repository=of.repository._replace(embedded=embedded)) for of in facts)
    return repository._replace(embedded=embedded), facts


def _within(repository: Repository, view: View) -> Iterator[Facts]:
    """The facts about quotas and LimitRanges inside other objects, each judged alone."""
    for objects in rounds_of_creation(repository.embedded):
        yield facts_of(repository, Environment("", (Rendering(objects),), ()), view, ())


def gather(
    files_found: Found,
    settings: Settings,
    stdin: Callable[[], bytes],
    jobs: int,
    snapshots: Sequence[Snapshot] = (),
    known: Callable[[Source], File | None] | None = None,
    tell: Tell = tell_nobody,
) -> tuple[Repository, View]:
    """sources → documents → what is applied where."""
    if snapshots:
        files_found = _without_snapshots(files_found, snapshots)
    shown = tuple(obj for snapshot in snapshots for obj in snapshot.objects)
    view, files, unreadable, templates = deployed(files_found, settings, stdin, jobs, shown, known, tell)
    configuring, configured, security, unread = read_configurations(files, settings.repository, settings.kube_version)
    skipped = (*(skip for skip in view.skipped if skip.name not in configuring), *unread)
    repository = Repository(
        settings=settings,
        files=files,
        unreadable=unreadable,
        kustomized=view.layout.kustomized,
        fixtures=view.layout.fixtures,
        idle=view.layout.idle,
        deployed_unread=view.layout.deployed_unread,
        data=view.layout.data,
        # A configuration beside a kustomization is not for it to list.
        skipped=_with_templates(files_found, files, tuple(sorted(skipped)), view, templates),
        documents=sum(len(file.reading.documents) for file in files),
        configured=configured,
        security=security,
        embedded=without_rendered(
            embedded_limits(
                files,
                view.layout.data,
                processes_templates=settings.templates,
                holds_manifests=settings.holds_manifests,
            ),
            view.objects,
        ),
        namespaces=tuple(filter(declares_namespace, view.objects)),
    )
    return repository, view


def _without_snapshots(files_found: Found, snapshots: Sequence[Snapshot]) -> Found:
    """The files without snapshots of a cluster that lie among them, because nobody applies those."""
    names = [shown.name for snapshot in snapshots for shown in (snapshot, *snapshot.earlier)]
    bases, real_names = set(map(os.path.basename, names)), set(map(os.path.realpath, names))
    sources = tuple(
        source
        for source in files_found.sources
        if os.path.basename(source.path) not in bases or os.path.realpath(source.path) not in real_names
    )
    return files_found if len(sources) == len(files_found.sources) else files_found._replace(sources=sources)


def _with_templates(
    files_found: Found,
    files: Sequence[File],
    skipped: tuple[Skipped, ...],
    view: View,
    templates: Mapping[str, TemplateWords],
) -> tuple[Skipped, ...]:
    """The skipped files, with the templates that write quotas."""
    # From which files objects come is as it was for as long as the layout is the very same.
    telling = (file for file in files if file.limiting or file.reading.failures)
    parts = (files_found, view.layout, *telling)
    return recalled(
        "templates", parts, skipped, lambda: limiting_templates(files_found, files, skipped, view, templates)
    )


def _spans(
    places: Iterable[Place], content_of: Callable[[str], bytes], lines: Mapping[tuple[str, int], int]
) -> Mapping[Place, Span]:
    """`lines` are those of files that are not here, by source and document."""
    real = {place: place.real for place in places}
    by_source: dict[str, list[Place]] = {}
    spans: dict[Place, Span] = {}
    for place in dict.fromkeys(real.values()):
        line = lines.get((place.source, place.document)) if lines else None
        if line is not None:
            spans[place] = Span(line, 1, line, 2)
            continue
        by_source.setdefault(place.source, []).append(place)
    if not by_source:  # a clean run looks for no line
        return {place: spans[real_place] for place, real_place in real.items()}
    from quotalint.text.spans import KnownSpans, locate

    memory = memory_in_use()
    span_memory = None if memory is None else memory.lasting("spans", KnownSpans)
    for name, wanted in by_source.items():
        data = content_of(name)
        spans.update(locate(data, wanted) if span_memory is None else span_memory.locate(name, data, wanted))
    return {place: spans[real_place] for place, real_place in real.items()}


def _content(path: str | None, stdin: Callable[[], bytes]) -> bytes:
    if path == "":
        return stdin()
    # What cannot be read (again) has no lines to show; its findings then point at the first.
    try:
        return (content(path, MAX_BYTES) if path else None) or b""
    except (OSError, ValueError):
        return b""
