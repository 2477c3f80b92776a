"""Several repositories → the result for all of them together, as if they were one."""

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
"""The largest report that is read, in bytes."""


class RepositoryPart(NamedTuple):
    """What was read of one repository."""

    member: Member
    environments: tuple[Environment, ...]
    """Its environments, with its own names for them."""
    repository: Repository | None
    """None if the member is a report."""
    view: View | None
    sources: tuple[Source, ...]
    """The files of the repository."""
    report: tuple[Snapshot, ...] = ()


class Joint(NamedTuple):
    """The result for all repositories together."""

    result: Result
    apart: tuple[str, ...]
    """The repositories without environment names, if several environments are possible."""
    unheeded: tuple[Unheeded, ...] = ()
    """The settings of repositories that are ignored."""


class Unheeded(NamedTuple):
    """Keys of a checkout's configuration that are ignored, because the first checkout decides how all are judged."""

    name: str
    """The name of the repository."""
    file: str
    keys: tuple[str, ...]


def joint_result(
    members: Sequence[Member], options: Options, known_rules: frozenset[str], jobs: int, tell: Tell
) -> Joint | NoList:
    """The result for these repositories together. The settings of the first checkout decide how they are judged."""
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
    nowhere = lines._replace(environment="\0")  # it only has the lines of reports, and no objects
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
"""Fields of settings that decide how repositories are judged, and their keys in the configuration."""


def _unheeded_settings(parts: Sequence[RepositoryPart]) -> Iterator[Unheeded]:
    """The settings of checkouts that differ from those of the first one, which count."""
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
    """Two values. First, by repository and its own name for an environment: the common name, and the guess behind it.
    Second, the repositories that match no environment (`Joint.apart`)."""
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
    """By repository and its own name for an environment: the alias in the first checkout's configuration."""
    checkouts = [part for part in parts if part.repository is not None]
    if not checkouts or checkouts[0].repository is None:
        return {}
    first, aliases = checkouts[0].member.name, checkouts[0].repository.settings.environment_aliases
    others = [part for part in parts if part.member.name != first]
    return {(part.member.name, theirs): ours for part in others for theirs, ours in aliases.items()}


def _environment_name(member: Member, environment: str, aliases: Mapping[tuple[str, str], str]) -> str:
    """The common name of an environment of a repository. The list of repositories takes precedence over aliases."""
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
            # Objects that one repository cannot see may be in any namespace, but only of its own environments.
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
        security=tuple(configured for repository, _ in views for configured in repository.security),
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
    """The settings of single environments, by common name; the first repository that has them counts."""
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
    """The settings for all: those of the first, with the `ignore` entries of each for its own files, and the
    `workloads` of all."""
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
    """An `ignore` entry of one root, with its paths relative to a folder above it."""
    prefix = os.path.relpath(root, common).replace(os.sep, "/")
    if ignore_rule.place is None or prefix == ".":
        return ignore_rule  # an option of the command line is for all
    paths = tuple(
        f"/{prefix}/{path.lstrip('/')}" if "/" in path.rstrip("/") else f"/{prefix}/**/{path}"
        for path in ignore_rule.paths
    )
    return ignore_rule._replace(paths=paths or (f"/{prefix}/",))
