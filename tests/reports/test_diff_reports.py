"""How a change is told, in each format."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest
from compared_change import changed_repository, printed
from git_repositories import Repository, deployment, quota
from referencing import Registry, Resource

from quotalint.cli import run
from quotalint.runtime.data import load_schema


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    repository = changed_repository(tmp_path / "repository")
    monkeypatch.chdir(repository.folder)
    return repository


TEXT = """\
team-a   base  (team-a/quota.yaml:1)  scopes NotBestEffort → NotTerminating
  RESOURCE      HARD    STEADY   SURGE    PEAK
  pods          10 → 4  3 → 5 ✗  3 → 5 ✗  3 → 5 ✗
  requests.cpu  4       3 → 5 ✗  3 → 5 ✗  3 → 5 ✗
  through  Deployment web  3 → 5 pods  requests.cpu 3 → 5  team-a/web.yaml:1
  note     pods is lowered below what is used (steady)

team-b   old  (team-b/quota.yaml:1)  is gone
  RESOURCE  HARD   STEADY  SURGE  PEAK
  pods      2 → —  2 → —   2 → —  2 → —
  used by  Deployment api  2 pods    team-b/api.yaml:1
  note     this quota no longer limits them

team-c   bad  (team-c/bad.yaml:1)  was refused by the API server before
  RESOURCE  HARD   STEADY       SURGE  PEAK
  pods      — → 1  — → unknown

team-c   new  (team-c/quota.yaml:1)  is new
  RESOURCE  HARD    STEADY       SURGE  PEAK
  pods      — → 10  — → unknown

