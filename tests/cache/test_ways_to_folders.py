"""What a folder comes to may depend on the way by which one comes to it: of what is kept that counts for no other."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from edited_repositories import at_work
from test_kept_folders import FILES, make_repository, same_as_anew
from written_files import write_as_is

TEAM = "teams/team-07"
NAMING_ITS_LISTER = FILES[f"{TEAM}/kustomization.yaml"].replace(
    "quota.yaml]", "quota.yaml, ../../all/kustomization.yaml]"
)
OTHER = "above/kustomization.yaml"
"""Of a folder that is built before all others."""


def test_a_folder_that_names_the_kustomization_of_who_lists_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a file below that one, and a folder that builds on it from anywhere else."""
    with at_work(monkeypatch, make_repository):
        write_as_is(Path(), {f"{TEAM}/kustomization.yaml": NAMING_ITS_LISTER})
        was = same_as_anew(monkeypatch)
        write_as_is(Path(), {OTHER: f"resources: [../{TEAM}]\nnamePrefix: other-\n"})
        assert same_as_anew(monkeypatch) != was
        os.unlink(OTHER)
        assert same_as_anew(monkeypatch) == was
