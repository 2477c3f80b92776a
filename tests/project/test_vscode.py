"""The VS Code extension: what can be said of it without an editor. `.ci/try-vscode` runs it inside one."""

from __future__ import annotations

import json
from pathlib import Path

from quotalint.version import __version__

FOLDER = Path(__file__).parents[2] / "editors" / "vscode"
MANIFEST = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
SETTINGS = MANIFEST["contributes"]["configuration"]["properties"]


def test_the_extension_and_its_lock_have_the_version_of_the_program() -> None:
    lock = json.loads((FOLDER / "package-lock.json").read_text(encoding="utf-8"))
    assert {MANIFEST["version"], lock["version"], lock["packages"][""]["version"]} == {__version__}


def test_an_untrusted_folder_decides_nothing_about_what_is_run() -> None:
    trust = MANIFEST["capabilities"]["untrustedWorkspaces"]
    assert trust["supported"] == "limited"
    assert set(trust["restrictedConfigurations"]) == SETTINGS.keys() - {"quotalint.trace.server"}


def test_everything_from_the_package_index_is_pinned_by_hash() -> None:
    lock = json.loads((FOLDER / "package-lock.json").read_text(encoding="utf-8"))
    unpinned = [name for name, package in lock["packages"].items() if name and "integrity" not in package]
    assert unpinned == []


def test_the_page_of_the_extension_explains_every_setting_and_command() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    titles = [command["title"] for command in MANIFEST["contributes"]["commands"]]
    assert [name for name in (*SETTINGS, *titles) if name not in page] == []
