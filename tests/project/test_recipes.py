"""The recipes of CONTRIBUTING.md, each followed in a copy of the repository: as many files as it says, and what is
there afterwards works and keeps the tests that concern it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

TOP = Path(__file__).parents[2]
PARTS = ("quotalint", "rules", "schemas", "tests", "examples", "docs", ".ci", "pyproject.toml", "README.md")

RULE = """\
id: QL299
name: nothing-for-pods
severity: info
since: "0.1"
looks_at: object
stands_alone: true
repair: none
supersedes: []
summary: a quota that says nothing of pods
headline:
  default: "quota {quota} does not limit pods"
message:
  default: Quota {quota} does not limit pods
label:
  default: no pods
help:
  default: add `pods` to `spec.hard`
rationale: |
  Nothing keeps a namespace from having any number of small pods.
kubernetes:
  - release: "1.34"
    file: pkg/quota/v1/evaluator/core/pods.go
    symbol: Usage
    says: Every pod is charged as one of `pods`.
known_problems: |
  Pods may be limited elsewhere: `ignore: [{rules: [QL299], paths: [teams/]}]`.
bad:
  - title: memory alone
    files:
      quota.yaml: |
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: base, namespace: team-a}
        spec: {hard: {requests.memory: 1Gi}}
    expect: ["quota.yaml:4:8 spec.hard"]
good:
  - title: pods beside it
    files:
      quota.yaml: |
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: base, namespace: team-a}
        spec: {hard: {requests.memory: 1Gi, pods: "10"}}
"""
CHECK = '''

@check("QL299", Quota)
def nothing_for_pods(quota: Quota, facts: Facts) -> Iterator[Hit]:
    """An example."""
    if "pods" not in quota.hard:
        yield Hit(quota.object.at("spec", "hard"), {"quota": quota.name}, quota.object, "spec.hard")
'''
CONTROLLER = '''\
"""Flock: as many pods as it says, and no others."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.objects import Object
from quotalint.workloads.demand import Demand, Numbers, Size, Surroundings, count, itself, pods


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The Flock and its pods."""
    yield itself(obj)
    birds = count(obj, obj.spec.get("birds"), "birds", 1)
    size = Size(Numbers(birds.value, birds.value, birds.value, birds.value), birds.because, birds.unknowns)
    yield from pods(obj, obj.spec.get("template"), obj.at("spec", "template"), size, surroundings)
'''
FLOCK = """\
apiVersion: example.com/v1
kind: Flock
metadata: {name: geese, namespace: pond}
spec: {birds: 3, template: {spec: {containers: [{name: a, image: a}]}}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: base, namespace: pond}
spec: {hard: {pods: "2"}}
"""
FORMAT = '''\
"""Findings as lines of tab-separated fields."""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.finding import Finding


def render(findings: Sequence[Finding]) -> str:
    """A line for each finding: file, line, rule."""
    return "".join(f"{finding.file}\\t{finding.span.line}\\t{finding.rule.id}\\n" for finding in findings)
'''
FORMAT_LINES = """\
def _tsv(of: Report, to: Terminal) -> str:
    from quotalint.reports.tsv import render

    return render(of.result.findings)


CHECK: dict["""

Edit = Callable[[str], str]


class Recipe(NamedTuple):
    """What CONTRIBUTING.md says to do, and what then holds."""

    section: str
    new: Mapping[str, str]
    edited: Mapping[str, Edit]
    tests: tuple[str, ...]
    files: Mapping[str, str]
    """A repository to look at."""
    options: tuple[str, ...]
    printed: str
    """What is in the output."""
    afterwards: tuple[str, ...] = ()
    """A script to run."""


def _released(text: str) -> str:
    data = json.loads(text)
    data |= {"last": "1.38", "kinds": [*data["kinds"], ["", "Flock", "flocks", True, "1.38", "", True]]}
    return json.dumps(data)


RECIPES = [
    Recipe(
        "A rule",
        {"rules/QL299-nothing-for-pods.yaml": RULE},
        {"quotalint/checks/resource_quotas.py": lambda text: text + CHECK},
        (
            "tests/test_catalogue.py",
            "tests/rules/test_rules.py",
            "tests/rules/test_helps.py",
            "-k",
            "QL299 or catalogue",
        ),
        {"quota.yaml": "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {services: 1}}\n"},
        (),
        "Quota q does not limit pods",
    ),
    Recipe(
        "A controller",
        {"quotalint/workloads/flocks.py": CONTROLLER},
        {
            "quotalint/workloads/__init__.py": lambda text: text.replace(
                '    ("jobset.x-k8s.io"', '    ("example.com", "Flock"): _later("flocks"),\n    ("jobset.x-k8s.io"'
            )
        },
        ("tests/workloads/test_invariants.py", "tests/test_layers.py", "-k", "Flock or layers or imports"),
        {"pond.yaml": FLOCK},
        (),
        "pond asks for pods 3; quota base allows 2",
    ),
    Recipe(
        "An output format",
        {"quotalint/reports/tsv.py": FORMAT},
        {
            "quotalint/cli/formats.py": lambda text: text.replace("CHECK: dict[", FORMAT_LINES, 1).replace(
                '    "csv": _csv,\n', '    "csv": _csv,\n    "tsv": _tsv,\n', 1
            )
        },
        ("tests/test_layers.py",),
        {"quota.yaml": FLOCK.partition("---\n")[2].replace("pods", "nvidia.com/gpu")},
        ("--format", "tsv"),
        "quota.yaml\t4\tQL201\n",
    ),
    Recipe(
        "A release of Kubernetes",
        {},
        {"quotalint/kube/kubernetes.json": _released},
        ("tests/kube/test_releases.py", "tests/settings/test_settings.py"),
        {"quota.yaml": FLOCK.partition("---\n")[2].replace("pods", "count/flocks")},
        ("--kube-version", "1.38"),
        "No findings in 1 file",
        (".ci/make-releases",),
    ),
]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.section)
def test_a_recipe_that_is_followed_works(recipe: Recipe, tmp_path: Path) -> None:
    if not (TOP / ".ci").exists():
        pytest.skip("the scripts of the repository are not in the source distribution")
    assert f"## {recipe.section}\n" in (TOP / "CONTRIBUTING.md").read_text()
    copy, repository = tmp_path / "copy", tmp_path / "repository"
    for part in PARTS:
        (shutil.copytree if (TOP / part).is_dir() else shutil.copy)(TOP / part, _folder(copy) / part)
    for name, text in recipe.new.items():
        (copy / name).write_text(text)
    for name, edit in recipe.edited.items():
        before = (copy / name).read_text()
        (copy / name).write_text(edit(before))
        assert (copy / name).read_text() != before, f"{name} is no longer as the recipe has it"
    for script in recipe.afterwards:
        assert _python(copy, script).returncode == 0
    for name, text in recipe.files.items():
        (_folder(repository) / name).write_text(text)
    looked = _python(copy, "-m", "quotalint", *recipe.options, str(repository), width="100")
    assert (
        recipe.printed.replace("quota.yaml", _relative(repository / "quota.yaml", copy))
        in looked.stdout + looked.stderr
    )
    tested = _python(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", *recipe.tests)
    assert tested.returncode == 0, tested.stdout[-3000:]


def _folder(path: Path) -> Path:
    path.mkdir(exist_ok=True)
    return path


def _relative(path: Path, folder: Path) -> str:
    return os.path.relpath(path, folder) if path.exists() else path.name


def _python(folder: Path, *words: str, width: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTEST_ADDOPTS": ""}
    return subprocess.run([sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True)
