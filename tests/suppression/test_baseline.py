"""The baseline: what was found before is kept quiet, what is new is not, and what is gone is said."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workspace import Workspace

from quotalint.suppression.baseline import Baseline, BaselineEntry, baseline_text, read_baseline
from quotalint.text.documents import read

QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: base, namespace: team-a}}\nspec: {{hard: {{{}}}}}\n"
NAME = ".quotalint-baseline.yaml"


def quota(hard: str) -> str:
    return QUOTA.format(hard)


def test_what_is_written_is_what_is_read(workspace: Workspace) -> None:
    workspace.put({"q.yaml": quota("memory.limit: 1, pods: x")})
    assert workspace.text("check", "--write-baseline") == (
        0,
        "No findings, 2 suppressed in 1 file (1 namespace, 1 quota).\n"
        "1 quota could not be judged, because the API server refuses it: base of team-a.\n",
        f"wrote {NAME} (2 findings)\n",
    )
    first = Path(NAME).read_bytes()
    assert workspace.lines() == [
        f"q.yaml:4:15 QL102 baseline {NAME}:8",
        f"q.yaml:4:32 QL103 baseline {NAME}:12",
    ]
    workspace.text("check", "--write-baseline")
    assert (Path(NAME).read_bytes(), sorted(os.listdir())) == (first, [NAME, "q.yaml"])


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        pytest.param("# moved\n\n" + quota("memory.limit: 2"), [f"q.yaml:6:15 QL102 baseline {NAME}:8"], id="moved"),
        pytest.param(
            quota("memory.limit: 1, cpu.limit: 1"),
            [f"q.yaml:4:15 QL102 baseline {NAME}:8", "q.yaml:4:32 QL102"],
            id="another",
        ),
        pytest.param(quota("pods: 1"), [f"{NAME}:8:3 QL006"], id="repaired"),
        pytest.param(
            quota("memory.limit: 1 # quotalint: ignore[QL102]\n").replace("\n\n", "\n"),
            [f"{NAME}:8:3 QL006", "q.yaml:4:15 QL102 comment q.yaml:4"],
            id="silenced in another way",
        ),
        pytest.param(b"", [f"{NAME}:8:3 QL006"], id="gone"),
    ],
)
def test_what_becomes_of_an_entry(workspace: Workspace, after: str | bytes, expected: list[str]) -> None:
    workspace.put({"q.yaml": quota("memory.limit: 1")})
    workspace.text("check", "--write-baseline")
    workspace.put({"q.yaml": after})
    stale = [text for text in expected if text.startswith(NAME)]
    assert (workspace.lines(), workspace.err) == (
        expected,
        f"quotalint: {NAME}: 1 of 1 finding no longer found\n" if stale else "",
    )


def test_each_entry_is_used_once(workspace: Workspace) -> None:
    """Two findings with one fingerprint, of which one was there before."""
    name = "kustomization.yaml"
    workspace.put({name: "namePrefix: a\nnamePrefix: b\n"})
    workspace.text("check", "--write-baseline", "--select", "QL002")
    workspace.put({name: (workspace.folder / name).read_text() + "namePrefix: c\n"})
    assert workspace.lines("--select", "QL002") == [f"{name}:2:1 QL002 baseline {NAME}:8", f"{name}:3:1 QL002"]


def test_an_entry_is_for_its_own_file_if_that_still_has_it(workspace: Workspace) -> None:
    """The same object in two environments has one fingerprint: what is new is the one in the new file."""
    workspace.put({".quotalint.yaml": "environments: {dev: /dev/, prod: /prod/}\n"})
    workspace.put({"prod/q.yaml": quota("memory.limit: 1")})
    workspace.text("check", "--write-baseline")
    workspace.put({"dev/q.yaml": quota("memory.limit: 1")})
    both = workspace.lines()
    Path("prod/q.yaml").unlink()
    assert (both, workspace.lines()) == (
        ["dev/q.yaml:4:15 QL102", f"prod/q.yaml:4:15 QL102 baseline {NAME}:8"],
        [f"dev/q.yaml:4:15 QL102 baseline {NAME}:8"],
    )


def test_only_what_a_run_looks_for_is_stale_or_dropped(workspace: Workspace) -> None:
    workspace.put(
        {"a/q.yaml": quota("memory.limit: 1"), "b/q.yaml": quota("cpu.limit: 1").replace("team-a", "b"), ".git/x": ""}
    )
    workspace.text("check", "--write-baseline")
    before = Path(NAME).read_text()
    workspace.put({"a/q.yaml": quota("pods: 1")})
    assert workspace.lines("b") == [f"b/q.yaml:4:15 QL102 baseline {NAME}:12"]
    assert workspace.lines("--select", "QL0,QL3") == []
    workspace.text("check", "--write-baseline", "b")
    assert Path(NAME).read_text() == before
    workspace.text("check", "--write-baseline", "a")
    assert workspace.lines("--baseline", NAME) == [f"b/q.yaml:4:15 QL102 baseline {NAME}:8"]


@pytest.mark.parametrize(
    ("files", "within", "arguments", "file"),
    [
        pytest.param({}, ".", (), NAME, id="in the working directory"),
        pytest.param({".quotalint.yaml": ""}, "a", (), f"../{NAME}", id="beside the configuration"),
        pytest.param({".quotalint.yaml": "baseline: a/known.yaml\n"}, "a", (), "known.yaml", id="configured"),
        pytest.param(
            {".quotalint.yaml": "baseline: x.yaml\n"}, ".", ("--baseline", "a/y.yaml"), "a/y.yaml", id="named"
        ),
    ],
)
def test_where_it_is(
    workspace: Workspace,
    files: dict[str, str],
    within: str,
    arguments: tuple[str, ...],
    file: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    workspace.put({"a/q.yaml": quota("memory.limit: 1"), **files})
    monkeypatch.chdir(workspace.folder / within)
    name = "q.yaml" if within == "a" else "a/q.yaml"
    assert workspace.text("check", "--write-baseline", *arguments)[2] == f"wrote {file} (1 finding)\n"
    assert workspace.lines(*arguments) == [f"{name}:4:15 QL102 baseline {file}:8"]
    monkeypatch.chdir(workspace.folder)
    where = os.path.normpath(os.path.join(within, file))
    assert workspace.lines(".", "--baseline", where) == [f"a/q.yaml:4:15 QL102 baseline {where}:8"]


def test_a_reason_is_kept(workspace: Workspace) -> None:
    workspace.put({"q.yaml": quota("memory.limit: 1")})
    workspace.text("check", "--write-baseline")
    Path(NAME).write_text(Path(NAME).read_text() + "  reason: known\n")
    workspace.text("check", "--write-baseline")
    assert workspace.lines() == [f"q.yaml:4:15 QL102 baseline {NAME}:8: known"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("findings: [", "b.yaml:1: did not find", id="no YAML"),
        pytest.param("- a\n", "b.yaml:1: a baseline is a map with `findings`, not a list", id="a list"),
        pytest.param("findings: 3\n", "b.yaml:1: `findings` must be a list, not 3", id="no list"),
        pytest.param("finding: []\n", "b.yaml:1: `finding` is not a known key; did you mean `findings`?", id="a key"),
        pytest.param("findings:\n- x\n", 'b.yaml:2: `findings[0]` must be a map, not "x"', id="no entry"),
        pytest.param(
            "findings:\n- {rule: QL102, file: a, message: b, fingerprint: 12345678901234567890}\n",
            "b.yaml:2: `findings[0].fingerprint` must be a fingerprint: 20 digits from 0 to f, in quotes, not ",
            id="a number",
        ),
        pytest.param(
            "findings:\n- {rule: QL102, file: a,\n   fingerprint: 0000000000000000000a}\n",
            "b.yaml:2: `findings[0].message` must be a text, not nothing",
            id="an incomplete entry",
        ),
        pytest.param("findings: []\nfindings: []\n", "b.yaml:2: `findings` appears twice", id="a key twice"),
        pytest.param("findings: []\n---\nfindings: []\n", "b.yaml:3: only one document is read", id="two documents"),
    ],
)
@pytest.mark.parametrize("command", ["check", "check --write-baseline"])
def test_a_bad_file_is_an_error(workspace: Workspace, text: str, expected: str, command: str) -> None:
    workspace.put({"q.yaml": quota("memory.limit: 1"), "b.yaml": text})
    status, out, err = workspace.text(*command.split(), "--baseline", "b.yaml")
    assert (status, out, err.splitlines()[0][: len(expected) + 11], (workspace.folder / "b.yaml").read_text()) == (
        2,
        "",
        f"quotalint: {expected}",
        text,
    )


@pytest.mark.parametrize("file", [".", "missing/b.yaml"])
def test_what_cannot_be_written(workspace: Workspace, file: str) -> None:
    workspace.put({"q.yaml": quota("memory.limit: 1")})
    status, out, _ = workspace.text("check", "--write-baseline", "--baseline", file)
    assert (status, out, os.listdir()) == (2, "", ["q.yaml"])


def test_an_empty_one(workspace: Workspace) -> None:
    workspace.put({"q.yaml": quota("pods: 1")})
    workspace.text("check", "--write-baseline")
    assert (workspace.lines("--baseline", NAME), read_baseline(NAME)) == ([], Baseline(NAME, ()))


TEXT = st.text(st.characters() | st.sampled_from("\"\\#:'\n\t\x85\u2028\ufeff\x7f"))


KEYS = st.integers(0, 16**20 - 1).map("{:020x}".format)


@given(st.lists(st.builds(BaselineEntry, TEXT, st.just("QL102"), TEXT, KEYS, TEXT), max_size=6))
def test_whatever_a_message_holds_is_read_back(entries: list[BaselineEntry]) -> None:
    text = baseline_text(entries)
    (document,) = read(text.encode()).documents
    assert isinstance(document.value, dict)
    keys = ("file", "rule", "message", "fingerprint", "reason")
    read_entries = [tuple(finding.get(key, "") for key in keys) for finding in document.value["findings"]]
    assert read_entries == [tuple(map(_whole, baseline_entry[:5])) for baseline_entry in sorted(entries, key=_order)]
    assert baseline_text(reversed(entries)) == text


def _order(baseline_entry: BaselineEntry) -> tuple[str, ...]:
    return (
        baseline_entry.file,
        baseline_entry.rule,
        baseline_entry.message,
        baseline_entry.fingerprint,
        baseline_entry.reason,
    )


def _whole(text: str) -> str:
    return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)


def test_a_baseline_that_nobody_named_and_that_leads_out_is_not_read(workspace: Workspace) -> None:
    workspace.put({"r/.git/HEAD": "", "r/.quotalint.yaml": "failOn: error\n", "secret.yaml": "password: x\n"})
    (workspace.folder / "r/.quotalint-baseline.yaml").symlink_to("../secret.yaml")
    status, out, err = workspace.text("check", "r")
    assert (status, out, err) == (
        2,
        "",
        "quotalint: r/.quotalint-baseline.yaml: it is a symbolic link that leads out of the repository; "
        "`--baseline r/.quotalint-baseline.yaml` reads it anyway\n",
    )
