"""What is mutated: small repositories of the tests, the examples and `fuzz/corpus`, and what tables and tests name."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

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
    "fuzz/corpus/*",
)
MANIFESTS = "tests/conformance/manifests"
_LARGEST = 200_000  # bytes; of a larger one too few mutations would matter
_TOGETHER = 3  # manifests of the conformance tests in one repository


@cache
def seeds() -> list[Files]:
    """All of them, in an order that does not change."""
    reads = [_read(folder) for pattern in FOLDERS for folder in sorted(TOP.glob(pattern)) if folder.is_dir()]
    manifests = sorted((TOP / MANIFESTS).rglob("*.yaml"))
    groups = (manifests[at : at + _TOGETHER] for at in range(0, len(manifests), _TOGETHER))
    reads += [{path.name: path.read_bytes() for path in group} for group in groups]
    reads += [*_rule_examples(), *_texts_of_tests(), *_operated(), *_configured()]
    return [files for files in reads if files and sum(map(len, files.values())) <= _LARGEST]


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


def _texts_of_tests() -> Iterator[Files]:
    """Texts of several lines in a module of tests, a few in each repository; what is formatted into them is 1."""
    for path in sorted((TOP / "tests").rglob("*.py")):
        nodes = [*ast.walk(ast.parse(path.read_bytes()))]
        parts = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
        texts = (_text(node) for node in nodes if id(node) not in parts)
        kept = (re.sub("%[sd]", "1", text) for text in texts if "\n" in text and re.search(r"^[^ ]*[:{]", text))
        while files := {_file_name(text, at): text.encode() for at, text in enumerate(islice(kept, 5))}:
            yield files


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "1" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _file_name(text: str, at: int) -> str:
    if re.search(r"^(resource|module|locals|variable) .*\{", text, re.MULTILINE):
        return f"{at}.tf"
    if "apiVersion" not in text and re.search("^(resources|patches|components):", text, re.MULTILINE):
        return "kustomization.yaml"
    return "helmfile.yaml" if re.search("^releases:", text, re.MULTILINE) else f"{at}.yaml"


def _operated() -> Iterator[Files]:
    """An object of each kind whose pods a table describes, with all fields that the table names."""
    table = json.loads((TOP / "quotalint/workloads/operator_pods.json").read_text("utf-8"))
    for row in table["kinds"]:
        kind, _, group = row["kinds"].split()[0].partition(".")
        document: dict[str, Any] = {
            "apiVersion": f"{group}/v1",
            "kind": kind,
            "metadata": {"name": "x", "namespace": "shop"},
        }
        for pod in row["pods"]:
            fields: list[tuple[str, Any]] = [(pod.get(name, ""), 2) for name in ("minimum", "times")]
            fields.append((pod.get("replicas", "replicas"), 3))
            fields += [
                (path.partition(" ")[0], {"requests": {"cpu": "1"}}) for path in pod.get("containers", {}).values()
            ]
            fields.append((pod.get("template", ""), {"containers": [{"name": "c"}]}))
            for path, value in fields:
                if path:
                    _put(document, f"{pod['at']}.{path}".split("."), value)
        yield {**_read(TOP / "fuzz/corpus/list/quotas"), "a.yaml": json.dumps(document).encode()}


def _put(value: Any, path: list[str], put: Any) -> None:
    """Put a value at a path into a document, where nothing is; `*` is the only element of a list."""
    for name, following in zip(path, [*path[1:], None], strict=True):
        below: Any = put if following is None else [] if following == "*" else {}
        if name == "*":
            value[:] = value or [below]
        elif isinstance(value, dict):
            value.setdefault(name, below)
        value = value[0 if name == "*" else name]


def _configured() -> Iterator[Files]:
    """A configuration with everything that its schema gives an example of."""
    schema = json.loads((TOP / "schemas/config.schema.json").read_text("utf-8"))
    for at in (0, -1):
        settings = {name: value["examples"][at] for name, value in schema["properties"].items() if "examples" in value}
        settings = {name: value for name, value in settings.items() if name not in ("extends", "policies")}
        settings["policies"] = [schema["properties"]["policies"]["examples"][0][-1]]
        files = _read(TOP / "fuzz/corpus/settings")
        yield {**files, ".quotalint.yaml": json.dumps(settings, indent=1).encode()}
