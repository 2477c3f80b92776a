"""`ignore` of the configuration: what it silences is kept, and what it silences nothing of is reported."""

from __future__ import annotations

import pytest
from manifests import quota
from workspace import Workspace

QUOTA = quota("team-a", hard="memory.limit: 1")


@pytest.mark.parametrize(
    ("configuration", "arguments", "expected"),
    [
        pytest.param("ignore: [QL102]\n", (".",), ["a/q.yaml:4:15 QL102 configuration .quotalint.yaml:1"], id="a rule"),
        pytest.param("ignore: [QL305]\n", (".",), ["a/q.yaml:4:15 QL102"], id="a rule everywhere is never unused"),
        pytest.param(
            "ignore:\n- QL305\n- rules:\n  - QL103\n  - QL1\n  paths: [a/]\n",
            (".",),
            [".quotalint.yaml:4:5 QL006", "a/q.yaml:4:15 QL102 configuration .quotalint.yaml:5"],
            id="in paths",
        ),
        pytest.param(
            "# here\n---\nignore:\n  QL1: [a/]\n  QL2: [b/, c/]\n",
            (".",),
            [".quotalint.yaml:5:3 QL006", "a/q.yaml:4:15 QL102 configuration .quotalint.yaml:4"],
            id="by rule",
        ),
        pytest.param("ignore: {QL1: [b/]}\n", ("a",), ["a/q.yaml:4:15 QL102"], id="a part of the root says nothing"),
        pytest.param(
            "ignore:\n- {rules: [QL1], resources: [memory.limit]}\n- {rules: [QL1], resources: [cpu.limit]}\n",
            (".",),
            ["a/q.yaml:4:15 QL102 configuration .quotalint.yaml:2"],
            id="of resources",
        ),
        pytest.param(
            "ignore:\n- {rules: [QL1], paths: [b/]}\n- {rules: [QL006], paths: [.quotalint.yaml]}\n",
            (".",),
            [".quotalint.yaml:2:12 QL006 configuration .quotalint.yaml:3", "a/q.yaml:4:15 QL102"],
            id="of what is unused",
        ),
        pytest.param("ignore: {QL1: [a/]}\n", (".", "--ignore", "QL1"), [], id="an option is without the rule"),
    ],
)
def test_what_the_configuration_silences(
    workspace: Workspace, configuration: str, arguments: tuple[str, ...], expected: list[str]
) -> None:
    workspace.put({".quotalint.yaml": configuration.encode(), "a/q.yaml": QUOTA})
    assert workspace.lines(*arguments) == expected


def test_from_a_folder_below(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.put({".quotalint.yaml": "ignore: {QL1: [a/], QL2: [a/]}\n", "a/q.yaml": QUOTA})
    monkeypatch.chdir(workspace.folder / "a")
    assert workspace.lines("..") == [
        "../.quotalint.yaml:1:21 QL006",
        "q.yaml:4:15 QL102 configuration ../.quotalint.yaml:1",
    ]
