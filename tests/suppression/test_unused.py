"""What holds of every suppression: it takes findings away, adds none but that it is unused, and changes no sum."""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from manifests import web

from quotalint.cli import run
from quotalint.suppression import UNUSED

FILES = {
    "quota.yaml": """\
apiVersion: v1
kind: ResourceQuota
metadata:
  name: base
  namespace: team-a
  annotations:
    a: b
spec:
  hard:
    requests.cpu: "4"
    nvidia.com/gpu: 1
    pods: 3
---
apiVersion: v1
kind: ResourceQuota
metadata:
  name: other
  namespace: team-a
spec:
  hard:
    memory.limit: 1Gi
    pods: x
""",
    "base/kustomization.yaml": "resources: [web.yaml]\n",
    "base/web.yaml": web(3),
    "a/kustomization.yaml": "namespace: team-a\nresources: [../base]\nreplicas: [{name: web, count: 9}]\n",
    "b/kustomization.yaml": "namespace: team-b\nresources: [../base]\n",
}
LINES = [(name, line) for name, text in FILES.items() for line in range(text.count("\n"))]
RULES = ["QL", "QL1", "QL102", "QL103", "QL201", "QL3", "QL301", "QL302", "QL4", "QL401", "QL5", "QL999", "x"]
ASKED = st.lists(st.sampled_from(RULES), min_size=1, max_size=3).map(",".join)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.sampled_from(LINES), ASKED), max_size=4), ASKED | st.none())
def test_a_suppression_only_takes_away(comments: list[tuple[tuple[str, int], str]], annotation: str | None) -> None:
    silenced = dict(FILES)
    for (name, line), rules in dict(comments).items():
        lines = silenced[name].split("\n")
        # Between documents a comment may stand as well.
        lines[line] += f" # quotalint: ignore[{rules}] because"
        silenced[name] = "\n".join(lines)
    if annotation is not None:
        silenced["quota.yaml"] = silenced["quota.yaml"].replace("    a: b", f"    quotalint.dev/ignore: {annotation}")
    before, after = _report(FILES), _report(silenced)
    assert before["quotas"] == after["quotas"]
    assert _found(before, shown=False) == _found(after, shown=False)
    assert _found(after, shown=True) <= _found(before, shown=True)
    numbers = after["summary"]
    assert sum(numbers["findings"].values()) + numbers["suppressed"] == len(after["findings"])


def test_there_is_something_to_silence() -> None:
    assert sorted({finding["rule"] for finding in _report(FILES)["findings"]}) >= ["QL102", "QL103", "QL201"]


def _report(files: Mapping[str, str]) -> Any:
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        os.chdir(folder)
        try:
            run(["check", "--format", "json"])
        finally:
            os.chdir(here)
    return json.loads(out.getvalue())


def _found(report: Any, shown: bool) -> Counter[str]:
    return Counter(
        f"{finding['file']}:{finding['line']} {finding['rule']} {finding['message']} {finding['fingerprint']}"
        for finding in report["findings"]
        if finding["rule"] != UNUSED and not (shown and finding["suppressed"])
    )
