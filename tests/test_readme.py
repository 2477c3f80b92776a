"""What the README shows is what the commands print."""

from __future__ import annotations

from pathlib import Path

import pytest

from quotalint.cli import run

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


@pytest.mark.parametrize(
    "arguments",
    [
        ["examples"],
        ["usage", "examples"],
        ["usage", "tests/golden/overlays/repo"],
        ["tests/golden/demand/repo/hanging-rollout"],
    ],
    ids=" ".join,
)
def test_the_output_in_the_readme_is_real(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    run(arguments)
    printed = capsys.readouterr().out
    shown = README.split(f"$ quotalint {' '.join(arguments)}\n", 1)[1].split("```", 1)[0]
    kept = "\n".join("" if line == "…" else line for line in shown.splitlines())
    blocks = [block.strip("\n") for block in kept.split("\n\n") if block.strip()]
    assert len(blocks) >= 1
    assert [block for block in blocks if block not in printed] == []


def test_the_configuration_in_the_readme_is_valid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(README.split("```yaml\nexclude", 1)[1].split("```", 1)[0].join(["exclude", ""]))
    (tmp_path / "legacy").mkdir()  # a part of it all, of which nothing can be unused
    (tmp_path / "legacy" / "a.yaml").touch()
    assert (run(["check", "--config", str(config), str(tmp_path / "legacy")]), capsys.readouterr().err) == (0, "")


def test_every_file_that_the_readme_links_to_exists() -> None:
    links = [part.split(")", 1)[0] for part in README.split("](")[1:]]
    assert [link for link in links if not (ROOT / link).exists()] == []
