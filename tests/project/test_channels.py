"""The files of docs/channels.md: what can be said of them without their tools. `.ci/try-channels` runs them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from quotalint.cli.formats import CHECK
from quotalint.settings.loading import NAMES

TOP = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not (TOP / "channels").exists(), reason="not in the source distribution")


def loaded(path: str) -> Any:
    """What a YAML file holds."""
    return yaml.safe_load((TOP / path).read_text(encoding="utf-8"))


def make_channels(top: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(top / ".ci/make-channels"), "--check"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_what_is_generated_is_what_version_dependencies_and_lock_say() -> None:
    done = make_channels(TOP)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("file", "old", "new", "stale"),
    [
        ("quotalint/version.py", '__version__ = "', '__version__ = "9', {"Formula", "channels", "docs", "templates"}),
        ("pyproject.toml", '"click>=8.1"', '"clack>=8.1"', {"flake.nix", "channels"}),
        ("action/requirements.txt", "click==", "click==9", {"Formula"}),
        ("action/requirements.txt", "--hash=sha256:", "--hash=sha256:0", {"Formula"}),
    ],
)
def test_what_moves_makes_the_files_stale(file: str, old: str, new: str, stale: set[str], tmp_path: Path) -> None:
    folders = [path for name in ("Formula", "channels", "templates") for path in (TOP / name).rglob("*")]
    single = ("flake.nix", "docs/channels.md", "quotalint/version.py", "pyproject.toml", "action/requirements.txt")
    for path in (*folders, TOP / ".ci/make-channels", *(TOP / name for name in single)):
        if path.is_file():
            name = path.relative_to(TOP).as_posix()
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            text = path.read_text(encoding="utf-8")
            (tmp_path / name).write_text(text.replace(old, new) if name == file else text, encoding="utf-8")
    done = make_channels(tmp_path)
    assert (done.returncode, {line.split("/")[0].split()[0] for line in done.stderr.splitlines()}) == (1, stale)


def test_no_other_release_is_named() -> None:
    version = re.findall(r'__version__ = "(.+)"', (TOP / "quotalint/version.py").read_text())[0]
    files = [TOP / "docs/channels.md", *(TOP / "templates").iterdir(), *(TOP / "channels").rglob("*.*")]
    named = {
        found for file in files for found in re.findall(r"quotalint\S*[:=/@]v?(\d+\.\d+\.\d+)", file.read_text("utf-8"))
    }
    assert named == {version}


def test_the_entry_of_schemastore_names_the_files_that_are_read() -> None:
    entry = json.loads((TOP / "channels/schemastore/catalog-entry.json").read_text())
    assert set(entry) == {"name", "description", "fileMatch", "url"}
    assert entry["fileMatch"] == list(NAMES)
    assert (TOP / entry["url"].partition("/main/")[2]).is_file()


def test_linters_run_on_the_repository_and_read_sarif() -> None:
    (linter,) = loaded("channels/mega-linter-plugin-quotalint/quotalint.megalinter-descriptor.yml")["linters"]
    (definition,) = loaded("channels/trunk/plugin.yaml")["lint"]["definitions"]
    (command,) = definition["commands"]
    assert (linter["cli_lint_mode"], command["target"], command["output"]) == ("project", ".", "sarif")
    assert "sarif" in CHECK and command["success_codes"] == [0, 1]
    assert re.search(linter["cli_lint_errors_regex"], "2 errors in 3 files (1 namespace, 1 quota).")
    assert definition["direct_configs"] == list(NAMES)


def test_a_task_puts_no_parameter_into_a_script() -> None:
    (step,) = loaded("channels/tekton/quotalint.yaml")["spec"]["steps"]
    assert "$(" not in step["script"]


def test_argo_cd_puts_nothing_into_a_script() -> None:
    (container,) = loaded("channels/argocd/presync-job.yaml")["spec"]["template"]["spec"]["containers"]
    plugin = loaded("channels/argocd/plugin/plugin.yaml")["spec"]["generate"]
    scripts = [container["args"][0], plugin["args"][0]]
    assert [re.findall(r"\$\(|`|\beval\b", script) for script in scripts] == [[], []]
    assert container["resources"]["requests"] and container["resources"]["limits"]


def test_renovate_finds_the_addresses_of_the_page() -> None:
    (manager,) = json.loads((TOP / "channels/renovate.json").read_text())["customManagers"]
    pattern = manager["matchStrings"][0].replace("(?<", "(?P<")
    text = (TOP / "docs/channels.md").read_text(encoding="utf-8")
    assert len(re.findall(pattern, text)) == len(re.findall(r"https://raw\.githubusercontent\.com", text))
