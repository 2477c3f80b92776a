"""The Containerfile: what can be said of it where nothing builds it. `.ci/run` builds it where podman or docker is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "Containerfile").read_text(encoding="utf-8")
LINES = [line for line in TEXT.replace("\\\n", " ").splitlines() if line and not line.startswith("#")]
INSTRUCTIONS = [tuple(line.split(maxsplit=1)) for line in LINES]


def given(name: str) -> list[str]:
    """What an instruction is given, each time."""
    return [text for instruction, text in INSTRUCTIONS if instruction == name]


def test_it_has_nothing_but_instructions_that_there_are() -> None:
    assert {name for name, _ in INSTRUCTIONS} == {"FROM", "RUN", "COPY", "USER", "WORKDIR", "ENTRYPOINT"}
    assert INSTRUCTIONS[0][0] == "FROM"
    assert re.fullmatch(r"docker\.io/library/python:\d+\.\d+-slim-\w+@sha256:[0-9a-f]{64}", given("FROM")[0])


def test_what_is_copied_is_there() -> None:
    sources = [source for text in given("COPY") for source in text.split()[:-1]]
    assert [source for source in sources if not (ROOT / source).exists()] == []
    assert {"quotalint", "rules", "schemas"} <= set(sources)


def test_it_runs_as_nobody_and_installs_by_hash() -> None:
    assert given("USER") == ["65534:65534"]
    (install,) = [text for text in given("RUN") if "pip" in text]
    assert {"--no-cache-dir", "--require-hashes", "--only-binary=:all:"} <= set(install.split())


def test_it_holds_every_extra_of_a_run() -> None:
    (install,) = [text for text in given("RUN") if "pip" in text]
    locks = sorted(path.name for path in (ROOT / "action").glob("requirements*.txt"))
    assert sorted(re.findall(r"--requirement /opt/quotalint/(\S+)", install)) == locks


def test_nothing_is_imported_from_the_working_directory(tmp_path: Path) -> None:
    (entry,) = given("ENTRYPOINT")
    assert entry == '["python", "-I", "-m", "quotalint"]'
    (tmp_path / "quotalint.py").write_text("raise SystemExit('sprung')")
    command = [sys.executable, "-I", "-m", "quotalint", "--version"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.startswith("quotalint ")) == (0, True)
