"""Why the API server refuses a pod or pod template for its names: duplicates, invalid and missing names, and mounts of
unknown volumes.

Source: Kubernetes 1.36, pkg/apis/core/validation/validation.go (validateContainers, validateInitContainers,
validateContainerPorts, ValidateVolumes, ValidateVolumeMounts, ValidateEnv).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from quotalint.kube.amounts import is_stand_in
from quotalint.kube.api_error import field_path
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.names import label_name_errors
from quotalint.kube.pod_specs import CONTAINER_LISTS
from quotalint.kube.pod_validation import Invalid
from quotalint.text.place import Path


def name_errors(spec: Body, *, has_all_volumes: bool, replaced: Collection[str] = ()) -> Iterator[Invalid]:
    """The validation errors for names in a pod's spec. `has_all_volumes`: nothing adds volumes before validation.
    `replaced`: volumes that a StatefulSet adds for its claims, in place of others with these names."""
    for error in _named_twice(("spec", "volumes"), spec.get("volumes"), set(), ""):
        if dig(spec, *error.path[1:]) not in replaced:
            yield error
    for index, volume in enumerate(map(mapping, sequence(spec.get("volumes")))):
        yield from _label_errors(("spec", "volumes", index, "name"), text(volume.get("name")), "")
    names: set[str] = set()
    for field in CONTAINER_LISTS:
        written = spec.get(field)
        if written == [] and field == "containers":
            yield _invalid(("spec", field), "Required value", "")
        yield from _named_twice(("spec", field), written, names, None)
        for index, container in enumerate(map(mapping, sequence(written))):
            path, name = ("spec", field, index), text(container.get("name"))
            if container and container.get("name") in (None, ""):
                yield _invalid((*path, "name"), "Required value", "")
            yield from _label_errors((*path, "name"), name, name)
            if "ports" in container:
                yield from _named_twice((*path, "ports"), container.get("ports"), set(), name)
            if "volumeMounts" in container:
                yield from _mount_errors(
                    (*path, "volumeMounts"), container, name, spec, replaced, has_all_volumes=has_all_volumes
                )
            if "env" in container:
                yield from _variable_errors((*path, "env"), container, name)


def _label_errors(path: Path, name: str, container: str) -> Iterator[Invalid]:
    """The reasons why a name is no DNS-1123 label; none for a missing one or a placeholder."""
    if name and not is_stand_in(name):
        for words in label_name_errors(name):
            yield _invalid(path, f'Invalid value: "{name}": {words}', container)


def _named_twice(path: Path, entries: object, taken: set[str], container: str | None) -> Iterator[Invalid]:
    """Entries with a name that is already taken; unnamed entries and placeholders are skipped."""
    entry_list = sequence(entries)
    if len(entry_list) < 2 and not taken:
        taken.update(text(mapping(entry).get("name")) for entry in entry_list)
        return
    for index, entry in enumerate(map(mapping, entry_list)):
        name = text(entry.get("name"))
        if not name:
            continue
        if name not in taken:
            taken.add(name)
        elif not is_stand_in(name):
            container_name = name if container is None else container
            yield _invalid((*path, index, "name"), f'Duplicate value: "{name}"', container_name)


def _are_volumes_known(spec: Body) -> bool:
    """Whether the names of all volumes are known."""
    written = spec.get("volumes")
    names = [mapping(volume).get("name") for volume in sequence(written)]
    return not any(map(is_stand_in, (written, *sequence(written), *names)))


def _mount_errors(
    path: Path, container: Body, name: str, spec: Body, added: Collection[str], *, has_all_volumes: bool
) -> Iterator[Invalid]:
    volumes = {*added, *(text(mapping(volume).get("name")) for volume in sequence(spec.get("volumes")))}
    mount_points: set[str] = set()
    for index, mount in enumerate(map(mapping, sequence(container.get("volumeMounts")))):
        volume, mount_point = (text(mount.get(field)) for field in ("name", "mountPath"))
        is_missing = volume and volume not in volumes and not is_stand_in(volume)
        if is_missing and has_all_volumes and _are_volumes_known(spec):
            yield _invalid((*path, index, "name"), f'Not found: "{volume}"', name)
        if mount_point in mount_points and not is_stand_in(mount_point):
            yield _invalid((*path, index, "mountPath"), f'Invalid value: "{mount_point}": must be unique', name)
        if mount_point:
            mount_points.add(mount_point)


def _variable_errors(path: Path, container: Body, name: str) -> Iterator[Invalid]:
    """Names of variables that every release refuses; since Kubernetes 1.32 only `=` and unprintable characters are."""
    variables: Iterable[object] = sequence(container.get("env"))
    for index, variable in enumerate(map(mapping, variables)):
        written = text(variable.get("name"))
        if "=" in written and not is_stand_in(written):
            words = "a valid environment variable name must consist only of printable ASCII characters other than '='"
            yield _invalid((*path, index, "name"), f'Invalid value: "{written}": {words}', name)


def _invalid(path: Path, detail: str, container: str) -> Invalid:
    return Invalid(field_path(path), path, detail, container)
