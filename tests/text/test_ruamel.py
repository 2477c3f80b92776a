"""Our reader and ruamel.yaml, which share no code but libyaml's grammar, agree on ordinary manifests."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from quotalint.text.documents import read

ROOT = Path(__file__).parents[2]
FILES = sorted(
    [*ROOT.glob("tests/conformance/manifests/*"), *ROOT.glob("examples/**/*.yaml"), *ROOT.glob("rules/*.yaml")]
)


@pytest.mark.slow
@pytest.mark.parametrize("folder", sorted({path.parent for path in FILES}), ids=lambda folder: str(folder.name))
def test_agrees_with_ruamel(folder: Path) -> None:
    reference = YAML(typ="safe", pure=False)
    different = [
        path.name
        for path in FILES
        if path.parent == folder
        and [document.value for document in read(path.read_bytes()).documents]
        != [value for value in reference.load_all(io.BytesIO(path.read_bytes())) if value is not None]
    ]
    assert different == []
