"""Comments: where one has to stand, what it silences, and what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from workspace import Workspace

from quotalint.suppression.ignore_comments import comments_in
from quotalint.text.comments import comments

HEAD = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: base, namespace: team-a}\nspec:\n  hard:\n"
BAD = HEAD + "    memory.limit: 4Gi\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(BAD, ["q.yaml:6:5 QL102"], id="none"),
        pytest.param(
            HEAD + "    memory.limit: 4Gi # quotalint: ignore[QL102] for now\n",
            ["q.yaml:6:5 QL102 comment q.yaml:6: for now"],
            id="at the end of the line",
        ),
        pytest.param(
            HEAD + "    # quotalint: ignore[QL1]\n    memory.limit: 4Gi\n",
            ["q.yaml:7:5 QL102 comment q.yaml:6"],
            id="above it, by a prefix",
        ),
        pytest.param(
            HEAD + "    # Quotalint: ignore[QL102]\n    memory.limit: 4Gi\n",
            ["q.yaml:7:5 QL102 comment q.yaml:6"],
            id="with a capital",
        ),
        pytest.param(
            HEAD + "    # quotalint: ignore[QL102]\n    # because\n    memory.limit: 4Gi\n",
            ["q.yaml:8:5 QL102 comment q.yaml:6"],
            id="above it, with another comment between",
        ),
        pytest.param(
            HEAD + "    # quotalint: ignore[QL102]\n\n    memory.limit: 4Gi\n",
            ["q.yaml:6:5 QL006", "q.yaml:8:5 QL102"],
            id="not directly above it",
        ),
        pytest.param(
            HEAD + "    # quotalint: ignore[QL102]\n    pods: 1\n    memory.limit: 4Gi\n",
            ["q.yaml:6:5 QL006", "q.yaml:8:5 QL102"],
            id="above another line",
        ),
        pytest.param(
            "# quotalint: ignore[QL102,QL103]\n" + BAD + "    pods: some\n",
            ["q.yaml:7:5 QL102 comment q.yaml:1", "q.yaml:8:5 QL103 comment q.yaml:1"],
            id="at the head of a document",
        ),
        pytest.param(
            "# quotalint: ignore[QL102]\n---\n" + BAD,
            ["q.yaml:8:5 QL102 comment q.yaml:1"],
            id="above the first separator",
        ),
        pytest.param(
            BAD + "# quotalint: ignore[QL102] all\n# and so on\n---\n" + BAD.replace("base", "other"),
            ["q.yaml:6:5 QL102", "q.yaml:15:5 QL102 comment q.yaml:7: all"],
            id="above a separator, for the document below alone",
        ),
        pytest.param(
            BAD + "# quotalint: ignore[QL102]\n\n---\n" + BAD.replace("base", "other"),
            ["q.yaml:6:5 QL102", "q.yaml:7:1 QL006", "q.yaml:15:5 QL102"],
            id="not directly above a separator",
        ),
        pytest.param(
            BAD + "--- # quotalint: ignore[QL102] all\n" + BAD.replace("base", "other"),
            ["q.yaml:6:5 QL102", "q.yaml:13:5 QL102 comment q.yaml:7: all"],
            id="beside a separator, for the document below alone",
        ),
        pytest.param(
            HEAD + "    memory.limit: 4Gi # quotalint: ignore\n",
            ["q.yaml:6:5 QL102 comment q.yaml:6"],
            id="every rule",
        ),
        pytest.param(
            HEAD
            + "    memory.limit: some # quotalint: ignore QL102 for now\n    pods: x # quotalint: ignore: QL1, QL2\n",
            [
                "q.yaml:6:5 QL102 comment q.yaml:6: for now",
                "q.yaml:6:5 QL103",
                "q.yaml:7:5 QL103 comment q.yaml:7",
            ],
            id="without brackets",
        ),
        pytest.param(
            HEAD + "    pods: x # quotalint: ignore QL102 too\n    services: x # quotalint: ignore QLx\n",
            ["q.yaml:6:5 QL103", "q.yaml:6:13 QL006", "q.yaml:7:5 QL103 comment q.yaml:7: QLx"],
            id="without brackets, another rule",
        ),
        pytest.param(
            HEAD + "    memory.limit: 4Gi # in GiB # quotalint:ignore[ QL102 , QL103 ]  why # not\n",
            ["q.yaml:6:5 QL102 comment q.yaml:6: why # not", "q.yaml:6:32 QL006"],
            id="behind other words, and a part is unused",
        ),
        pytest.param(
            HEAD + "    memory.limit: 4Gi # quotalint: ignored\n    cpu.limit: 1 # notquotalint: ignore[QL102]\n",
            ["q.yaml:6:5 QL102", "q.yaml:7:5 QL102"],
            id="other words",
        ),
        pytest.param(
            HEAD + "    memory.limit: 4Gi # quotalint: ignore[]\n",
            ["q.yaml:6:5 QL102"],
            id="nothing in brackets",
        ),
        pytest.param(
            HEAD + "    memory.limit: 4Gi # quotalint: ignore[QL102, ql103, quota-exceeded, QL987, QLC-own]\n",
            ["q.yaml:6:5 QL102 comment q.yaml:6", "q.yaml:6:23 QL006", "q.yaml:6:23 QL006", "q.yaml:6:23 QL006"],
            id="rules that there are not",
        ),
        pytest.param(
            (BAD.replace("4Gi", "4Gi # quotalint: ignore[QL102] for now")).replace("\n", "\r\n"),
            ["q.yaml:6:5 QL102 comment q.yaml:6: for now"],
            id="lines that end in CRLF",
        ),
        pytest.param(
            "\ufeff# quotalint: ignore[QL102] all\n" + BAD,
            ["q.yaml:7:5 QL102 comment q.yaml:1: all"],
            id="behind a byte order mark",
        ),
        pytest.param(
            HEAD + "    memory.limit: 4Gi\t#\tquotalint:\tignore[QL102]\ttabs\t\n",
            ["q.yaml:6:5 QL102 comment q.yaml:6: tabs"],
            id="tabs",
        ),
        pytest.param(
            BAD + '    pods: "1 # quotalint: ignore[QL1]"\n---\na: |\n  # quotalint: ignore[QL1]\nb: >-\n'
            "  x\n\n  # quotalint: ignore[QL1]\nc: '\n  # quotalint: ignore[QL1]'\nd: x#quotalint:ignore[QL1]\n",
            ["q.yaml:6:5 QL102", "q.yaml:7:5 QL103"],
            id="in strings",
        ),
        pytest.param(
            "a: | # quotalint: ignore[QL1] here\n  text\n# quotalint: ignore[QL1]\n",
            ["q.yaml:1:6 QL006", "q.yaml:3:1 QL006"],
            id="beside and behind a block",
        ),
        pytest.param(
            "# quotalint: ignore[QL102]\n",
            ["q.yaml:1:1 QL006"],
            id="nothing else",
        ),
        pytest.param(
            HEAD + "    pods: 1 # quotalint: ignore[QL102, QL006] elsewhere it is needed\n",
            ["q.yaml:6:13 QL006 comment q.yaml:6: elsewhere it is needed"],
            id="unused, and that is known",
        ),
        pytest.param(
            "# quotalint: ignore[QL0]\n" + HEAD + "    pods: 1 # quotalint: ignore[QL102]\n",
            ["q.yaml:1:1 QL006", "q.yaml:7:13 QL006"],
            id="a prefix does not mean the rule for what is unused",
        ),
        pytest.param(
            "# quotalint: ignore[QL001] generated\napiVersion: v1\nkind: Pod\n\tx: 1\n",
            ["q.yaml:4:1 QL001 comment q.yaml:1: generated"],
            id="a file that cannot be parsed",
        ),
        pytest.param(
            "apiVersion: v1\nkind: Pod # quotalint: ignore[QL301]\n\tx: 1\n",
            ["q.yaml:3:1 QL001"],
            id="of what cannot be parsed nobody knows what is unused",
        ),
        pytest.param(
            '{"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "# quotalint: ignore[QL1]"}}\n',
            ["q.yaml:1:60 QL101"],
            id="JSON has no comments",
        ),
    ],
)
def test_what_a_comment_silences(workspace: Workspace, text: str, expected: list[str]) -> None:
    workspace.put({"q.yaml": text.encode()})
    assert workspace.lines("--select", "QL0,QL1") == expected


def test_what_is_suppressed_does_not_count(workspace: Workspace) -> None:
    workspace.put({"q.yaml": HEAD + "    memory.limit: 4Gi # quotalint: ignore[QL102] for now\n"})
    shown = (
        0,
        "No findings, 1 suppressed in 1 file (1 namespace, 1 quota).\n"
        "1 quota could not be judged, because the API server refuses it: base of team-a.\n",
        "",
    )
    assert workspace.text("check") == shown
    status, out, _ = workspace.text("check", "--verbose")
    assert (status, out.split("\n\n")[0]) == (
        0,
        "q.yaml:6:5: error QL102 `memory.limit` is not a resource that a quota can limit, so the API server refuses "
        "quota base: must be a standard resource type or fully qualified; must be a standard resource for quota "
        "(suppressed by comment in q.yaml:6: for now)",
    )
    assert workspace.text("check", "--quiet") == (0, "", "")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param((), ["QL006"], id="applied"),
        pytest.param(("--select", "QL0,QL3"), [], id="not selected"),
        pytest.param(("--ignore", "QL102"), [], id="ignored by an option"),
        pytest.param(("--select", "QL1"), [], id="nobody asks what is unused"),
        pytest.param(("--config", "off.yaml"), [], id="off"),
    ],
)
def test_unused_is_only_said_of_what_was_looked_for(
    workspace: Workspace, arguments: tuple[str, ...], expected: list[str]
) -> None:
    workspace.put(
        {"q.yaml": HEAD + "    pods: 1 # quotalint: ignore[QL102]\n", "off.yaml": "severity: {QL102: 'off'}\n"}
    )
    assert [finding["rule"] for finding in workspace.report("check", *arguments)["findings"]] == expected


@pytest.mark.parametrize(
    ("arguments", "more", "expected"),
    [
        pytest.param((".",), {}, ["QL006"], id="everything"),
        pytest.param(("q.yaml",), {}, [], id="a part"),
        pytest.param((".",), {"kustomization.yaml": "resources: [q.yaml, 'https://x.example/y']\n"}, [], id="not all"),
    ],
)
def test_what_adds_up_is_unused_only_where_everything_is_in_view(
    workspace: Workspace, arguments: tuple[str, ...], more: dict[str, str], expected: list[str]
) -> None:
    workspace.put({"q.yaml": HEAD + "    pods: 1 # quotalint: ignore[QL301]\n", ".git/HEAD": "", **more})
    assert [
        finding["rule"] for finding in workspace.report("check", *arguments)["findings"] if finding["rule"] != "QL003"
    ] == expected


def test_a_comment_in_a_base_silences_it_for_all_overlays(workspace: Workspace) -> None:
    workspace.put(
        {
            "base/kustomization.yaml": "resources: [q.yaml]\n",
            "base/q.yaml": HEAD.replace(", namespace: team-a", "") + "    cpu.limit: 1 # quotalint: ignore[QL102]\n",
            "a/kustomization.yaml": "namespace: a\nresources: [../base]\n",
            "b/kustomization.yaml": "namespace: b\nresources: [../base]\npatches:\n- patch: |\n"
            "    {apiVersion: v1, kind: ResourceQuota, metadata: {name: base},\n"
            "     spec: {hard: {memory.limit: 1}}}\n",
        }
    )
    assert workspace.lines("--select", "QL0,QL1") == [
        "b/kustomization.yaml:4:3 QL102",
        "base/q.yaml:6:5 QL102 comment base/q.yaml:6",
    ]


def test_a_file_outside_of_the_paths_is_heard_too(workspace: Workspace) -> None:
    workspace.put(
        {
            ".git/HEAD": "",
            "base/kustomization.yaml": "resources: [q.yaml]\n",
            "base/q.yaml": HEAD + "    cpu.limit: 1 # quotalint: ignore[QL102]\n    pods: 1 # quotalint: ignore[QL1]\n",
            "a/kustomization.yaml": "resources: [../base]\n",
        }
    )
    assert workspace.lines("a") == ["base/q.yaml:6:5 QL102 comment base/q.yaml:6"]


def test_a_json_file_and_standard_input(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.put(
        {"q.json": '{"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "quotalint: ignore"}}\n'}
    )
    assert workspace.lines("--select", "QL0,QL1") == ["q.json:1:60 QL101"]


@given(
    st.binary() | st.text(st.sampled_from("a#:|>'\"-[]{} \n\t\r\ufeff\x85\u2028%&*!")).map(str.encode), st.booleans()
)
def test_any_bytes_are_taken(data: bytes, json: bool) -> None:
    lines = range(1, data.count(b"\n") + 2)
    assert all(comment.line in lines and "a" in comment.text for comment in comments(data, "a", json=json))
    silencing = comments_in(b"# quotalint: ignore[QL1]\n" + data + b"\n# quotalint: ignore", "a.yaml").all
    assert len(silencing) <= 2 + data.count(b"quotalint")


@example(["- |", "", "# c", "  # d"])
@given(st.lists(st.sampled_from(["a: 1", "  b: '", "# c", "- |", "  # d", "'", "---", "", "- {", "  }"]), max_size=9))
def test_a_comment_that_is_found_is_none_of_the_content(lines: list[str]) -> None:
    """What is found may be taken away without changing what Kubernetes reads, of a text that is not JSON without it."""
    from quotalint.text.documents import read

    text = "".join(f"{line} # quotalint: {number}\n" for number, line in enumerate(lines))
    bare = text.split("\n")
    for comment in comments(text.encode(), "quotalint:"):
        # With the space before it, which may be content where there is no comment behind it.
        bare[comment.line - 1] = bare[comment.line - 1][: comment.column - 1].rstrip()
    before, after = read(text.encode()), read("\n".join(bare).encode())
    if not before.failures:
        assert [document.value for document in after.documents] == [document.value for document in before.documents]