4 new findings (3 errors, 1 warning), 2 fixed, 0 unchanged from v1 ({commit}) to the working tree.
"""


def test_a_change_is_told_as_text(repository: Repository, capsys: Any) -> None:
    document = printed(capsys)
    commit = repository.git("rev-parse", "--short=9", "v1")
    assert document.endswith("\n\n" + TEXT.replace("{commit}", commit))
    assert [line.split("  ")[0:3:2] for line in document.splitlines() if "  error  " in line] == [
        ["team-a/quota.yaml:5:3", "QL111 immutable-scopes"],
        ["team-a/web.yaml:5:3", "QL301 quota-exceeded"],
        ["team-a/quota.yaml:7:23", "QL301 quota-exceeded"],
    ]


def test_text_in_colour_says_the_same(repository: Repository, capsys: Any) -> None:
    plain, painted = printed(capsys), printed(capsys, "--color", "always")
    assert plain != painted
    assert re.sub("\x1b\\[[0-9;]*m", "", painted) == plain


def test_quiet_is_a_line_for_each_new_finding(repository: Repository, capsys: Any) -> None:
    lines = printed(capsys, "--quiet").splitlines()
    assert [line.split(": ")[1][:11] for line in lines] == ["error QL111", "error QL301", "error QL301", "warning QL2"]


def test_a_change_is_told_as_markdown(repository: Repository, capsys: Any) -> None:
    document = printed(capsys, "--format", "markdown")
    commit = repository.git("rev-parse", "--short=9", "v1")
    assert document.replace(commit, "COMMIT") == (Path(__file__).parent / "expected/diff.md").read_text()


GROUPS = ("new", "still", "better", "fixed", "outdone", "unknown", "silenced", "unchanged")


def test_json_keeps_the_promise_of_its_schema(repository: Repository, capsys: Any) -> None:
    promise, other = load_schema("diff"), load_schema("report")
    jsonschema.Draft202012Validator.check_schema(promise)
    resources = [(str(other["$id"]), Resource.from_contents(other))]
    validator = jsonschema.Draft202012Validator(promise, registry=Registry().with_resources(resources))
    report = json.loads(printed(capsys, "--format", "json"))
    assert [f"{list(error.path)}: {error.message}" for error in validator.iter_errors(report)] == []
    assert report["summary"] == {
        "quotas": {"added": 1, "removed": 1, "changed": 2},
        "findings": {
            **{group: {"error": 0, "warning": 0, "info": 0} for group in GROUPS},
            "new": {"error": 3, "warning": 1, "info": 0},
            "fixed": {"error": 1, "warning": 0, "info": 1},
        },
    }


def test_the_other_formats_have_the_new_findings_alone(repository: Repository, capsys: Any) -> None:
    repository.commit({"team-a/web.yaml": deployment(3)})
    repository.write({"team-a/web.yaml": deployment(5)})
    formats = ("sarif", "github", "gitlab", "junit")
    run(["diff", "v1", "--quiet", *(f"--output={name}=../{name}" for name in formats)])
    capsys.readouterr()
    written = {name: (repository.folder.parent / name).read_text() for name in formats}
    rules = [result["ruleId"] for result in json.loads(written["sarif"])["runs"][0]["results"]]
    lines = [line.split(" ")[0] for line in written["github"].splitlines()]
    checks = [load["check_name"] for load in json.loads(written["gitlab"])]
    assert (sorted(rules), sorted(lines), len(checks), "QL102" in written["junit"]) == (
        ["QL111", "QL206", "QL301", "QL301"],
        ["::error", "::error", "::error", "::warning"],
        4,
        False,
    )


def test_what_is_worse_and_what_is_out_of_view_is_said(repository: Repository, capsys: Any) -> None:
    repository.commit({"team-a/web.yaml": deployment(5), "team-b/quota.yaml": quota("pods: 1", "old", "team-b")})
    repository.write(
        {
            "team-a/web.yaml": deployment(7),
            "team-b/api.yaml": "{{ a }}: b: c\n",
            "team-c/quota.yaml": quota("pods: 10", "newer", "team-c"),
            ".quotalint.yaml": "thresholds: {nearlyFull: 99}\n",
        }
    )
    run(["diff", "HEAD", "--trust-head-config"])
    printed = capsys.readouterr().out
    run(["diff", "HEAD", "--trust-head-config", "--format", "markdown"])
    marked = capsys.readouterr().out
    wanted = (
        "   worse       1 short before, 3 short now\n",
        "\nteam-c   newer  (team-c/quota.yaml:1)  was called new\n",
        "  note     to Kubernetes quota new is a different one: until it is deleted, both apply\n",
        "\n  through  Deployment api  is no longer in view    team-b/api.yaml:1\n",
        "\n  pods      1     2 ✗ → unknown  2 ✗ → unknown  2 ✗ → unknown\n",
        "\nunknown: team-b/quota.yaml:6:6: error QL301 team-b asks for pods 2; quota old allows 1\n"
        "   no longer found, but not known to be fixed: team-b/api.yaml could not be read\n",
        "\n4 new findings (2 errors, 1 warning, 1 info), 2 of them worse than before, 1 fixed, 1 unknown, 0 unchanged ",
        "\nThe configuration differs, and each state is checked with its own: that may be why something is\n",
    )
    wanted_marked = (
        "### ❌ quotalint: `team-a` will be 3 short of requests.cpu and ",
        "  - worse: 1 short before, 3 short now\n",
        "| team-c / newer _was called new_ |",
        "\n_newer of team-c_: to Kubernetes quota new is a different one: until it is deleted, both apply\n",
        "- QL301 team-b asks for pods 2; quota old allows 1: "
        "not known to be repaired: team-b/api.yaml could not be read\n",
        " 1 finding is not known to be repaired.",
        " The configuration differs, and each state is checked with its own: ",
    )
    assert [line for line in wanted if line not in printed] == []
    assert [line for line in wanted_marked if line not in marked] == []


def test_a_comment_on_many_quotas_stays_short(repository: Repository, capsys: Any) -> None:
    repository.write({f"q/{number}.yaml": quota("pod: 1", f"q{number}", "q" * 60) for number in range(400)})
    document = printed(capsys, "--format", "markdown")
    assert len(document.encode()) <= 16 * 1024
    assert document.count("the full report has all") == 1
    shown = re.search(r"(\d+) of (\d+) quotas in numbers", document)
    more = re.search(r"And (\d+) more quotas", document)
    assert shown and more and int(shown[1]) + int(more[1]) == int(shown[2])


BASE = {
    "base/kustomization.yaml": "resources: [web.yaml, quota.yaml]\n",
    "base/web.yaml": deployment(2, namespace=""),
    "base/quota.yaml": quota("pods: 5").replace(", namespace: team-a", ""),
}
OVERLAY = "namespace: shop\nresources: [../../base]\n"
OVERLAYS = {
    **BASE,
    "overlays/dev/kustomization.yaml": OVERLAY,
    "overlays/prod/kustomization.yaml": OVERLAY,
}

GONE = "| dev: shop / base _is gone_ | `pods` | 5 → — | 2 → — | 2 → — | 2 → — | Deployment web: 2 pods |"


class Told(NamedTuple):
    """What is told of a change: the blocks of the text, and the rows and remarks in Markdown, that are of quotas."""

    start: Mapping[str, str | None]
    change: Mapping[str, str | None]
    text: str
    markdown: list[str]


TOLD = {
    "one of two environments changes": Told(
        OVERLAYS,
        {"overlays/prod/kustomization.yaml": OVERLAY + "replicas: [{name: web, count: 3}]\n"},
        """\
