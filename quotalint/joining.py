"""Which of our environments each environment of another repository's report is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quotalint.kube.guess import MEMBERSHIP, Guess
from quotalint.snapshots.snapshot import Snapshot


def join_snapshots(
    snapshots: Sequence[Snapshot], names: Sequence[str], aliases: Mapping[str, str]
) -> tuple[Snapshot, ...]:
    """The snapshots. Those from reports get the names of our environments; what belongs to none of ours is left out."""
    placed_snapshots = []
    for snapshot in snapshots:
        alone = sum(other.is_report and other.name == snapshot.name for other in snapshots) == 1
        placed = in_environment(snapshot, names, aliases, alone=alone) if snapshot.is_report else snapshot
        if placed is not None:
            placed_snapshots.append(placed)
    return tuple(placed_snapshots)


def in_environment(
    snapshot: Snapshot, names: Sequence[str], aliases: Mapping[str, str], *, alone: bool
) -> Snapshot | None:
    """A report's snapshot under the name of our environment; None if it belongs to none of ours. `alone`: the report
    has no other environment, so that it matches ours if we have only one too. That is a guess if the names differ."""
    name = aliases.get(snapshot.environment, snapshot.environment)
    if name in names:
        return snapshot._replace(environment=name)
    if not alone or len(names) != 1:
        return None
    cure = f"write `environmentAliases: {{{name or repr('')}: {names[0] or 'NAME'}}}` into .quotalint.yaml"
    theirs, ours = (f"environment {called}" if called else "no environment" for called in (name, names[0]))
    guess = Guess(
        MEMBERSHIP, f"{snapshot.about.cluster} names {theirs}, and {ours} is named here, so both are one", cure
    )
    objects = tuple(obj._replace(guesses=(*obj.guesses, guess)) for obj in snapshot.objects)
    return snapshot._replace(environment=names[0], objects=objects)
