"""Workflow commands: what GitHub's runner makes of them is what was meant."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from sample_findings import HOSTILE, TEXT, finding, hostile

from quotalint.reports.github import render
from quotalint.results.finding import Finding

COMMANDS = ("error", "warning", "notice", "group", "endgroup")


def parsed(line: str) -> tuple[str, dict[str, str], str]:
    """A command, its properties and its message, as the runner reads them."""
    assert line.startswith("::")
    info, _, data = line[2:].partition("::")
    command, _, listed = info.partition(" ")
    pairs = [pair.split("=", 1) for pair in listed.split(",") if pair]
    properties = {key: unescaped(value).replace("%3A", ":").replace("%2C", ",") for key, value in pairs}
    return command, {key: value.replace("%25", "%") for key, value in properties.items()}, unescaped(data, True)


def unescaped(text: str, all_of_it: bool = False) -> str:
    text = text.replace("%0D", "\r").replace("%0A", "\n")
    return text.replace("%25", "%") if all_of_it else text


def test_a_finding_is_a_command() -> None:
    assert render([finding(help="raise pods by 25%\n")]) == (
        "::error file=team-a/q.yaml,line=6,col=5,title=QL301 quota-exceeded::"
        "team-a asks for pods 5; quota base allows 4%0A"
        "used by: Deployment web (team-a/web.yaml:1)%0Aso: a pod is refused%0Ahelp: raise pods by 25%25\\n\n"
    )


@pytest.mark.parametrize(
    ("file", "escaped"),
    [("a,b:c.yaml", "a%2Cb%3Ac.yaml"), ("100%.yaml", "100%25.yaml"), ("a\r\nb", "a%0D%0Ab"), ("%0A", "%250A")],
)
def test_properties_are_escaped_as_the_toolkit_does(file: str, escaped: str) -> None:
    line = render([finding(file=file)])
    assert (line.split(",line=")[0], parsed(line)[1]["file"]) == (f"::error file={escaped}", file)


def test_the_most_severe_come_first_and_what_github_would_drop_is_listed() -> None:
    severities = ["info"] * 12 + ["warning"] * 11 + ["error"] * 13
    lines = render(
        [finding(severity=severity, message=str(number)) for number, severity in enumerate(severities)]
    ).splitlines()
    commands = [line.split(" ")[0] for line in lines[:30]]
    assert commands == ["::error"] * 10 + ["::warning"] * 10 + ["::notice"] * 10
    assert lines[30] == "::group::6 more findings without an annotation: GitHub shows 10 of each kind"
    assert lines[31] == "error QL301 team-a/q.yaml:6:5: 33"
    assert [line.split(" ")[0] for line in lines[31:]] == ["error"] * 3 + ["warning", "info", "info", "::endgroup::"]


def test_nothing_to_say_is_nothing_printed() -> None:
    assert render([]) == ""


@given(TEXT)
def test_whatever_a_manifest_says_there_is_one_command_a_finding(text: str) -> None:
    many: list[Finding] = [hostile(text)] * 12
    lines = render(many).split("\n")
    commands = Counter(parsed(line)[0] for line in lines if line.lstrip().startswith("::"))
    assert (commands, len(lines)) == (Counter(error=10, group=1, endgroup=1), 15)
    # An older syntax, which counts anywhere in a line that is no command.
    assert [line for line in lines if not line.startswith("::") and "##[" in line] == []


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_stay_names(text: str) -> None:
    command, properties, message = parsed(render([hostile(text)]).removesuffix("\n"))
    assert (command, sorted(properties), message.count("\nhelp: ")) == ("error", ["col", "file", "line", "title"], 1)
