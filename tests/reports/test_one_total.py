"""One total everywhere: the ending on a terminal, Markdown and HTML count the same findings."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from git_repositories import Repository, deployment, quota

from quotalint.cli import run

EXAMPLES = Path(__file__).parents[2] / "examples"
COUNTS = re.compile(r"\d+ (?:error|warning)s?(?:, \d+ warnings?)?(?:, \d+ info)?")


def several_quotas(name: str) -> str:
    """Two quotas that are short of the same: one finding for people."""
    return quota("requests.cpu: 2", name) + "---\n" + quota("requests.cpu: 2", f"{name}-too")


def in_words(document: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", document).split())


def reports(capsys: Any, *command: str) -> tuple[str, str, str]:
    """Text, Markdown and the words of the HTML page."""
    run([*command, "--output", "text=-", "--output", "markdown=r.md", "--output", "html=r.html"])
    page = Path("r.html").read_text(encoding="utf-8")
    header = page.partition("<header>")[2].partition("</header>")[0]
    return capsys.readouterr().out, Path("r.md").read_text(encoding="utf-8"), in_words(header)


def counted(words: str) -> str:
    found = COUNTS.search(words)
    assert found, words
    return found[0]


@pytest.mark.parametrize("example", ["examples", "one line for two quotas"])
def test_the_reports_of_a_check_agree(
    example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    folder = EXAMPLES
    if example != "examples":
        folder = tmp_path / "manifests"
        folder.mkdir()
        (folder / "quota.yaml").write_text(several_quotas("base"))
        (folder / "web.yaml").write_text(deployment(3))
    monkeypatch.chdir(tmp_path)
    text, markdown, page = reports(capsys, "check", str(folder))
    ending = next(line for line in text.splitlines() if re.search(r" in \d+ files? \(", line))
    assert counted(ending) == counted(markdown) == counted(page)


def test_the_reports_of_a_change_agree(repository: Repository, capsys: Any) -> None:
    """One quota breaks, and another, which was short before, still is."""
    other = {"other/quota.yaml": quota("requests.cpu: 2", namespace="other")}
    repository.commit({"quota.yaml": several_quotas("base"), "web.yaml": deployment(1), **other})
    repository.commit({"other/web.yaml": deployment(9, namespace="other")})
    repository.commit({"web.yaml": deployment(3), "other/web.yaml": deployment(8, namespace="other")})
    text, markdown, page = reports(capsys, "diff", "HEAD~1", "HEAD")
    assert text.splitlines()[-1].startswith("1 new finding (1 error), 1 still exceeded, ")
    assert markdown.partition("\n")[0].endswith(", and 1 more problem")
    assert "<summary>2 findings in full</summary>" in markdown
    assert "New findings from" in page and ": 1 error; 1 still exceeded, 0 fixed" in page
