"""What kustomizations came to is kept from run to run: a later one builds what looks at anything that is another."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from edited_repositories import at_work
from git_repositories import Repository
from kept_answers import Answer, anew, asked, note_small_states
from test_slices_of_builds import (
    BASE,
    NAMESPACE,
    PATCH,
    argo_repository,
    flux_repository,
    kustomize_repository,
    kustomized_files,
)
from written_files import write_as_is

from quotalint.cache.folder import BUILDS, KEY, entry, keep, kept_entries
from quotalint.gitops import kept_builds
from quotalint.gitops.kustomize.build import Builder

FORMS = (("check",), ("check", "--format", "json"), ("usage",), ("render",))
WEB_OF_YTT = f"#@ load('@ytt:data', 'data')\n{BASE}"
WEB_OF_JINJA = BASE + "{% if more %}\n"
COMMON = {"namespaces/kustomization.yaml": "resources: [a.yaml]\n"}
"""What has the whole state judged: a kustomization comes."""


@contextmanager
def builds_counted(patch: Any) -> Iterator[list[str]]:
    """The folders that are built, also below one that no file holds."""
    built: list[str] = []
    build, overlay = Builder.build, Builder.overlay

    def counted(self: Builder, folder: str) -> Any:
        built.append(folder)
        return build(self, folder)

    def counted_overlay(self: Builder, over: Any, folder: str) -> Any:
        built.append(f"over {folder}")
        return overlay(self, over, folder)

    with patch.context() as inner:
        inner.setattr(Builder, "build", counted)
        inner.setattr(Builder, "overlay", counted_overlay)
        yield built


def without_memory(patch: pytest.MonkeyPatch, *command: str) -> Answer:
    """The answer that is found out anew, of any command."""
    with patch.context() as inner:
        inner.setenv("QUOTALINT_NO_CACHE", "1")
        return asked(*command)


def built_after(patch: pytest.MonkeyPatch, files: dict[str, str]) -> set[str]:
    """What is built after files have changed, where everything was checked before; each command says what it says
    anew."""
    asked("check")
    write_as_is(Path(), files)
    with builds_counted(patch) as built:
        asked("check")
    for form in FORMS:
        assert asked(*form) == without_memory(patch, *form), form
    return set(built)


REPOSITORIES: dict[str, tuple[Callable[[Path], None], str]] = {
    "by hand": (kustomize_repository, ""),
    "by Flux": (flux_repository, "over "),
    "by Argo CD": (argo_repository, ""),
}


@pytest.mark.parametrize("name", REPOSITORIES)
def test_only_what_reads_a_file_that_changed_is_built(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A base is read by all that builds on it, a patch by its overlay; nothing else is built again."""
    make, over = REPOSITORIES[name]
    with at_work(monkeypatch, make) as top:
        patched = {"apps/web/b/replicas.yaml": PATCH.replace("replicas: 3", "replicas: 2")}
        built = built_after(monkeypatch, COMMON | patched)
        assert built - {"namespaces"} == {"apps/web/b", f"{over}apps/web/b"}
        base = (top / "apps/web/base/web.yaml").read_text()
        changed = {"apps/web/base/web.yaml": base.replace("image: web", "image: other")}
        assert changed["apps/web/base/web.yaml"] != base
        built = built_after(monkeypatch, changed | {"new/kustomization.yaml": "resources: []\n"})
        assert {f"{over}apps/web/{stage}" for stage in ("a", "b", "c")} <= built
        assert "apps/other" not in built


