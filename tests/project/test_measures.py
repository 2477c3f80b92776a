"""`.ci/measure-house` counts what it says."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / ".ci" / "measure-house"
TEXT = """\
from package.other import thing

def told(one, is_loud: bool = False):
    for found in one:
        kept = id(found.a.b.c.d)
    return thing(one, True)

def say_it(name): return [one for one in name]
"""


@pytest.fixture(scope="module")
def script() -> Any:
    if not SCRIPT.exists():
        pytest.skip("the scripts of the repository are not in the source distribution")
    loader = SourceFileLoader("measure_house", str(SCRIPT))
    spec = spec_from_loader("measure_house", loader)
    assert spec is not None
    module = module_from_spec(spec)
    sys.modules["measure_house"] = module
    loader.exec_module(module)
    return module


def test_what_is_counted(script: Any) -> None:
    module = script.Module("package.one", TEXT, ast.parse(TEXT))
    other = script.Module("package.other", "thing = print\n", ast.parse("thing = print\n"))
    assert script.counted([module], script.is_identity) == 1
    assert script.counted([module], script.passes_boolean) == 1
    assert script.positional_booleans(module) == 1
    assert script.bare_functions(module) == 1
    assert script.long_chains(module) == 1
    assert script.imported_by([module, other]) == {"package.one": set(), "package.other": {"package.one"}}
    names = script.local_names([module])
    assert dict(names.commonest) == {"one": 250, "is_loud": 125, "found": 125, "kept": 125, "name": 125}
    assert names.bare == 500


def test_a_run_with_one_finding_is_traced(script: Any) -> None:
    functions, modules, shapes = script.hops(SCRIPT.parents[1])
    assert functions > modules > 50
    assert shapes > 20


def test_it_says_how_it_is_called() -> None:
    if SCRIPT.exists():
        done = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True)
        assert "Usage: .ci/measure-house" in done.stderr
        assert done.returncode == 1
