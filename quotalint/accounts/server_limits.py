"""Reads what API servers limit by default (`limitedResources`), from files in the repository, and assigns it to
environments."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from quotalint.admission.plugins import BUILTIN_PRIORITY_CLASSES
from quotalint.kube.limited_resources import (
    KINDS,
    PLUGIN,
    Elsewhere,
    LimitedConfiguration,
    LimitedResource,
    Malformed,
    admission_limits,
    is_limits,
    limited_priority_resource,
    limits,
    selector_error,
)
from quotalint.kube.releases import release
from quotalint.kube.scopes import known_scopes
from quotalint.named_tuples import NamedTuple
from quotalint.quota.default_limits import PLATFORM, SETTING
from quotalint.runtime.recall import recalled_each
from quotalint.settings import GKE, Settings
from quotalint.text.place import Place
from quotalint.text.reading import File
from quotalint.text.tree import Tree, join_path
from quotalint.unknowns.unseen import Skipped

if TYPE_CHECKING:
    from quotalint.kube.pod_security_configuration import SecurityConfiguration


_Configuration = TypeVar("_Configuration")
_READ = (*KINDS, "PodSecurityConfiguration")


class Configured(NamedTuple):
    """One configuration of the ResourceQuota admission plugin."""

    folder: str
    """The folder of the file that the API server is started with."""
    limits: LimitedConfiguration


def read_configurations(
    files: Sequence[File], repository: str, kube_version: str
) -> tuple[frozenset[str], tuple[Configured, ...], tuple[SecurityConfiguration, ...], tuple[Skipped, ...]]:
    """The names of the files with configurations, those of ResourceQuota and of PodSecurity, and the files that cannot
    be used, with reasons. `repository` is the absolute path of the root."""
    strict = release(kube_version).strict_configurations
    alone: dict[Place, LimitedConfiguration | Malformed] = {}
    admissions: list[tuple[Place, LimitedConfiguration | Elsewhere | Malformed]] = []
    security: list[SecurityConfiguration] = []
    for file in filter(None, recalled_each("configurations", files, (), _that_configures)):
        for document in file.reading.documents:
            value = document.value
            if not isinstance(value, dict) or value.get("kind") not in _READ:
                continue
            security += _security_configurations(value, file.source.name)
            place = Place(file.source.name, document.index)
            if is_limits(value.get("apiVersion"), value.get("kind")):
                alone[place] = limits(value, place, strict=strict)
            elif (statement := admission_limits(value, place, strict=strict)) is not None:
                admissions.append((place, statement))
    if not alone and not admissions:
        return frozenset(each.file for each in security), (), tuple(security), ()
    tree = Tree(repository, {file.source.name: file.reading for file in files})
    configured: list[Configured] = []
    skipped: list[Skipped] = []
    referred: set[Place] = set()
    for place, statement in admissions:
        limits_or_flaw = (
            _follow_reference(statement, alone, tree, strict=strict) if isinstance(statement, Elsewhere) else statement
        )
        if isinstance(limits_or_flaw, LimitedConfiguration):
            referred.add(limits_or_flaw.place)
            configured.append(Configured(posixpath.dirname(place.source), limits_or_flaw))
        elif isinstance(limits_or_flaw, Malformed):
            referred.add(limits_or_flaw.place._replace(path=()))
            skipped.append(_skipped_configuration(limits_or_flaw))
        elif limits_or_flaw is not None:
            skipped.append(limits_or_flaw)
    for place, limited in alone.items():
        if place in referred:
            continue
        if isinstance(limited, Malformed):
            skipped.append(_skipped_configuration(limited))
        else:
            configured.append(Configured(posixpath.dirname(place.source), limited))
    doubts = (doubt for configuration in configured for doubt in _selector_doubts(configuration.limits))
    places = (*alone, *(place for place, _ in admissions))
    names = frozenset((*(place.source for place in places), *(each.file for each in security)))
    return names, tuple(configured), tuple(security), tuple(dict.fromkeys((*skipped, *doubts)))


def _security_configurations(value: object, file: str) -> Iterator[SecurityConfiguration]:
    from quotalint.kube.pod_security_configuration import security_configurations

    return security_configurations(value, file)


def security_in(
    environment: str, names: Sequence[str], configured: Sequence[SecurityConfiguration], settings: Settings
) -> tuple[SecurityConfiguration, ...]:
    """The configurations of PodSecurity that the API server of an environment may have, as with `limited_in`."""
    folders = [posixpath.dirname(each.file) for each in configured]
    return tuple(_of_environment(environment, names, configured, folders, settings))


def _that_configures(file: File) -> File | None:
    """The file if one of its documents has the kind of a configuration, else None."""
    for document in file.reading.documents:
        if isinstance(document.value, dict) and document.value.get("kind") in _READ:
            return file
    return None


def limited_in(
    environment: str, names: Sequence[str], configured: Sequence[Configured], settings: Settings
) -> tuple[tuple[LimitedResource, ...], ...]:
    """What the API server of an environment limits by default; `names` are all environments. An API server has one
    configuration, so several results are alternatives. Empty if nothing is limited, or if an alternative limits
    nothing.

    A configuration belongs to the environments that the settings give its folder, else to those that its path names. A
    configuration without either belongs to all environments that have none of their own.
    """
    classes, setting = settings.limited_priority_classes, SETTING
    if not classes and GKE in (settings.platforms or ()):
        classes, setting = tuple(sorted(BUILTIN_PRIORITY_CLASSES, reverse=True)), PLATFORM
    place = Place(settings.file or "", 0, (setting,))
    always = (limited_priority_resource(classes, place),) if classes else ()
    folders = [configuration.folder for configuration in configured]
    possible = _of_environment(environment, names, configured, folders, settings)
    scopes_of_release = known_scopes(settings.kube_version) if possible else frozenset()
    chosen = [
        (*(_known_scopes_only(limited, scopes_of_release) for limited in configuration.limits.limited), *always)
        for configuration in possible
    ]
    return tuple(chosen or [always]) if all(chosen or [always]) else ()


def _of_environment(
    environment: str,
    names: Sequence[str],
    configured: Sequence[_Configuration],
    folders: Sequence[str],
    settings: Settings,
) -> Sequence[_Configuration]:
    """The configurations of an environment by their folders, else those that belong to none."""
    owners = [_owning_environments(folder, names, settings.environments_of) for folder in folders]
    own = [configuration for configuration, of in zip(configured, owners, strict=True) if environment in of]
    return own or [configuration for configuration, of in zip(configured, owners, strict=True) if not of]


def _owning_environments(
    folder: str, names: Iterable[str], configured: Callable[[str], tuple[str, ...]]
) -> tuple[str, ...]:
    return configured(folder) or tuple(name for name in names if name and f"/{name}/" in f"/{folder}/")


def _known_scopes_only(limited: LimitedResource, scopes: frozenset[str]) -> LimitedResource:
    """The resource without scopes that this release does not know."""
    return limited._replace(scopes=tuple(scope for scope in limited.scopes if scope.scope in scopes))


def _follow_reference(
    reference: Elsewhere, alone: dict[Place, LimitedConfiguration | Malformed], tree: Tree, *, strict: bool
) -> LimitedConfiguration | Malformed | Skipped | None:
    """The configuration in another file; None if the path is one on the API server's machine and a file with that name
    is in view."""
    source = reference.place.source
    if posixpath.isabs(reference.path):
        base = posixpath.basename(reference.path)
        if any(posixpath.basename(place.source) == base for place in alone):
            return None
        return Skipped(
            source, f"its plugin {PLUGIN} is configured by {reference.path}, which is no file of the repository"
        )
    name = join_path(posixpath.dirname(source), reference.path)
    inside = source != "<stdin>" and tree.contains(name)
    reading = tree.reading(tree.canonical_name(name)) if inside else None
    if reading is None:
        return Skipped(
            source, f"its plugin {PLUGIN} is configured by {reference.path}, which is no file of the repository"
        )
    if not reading.documents or reading.failures:
        return Malformed(Place(name), "the configuration cannot be read")
    document = reading.documents[0]
    return limits(document.value, Place(tree.canonical_name(name), document.index), strict=strict)


def _selector_doubts(configuration: LimitedConfiguration) -> Iterator[Skipped]:
    for limited in configuration.limited:
        for scope in limited.scopes:
            error = selector_error(scope)
            if error:
                kind = "pods" if scope.scope == "PriorityClass" else "claims"
                reason = f"in a scope of limitedResources {error}, so the API server checks no quota for {kind}"
                yield Skipped(configuration.place.source, reason)


def _skipped_configuration(flaw: Malformed) -> Skipped:
    return Skipped(flaw.place.source, f"kube-apiserver would not start with it: {flaw.reason}")
