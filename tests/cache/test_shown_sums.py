"""One file has changed, and a report shows sums: it stands where its namespaces come to the same amounts, for the same
who begin in the same lines. Whichever it is, the answer is the one that would be found out anew."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from edited_repositories import answered, at_work, mutated, replaced
from kept_answers import Answer, asked
from test_slices import FAR, FILES, LOCAL, QUOTAS, SCALER, WEB, plain_repository
from test_slices_of_builds import BASE, PATCH, REPOSITORIES
from test_slices_of_builds import FAR as FAR_IN_BUILDS
from test_slices_of_builds import LOCAL as LOCAL_IN_BUILDS

USAGE = (
    ("usage",),
    ("usage", "--all", "--scenario", "peak"),
    ("usage", "-n", "b", "--format", "json"),
    ("usage", "--format", "html"),
    ("usage", "--format", "markdown"),
    ("usage", "--format", "csv", "--enforcement", "deferred"),
)
CHECK = tuple(("check", "--format", name) for name in ("html", "csv", "junit"))


def anew(patch: pytest.MonkeyPatch, *command: str) -> Answer:
    """The answer that is found out anew; a page names the very command, so that there is no option for that."""
    with patch.context() as inner:
        inner.setenv("QUOTALINT_NO_CACHE", "1")
        return asked(*command)


TIED = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: tied, namespace: a}\nspec: {hard: {requests.cpu: 4}}\n"
MAPS = """apiVersion: v1
kind: ResourceQuota
metadata: {name: maps, namespace: a}
spec: {hard: {count/configmaps: 9}}
"""
KUSTOMIZATION = """resources: [first.yaml]
patches: [{path: second.yaml}]
namespace: a
configMapGenerator:
- {name: m, literals: [a=b], options: {disableNameSuffixHash: true}}
"""


def repository(top: Path) -> None:
    """Beside the others a namespace with a quota of two entries, workloads that could change places, and a folder that
    is built."""
    plain_repository(top)
    (top / "a" / "quota.yaml").write_text(TIED)
    (top / "a" / "maps.yaml").write_text(MAPS)
    (top / "a" / "worker.yaml").write_text(
        FILES["worker.yaml"].replace("%s", "a").replace("replicas: 2", "replicas: 4")
    )
    (top / "a" / "both.yaml").write_text(f"{_named('left')}---\n{_named('right')}")
    (top / "built").mkdir()
    (top / "built" / "kustomization.yaml").write_text(KUSTOMIZATION)
    (top / "built" / "first.yaml").write_text(f"# as it was\n{BASE.replace('web', 'built')}")
    (top / "built" / "second.yaml").write_text(BASE.replace("web", "built"))


def _named(name: str) -> str:
    return WEB.replace("web", name).replace("%s", "a")


Make = Callable[[Path], None]
Edit = tuple[str, str, str]
SAME: Mapping[str, tuple[Edit, ...]] = {
    "an image": (("a/web.yaml", "image: web:1", "image: web:2"),),
    "an image and more": (("a/web.yaml", "image: web:1", "image: web:2\n        command: [run]"),),
    "an image of what is built": (("built/first.yaml", "image: built:1", "image: built:2"),),
    "a comment behind all": (("a/web.yaml", "cpu: 100m}}\n", "cpu: 100m}}\n# the end\n"),),
    "a port": (("a/service.yaml", "port: 80", "port: 81"),),
    "a field more": (("b/web.yaml", "spec:\n  replicas", "spec:\n  revisionHistoryLimit: 3\n  replicas"),),
    "data": (("c/settings.yaml", "a: b", "a: c"),),
    "without a quota": (("free/web.yaml", "replicas: 2", "replicas: 200"),),
    "a metric": (("a/scaler.yaml", "minReplicas: 2", "minReplicas: 2\n  metrics: []"),),
    "what is allowed in other words": (("a/quota.yaml", "requests.cpu: 4", "requests.cpu: 4000m"),),
}
OTHER: Mapping[str, tuple[Edit, ...]] = {
    "replicas": (("a/web.yaml", "replicas: 2", "replicas: 3"),),
    "an amount": (("a/web.yaml", "cpu: 100m", "cpu: 101m"),),
    "an amount of what is built": (("built/second.yaml", "cpu: 100m", "cpu: 101m"),),
    "what is allowed": (("b/quota.yaml", 'pods: "12"', 'pods: "13"'),),
    "what is allowed of what has no replicas": (("a/maps.yaml", "configmaps: 9", "configmaps: 10"),),
    "what is limited": (("b/quota.yaml", 'pods: "12", ', ""),),
    "a maximum": (("b/scaler.yaml", "maxReplicas: 4", "maxReplicas: 5"),),
    "a minimum": (("b/scaler.yaml", "minReplicas: 2", "minReplicas: 3"),),
    "a default": (
        ("b/quota.yaml", "defaultRequest: {cpu: 200m}", "defaultRequest: {cpu: 250m}"),
        ("b/worker.yaml", "        resources: {requests: {cpu: 100m}}\n", ""),
    ),
    "a surge": (("a/web.yaml", "spec:\n  replicas", "spec:\n  strategy: {type: Recreate}\n  replicas"),),
    "more and smaller pods": (
        ("a/worker.yaml", "replicas: 4", "replicas: 2"),
        ("a/worker.yaml", "cpu: 100m", "cpu: 200m"),
    ),
    "two that change places": (
        ("a/worker.yaml", "replicas: 4", "replicas: 2"),
        ("a/web.yaml", "replicas: 2", "replicas: 4"),
    ),
    "a comment above a workload": (("a/web.yaml", "apiVersion", "# a comment\napiVersion"),),
    "a comment above a quota": (("b/quota.yaml", "apiVersion: v1\nkind: R", "# a comment\napiVersion: v1\nkind: R"),),
    "a comment above what is built": (("built/first.yaml", "apiVersion", "# a comment\napiVersion"),),
    "a comment above what is generated": (("built/kustomization.yaml", "- {name: m", "# a comment\n- {name: m"),),
    "a field between two": (
        ("a/both.yaml", "kind: Deployment\nmetadata: {name: left, ", "kind:\n  Deployment\nmetadata: {name: left, "),
    ),
    "two documents that change places": (
        ("a/both.yaml", f"{_named('left')}---\n{_named('right')}", f"{_named('right')}---\n{_named('left')}"),
    ),
    "an empty document before one": (("a/web.yaml", "apiVersion", "# nothing\n---\napiVersion"),),
    "what is built and its patch that change places": (
        ("built/kustomization.yaml", "[first.yaml]", "[third.yaml]"),
        ("built/kustomization.yaml", "second.yaml", "first.yaml"),
        ("built/kustomization.yaml", "third.yaml", "second.yaml"),
    ),
}
"""Each says something that some report shows."""


def edit(edits: tuple[Edit, ...]) -> None:
    for path, old, new in edits:
        text = Path(path).read_text()
        assert old in text
        Path(path).write_text(text.replace(old, new, 1))


@pytest.mark.parametrize("edits", SAME.values(), ids=SAME)
@pytest.mark.parametrize("command", [*USAGE, *CHECK], ids=" ".join)
def test_what_comes_to_the_same_takes_no_whole_run(
    edits: tuple[Edit, ...], command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    with at_work(monkeypatch, repository):
        before, is_whole = answered(monkeypatch, *command)
        assert (before, is_whole) == (anew(monkeypatch, *command), True)
        edit(edits)
        assert answered(monkeypatch, *command) == (before, False)
        assert anew(monkeypatch, *command) == before
        assert answered(monkeypatch, *command) == (before, False)


@pytest.mark.parametrize("edits", OTHER.values(), ids=OTHER)
@pytest.mark.parametrize("command", [*USAGE, *CHECK], ids=" ".join)
def test_what_comes_to_something_else_is_found_out_anew(
    edits: tuple[Edit, ...], command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    with at_work(monkeypatch, repository):
        asked(*command)
        edit(edits)
        assert asked(*command) == anew(monkeypatch, *command)
        assert asked(*command) == anew(monkeypatch, *command)
        edit(SAME["an image"])
        assert asked(*command) == anew(monkeypatch, *command)


@pytest.mark.parametrize("edits", OTHER.values(), ids=OTHER)
def test_a_page_shows_all_of_this(edits: tuple[Edit, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    with at_work(monkeypatch, repository):
        before = asked("usage", "--format", "html")
        edit(edits)
        assert before != asked("usage", "--format", "html")


@pytest.mark.parametrize("edits", [*SAME.values(), *OTHER.values()], ids=[*SAME, *OTHER])
def test_reports_in_files_beside_one_for_people(edits: tuple[Edit, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Alone they are mostly asked for by programs, which ask once, so that nothing is noted of them."""
    with at_work(monkeypatch, repository) as top:
        names = ("markdown", "sarif")
        files = [top.parent / f"report.{name}" for name in names]
        outputs = [f"--output={name}={file}" for name, file in zip(names, files, strict=True)]
        command = ("check", *outputs, "--format=text")
        asked(*command)
        edit(edits)
        answer, is_whole = answered(monkeypatch, *command)
        reports = [file.read_text() for file in files]
        assert answer == anew(monkeypatch, *command)
        assert reports == [file.read_text() for file in files]
        assert is_whole == (edits in OTHER.values())