prod: shop   base  (base/quota.yaml:1)
  RESOURCE  HARD  STEADY  SURGE  PEAK
  pods      5     2 → 3   2 → 3  2 → 3
  through  Deployment web  2 → 3 pods    base/web.yaml:1
""",
        ["| prod: shop / base | `pods` | 5 | 2 → 3 | 2 → 3 | 2 → 3 | Deployment web: 2 → 3 pods |"],
    ),
    "a quota goes from one of two environments": Told(
        OVERLAYS,
        {"overlays/dev/kustomization.yaml": "namespace: shop\nresources: [../../base/web.yaml]\n"},
        """\
dev: shop   base  (base/quota.yaml:1)  is gone
  RESOURCE  HARD   STEADY  SURGE  PEAK
  pods      5 → —  2 → —   2 → —  2 → —
  used by  Deployment web  2 pods    base/web.yaml:1
  note     this quota no longer limits them in dev
""",
        [
            GONE,
            "_base of shop_: this quota no longer limits them in dev",
        ],
    ),
    "one of two environments goes": Told(
        OVERLAYS,
        {"overlays/dev/kustomization.yaml": None},
        """\
dev: shop   base  (base/quota.yaml:1)  is gone
  RESOURCE  HARD   STEADY  SURGE  PEAK
  pods      5 → —  2 → —   2 → —  2 → —
  used by  Deployment web  2 pods    base/web.yaml:1
  note     this quota no longer limits them in dev
""",
        [
            GONE,
            "_base of shop_: this quota no longer limits them in dev",
        ],
    ),
    "one of two environments goes, the other one changes": Told(
        OVERLAYS,
        {
            "overlays/dev/kustomization.yaml": None,
            "overlays/prod/kustomization.yaml": OVERLAY + "replicas: [{name: web, count: 3}]\n",
        },
        """\
dev: shop   base  (base/quota.yaml:1)  is gone
  RESOURCE  HARD   STEADY  SURGE  PEAK
  pods      5 → —  2 → —   2 → —  2 → —
  used by  Deployment web  2 pods    base/web.yaml:1
  note     this quota no longer limits them in dev

prod: shop   base  (base/quota.yaml:1)
  RESOURCE  HARD  STEADY  SURGE  PEAK
  pods      5     2 → 3   2 → 3  2 → 3
  through  Deployment web  2 → 3 pods    base/web.yaml:1
""",
        [
            GONE,
            "| prod: shop / base | `pods` | 5 | 2 → 3 | 2 → 3 | 2 → 3 | Deployment web: 2 → 3 pods |",
            "_base of shop_: this quota no longer limits them in dev",
        ],
    ),
    "a quota is refused now": Told(
        {"q.yaml": quota("pods: 5"), "web.yaml": deployment(2)},
        {"q.yaml": quota("pod: 5")},
        """\
