"""Proposals for the first configuration of a repository."""

from __future__ import annotations

import os
from collections.abc import Iterable

from quotalint.deployed import Rendering, View
from quotalint.kube.guess import MEMBERSHIP
from quotalint.named_tuples import NamedTuple
from quotalint.pipeline import gather
from quotalint.settings import Options, Settings
from quotalint.settings.loading import load_settings
from quotalint.text.sources import find
from quotalint.unknowns.causes import CLUSTERS


class Proposals(NamedTuple):
    """Proposed settings. Folders are relative to the root."""

    clusters: tuple[str, ...] = ()
    """Cluster names that ApplicationSets need, found in their paths."""
    environments: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The environments found in paths, with their folders, including guessed ones."""
    deployed: frozenset[str] = frozenset()
    """The folders that something deploys."""


def propose_settings(root: str) -> Proposals:
    """The proposals for the repository at `root`; empty if its configuration is invalid."""
    settings = load_settings([root], Options())
    if not isinstance(settings, Settings):
        return Proposals()
    _, view = gather(find([root], settings.root, ()), settings, bytes, 1)
    environments = ((name, _within(root, folders)) for name, folders in _environment_folders(view))
    return Proposals(_cluster_names(view), tuple(environments), frozenset(_within(root, view.deployed)))


def _within(root: str, folders: Iterable[str]) -> tuple[str, ...]:
    """The folders relative to the root."""
    return tuple(sorted(os.path.relpath(folder or ".", root).replace(os.sep, "/") for folder in folders))


def _cluster_names(view: View) -> tuple[str, ...]:
    shared = (problem.shared for rendering in view.renderings for problem in rendering.problems)
    names = (cause.name.split(", ") for cause in shared if cause is not None and cause.family == CLUSTERS)
    return tuple(sorted({name for cluster_names in names for name in cluster_names if name}))


def _environment_folders(view: View) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The folders of environments, if one was guessed; otherwise nothing needs to be configured."""
    if not any(_is_guessed(rendering) for rendering in view.renderings):
        return ()
    places = (
        (environment.name, {rendering.folder for rendering in environment.renderings if rendering.files})
        for environment in view.environments
    )
    return tuple((name, tuple(sorted(folders))) for name, folders in places if name and folders)


def _is_guessed(rendering: Rendering) -> bool:
    return any(guess.about == MEMBERSHIP for obj in rendering.objects[:1] for guess in obj.guesses)
