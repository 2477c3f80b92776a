"""What the units of work do not foresee ends by time and memory, in a finding that names it; so does each bug of ours.

Each room is tried in turn: something in it never ends, takes all memory, or raises. The quota that is wrong elsewhere
is still reported."""

from __future__ import annotations

import contextlib
import json
import os
import pkgutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from git_repositories import Repository, deployment
from manifests import quota
from written_files import write_as_is

from quotalint import pipeline
from quotalint.checks import checks, container_neighbours, manifest_files
from quotalint.checks.hit import Hit
from quotalint.cli import formats, run
from quotalint.gitops.kustomize.build import Builder
from quotalint.runtime import budget, resource_limits

VICTIM = quota("victim", "victim", "pod: '1'")
QUOTA = quota("a", "q", "pods: '1'")
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: a}\nspec: {containers: [{name: c, image: x}]}\n"
FLUX = (
    "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: f, namespace: flux-system}\n"
    "spec: {path: ./app, prune: true, interval: 1m, sourceRef: {kind: GitRepository, name: flux-system}}\n"
)

Work = Callable[..., Any]


def never_ends(*_: object, **__: object) -> Any:
    while True:
        pass


def takes_all_memory(*_: object, **__: object) -> Any:
    raise MemoryError


def recurs(*_: object, **__: object) -> Any:
    raise RecursionError


def is_a_bug(*_: object, **__: object) -> Any:
    raise KeyError("nobody expects this")


class Room(NamedTuple):
    """Where something goes wrong."""

    target: str
    concerns: Work
    file: str
    """What is named."""


