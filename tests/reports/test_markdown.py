"""Markdown: a table that stays one, and text that stays text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from sample_findings import FORMATS, HOSTILE, TEXT, finding, hostile, report

from quotalint.cli import run
from quotalint.reports.markdown import render
from quotalint.reports.summary import Summary, summarize_run
from quotalint.suppression import COMMENT, Suppression

NUMBERS = Summary(3, 3, 3, 1, 1, 1, {"error": 1, "warning": 0, "info": 0}, 0)
TABLE = """\
| namespace | quota | resource | steady | surge | peak | hard | share |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |
| team-a | base | `limits.nvidia.com/gpu` | never counted |  |  | 2 |  |
| team-a | base | `pods` | 5 | 7 ✗ | 8 ✗ | 6 | 83 % |
| team-a | base | `requests.cpu` | 5 | 7 ✗ | 8 ✗ | 4 | **125 %** |
"""


def test_quotas_are_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    printed = report("markdown", FORMATS / "team-a", capsys)
    head = "# quotalint\n\n**2 errors, 1 warning** in 2 files, 1 namespace, 1 quota.\n\n## Quotas\n\n"
    assert printed.startswith(f"{head}{TABLE}\n## Errors (2)\n")


def test_usage_is_the_table_alone(capsys: pytest.CaptureFixture[str]) -> None:
    run(["usage", str(FORMATS / "team-a"), "--format", "markdown"])
    assert capsys.readouterr().out == f"# Quotas\n\n{TABLE}"


def test_what_cannot_be_judged_is_unknown_and_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    run(["usage", str(FORMATS / "team-b.yaml"), "--format", "markdown"])
    assert capsys.readouterr().out.split("---: |\n", 1)[1] == (
        "| team-b | compute | `requests.memory` | unknown |  |  | 1Gi |  |\n\n"
        "_Not seen_ for compute of team-b: no workload of the namespace is in view\n"
    )


def test_findings_are_grouped_by_severity() -> None:
    findings = [
        finding(severity=name, message=name, help="", related=(), notes=()) for name in ("info", "error", "warning")
    ]
    assert render(findings, (), NUMBERS) == (
        "# quotalint\n\n**1 error, 1 warning, 1 info** in 3 files, 1 namespace, 1 quota.\n"
        "\n## Errors (1)\n\n- **QL301 quota-exceeded** `team-a/q.yaml:6`: error\n"
        "\n## Warnings (1)\n\n- **QL301 quota-exceeded** `team-a/q.yaml:6`: warning\n"
        "\n## Infos (1)\n\n- **QL301 quota-exceeded** `team-a/q.yaml:6`: info\n"
    )


def test_what_is_suppressed_is_left_out() -> None:
    printed = render([finding(suppressed=Suppression(COMMENT, "", "q.yaml", 1))], (), NUMBERS)
    assert printed == "# quotalint\n\n**No findings** in 3 files, 1 namespace, 1 quota.\n"


def test_details_are_a_list() -> None:
    lines = render([finding()], (), NUMBERS).splitlines()[-4:]
    assert lines == [
        "- **QL301 quota-exceeded** `team-a/q.yaml:6`: team-a asks for pods 5; quota base allows 4",
        "  - used by: Deployment web (team-a/web.yaml:1)",
        "  - so: a pod is refused",
        "  - help: raise pods to 5",
    ]


@pytest.mark.parametrize(
    ("message", "written"),
    [
        ("write `limits.memory`", "write `limits.memory`"),
        ("`-` and `.` only", "`-` and `.` only"),
        ("a|b", "a&#124;b"),
        ("`a|b`", "&#96;a&#124;b&#96;"),
        ("`a", "&#96;a"),
        ("<img src=x>", "&#60;img src=x&#62;"),
        ("[a](b)", "&#91;a](b)"),
        ("https://example.com, www.example.com", "https&#58;//example.com, www&#46;example.com"),
        ("a_b _c_", "a_b &#95;c&#95;"),
        ("\\|", "&#92;&#124;"),
        ("a\nb", "a&#92;nb"),
        ("&amp;", "&#38;amp;"),
        ("@team", "@&#8203;team"),
        ("#12, a/b#3, GH-4, # 5, a#b", "#&#8203;12, a/b#&#8203;3, GH-&#8203;4, # 5, a#b"),
        ("gh-4, _www.example.com, WWW.example.com", "gh-&#8203;4, &#95;www&#46;example.com, WWW&#46;example.com"),
        ("&#35;12", "&#38;#&#8203;35;12"),
        ("$x$ *y* ~z~", "&#36;x&#36; &#42;y&#42; &#126;z&#126;"),
    ],
)
def test_text_stays_text(message: str, written: str) -> None:
    printed = render([finding(message=message, help="", related=(), notes=())], (), NUMBERS)
    assert printed.splitlines()[-1] == f"- **QL301 quota-exceeded** `team-a/q.yaml:6`: {written}"


def test_a_report_stays_below_the_limit_of_github_and_says_what_is_left_out() -> None:
    findings = [finding(message=f"größe {number}", values={"quota": str(number)}) for number in range(20_000)]
    printed = render(findings, (), NUMBERS)
    *_, last = printed.rstrip("\n").splitlines()
    listed = printed.count("QL301")
    assert last == f"_{20_000 - listed} more findings are left out: GitHub shows at most 1 MiB._"
    assert 1024 * 1024 - 2048 < len(printed.encode()) <= 1024 * 1024


def test_a_table_that_is_too_long_is_cut_between_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    quota = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q%d, namespace: a}\nspec: {hard: {pods: 1}}\n"
    (tmp_path / "a.yaml").write_text("---\n".join(quota % number for number in range(40)))
    from quotalint.cli.formats import report_of as made
    from quotalint.pipeline import run as check
    from quotalint.settings import Options, Settings
    from quotalint.settings.loading import load_settings
    from quotalint.text.sources import find

    settings = load_settings((str(tmp_path),), Options(), frozenset())
    assert isinstance(settings, Settings)
    result = check(find((str(tmp_path),), settings.root, ()), settings, bytes, 1)
    findings = [finding(message=str(number), values={"quota": str(number)}) for number in range(40)]
    printed = render(findings, made(result).tables(), summarize_run(result.environments, findings), most=6000)
    notes = re.findall(r"^_(\d+) more (\w+) are left out", printed, re.MULTILINE)
    assert ([word for _, word in notes], len(printed.encode()) <= 6000) == (["lines", "findings"], True)


@given(TEXT)
def test_whatever_a_manifest_says_it_is_a_line_of_text(text: str) -> None:
    printed = render([hostile(text)], (), NUMBERS)
    lines = printed.split("\n")[6:-1]
    assert [re.match(r"- \*\*QL301|  - [a-z ]+: ", line) is not None for line in lines] == [True] * 5
    outside = [re.sub(r"`[^`]*`", "", line) for line in lines]
    # All that is left of Markdown's signs is ours.
    marks = [mark for line in outside for mark in re.findall(r"[<>|\\`*\[~$]|://|&(?!#\d+;)", line)]
    assert (marks, printed.encode().decode() == printed) == (["*"] * 4, True)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_name_ends_a_cell(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import json

    quota = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": text, "namespace": f"n{text}"},
        "spec": {"hard": {f"count/{text}": "1", "pods": "1"}},
    }
    (tmp_path / "a.json").write_text(json.dumps(quota))
    printed = report("markdown", tmp_path, capsys)
    table = [line for line in printed.splitlines() if line.startswith("| ")]
    assert {line.count("|") for line in table} == {9}
