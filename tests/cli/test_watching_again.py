"""What a run in one process says after others is what it would say alone."""

from __future__ import annotations

import io
import os
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from manifests import quota

from quotalint.cli import run
from quotalint.runtime.recall import Memory, recalling

NAMES = ("a/quota.yaml", "a/web.yaml", "b/quota.yaml", "b/web.yaml", "over/kustomization.yaml", "a/notes.yaml")
TEXTS = (
    quota("a", "q", "pods: 2"),
    quota("b", "q", "pods: 1, podz: 3"),
    "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: a}\nspec: {containers: [{name: c, image: i}]}\n",
    *(
        f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web, namespace: {namespace}}}\n"
        f"spec: {{replicas: {replicas}, template: {{spec: {{containers: [{{name: c, image: i}}]}}}}}}\n"
        for namespace, replicas in (("a", 1), ("a", 3), ("b", 2))
    ),
    "resources: [../a/web.yaml]\nnamespace: b\nreplicas: [{name: web, count: 4}]\n",
    "kind: [\n",
    "# quotalint: ignore\na: 1\n",
    "",
)
change = st.tuples(st.sampled_from(NAMES), st.sampled_from(TEXTS))


def said() -> tuple[int, str]:
    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        status = run(["check", ".", "--no-cache"])
    return status, printed.getvalue()


@settings(max_examples=40, deadline=None)
@given(changes=st.lists(change, min_size=2, max_size=8))
def test_any_changes_are_answered_as_a_first_run_would(
    changes: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    top = tmp_path_factory.mktemp("repository")
    long_ago = time.time() - 3600
    memory = Memory()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(top)
        for number, (name, text) in enumerate(changes):
            path = Path(name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
            os.utime(path, (long_ago + number, long_ago + number))
            with recalling(memory):
                remembered = said()
            memory.forget_unused()
            assert remembered == said()
