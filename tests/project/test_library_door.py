"""What other programs import has types that they see: `quotalint.deployed.render`."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

USER = """\
from quotalint.deployed import Environment, View, render


def names(folder: str) -> list[str]:
    view: View = render(folder)
    environments: tuple[Environment, ...] = view.environments
    return [f"{obj.kind} {obj.namespace}/{obj.name}" for environment in environments for obj in environment.objects]


def sources(folder: str) -> list[tuple[str, int]]:
    found = (obj.place.real for environment in render(folder).environments for obj in environment.objects)
    return [(place.source, place.document) for place in found]


print(names(1))
"""


@pytest.mark.slow
def test_a_strictly_typed_program_may_use_it(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    try:
        version("quotalint")
    except PackageNotFoundError:
        pytest.skip("quotalint is not installed, and mypy looks for what is")
    (tmp_path / "user.py").write_text(USER)
    # What is wrong on purpose shows that the types are ours, and not Any.
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "user.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    wrong = 'user.py:15: error: Argument 1 to "names" has incompatible type "int"; expected "str"  [arg-type]'
    assert done.stdout.splitlines() == [wrong, "Found 1 error in 1 file (checked 1 source file)"]