SURGES = {"of more than there are": "maxSurge: 1", "of those that there are": "maxSurge: 2"}


@pytest.mark.parametrize("surge", SURGES.values(), ids=SURGES)
def test_how_rollouts_go(surge: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page says that of more than there are, and more than there is room for."""
    with at_work(monkeypatch, repository):
        Path("free/quota.yaml").write_text(
            TIED.replace("namespace: a", "namespace: free").replace("requests.cpu", "pods")
        )
        Path("free/web.yaml").unlink()
        Path("free/scaler.yaml").unlink()
        strategy = "spec:\n  strategy: {rollingUpdate: {maxSurge: 25%, maxUnavailable: 1}}\n  replicas"
        edit((("free/worker.yaml", "spec:\n  replicas", strategy),))
        command = ("usage", "--format", "html")
        before = asked(*command)
        edit((("free/worker.yaml", "maxSurge: 25%", surge),))
        after, is_whole = answered(monkeypatch, *command)
        assert (after, is_whole) == (anew(monkeypatch, *command), True)
        assert after != before


def test_a_document_among_data(monkeypatch: pytest.MonkeyPatch) -> None:
    with at_work(monkeypatch, repository):
        replaced("built/kustomization.yaml", "literals: [a=b]", "files: [data.yaml]")
        Path("built/data.yaml").write_text("a: b\n")
        for command, is_whole in ((("usage", "--all"), False), (("usage", "--format", "json"), True)):
            asked(*command)
            replaced("built/data.yaml", "a: b\n", "c: d\n---\na: b\n")
            assert answered(monkeypatch, *command) == (anew(monkeypatch, *command), is_whole)


def test_a_document_that_is_taken_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is made of it, and it is counted among those that were read."""
    with at_work(monkeypatch, repository):
        patch = '"{apiVersion: v1, kind: ConfigMap, metadata: {name: any}, $patch: delete}"'
        deleting = f"{{target: {{kind: ConfigMap, name: out}}, patch: {patch}}}"
        Path("built/kustomization.yaml").write_text(f"resources: [first.yaml]\nnamespace: a\npatches: [{deleting}]\n")
        command = ("usage", "--format", "json")
        asked(*command)
        with Path("built/first.yaml").open("a") as file:
            file.write("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: out}\n")
        assert asked(*command) == anew(monkeypatch, *command)


@pytest.mark.parametrize("where", [("a",), (".", "-n", "a*"), ("c", "b"), ("-e", "x"), ("nowhere",), ("-n", "a/tied")])
@pytest.mark.parametrize("edits", [SAME["an image"], SAME["a comment behind all"], OTHER["replicas"]])
def test_a_part_of_the_quotas(edits: tuple[Edit, ...], where: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    with at_work(monkeypatch, repository):
        assert asked("usage", *where) == anew(monkeypatch, "usage", *where)
        edit(edits)
        assert asked("usage", *where) == anew(monkeypatch, "usage", *where)
        replaced("b/web.yaml", "replicas: 2", "replicas: 3")
        assert asked("usage", *where) == anew(monkeypatch, "usage", *where)


def test_lines_that_are_not_shown_may_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more than a few quotas one line each is shown, without the place where it is written."""
    with at_work(monkeypatch, repository):
        for command, is_whole in (
            (("usage",), False),
            (("usage", "--all"), True),
            (("usage", "-f", "markdown"), False),
        ):
            asked(*command)
            replaced("b/web.yaml", "apiVersion", "# a comment\napiVersion")
            assert answered(monkeypatch, *command) == (anew(monkeypatch, *command), is_whole)


@pytest.mark.parametrize("command", [USAGE[1], ("usage", "--format", "html"), *CHECK[:1]], ids=" ".join)
def test_edits_that_reach_farther(command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    for path, old, new in (*LOCAL, *FAR):
        with at_work(monkeypatch, plain_repository):
            asked(*command)
            replaced(path, old, new)
            assert asked(*command) == anew(monkeypatch, *command)


@pytest.mark.parametrize("make", REPOSITORIES.values(), ids=REPOSITORIES)
@pytest.mark.parametrize("command", [USAGE[1], *CHECK[1:]], ids=" ".join)
def test_what_is_built(command: tuple[str, ...], make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    for path, old, new in (*(local[:3] for local in LOCAL_IN_BUILDS), *FAR_IN_BUILDS):
        with at_work(monkeypatch, make):
            asked(*command)
            replaced(path, old, new)
            assert asked(*command) == anew(monkeypatch, *command)
            edit((("apps/web/base/service.yaml", "port: 8", "port: 9"),))
            assert asked(*command) == anew(monkeypatch, *command)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("command", [USAGE[1], USAGE[3], *CHECK[:1]], ids=" ".join)
@pytest.mark.parametrize("make", [repository, *REPOSITORIES.values()], ids=["plain", *REPOSITORIES])
def test_any_change_of_any_file(
    make: Make, command: tuple[str, ...], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = random.Random(seed)
    with at_work(monkeypatch, make):
        asked(*command)
        for _ in range(10):
            path = generator.choice(sorted(Path().rglob("*.yaml")))
            before = path.read_text()
            path.write_text(mutated(before, [QUOTAS, WEB, BASE, PATCH, SCALER], generator))
            assert asked(*command) == anew(monkeypatch, *command)
            if generator.random() < 0.6:
                path.write_text(before)
                assert asked(*command) == anew(monkeypatch, *command)
