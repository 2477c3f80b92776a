"""Objects come, go, and become others while somebody types, and an editor is told what a first look would tell it."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from shown_looks import NAMESPACE, QUOTA, WEB, check_look, texts

from quotalint.editor.looking import Workspace

_LINES = (
    b"- {",
    b"kind: Namespace",
    b"kind: Kustomization",
    b"metadata: {name: web, namespace: team-1}",
    b"metadata: {name: web}",
    b"apiVersion: kustomize.config.k8s.io/v1beta1",
    b"---",
)


def reshaped(data: bytes, chance: random.Random) -> bytes:
    """A text in which objects come, go, or become others."""
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    if chance.randrange(3):
        lines[at] = chance.choice(_LINES)
    elif chance.randrange(2):
        del lines[at:]
    else:
        lines += [b"---", *lines]
    return b"\n".join(lines)


@pytest.mark.parametrize("seed", range(6))
def test_objects_that_come_and_go_are_told_as_a_first_look_would(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of folders that repeat each other, and folders that do not: what is in one decides about another one."""
    for folder in ("dev/web", "prod/web", "team-1", "team-2", "namespaces/team-1", "tests/web"):
        for name, text in {"web": WEB, "quota": QUOTA, "namespace": NAMESPACE}.items():
            team = folder if folder.startswith("team") else "shop"
            (tmp_path / folder).mkdir(parents=True, exist_ok=True)
            (tmp_path / folder / f"{name}.yaml").write_text(text.replace("shop", team))
    monkeypatch.chdir(tmp_path)
    chance = random.Random(seed)
    files = texts(tmp_path)
    long = Workspace(".")
    long.look()
    for step in range(14):
        path = chance.choice(files)
        real = os.path.realpath(path)
        if chance.randrange(3):
            long.buffers[real] = reshaped(long.buffers.get(real, path.read_bytes()), chance)
        else:
            long.buffers[real] = path.read_bytes()
        check_look(long, {real}, f"step {step}: {path.relative_to(tmp_path)}")
