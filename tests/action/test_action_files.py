"""Outputs that end where they should, and reports that are cut where it does not hurt."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from github_runner import outputs as outputs_of
from hypothesis import given
from hypothesis import strategies as st

from action.files import put_outputs, put_summary, shortened

LINES = st.lists(st.text(st.characters(categories=["L", "N", "P"]), max_size=8), max_size=8).map("\n".join)


@given(st.dictionaries(st.text("abc", min_size=1, max_size=8), LINES, min_size=1))
def test_every_value_comes_out_as_it_went_in(values: dict[str, str]) -> None:
    with tempfile.NamedTemporaryFile() as file:
        put_outputs({"GITHUB_OUTPUT": file.name}, values)
        assert outputs_of(Path(file.name).read_text(encoding="utf-8")) == values


def test_a_value_cannot_set_another(tmp_path: Path) -> None:
    file = tmp_path / "output"
    for value in ("x\nEOF\nstatus=0", "x\nend-\nstatus<<end-\n0"):
        put_outputs({"GITHUB_OUTPUT": str(file)}, {"value": value})
        assert outputs_of(file.read_text()) == {"value": value}


def test_what_is_there_stays(tmp_path: Path) -> None:
    file = tmp_path / "summary"
    file.write_text("# before\n")
    put_summary({"GITHUB_STEP_SUMMARY": str(file)}, "# after\n")
    assert file.read_text() == "# before\n# after\n"
    put_summary({}, "nobody asks for one")


REPORT = "# quotalint\n\n## Errors (4)\n\n" + "".join(
    f"- **QL301** finding {number}\n  - used by: é\n  - help: more\n" for number in range(5)
)
NOTE = "\n_The rest is left out, since GitHub takes no more._\n"


@pytest.mark.parametrize(("more", "kept"), [(0, 2), (1, 2), (52, 2), (53, 3), (-1, 1), (-53, 1), (-54, 0)])
def test_a_report_is_cut_between_its_items(more: int, kept: int) -> None:
    """`more` bytes than two items of 53 bytes take."""
    upto = [REPORT[: REPORT.index(f"- **QL301** finding {number}")] for number in range(4)]
    assert shortened(REPORT, len((upto[2] + NOTE).encode()) + more) == upto[kept] + NOTE


def test_a_report_that_fits_is_left_alone() -> None:
    assert (shortened(REPORT, len(REPORT.encode())), shortened(REPORT, 1)) == (REPORT, NOTE)
