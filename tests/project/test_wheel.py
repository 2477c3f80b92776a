"""What is published works: the wheel, and a wheel built from the sdist, carry the rules and schemas."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as pip would build it from the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    # Without --wheel, build makes the sdist and then the wheel from it, so that both are tried.
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    assert sorted(path.suffix for path in folder.iterdir()) == [".gz", ".whl"]
    return next(folder.glob("*.whl"))


def test_wheel_carries_every_rule_and_schema(wheel: Path) -> None:
    shipped = {name.removeprefix("quotalint/_data/") for name in zipfile.ZipFile(wheel).namelist() if "_data/" in name}
    files = [*ROOT.glob("rules/*.yaml"), *ROOT.glob("schemas/*.json")]
    assert shipped == {path.relative_to(ROOT).as_posix() for path in files}


def test_wheel_says_that_it_has_types(wheel: Path) -> None:
    assert "quotalint/py.typed" in zipfile.ZipFile(wheel).namelist()


def test_wheel_carries_what_the_html_report_is_made_of(wheel: Path) -> None:
    folder = "quotalint/reports/html/"
    shipped = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith(folder) and name[-3:] != ".py"}
    assert shipped == {f"{folder}page.css", f"{folder}page.js", f"{folder}sliders.js"}


def test_installed_elsewhere_it_explains_its_rules(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(target)]
    subprocess.run([*install, str(wheel)], check=True, capture_output=True)
    code = "import sys; sys.argv = ['quotalint', 'explain', 'QL301']; from quotalint.__main__ import main; main()"
    run = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(target)!r}); {code}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert "QL301" in run.stdout and "quota-exceeded" in run.stdout
