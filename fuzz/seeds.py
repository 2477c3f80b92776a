"""What is mutated: the small repositories that the tests and the examples consist of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

Files = dict[str, bytes]

TOP = Path(__file__).resolve().parent.parent
FOLDERS = (
    "tests/golden/*/repo",
    "tests/cases/views/*/repo",
    "tests/cases/charts/*/repo",
    "tests/cases/chart_changes/*/repo",
    "tests/cases/pull_requests/*/repo",
    "examples/*",
    "examples",
)
MANIFESTS = "tests/conformance/manifests"
_LARGEST = 200_000  # bytes; of a larger one too few mutations would matter
_TOGETHER = 3  # manifests of the conformance tests in one repository


def seeds() -> list[Files]:
    """All of them, in an order that does not change."""
    reads = [_read(folder) for pattern in FOLDERS for folder in sorted(TOP.glob(pattern)) if folder.is_dir()]
    manifests = sorted((TOP / MANIFESTS).rglob("*.yaml"))
    groups = (manifests[at : at + _TOGETHER] for at in range(0, len(manifests), _TOGETHER))
    reads += [{path.name: path.read_bytes() for path in group} for group in groups]
    return [files for files in [*reads, *_rule_examples()] if files and sum(map(len, files.values())) <= _LARGEST]


def _read(folder: Path) -> Files:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def _rule_examples() -> Iterator[Files]:
    from quotalint.catalogue import rule_by_id, rule_ids

    for rule_id in rule_ids():
        for example in (*rule_by_id(rule_id).bad, *rule_by_id(rule_id).good):
            files: Mapping[str, str] = example["files"]
            yield {name: text.encode() for name, text in files.items()}