ROOMS = {
    "reading": Room("quotalint.text.reading.read", lambda data, **_: data == b"a: z\n", "z.yaml"),
    "kustomizations": Room("quotalint.gitops.kustomize.build.Builder.build", lambda *_: True, "app/kustomization.yaml"),
    "following": Room(
        "quotalint.gitops.deployer_memory.render_deployed", lambda obj, _: obj.kind == "Kustomization", "flux.yaml"
    ),
    "helmfiles": Room(
        "quotalint.gitops.helmfile.installation.Helmfiles.installation", lambda *_: True, "helmfile.yaml"
    ),
    "quotas": Room("quotalint.accounting.quota", lambda obj: obj.name == "q", "q.yaml"),
    "demand": Room(
        "quotalint.accounts.sums.demands", lambda every, *_, **__: any(of.namespace == "a" for of in every), "q.yaml"
    ),
    "sums": Room("quotalint.accounts.sums.projections", lambda case, *_: case.name == "q", "q.yaml"),
    "admission": Room("quotalint.accounting.admissions", lambda *_, **__: True, ""),
    "environments": Room("quotalint.accounting.read_family", lambda held: bool(held.objects), ""),
}
FILES = {
    "victim/q.yaml": VICTIM,
    "q.yaml": f"{QUOTA}---\n{POD}---\n{POD.replace('name: p', 'name: p2')}",
    "z.yaml": "a: z\n",
    "app/kustomization.yaml": "resources: [d.yaml]\nnamePrefix: x-\n",
    "app/d.yaml": POD.replace("namespace: a", "namespace: b"),
    "flux.yaml": FLUX,
    "helmfile.yaml": "releases:\n- {name: r, namespace: c, chart: ./chart}\n",
    "chart/Chart.yaml": "apiVersion: v2\nname: c\nversion: 0.1.0\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("QUOTALINT_DEBUG", raising=False)
    monkeypatch.setattr(resource_limits, "SECONDS", 0.6)
    monkeypatch.setattr(resource_limits, "SECONDS_FOR_A_MEGABYTE", 0.0)
    write_as_is(tmp_path, FILES)
    return tmp_path


def broken(monkeypatch: pytest.MonkeyPatch, room: str, work: Work) -> None:
    """Have something in a room go wrong, for what is not the victim's."""
    target, concerns, _ = ROOMS[room]
    whole = pkgutil.resolve_name(target)

    def half(*given: Any, **options: Any) -> Any:
        return work() if concerns(*given, **options) else whole(*given, **options)

    owner, _, name = target.rpartition(".")
    monkeypatch.setattr(pkgutil.resolve_name(owner), name, half)


def looked(capsys: Any, *arguments: str) -> tuple[int, dict[str, list[str]], str]:
    """The status, the files that each rule speaks of, and what is said on standard error."""
    status = run(["-f", "json", *arguments, "."])
    printed = capsys.readouterr()
    files_by_rule: dict[str, list[str]] = {}
    for finding in json.loads(printed.out)["findings"]:
        files_by_rule.setdefault(finding["rule"], []).append(finding["file"])
    return status, files_by_rule, printed.err


@pytest.mark.parametrize("work", [never_ends, takes_all_memory, recurs])
@pytest.mark.parametrize("room", ROOMS)
def test_what_takes_too_much_is_not_judged(
    room: str, work: Work, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    broken(monkeypatch, room, work)
    status, files_by_rule, message = looked(capsys)
    named = files_by_rule.get("QL009", []) + files_by_rule.get("QL001", [])
    # Where nothing else is judged, and time alone has stopped it, there is only a warning.
    expected_status = 0 if (room, work) == ("environments", never_ends) else 1
    assert (status, "bug" in message, ROOMS[room].file in named if ROOMS[room].file else bool(named)) == (
        expected_status,
        False,
        True,
    )
    if room != "environments":
        assert files_by_rule["QL102"] == ["victim/q.yaml"]


@pytest.mark.parametrize("room", ROOMS)
def test_a_bug_is_named_and_takes_nothing_from_the_others(
    room: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    broken(monkeypatch, room, is_a_bug)
    status, files_by_rule, message = looked(capsys)
    assert (
        status,
        "KeyError: 'nobody expects this'" in message,
        ROOMS[room].file in message.replace("app:", "app/kustomization.yaml"),
    ) == (2, True, True)
    if room != "environments":
        assert files_by_rule["QL102"] == ["victim/q.yaml"]


@pytest.mark.parametrize("work", [never_ends, takes_all_memory, recurs])
def test_a_rule_that_takes_too_much(work: Work, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def half(subject: Any, facts: Any) -> Iterator[Hit]:
        yield from work() if subject.source.name == "z.yaml" else ()

    runs = [check._replace(run=half) if check == manifest_files.unreadable_manifest else check for check in checks()]
    monkeypatch.setattr("quotalint.pipeline.checks", lambda: runs)
    assert looked(capsys)[:2] == (1, {"QL009": ["z.yaml"], "QL102": ["victim/q.yaml"], "QL301": ["q.yaml"]} | _ELSE)


def test_a_rule_that_looks_at_all_files_takes_too_much(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    def endless(subject: Any, facts: Any) -> Iterator[Hit]:
        yield from never_ends()

    whole = container_neighbours.container_out_of_line
    several = [check._replace(run=endless) if check == whole else check for check in checks()]
    monkeypatch.setattr("quotalint.pipeline.checks", lambda: several)
    assert looked(capsys)[:2] == (1, {"QL009": ["."], "QL102": ["victim/q.yaml"], "QL301": ["q.yaml"]} | _ELSE)


_ELSE: dict[str, list[str]] = {}


@pytest.mark.slow
@pytest.mark.parametrize("work", [never_ends, takes_all_memory, is_a_bug])
def test_a_report_that_takes_too_much(work: Work, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setitem(formats.CHECK, "sarif", work)
    assert run(["-o", "sarif=s.sarif", "-o", "json=r.json", "."]) == 2
    printed = capsys.readouterr()
    assert ("the report sarif" in printed.err, "QL102" in printed.out, (folder / "s.sarif").exists()) == (
        True,
        True,
        False,
    )
    assert json.loads((folder / "r.json").read_text())["findings"]


@pytest.mark.slow
@pytest.mark.parametrize("work", [never_ends, takes_all_memory, is_a_bug])
@pytest.mark.parametrize(
    ("target", "arguments", "kept"),
    [
        ("quotalint.cli.actions.find", [], ""),
        ("quotalint.pipeline.deployed", [], ""),
        ("quotalint.cli.repairing.repair_difference", ["--fix", "--diff"], ""),
        ("quotalint.cli.fixing._plan_repairs", ["--fix"], "QL102"),
        ("quotalint.reports.manifests._annotated_body", ["render"], ""),
        ("quotalint.reports.usage.render", ["usage"], ""),
    ],
)
def test_a_command_that_takes_too_much_says_so(
    target: str, arguments: list[str], kept: str, work: Work, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(target, work)
    assert run([*arguments, "."]) in (1, 2)
    printed = capsys.readouterr()
    assert (kept in printed.out, ("too expensive" in printed.err, "KeyError" in printed.err)) == (
        True,
        (work != is_a_bug, work == is_a_bug),
    )


@pytest.mark.slow
def test_who_starts_the_run_sets_the_bounds(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    broken(monkeypatch, "sums", lambda: [0 for _ in range(40_000_000)] and ())
    assert "QL009" in looked(capsys)[1]
    assert "QL009" not in looked(capsys, "--max-seconds", "0")[1]
    assert "QL009" not in looked(capsys, "--max-seconds", "600")[1]


@pytest.mark.slow
def test_memory_is_bounded_by_the_system(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_DATA)

    def grows() -> Any:
        held: list[bytes] = []
        while True:
            held.append(bytes(1 << 20))

    broken(monkeypatch, "sums", grows)
    monkeypatch.setattr(resource_limits, "SECONDS", 20.0)
    status, files_by_rule, message = looked(capsys, "--max-memory", "300")
    assert (status, files_by_rule["QL009"], files_by_rule["QL102"], "bug" in message) == (
        1,
        ["q.yaml"],
        ["victim/q.yaml"],
        False,
    )
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


@pytest.mark.parametrize(
    ("mebibytes", "bound"),
    [(0, None), (1000, 1000 << 20), (None, resource_limits.MEMORY)],
)
def test_memory_is_bounded_as_asked_also_where_the_command_line_is_read_late(
    mebibytes: int | None, bound: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource_limits, "_memory_in_use", lambda page: 1 << 20)
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with resource_limits.watch_shares():
        resource_limits._tick(0, None)
        with resource_limits.share():
            resource_limits.limit(None, mebibytes)
        assert resource.getrlimit(resource.RLIMIT_DATA)[0] == (before[0] if bound is None else bound + (1 << 20))
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_what_is_swallowed_comes_again(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def swallows() -> Any:
        with contextlib.suppress(budget.OverBudgetError):
            never_ends()
        never_ends()

    broken(monkeypatch, "sums", swallows)
    monkeypatch.setattr(resource_limits, "SECONDS", 3.0)
    monkeypatch.setattr(resource_limits, "_GRACE", 10)
    assert looked(capsys)[1]["QL009"] == ["q.yaml"]


def test_many_that_take_too_much_end_together(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """Each has a part of what is left; once nothing is, the others are not begun."""
    for number in range(60):
        (folder / f"k{number}").mkdir()
        (folder / f"k{number}" / "kustomization.yaml").write_text("resources: [d.yaml]\n")
        (folder / f"k{number}" / "d.yaml").write_text(POD)
    ticks: list[int] = []
    broken(monkeypatch, "kustomizations", never_ends)
    monkeypatch.setattr(resource_limits, "begin_stage", lambda: None)
    whole = resource_limits._tick

    def counted(*given: Any) -> None:
        ticks.append(1)
        whole(*given)

    monkeypatch.setattr(resource_limits, "_tick", counted)
    status, files_by_rule, _ = looked(capsys)
    assert (status, len([text for text in files_by_rule["QL009"] if text.startswith("k")]), files_by_rule["QL102"]) == (
        1,
        60,
        ["victim/q.yaml"],
    )
    assert len(ticks) < 3 * 0.6 / 0.05 + 2


def test_a_run_that_is_not_stopped_notices_nothing(folder: Path, capsys: Any) -> None:
    assert "QL009" not in looked(capsys)[1]
    assert not resource_limits.was_stopped()


def test_a_report_may_take_all_of_its_stage(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def takes_most_of_it(*_: object) -> str:
        for _tick in range(int(0.9 * resource_limits._most_ticks())):
            resource_limits._tick(0, None)
        return "all of it"

    monkeypatch.setitem(formats.CHECK, "json", takes_most_of_it)
    run(["--format", "json", "--output", "text=report.txt", "."])
    assert capsys.readouterr().out.strip() == "all of it"


def test_forked_readers_are_watched_too(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr("quotalint.text.reading._PARALLEL_FROM", 2)
    monkeypatch.setattr("quotalint.text.reading._TRIED", 1)
    monkeypatch.setattr("quotalint.text.reading._WORTH_A_FORK", 0)
    broken(monkeypatch, "reading", never_ends)
    status, files_by_rule, _ = looked(capsys, "--jobs", "2")
    assert (status, files_by_rule["QL001"], files_by_rule["QL102"]) == (1, ["z.yaml"], ["victim/q.yaml"])
    assert resource_limits.was_stopped()


def test_nothing_is_imported_at_a_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever imports something then breaks an import that the tick falls into: KeyError of a thread's number."""
    monkeypatch.setattr("builtins.__import__", is_a_bug)
    with resource_limits.watch_shares():
        resource_limits._tick(0, None)
    assert not resource_limits.was_stopped()


def test_a_file_is_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for all that may be read would be made before anything is there, which alone goes beyond the bound."""
    from quotalint.text.files import content

    asked: list[int] = []
    whole = os.read

    def watched(file: int, number: int) -> bytes:
        asked.append(number)
        return whole(file, number)

    (tmp_path / "index").write_bytes(b"DIRC")
    monkeypatch.setattr("os.read", watched)
    assert (content(str(tmp_path / "index"), 1 << 40), max(asked) <= 1 << 20) == (b"DIRC", True)


def severities(capsys: Any, *arguments: str) -> set[str]:
    run([*arguments, "-f", "json"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    findings = findings if isinstance(findings, list) else findings["new"]
    return {finding["severity"] for finding in findings if finding["rule"] == "QL009"}


@pytest.mark.parametrize(("work", "severity"), [(never_ends, "warning"), (takes_all_memory, "error")])
@pytest.mark.parametrize("room", ["kustomizations", "sums"])
def test_what_takes_too_long_here_is_a_warning(
    room: str, work: Work, severity: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    broken(monkeypatch, room, work)
    assert severities(capsys, "check") == {severity}


def test_a_rule_that_takes_too_long_here_is_a_warning(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    def half(subject: Any, facts: Any) -> Iterator[Hit]:
        yield from never_ends() if subject.source.name == "z.yaml" else ()

    runs = [check._replace(run=half) if check == manifest_files.unreadable_manifest else check for check in checks()]
    monkeypatch.setattr(pipeline, "checks", lambda: runs)
    assert severities(capsys, "check") == {"warning"}


def test_what_takes_too_long_in_a_change_is_an_error(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(resource_limits, "SECONDS", 0.6)
    monkeypatch.setattr(resource_limits, "SECONDS_FOR_A_MEGABYTE", 0.0)
    kustomization = {"k/kustomization.yaml": "resources: [w.yaml]\n", "k/w.yaml": deployment(2)}
    repository.commit({"quota.yaml": quota("team-a", hard="pods: 5"), **kustomization})
    repository.commit({"k/w.yaml": deployment(30)})
    whole = Builder.build

    def half(*given: Any, **options: Any) -> Any:
        return never_ends() if b"replicas: 30" in given[0]._tree.data("k/w.yaml") else whole(*given, **options)

    monkeypatch.setattr(Builder, "build", half)
    assert severities(capsys, "diff", "HEAD~1") == {"error"}  # it was judged before


def test_an_editor_waits_less_for_each_look() -> None:
    with resource_limits.watch_shares():
        whole = resource_limits.allowed_seconds(1_000_000)
        resource_limits.limit_looks()
        assert (whole, resource_limits.allowed_seconds(1_000_000)) == (130, 15)
