"""What a change is said to have brought a finding about by."""

from __future__ import annotations

from typing import Any

from git_repositories import Repository, difference


def cause_of(repository: Repository, capsys: Any, start: dict[str, str], change: dict[str, str]) -> list[str]:
    """`file:line object: field, field` of each new QL301."""
    repository.commit(start)
    repository.commit(change)
    _, report = difference(capsys, "HEAD~1", "HEAD")
    causes = [finding["cause"] for finding in report["findings"]["new"] if finding["rule"] == "QL301"]
    return [f"{cause['file']}:{cause['line']} {cause['object']}: {', '.join(cause['changes'])}" for cause in causes]
