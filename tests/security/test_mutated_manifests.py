"""Whatever a manifest holds, there is a report: mutated manifests through the whole program."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from yaml_texts import dump_documents, load_documents

from quotalint.accounts.quota_table import quota_tables
from quotalint.pipeline import run
from quotalint.reports import json as json_report
from quotalint.reports import text_report, usage
from quotalint.reports.summary import summarize_run
from quotalint.reports.terminal import Terminal
from quotalint.settings import Options, Settings
from quotalint.settings.loading import load_settings
from quotalint.text.sources import find

ROOT = Path(__file__).parents[1]
ROUNDS = 30
NONSENSE: tuple[Any, ...] = (
    None,
    3,
    -1,
    True,
    1.5,
    10**30,
    "",
    "three",
    "9" * 4301,
    "*/" + "9" * 4301 + " * * * *",
    "4Gb",
    "${X}",
    "\x1b[31m",
    "a" * 300,
    [],
    [1],
    [[]],
    {},
    {"a": 1},
    {"name": None},
)


@cache
def manifests() -> list[list[Any]]:
    """The documents of each file, in a fixed order."""
    files = [*(ROOT / "conformance" / "manifests").iterdir(), *(ROOT.parent / "examples").rglob("*.yaml")]
    return [list(load_documents(path.read_text())) for path in sorted(files)]


@pytest.mark.parametrize("seed", range(8))
def test_nonsense_anywhere_is_reported_and_nothing_breaks(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    chance = random.Random(seed)
    settings = load_settings(["."], Options())
    assert isinstance(settings, Settings)
    for _ in range(ROUNDS):
        file = tmp_path / chance.choice(["a.yaml", "a.yaml", "kustomization.yaml"])
        file.write_text(dump_documents(mutated(chance)))
        result = run(find(["."], settings.root, ()), settings, lambda: b"", 1)
        numbers = summarize_run(result.environments, result.findings)
        tables = quota_tables(result.environments, result.locate)
        printed = json.loads(json_report.render(result.environments[0].repository, result.findings, tables, numbers))
        lines = file.read_text().count("\n") + 1
        assert [
            finding for finding in printed["findings"] if not (1 <= finding["line"] <= lines and finding["column"] >= 1)
        ] == []
        assert [finding["message"] for finding in printed["findings"] if "{quota}" in finding["message"]] == []
        shown = text_report.render(
            result.findings, numbers, result.environments, result.content, Terminal(), quiet=False, verbose=True
        )
        shown += usage.render(tables, numbers, result.environments[0].settings, Terminal(bars=True))
        assert "\x1b" not in shown
        file.unlink()


def mutated(chance: random.Random) -> list[Any]:
    """Some documents with values replaced, moved and deleted."""
    files = manifests()
    documents = copy.deepcopy([*chance.choice(files)[:6], chance.choice(chance.choice(files))])
    for _ in range(chance.randint(1, 6)):
        document = chance.choice(documents)
        places = list(containers(document))
        if not places:
            continue
        holder, key = chance.choice(places)
        action = chance.random()
        if action < 0.7:
            holder[key] = copy.deepcopy(chance.choice(NONSENSE))
        elif action < 0.85:
            other, other_key = chance.choice(places)
            holder[key] = copy.deepcopy(other[other_key])
        else:
            del holder[key]
    return documents


def containers(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place below a value, as what holds it and the key or index there."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield value, key
            yield from containers(inner)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield value, index
            yield from containers(inner)
