"""Whatever is done to a repository, the answer is the one that would be found out anew."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kept_answers import DEPLOYMENT, QUOTA, anew, asked, repository, runs_counted, trust_times

NAMES = ("quota.yaml", "apps/web.yaml", "apps/new.yaml", "base/kustomization.yaml", "notes.txt", "extra/more.yml")
TEXTS = (
    QUOTA,
    QUOTA.replace('"2"', '"9"'),
    QUOTA.replace("pods", "podz"),
    DEPLOYMENT,
    DEPLOYMENT.replace("replicas: 3", "replicas: 1"),
    "resources: [../quota.yaml, ../apps/web.yaml]\nnamespace: b\n",
    "kind: [\n",
)
CONFIGURATIONS = ("failOn: never\n", "exclude: [apps/]\n", "ignore: [{rules: [QL301]}]\n", "failOn: 7\n")
IGNORED = ("apps/\n", "*.yaml\n!quota.yaml\n", "")

name = st.sampled_from(NAMES)
edit = st.one_of(
    st.tuples(st.just("write"), name, st.sampled_from(TEXTS)),
    st.tuples(st.sampled_from(("delete", "touch", "lock", "unlock", "link", "track", "untrack")), name, st.just("")),
    st.tuples(st.just("rename"), name, name),
    st.tuples(st.just("configure"), st.just(".quotalint.yaml"), st.sampled_from(CONFIGURATIONS)),
    st.tuples(st.just("ignore"), st.sampled_from((".gitignore", "apps/.gitignore")), st.sampled_from(IGNORED)),
)


def apply(what: str, file: str, other: str) -> None:
    """One edit of the repository that is the working directory; what cannot be done is left."""
    path = Path(file)
    there = path.is_file() or path.is_symlink()
    path.parent.mkdir(exist_ok=True)
    if what in ("write", "configure", "ignore"):
        path.unlink(missing_ok=True) if path.is_symlink() else None
        path.write_text(other)
    elif what == "link" and not there and file != "quota.yaml":  # what leads to itself is found out anew each time
        path.symlink_to(os.path.relpath("quota.yaml", path.parent))
    elif what == "untrack":
        subprocess.run(["git", "rm", "--cached", "-q", file], capture_output=True, check=False)
    elif not there:
        return
    elif what == "delete":
        path.unlink()
    elif what == "touch" and path.exists():
        path.touch()
    elif what in ("lock", "unlock") and path.exists():
        path.chmod(0o644 if what == "unlock" else 0o200)
    elif what == "rename" and file != other:
        Path(other).parent.mkdir(exist_ok=True)
        path.replace(other)
    elif what == "track":
        subprocess.run(["git", "add", "-f", file], capture_output=True, check=False)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(
    edits=st.lists(edit, min_size=1, max_size=6), command=st.sampled_from([("check",), ("usage",), ("check", "apps")])
)
def test_any_edits_are_answered_as_a_first_run_would(
    edits: list[tuple[str, str, str]], command: tuple[str, ...]
) -> None:
    before = os.getcwd()
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setenv("QUOTALINT_CACHE_DIR", os.path.join(folder, "kept"))
        trust_times(patch)
        top = Path(folder, "repo")
        top.mkdir()
        subprocess.run(["git", "init", "-q"], cwd=top, check=True)
        shutil.rmtree(top / ".git" / "hooks", ignore_errors=True)
        (top / ".git").rename(Path(folder, "git"))
        shutil.rmtree(top)
        repository(top)
        shutil.rmtree(top / ".git")
        Path(folder, "git").rename(top / ".git")
        os.chdir(top)
        try:
            assert asked(*command) == anew(*command)
            for item in edits:
                apply(*item)
                assert asked(*command) == anew(*command)
                with runs_counted(patch) as ran:
                    again = asked(*command)
                # What failed is never kept.
                assert (again.status == 2 or not ran, again) == (True, anew(*command))
        finally:
            os.chdir(before)
