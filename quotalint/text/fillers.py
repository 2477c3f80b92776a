"""Scripts, pipelines and scaffolding near a manifest that may fill in what stands in it for something else."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from quotalint.text.disk import FolderEntry, entries_of, open_file

_SCAFFOLDS = (
    "cookiecutter.json",
    "copier.yml",
    "copier.yaml",
    ".copier-answers.yml",
    "plopfile.js",
    "ytt",
    ".kluctl.yaml",
)
_PIPELINES = (".github/workflows", ".gitlab", ".tekton", ".circleci")
_BESIDE = (".", "scripts", "script", "bin", "hack", "ci", "tools", *_PIPELINES)
_SCRIPTS = re.compile(
    r"(?i)^(makefile|gnumakefile|jenkinsfile|taskfile|justfile|tiltfile|earthfile|rakefile|dockerfile|\.?gitlab-ci"
    r"|azure-pipe|bitbucket-pipe|cloudbuild|buildspec|skaffold|kluctl|devspace|\.?copier|cookiecutter)|\.(sh|bash|mk|py|rb|js|ts|go|ps1"
    r"|tf|tfvars|jsonnet|nix|groovy|env|md|tmpl|tpl|j2)$|^\.env"
)
_TOOLS = re.compile(rb"envsubst|gomplate|\bytt\b|jinja2?\b|ansible|mustache|consul-template|kluctl|kapitan|\brender\b")
_MOST_FILES, _MOST_BYTES = 200, 1 << 18


def is_filled_by_script(name: str, written: str, repository: str) -> bool:
    """Whether something in the folders around a file speaks of what is written there, or of a tool that fills in
    templates. `name` is as a report has it, from the working directory."""
    variable = re.search(r"[A-Za-z][A-Za-z0-9_]{2,}", written)
    about = re.compile(rb"\b" + re.escape(variable[0].encode()) + rb"\b") if variable else None
    for path in _filling_scripts(os.path.dirname(os.path.abspath(name)), os.path.abspath(repository)):
        if os.path.basename(path) in _SCAFFOLDS:
            return True
        try:
            with open_file(path) as file:
                content = file.read(_MOST_BYTES)
        except OSError:
            continue
        if _TOOLS.search(content) or (about is not None and about.search(content)):
            return True
    return False


def _filling_scripts(folder: str, top: str) -> Iterator[str]:
    remaining = _MOST_FILES
    for around in _folders_upwards(folder, top):
        for subfolder in _BESIDE:
            for entry in _sorted_entries(os.path.join(around, subfolder)):
                is_script = entry.name in _SCAFFOLDS or _SCRIPTS.search(entry.name) or subfolder in _PIPELINES
                if is_script and remaining and entry.is_file():
                    remaining -= 1
                    yield entry.path


def _folders_upwards(folder: str, top: str) -> Iterator[str]:
    while True:
        yield folder
        if folder == top or folder == os.path.dirname(folder):
            return
        folder = os.path.dirname(folder)


def _sorted_entries(folder: str) -> list[FolderEntry]:
    try:
        return sorted(entries_of(folder), key=lambda entry: entry.name)
    except OSError:
        return []
