"""Several repositories → what all of them together apply, environment by environment, as if they were one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from quotalint.accounts.facts import Repository
from quotalint.cel import NEEDED, is_installed
from quotalint.deployed import Environment, Rendering, View, view_repository
from quotalint.kube.discovery import Discovery, discover_kinds
from quotalint.kube.guess import MEMBERSHIP, Guess
from quotalint.named_tuples import NamedTuple
from quotalint.pipeline import Gathered, Result, gather, judged
from quotalint.repositories.listing import Member, NoList
from quotalint.settings import IgnoreRule, Options, Particular, Settings, describe_error
from quotalint.settings.loading import load_settings
from quotalint.snapshots.snapshot import Snapshot, shown_by
from quotalint.text.documents import Failure
from quotalint.text.files import content
from quotalint.text.progress import Tell
from quotalint.text.sources import Found, Source, find
from quotalint.unknowns.unseen import Skipped

MAX_REPORT = 256 * 1024 * 1024
"""The size above which a report is refused unread, in bytes."""


class RepositoryPart(NamedTuple):
    """One of them, looked at by itself."""

    member: Member
    environments: tuple[Environment, ...]
    """Under the names that it has for them."""
    repository: Repository | None
    """None of a report."""
    view: View | None
    sources: tuple[Source, ...]
    """Its files."""
    report: tuple[Snapshot, ...] = ()


class Joint(NamedTuple):
    """All of them together."""

    result: Result
    apart: tuple[str, ...]
    """The repositories that may belong to any of several environments."""
    unheeded: tuple[Unheeded, ...] = ()
    """What configurations say that does not count here."""


class Unheeded(NamedTuple):
    """Keys of one checkout's configuration that say how to judge, where another checkout says it."""

    name: str
    """Of the repository."""
    file: str
    keys: tuple[str, ...]


def joint_result(
    members: Sequence[Member], options: Options, known_rules: frozenset[str], jobs: int, tell: Tell
) -> Joint | NoList:
    """Everything there is to say of these repositories together. How it is judged, the first checkout says."""
    parts: list[RepositoryPart] = []
    for member in members:
        tell(f"reading {member.name}")
        part = _checkout(member, options, known_rules, jobs) if os.path.isdir(member.path) else _report(member)
        if isinstance(part, NoList):
            return part
        parts.append(part)
    names, apart = _names(parts)
    environments = _join_environments(parts, names)
    repository, view = _together(parts, environments, names, options)
    sources = tuple(source for part in parts for source in part.sources)
    lines = Snapshot(
        (), lines={at: line for part in parts for snapshot in part.report for at, line in snapshot.lines.items()}
    )
    nowhere = lines._replace(environment="\0")  # it has lines, and no objects
    gathered = Gathered(Found(sources, (), (), ()), repository, view, (nowhere,), bytes)
    return Joint(judged(gathered, tell=tell), apart, tuple(_unheeded_settings(parts)))


_JUDGING: Mapping[str, str] = {
    "select": "select",
    "severity": "severity",
    "fail_on": "failOn",
    "scenario": "scenario",
    "enforcement": "enforcement",
    "kube_version": "kubeVersion",
    "nodes": "nodes",
    "capacity": "capacity",
    "nearly_full": "thresholds",
    "required_limits": "requiredLimits",
    "limited_priority_classes": "limitedPriorityClasses",
}
"""Fields of settings that say how all are judged, and their keys."""


def _unheeded_settings(parts: Sequence[RepositoryPart]) -> Iterator[Unheeded]:
    """Where a checkout would judge otherwise, by itself, than the first one says."""
    checkouts = [(part.member.name, part.repository.settings) for part in parts if part.repository is not None]
    usual = Settings("", None)
    for index, (name, own) in enumerate(checkouts):
        first = checkouts[0][1]
        keys = [
            key
            for field, key in _JUDGING.items()
            if getattr(own, field) not in (getattr(usual, field), getattr(first, field))
        ]
        first_policies = {(policy.rule.id, policy.expression) for policy in first.policies}
        if any((policy.rule.id, policy.expression) not in first_policies for policy in own.policies):
            keys.append("policies")
        if own.baseline:
            keys.append("baseline")
        if keys and (index or own.baseline):
            yield Unheeded(name, own.file or "", tuple(keys))


