"""The form in which slices are kept with an answer."""

from __future__ import annotations

import marshal
from array import array
from typing import Any

from quotalint.cache.packing import framed, joined, parts, split
from quotalint.named_tuples import NamedTuple
from quotalint.settings import Scenario, Settings
from quotalint.transcript import DIGEST

_FIELDS = (
    *("root", "file", "exclude", "fail_on", "namespaces", "kube_version", "nearly_full", "environments"),
    *("enforcement", "repository"),
)
"""What of the settings may be other than usual, but for the scenario."""


class Slice(NamedTuple):
    """What one namespace of one environment holds."""

    environment: str
    namespace: str
    files: tuple[str, ...]
    """In their order, with those that every namespace of the environment rests on."""
    sums: bytes
    """What stands for what is known of the sums of its quotas."""


class Slices(NamedTuple):
    """Those of a repository."""

    settings: Settings
    base: str
    """What comes before the name of a file, as the report has it, in its path."""
    names: list[str]
    """The files that belong to one slice."""
    owners: array[int]
    """Which slice, for each of them."""
    outlines: bytes
    """A digest for each of them (`outline.py`): of what decides more than its namespace."""
    contents: bytes
    """A digest for each of them: of all that it says."""
    packed_slices: list[bytes]

    def outline(self, number: int) -> bytes:
        """That of the file of this number."""
        return self.outlines[number * DIGEST : (number + 1) * DIGEST]

    def content(self, number: int) -> bytes:
        """What stands for all that the file of this number says."""
        return self.contents[number * DIGEST : (number + 1) * DIGEST]


def usual_settings(settings: Settings) -> Settings | None:
    """The settings that would be read back; None where they are others."""
    again = _settings(*_values(settings))
    return again if again == settings else None


def _values(settings: Settings) -> tuple[Any, ...]:
    return (settings.scenario.value, *(getattr(settings, field) for field in _FIELDS))


def _settings(scenario: str, *values: Any) -> Settings:
    return Settings("", None)._replace(scenario=Scenario(scenario), **dict(zip(_FIELDS, values, strict=True)))


def pack_slice(of: Slice) -> bytes:
    """One slice as bytes."""
    return framed([of.sums, joined((of.environment, of.namespace, *of.files))])


def unpack_slice(data: bytes) -> Slice:
    """What was packed. Raises ValueError where it has not this form."""
    sums, names = parts(data)
    environment, namespace, *files = split(names)
    return Slice(environment, namespace, tuple(files), sums)


def pack_slices(slices: Slices) -> bytes:
    """All of them as bytes."""
    return framed(
        (
            marshal.dumps((slices.base, *_values(slices.settings)), 2),
            joined(slices.names),
            slices.owners.tobytes(),
            slices.outlines,
            slices.contents,
            framed(slices.packed_slices),
        )
    )


def unpack_slices(data: bytes) -> Slices:
    """What was packed. Raises ValueError, TypeError or EOFError where it has not this form."""
    head, names, owners, outlines, contents, packed_slices = parts(data)
    base, *values = marshal.loads(head)
    numbers = array("q")
    numbers.frombytes(owners)
    return Slices(_settings(*values), base, split(names), numbers, outlines, contents, parts(packed_slices))
