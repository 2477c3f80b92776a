"""Repositories for the tests of what a program is given, and programs that take the place of Kustomize."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

PREFIX = "{apiVersion: builtin, kind: PrefixTransformer, metadata: {name: p}, prefix: p-, fieldSpecs: "
PREFIX += "[{path: metadata/name}]}"
PATCH = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v}}"


def repository(tmp_path: Path, files: Mapping[str, str]) -> str:
    """A repository in a folder of its own; a text that begins with `-> ` is where a link leads."""
    root = tmp_path / "repository"
    root.mkdir(parents=True)
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        if text.startswith("-> "):
            (root / name).symlink_to(text[3:])
        else:
            (root / name).write_text(text)
    return os.path.realpath(root)


def plugin(kind: str, fields: str) -> str:
    """A plugin that Kustomize has built in."""
    return f"{{apiVersion: builtin, kind: {kind}, metadata: {{name: made}}, {fields}}}"


def fake(tmp_path: Path, text: str, interpreter: str = "/bin/sh") -> tuple[str, ...]:
    """A program called kustomize that does something else."""
    path = tmp_path / "bin" / "kustomize"
    path.parent.mkdir(parents=True)
    path.write_text(f"#!{interpreter}\n{text}\n")
    path.chmod(0o755)
    return str(path), "build"