def _checkout(member: Member, options: Options, known_rules: frozenset[str], jobs: int) -> RepositoryPart | NoList:
    settings = load_settings([member.path], options, known_rules)
    if not isinstance(settings, Settings):
        return NoList("\n".join(map(describe_error, settings)))
    if settings.policies and not is_installed():
        return NoList(f"{settings.policies[0].place.source}: {NEEDED}")
    files_found = find([member.path], settings.root, settings.exclude)
    repository, view = gather(files_found, settings, bytes, jobs)
    return RepositoryPart(member, view.environments, repository, view, files_found.sources)


def _report(member: Member) -> RepositoryPart | NoList:
    try:
        data = content(member.path, MAX_REPORT)
    except (OSError, ValueError) as error:
        return NoList(f"{member.path}: {getattr(error, 'strerror', None) or error}")
    if data is None or len(data) > MAX_REPORT:
        return NoList(f"{member.path}: it is not a report, or is too large")
    snapshots = shown_by(data, member.path, called=member.name)
    if isinstance(snapshots, Failure):
        return NoList(f"{member.path}: line {snapshots.line}: {snapshots.message}")
    if not snapshots[0].is_report:
        return NoList(f"{member.path}: it is neither a folder nor a report that `quotalint --output json=FILE` wrote")
    environments = tuple(
        Environment(
            snapshot.environment,
            (Rendering(tuple(obj._replace(foreign=False) for obj in snapshot.objects)),),
            snapshot.unseen,
        )
        for snapshot in snapshots
    )
    return RepositoryPart(member, environments, None, None, (), snapshots)


def _names(parts: Sequence[RepositoryPart]) -> tuple[dict[tuple[str, str], tuple[str, Guess | None]], tuple[str, ...]]:
    """By repository and its own name of an environment: what all call it, and what of that is guessed; and the
    repositories that stay apart."""
    aliases = _aliases(parts)
    named = {
        name
        for part in parts
        for environment in part.environments
        if (name := _environment_name(part.member, environment.name, aliases))
    }
    names: dict[tuple[str, str], tuple[str, Guess | None]] = {}
    apart: list[str] = []
    for part in parts:
        for environment in part.environments:
            name, guess = _environment_name(part.member, environment.name, aliases), None
            if not name and len(named) == 1:
                name = next(iter(named))
                cure = f"write `environments: {{'': {name}}}` for {part.member.name}"
                guess = Guess(MEMBERSHIP, f"{part.member.name} names no environment, so it is counted in {name}", cure)
            elif not name and named:
                name = f"{part.member.name} (?)"
                apart.append(part.member.name)
            names[part.member.name, environment.name] = name, guess
    return names, tuple(apart)


def _aliases(parts: Sequence[RepositoryPart]) -> Mapping[tuple[str, str], str]:
    """By repository and its own name of an environment: what the first checkout's configuration calls it."""
    checkouts = [part for part in parts if part.repository is not None]
    if not checkouts or checkouts[0].repository is None:
        return {}
    first, aliases = checkouts[0].member.name, checkouts[0].repository.settings.environment_aliases
    others = [part for part in parts if part.member.name != first]
    return {(part.member.name, theirs): ours for part in others for theirs, ours in aliases.items()}


def _environment_name(member: Member, environment: str, aliases: Mapping[tuple[str, str], str]) -> str:
    """What all call an environment of a repository: what the list says goes before what the first checkout says."""
    alias = aliases.get((member.name, environment), environment)
    return member.environments.get(environment, alias)


def _join_environments(
    parts: Sequence[RepositoryPart], names: Mapping[tuple[str, str], tuple[str, Guess | None]]
) -> tuple[Environment, ...]:
    together: dict[str, list[Environment]] = {}
    for part in parts:
        for environment in part.environments:
            name, guess = names[part.member.name, environment.name]
            renderings = environment.renderings
            if guess is not None:
                renderings = tuple(rendering.with_guess(guess) for rendering in renderings)
            # What one repository cannot see may be in any namespace, of its environments alone.
            unseen = (*environment.unseen, *(part.view.unseen if part.view else ()))
            together.setdefault(name, []).append(environment._replace(renderings=renderings, unseen=unseen))
    return tuple(
        Environment(
            name,
            tuple(rendering for namesake in namesakes for rendering in namesake.renderings),
            tuple(item for namesake in namesakes for item in namesake.unseen),
        )
        for name, namesakes in sorted(together.items())
    )


