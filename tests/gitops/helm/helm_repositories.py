"""A repository with a chart, a release of it, and programs that take the place of helm."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from written_files import write_as_is

from quotalint.gitops.helm import Release

CHART = {
    "shop/Chart.yaml": "{apiVersion: v2, name: shop, version: 1.2.3}",
    "shop/values.yaml": "{image: web, replicas: 1, list: [a], note: ''}",
    "shop/templates/values.yaml": "{{ toJson .Values }}",
}


def repository(tmp_path: Path, files: Mapping[str, str]) -> str:
    root = tmp_path / "repository"
    write_as_is(root, files)
    return str(root)


def release(root: str, chart: str = "shop") -> Release:
    return Release(f"{root}/{chart}", "web", "team-a")


def fake(tmp_path: Path, text: str, interpreter: str = "/bin/sh") -> str:
    path = tmp_path / "bin" / "helm"
    path.parent.mkdir(parents=True)
    path.write_text(f"#!{interpreter}\n{text}\n")
    path.chmod(0o755)
    return str(path)