team-a   base  (q.yaml:1)  is refused by the API server now
  RESOURCE  HARD   STEADY  SURGE  PEAK
  pods      5 → —  2 → —   2 → —  2 → —
  note     nothing is counted for it while the API server refuses it
""",
        [
            "| team-a / base _is refused by the API server now_ | `pods` | 5 → — | 2 → — | 2 → — | 2 → — |  |",
            "_base of team-a_: nothing is counted for it while the API server refuses it",
        ],
    ),
    "a quota is refused no more": Told(
        {"q.yaml": quota("pod: 5"), "web.yaml": deployment(2)},
        {"q.yaml": quota("pods: 5")},
        """\
team-a   base  (q.yaml:1)  was refused by the API server before
  RESOURCE  HARD   STEADY  SURGE  PEAK
  pods      — → 5  — → 2   — → 2  — → 2
  used by  Deployment web  2 pods    web.yaml:1
""",
        [
            "| team-a / base _was refused by the API server before_ | `pods` | — → 5 | — → 2 | — → 2 | — → 2 "
            "| Deployment web: 2 pods |",
        ],
    ),
    "a workload uses nothing any more, and is there": Told(
        {"q.yaml": quota("pods: 5"), "web.yaml": deployment(2)},
        {"web.yaml": deployment(0)},
        """\
team-a   base  (q.yaml:1)
  RESOURCE  HARD  STEADY  SURGE  PEAK
  pods      5     2 → 0   2 → 0  2 → 0
  through  Deployment web  no longer uses any of it    web.yaml:1
""",
        ["| team-a / base | `pods` | 5 | 2 → 0 | 2 → 0 | 2 → 0 | Deployment web: no longer uses any of it |"],
    ),
    "a quota goes to another namespace with who uses it, without one of its entries": Told(
        {"q.yaml": quota("pods: 5, count/deployments.apps: 5"), "web.yaml": deployment(0)},
        {"q.yaml": quota("pods: 5", namespace="team-b"), "web.yaml": deployment(0, namespace="team-b")},
        """\
team-b   base  (q.yaml:1)  namespaces team-a → team-b
  RESOURCE                HARD   STEADY  SURGE  PEAK
  count/deployments.apps  5 → —  1 → —   1 → —  1 → —
  through  Deployment web  is no longer limited  count/deployments.apps 1 → —  web.yaml:1
""",
        [
            "| team-b / base _namespaces team-a → team-b_ | `count/deployments.apps` | 5 → — | 1 → — | 1 → — | 1 → — "
            "| Deployment web: is no longer limited, count/deployments.apps 1 → — |"
        ],
    ),
    "a workload used nothing before, and was there": Told(
        {"q.yaml": quota("pods: 5"), "web.yaml": deployment(0)},
        {"web.yaml": deployment(2)},
        """\
team-a   base  (q.yaml:1)
  RESOURCE  HARD  STEADY  SURGE  PEAK
  pods      5     0 → 2   0 → 2  0 → 2
  through  Deployment web  used nothing of it before    web.yaml:1
""",
        ["| team-a / base | `pods` | 5 | 0 → 2 | 0 → 2 | 0 → 2 | Deployment web: used nothing of it before |"],
    ),
}


@pytest.mark.parametrize("case", TOLD.values(), ids=TOLD.keys())
def test_what_is_told_of_quotas(case: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    repository = Repository(tmp_path / "told", case.start)
    monkeypatch.chdir(repository.folder)
    repository.write(case.change)
    run(["diff", "HEAD"])
    text = capsys.readouterr().out
    run(["diff", "HEAD", "--format", "markdown"])
    folded = capsys.readouterr().out.partition(" in numbers: ")[2].partition("</details>")[0]
    rows = folded.partition("| --- | --- |")[2].splitlines()[1:]
    quotas = [block for block in text.split("\n\n") if "  RESOURCE" in block]
    assert ("\n\n".join(quotas) + "\n", [row for row in rows if row]) == (
        case.text,
        case.markdown,
    )