def _together(
    parts: Sequence[RepositoryPart],
    environments: tuple[Environment, ...],
    names: Mapping[tuple[str, str], tuple[str, Guess | None]],
    options: Options,
) -> tuple[Repository, View]:
    views = [(part.repository, part.view) for part in parts if part.repository is not None and part.view is not None]
    settings = _settings([repository.settings for repository, _ in views], options)
    settings = settings._replace(particulars=_particulars(parts, names))
    discovery = _discovery([view.discovery for _, view in views], environments, settings)
    if not views:
        return _of_reports(environments, discovery, settings)
    first, first_view = views[0]
    skipped = tuple(sorted({skip for repository, _ in views for skip in repository.skipped}))
    repository = first._replace(
        settings=settings,
        files=tuple(file for repository, _ in views for file in repository.files),
        unreadable=tuple(file for repository, _ in views for file in repository.unreadable),
        kustomized=frozenset[str]().union(*(repository.kustomized for repository, _ in views)),
        data=frozenset[str]().union(*(repository.data for repository, _ in views)),
        fixtures=frozenset[str]().union(*(repository.fixtures for repository, _ in views)),
        idle=frozenset[str]().union(*(repository.idle for repository, _ in views)),
        deployed_unread=frozenset[str]().union(*(repository.deployed_unread for repository, _ in views)),
        skipped=skipped,
        documents=sum(repository.documents for repository, _ in views),
        configured=tuple(configured for repository, _ in views for configured in repository.configured),
        embedded=tuple(obj for repository, _ in views for obj in repository.embedded),
        namespaces=tuple(obj for repository, _ in views for obj in repository.namespaces),
    )
    unapplied = tuple(environment for _, view in views for environment in view.unapplied)
    return repository, first_view._replace(
        environments=environments, discovery=discovery, skipped=skipped, unseen=(), unapplied=unapplied
    )


def _particulars(
    parts: Sequence[RepositoryPart], names: Mapping[tuple[str, str], tuple[str, Guess | None]]
) -> dict[str, Particular]:
    """What is different in one environment, under the name that all have for it; the first that says it counts."""
    particulars: dict[str, Particular] = {}
    for part in parts:
        for own, particular in part.repository.settings.particulars.items() if part.repository is not None else ():
            particulars.setdefault(names.get((part.member.name, own), (own, None))[0], particular)
    return particulars


def _of_reports(
    environments: tuple[Environment, ...], discovery: Discovery, settings: Settings
) -> tuple[Repository, View]:
    nothing = view_repository((), (), (), (), settings)
    none: tuple[Skipped, ...] = ()
    repository = Repository(settings, (), (), frozenset(), frozenset(), none, 0)
    return repository, nothing._replace(environments=environments, discovery=discovery)


def _discovery(discoveries: Sequence[Discovery], environments: Sequence[Environment], settings: Settings) -> Discovery:
    objects = (obj for environment in environments for obj in environment.objects)
    merged = discover_kinds(objects, settings.kube_version)
    for member_discovery in discoveries:
        merged = merged._replace(
            by_kind={**member_discovery.by_kind, **merged.by_kind},
            by_plural={**member_discovery.by_plural, **merged.by_plural},
            groups=merged.groups | member_discovery.groups,
        )
    return merged


def _settings(all_settings: Sequence[Settings], options: Options) -> Settings:
    """How all are judged: as the first says, with what each says is not to be reported of its own files, and with the
    ways to pods that any of them knows."""
    if not all_settings:
        loaded = load_settings(["."], options)
        return loaded if isinstance(loaded, Settings) else Settings(os.path.abspath("."), None)
    common = os.path.commonpath([settings.root for settings in all_settings])
    workloads = {name: workload for settings in reversed(all_settings) for name, workload in settings.workloads.items()}
    ignore = tuple(
        _within(ignore_rule, settings.root, common) for settings in all_settings for ignore_rule in settings.ignore
    )
    return all_settings[0]._replace(root=common, workloads=workloads, ignore=tuple(dict.fromkeys(ignore)))


def _within(ignore_rule: IgnoreRule, root: str, common: str) -> IgnoreRule:
    """What is not to be reported of the files below one root, said from a folder above it."""
    prefix = os.path.relpath(root, common).replace(os.sep, "/")
    if ignore_rule.place is None or prefix == ".":
        return ignore_rule  # an option, which is for all
    paths = tuple(
        f"/{prefix}/{path.lstrip('/')}" if "/" in path.rstrip("/") else f"/{prefix}/**/{path}"
        for path in ignore_rule.paths
    )
    return ignore_rule._replace(paths=paths or (f"/{prefix}/",))