def test_nothing_is_built_where_no_build_reads_what_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is applied as it is written decides nothing of what is built."""
    with at_work(monkeypatch, kustomize_repository):
        assert not built_after(monkeypatch, {"more/d.yaml": NAMESPACE.replace("%s", "d")})


LOOKED_AT: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "a file that was missing": (
        {"apps/web/c/kustomization.yaml": "resources: [../base, more.yaml]\nnamespace: c\n"},
        {"apps/web/c/more.yaml": NAMESPACE.replace("%s", "d")},
    ),
    "a folder that was missing": (
        {"apps/web/c/kustomization.yaml": "resources: [../base, ../more]\nnamespace: c\n"},
        {"apps/web/more/kustomization.yaml": "resources: [../base/web.yaml]\nnamePrefix: more-\n"},
    ),
    "another spelling": (
        {"apps/web/c/kustomization.yaml": "resources: [../base, more.yaml]\nnamespace: c\n"},
        {"apps/web/c/More.yaml": NAMESPACE.replace("%s", "d")},
    ),
    "a text that a ConfigMap is made of": (
        {
            "apps/web/c/kustomization.yaml": (
                "resources: [../base]\nnamespace: c\nconfigMapGenerator: [{name: x, files: [x.txt]}]\n"
            ),
            "apps/web/c/x.txt": "1",
        },
        {"apps/web/c/x.txt": "2"},
    ),
    "a second kustomization in a base": ({}, {"apps/web/base/kustomization.yml": "resources: [web.yaml]\n"}),
}


@pytest.mark.parametrize("name", LOOKED_AT)
def test_what_was_looked_for_counts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a build looked for and did not find, listed, or took as text is looked at again."""
    before, after = LOOKED_AT[name]
    with at_work(monkeypatch, kustomize_repository):
        write_as_is(Path(), before)
        built = built_after(monkeypatch, COMMON | after)
        assert "apps/web/c" in built
        assert "apps/other" not in built


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_link_counts_by_where_it_leads(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same name stands for another folder, in which the same lies."""
    files = {
        "apps/web/c/kustomization.yaml": "resources: [../../linked]\nnamespace: c\n",
        "apps/one/kustomization.yaml": "resources: [../other]\n",
        "apps/two/kustomization.yaml": "resources: [../other]\n",
    }
    with at_work(monkeypatch, kustomize_repository):
        write_as_is(Path(), files)
        os.symlink("one", "apps/linked")
        asked("check")
        os.unlink("apps/linked")
        os.symlink("two", "apps/linked")
        with builds_counted(monkeypatch) as built:
            assert asked("check") == anew("check")
        assert built.count("apps/web/c") == 2  # with what is kept, and anew


@pytest.mark.skipif(os.name != "posix", reason="links")
@pytest.mark.parametrize("field", ["resources", "components", "transformers", "crds"])
def test_what_lies_outside_is_not_what_is_missing(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link that leads out of the repository is said to; one that is gone, or leads to nothing, is not."""
    files = {"apps/web/c/kustomization.yaml": f"namespace: c\n{field}: [../it.yaml]\n"}
    with at_work(monkeypatch, kustomize_repository) as top:
        (top.parent / "outside.yaml").write_text(NAMESPACE)
        write_as_is(Path(), files)
        link = Path("apps/web/it.yaml")
        link.symlink_to(top.parent / "outside.yaml")
        asked("check")
        for change in (link.unlink, partial(link.symlink_to, top.parent / "outside.yaml")):
            change()
            assert asked("check") == anew("check")


SEALED = """apiVersion: v1
kind: ENC[AES256_GCM,data:aa,iv:aa,tag:aa,type:str]
metadata: {name: s}
stringData: {a: "ENC[AES256_GCM,data:aa,iv:aa,tag:aa,type:str]"}
sops: {mac: "ENC[AES256_GCM,data:aa,iv:aa,tag:aa,type:str]", version: 3.8.1}
"""


@pytest.mark.parametrize("text", [SEALED, WEB_OF_YTT, WEB_OF_JINJA], ids=["SOPS", "ytt", "Jinja"])
def test_which_files_are_looked_at_counts(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """More is known of a file that people ask about than of one that only a kustomization reads."""
    files = {
        "apps/web/c/kustomization.yaml": "resources: [../base, ../more/it.yaml]\nnamespace: c\n",
        "apps/web/more/it.yaml": text,
    }
    with at_work(monkeypatch, kustomize_repository):
        write_as_is(Path(), files)
        asked("check")
        write_as_is(Path(), {".quotalint.yaml": "exclude: [apps/web/more]\n"})
        assert asked("check") == anew("check")
        assert asked("check", "apps/web/c") == anew("check", "apps/web/c")
        os.unlink(".quotalint.yaml")
        assert asked("check") == anew("check")


def test_where_names_begin_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """From two folders the same names may lead to files that are alike, of which one is called otherwise."""
    files = {
        f"{folder}/{name}": text
        for folder in ("one", "two")
        for name, text in {
            "app/kustomization.yaml": "resources: [../../one/base]\n",
            "base/kustomization.yaml": "resources: [web.yaml, missing.yaml]\n",
            "base/web.yaml": BASE,
        }.items()
    }
    with at_work(monkeypatch, kustomize_repository) as top:
        write_as_is(Path(), files)
        for folder in ("one", "two"):
            os.chdir(top / folder)
            assert asked("check", "app") == anew("check", "app")


def test_where_the_configuration_lies_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands for a URL lies beside the configuration that says so."""
    sources = "sources: {'https://example.com/other.yaml': copy.yaml}\n"
    files = {f"{folder}/{name}": text for folder in "ab" for name, text in (("it.yaml", sources), ("copy.yaml", BASE))}
    with at_work(monkeypatch, kustomize_repository):
        write_as_is(Path(), files | {"b/copy.yaml": BASE.replace("replicas: 2", "replicas: 9")})
        for folder in "ab":
            for command in ("check", "render"):
                asking = command, "--config", f"{folder}/it.yaml"
                assert asked(*asking) == without_memory(monkeypatch, *asking)


def test_what_takes_much_work_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A build is charged for what it is the first to build on: with others kept, one might take more than it may."""
    monkeypatch.setattr(kept_builds, "MAX_WORK", 20)
    with at_work(monkeypatch, kustomize_repository):
        assert built_after(monkeypatch, COMMON) >= {"apps/web/a", "apps/web/b", "apps/other"}


def test_a_chart_is_rendered_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the files of a chart nobody hears."""
    with at_work(monkeypatch, kustomize_repository) as top:
        web = (top / "apps/web/base/web.yaml").read_text()
        template = "apps/web/c/charts/it/templates/web.yaml"
        chart = {
            "apps/web/c/kustomization.yaml": "helmCharts: [{name: it, releaseName: it}]\nnamespace: c\n",
            "apps/web/c/charts/it/Chart.yaml": "apiVersion: v2\nname: it\nversion: 1.0.0\n",
            template: web,
        }
        write_as_is(Path(), chart)
        built = built_after(monkeypatch, COMMON | {template: web.replace("image: web", "image: other")})
        assert "apps/web/c" in built


def test_the_question_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """From another folder the files have other names, and a configuration may say what stands for a URL."""
    with at_work(monkeypatch, kustomize_repository) as top:
        asked("check")
        write_as_is(Path(), {".quotalint.yaml": "sources: {'https://example.com/other.yaml': apps/other}\n"})
        assert asked("check") == anew("check")
        os.chdir(top / "apps")
        assert asked("check", "..") == anew("check", "..")


def test_diff_takes_what_check_has_built(remembered_repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """The state before was checked: what reads a file that changed is built, once to see whether that concerns its
    namespaces alone, and once in each state at most."""
    note_small_states(monkeypatch)
    remembered_repository.commit({**kustomized_files()})
    asked("check")
    overlay = {"apps/web/c/kustomization.yaml": "resources: [../base]\nnamespace: c\n"}
    remembered_repository.commit(COMMON | overlay)
    with builds_counted(monkeypatch) as built:
        answer = asked("diff", "HEAD~1", "HEAD")
    assert answer == anew("diff", "HEAD~1", "HEAD")
    assert sorted(built) == ["apps/web/c", "apps/web/c", "namespaces"]


def test_a_damaged_entry_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is wrong with what is kept means that there is none."""
    with at_work(monkeypatch, kustomize_repository):
        asked("check")
        folder = os.environ["QUOTALINT_CACHE_DIR"]
        (path,) = (path for _, _, path in kept_entries(folder) if path.endswith(BUILDS))
        key = os.path.basename(path)[:KEY]
        body = entry(folder, key, BUILDS)
        assert body
        for number, damage in enumerate((b"", body[:-9], b"\0" * len(body), body[:40] + b"\xff" + body[41:])):
            keep(folder, key, damage, BUILDS)
            write_as_is(Path(), {f"more{number}/kustomization.yaml": "resources: []\n"})
            assert asked("check") == anew("check")
