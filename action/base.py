"""What to compare with, decided by the event, by what is checked out and by what can be fetched."""

from __future__ import annotations

from typing import NamedTuple

from action.event import COMMIT, Event
from action.git import (
    Clone,
    abbreviated,
    clone,
    commit,
    fetch,
    fetch_named,
    is_partial,
    is_shallow,
    merge_base,
    parents,
)

_DEPTHS = (50, 500, 5000)  # commits of history that are fetched in turn to find where two branches parted


class Base(NamedTuple):
    """What to compare with; without it, everything is checked, unless it is missing."""

    commit: str = ""
    """As short as git has it, since it stands in reports."""
    because: str = ""
    """A sentence on how it was found, or on why there is none."""
    doubtful: bool = False
    """Whether somebody should read that sentence."""
    missing: bool = False
    """Whether there should be one: a check of everything would answer another question."""


def base(given: str, what: Event, start: str) -> Base:
    """What the working directory is to be compared with. `given` is a revision that the workflow names."""
    if not given and not what.base:
        return Base(because=f"{_named(what)} has no base: everything is checked")
    here = clone(start)
    if isinstance(here, str):
        return Base(
            because=f"{here}, so that there is nothing to compare with: use actions/checkout first", missing=True
        )
    found = _given(here, given) if given else _of_event(here, what)
    if not found.commit:
        return found
    if found.commit == here.head:
        because = f"the base, {here.head[:9]}, is what is checked out"
        if what.name == "pull_request_target" and not given:
            cure = "give actions/checkout `ref: ${{ github.event.pull_request.head.sha }}`"
            return Base(because=f"{because}, so that nothing of the pull request is here: {cure}", missing=True)
        return Base(because=f"{because}: everything is checked", doubtful=True)
    return found._replace(commit=abbreviated(here, found.commit))


def _given(here: Clone, given: str) -> Base:
    if not given.strip("0"):
        return Base(because=f"{given} stands for no commit, as of a new branch: everything is checked")
    found = commit(here, given)
    if not found and COMMIT.fullmatch(given):
        return _fetched(here, given, f"compared with {given[:9]}")
    if not found:
        found = fetch_named(here, given.removeprefix("origin/"))
    if not found:
        return Base(because=f"base: {given} is neither in this clone nor on the server", missing=True)
    return _fetched(here, found, f"compared with {given} ({found[:9]})")


def _of_event(here: Clone, what: Event) -> Base:
    if what.name == "merge_group":
        return _fetched(here, what.base, f"compared with the base of the merge group, {what.base[:9]}")
    above = parents(here)
    if len(above) == 2 and above[1] == what.head:
        # The merge that GitHub makes, of which its first parent is exactly what the pull request is added to. The base
        # that the event names may be older.
        return _fetched(here, above[0], f"compared with {above[0][:9]}, to which the pull request is merged")
    return _parted(here, what)


def _parted(here: Clone, what: Event) -> Base:
    """Where the branch that is checked out left the base."""
    found = merge_base(here, what.base, here.head)
    for depth in _DEPTHS:
        if found or fetch(here, [what.base, here.head], depth):
            break
        found = merge_base(here, what.base, here.head)
        if not is_shallow(here):
            break
    if found:
        return _fetched(here, found, f"compared with {found[:9]}, where the branch left the base")
    why = (
        f"compared with {what.base[:9]}, since it is not known where the branch left the base: what the base gained in "
        "the meantime looks as if the pull request took it away. `fetch-depth: 0` for actions/checkout helps"
    )
    return _fetched(here, what.base, why, doubtful=True)


def _fetched(here: Clone, wanted: str, because: str, doubtful: bool = False) -> Base:
    if not commit(here, wanted) or is_partial(here):
        failure = fetch(here, [wanted])
        if failure or not commit(here, wanted):
            why = (
                f"the base {wanted[:9]} is not in this clone and could not be fetched: {failure}\n"
                "`fetch-depth: 2` for actions/checkout brings the base of a pull request, `fetch-depth: 0` every one."
            )
            return Base(because=why, missing=True)
    return Base(wanted, because, doubtful)


def _named(what: Event) -> str:
    return f"the event {what.name}" if what.name else "no event"
