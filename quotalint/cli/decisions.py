"""The settings and baselines of the two states of a comparison.

Both states use those of the base, unless the user trusts the head: the author of a change must not switch off its
findings.
"""

from __future__ import annotations

import os

from quotalint.catalogue import rule_ids
from quotalint.cli.accepting import refuse_elsewhere
from quotalint.cli.actions import known_baseline, refuse_unsound, tell_of_release
from quotalint.cli.printing import tell
from quotalint.cli.request import CannotRun
from quotalint.cli.states import bring
from quotalint.diff.git import Git
from quotalint.diff.trees import Side, looking_at
from quotalint.named_tuples import NamedTuple
from quotalint.settings import Options, Settings, describe_error
from quotalint.settings.loading import NAME, configurations_in, load_settings
from quotalint.suppression import baseline_file
from quotalint.suppression.baseline import Baseline
from quotalint.suppression.trust import changed_keys
from quotalint.text.documents import MAX_BYTES
from quotalint.text.files import content
from quotalint.text.git_index import Tracked
from quotalint.text.place import Place


class StateSettings(NamedTuple):
    """The settings of both states."""

    was: Settings
    now: Settings
    changed: tuple[Place, ...]
    """The keys of the configuration that the head changes."""


def decide_settings(
    options: Options, paths: tuple[str, ...], of: Git, first: Side, second: Side, here: str, *, trusts_head: bool
) -> StateSettings:
    """The settings of both states."""
    if options.config is not None:
        named = os.path.abspath(options.config)
        if not second.commit and named not in Tracked():
            # What somebody names and no commit has is theirs: a change does not bring it.
            bring(named, of, first, second, also_ignored=True)
        _bring_own(named, of, first, second)
        options = options._replace(config=os.path.relpath(named, here))
    else:
        bring(_configuration_above(of.root), of, first, second)
    known_rules = frozenset(rule_ids())
    with looking_at(second, here):
        now = load_settings(paths, options, known_rules, second.top)
    if not isinstance(now, Settings):
        raise CannotRun("\n".join(map(describe_error, now)))
    with looking_at(first, here):
        was = load_settings(paths, options, known_rules, first.top)
        if not isinstance(was, Settings):
            for error in was:
                tell(f"quotalint: {first.name}: {describe_error(error)}")
            was = _without_file(paths, options, known_rules, first, now, trusts_head=trusts_head)
    file = now.file or was.file or NAME
    changed = changed_keys(_configuration_bytes(was, first, here), _configuration_bytes(now, second, here), file)
    if was.policies != now.policies and not any(place.path == ("policies",) for place in changed):
        changed = (*changed, Place(file, 0, ("policies",)))  # in a file that it names
    if not trusts_head:
        now = was
    side = second if trusts_head else first
    with looking_at(side, here):
        refuse_unsound(now)
    tell_of_release(now)
    return StateSettings(was, now, changed)


def baselines_of_states(
    by: StateSettings, of: Git, first: Side, second: Side, here: str
) -> tuple[Baseline | None, Baseline | None]:
    """The accepted findings of each state."""
    with looking_at(second, here):  # beside a configuration, which has one path in both
        files = [(baseline_file(None, settings), settings) for settings in (by.was, by.now)]
    _bring_own(os.path.normpath(os.path.join(here, files[1][0])), of, first, second)
    baselines = []
    for side, (file, settings) in zip((first, second), files, strict=True):
        with looking_at(side, here):
            if settings.baseline:
                refuse_elsewhere(file, settings)
            baselines.append(known_baseline(file, needed=bool(settings.baseline) and side is second))
    return baselines[0], baselines[1]


def _without_file(
    paths: tuple[str, ...],
    options: Options,
    known_rules: frozenset[str],
    first: Side,
    now: Settings,
    *,
    trusts_head: bool,
) -> Settings:
    """Settings without a configuration, if that of the base is invalid."""
    if trusts_head:
        tell(f"quotalint: {first.name} is checked with the configuration of the change")
        return now
    tell("quotalint: both states are checked without a configuration; --trust-head-config takes that of the change")
    bare = load_settings(paths, options, known_rules, first.top, configured=False)
    if not isinstance(bare, Settings):
        raise CannotRun("\n".join(map(describe_error, bare)))
    return bare


def _configuration_bytes(settings: Settings, side: Side, here: str) -> bytes:
    """The configuration of a state; empty if there is none."""
    if settings.file is None:
        return b""
    try:
        with looking_at(side, here):
            return content(settings.file, MAX_BYTES) or b""
    except (OSError, ValueError):
        return b""


def _bring_own(path: str, of: Git, first: Side, second: Side) -> None:
    """Use a file of the user that no commit has; the change cannot supply it."""
    if not any(side.has_path(path) for side in (first, second)):
        bring(path, of, first, second, also_ignored=True)


def _configuration_above(root: str) -> str:
    """The nearest configuration above the repository, which no revision has; empty if there is none."""
    folder = root
    while folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
        files = configurations_in(folder)
        if files:
            return files[0]
    return ""
