"""A program kubectl that answers with recorded JSON: there is no cluster in tests."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

_PROGRAM = """\
#!{python} -S
import json, os, sys
answers = json.load(open({answers!r}))
arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--context=")]
with open({log!r}, "a") as log:
    call = {{"argv": sys.argv[1:], "kubeconfig": os.environ.get("KUBECONFIG"), "path": os.environ["PATH"]}}
    log.write(json.dumps(call) + "\\n")
answer = answers.get(" ".join(arguments), {{"errors": "error: unexpected: " + " ".join(arguments), "status": 1}})
sys.stdout.write(answer.get("output", ""))
sys.stderr.write(answer.get("errors", ""))
sys.exit(answer.get("status", 0))
"""

Objects = Mapping[str, list[dict[str, Any]]]
"""By resource as `kubectl get` is asked for it."""


class FakeKubectl:
    """What lies on PATH as kubectl, and what it was asked."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self._answers, self._log = folder, folder / "answers.json", folder / "log"
        self._log.touch()
        program = folder / "kubectl"
        program.write_text(_PROGRAM.format(python=sys.executable, answers=str(self._answers), log=str(self._log)))
        program.chmod(0o755)

    def answers(
        self, objects: Objects, forbidden: Mapping[str, str] | None = None, others: Mapping[str, Any] | None = None
    ) -> None:
        """What it will say: the objects of each resource, why one is forbidden, and anything else by its arguments."""
        messages: dict[str, Any] = {"config current-context": {"output": "prod-eu\n"}}
        served = {*objects, *(name.partition(" ")[0] for name in forbidden or {})}
        messages["api-resources --verbs=list -o name"] = {"output": "".join(f"{name}\n" for name in sorted(served))}
        for name, items in objects.items():
            whole = {"apiVersion": "v1", "kind": "List", "items": items}
            messages[f"get {name} --all-namespaces -o json"] = {"output": json.dumps(whole)}
            for namespace in {manifest["metadata"].get("namespace", "") for manifest in items}:
                mine = [manifest for manifest in items if manifest["metadata"].get("namespace", "") == namespace]
                messages[f"get {name} --namespace {namespace} -o json"] = {
                    "output": json.dumps({**whole, "items": mine})
                }
        for name, reason in (forbidden or {}).items():
            resource, _, where = name.partition(" ")
            key = f"get {resource} {where or '--all-namespaces'} -o json"
            messages[key] = {"errors": f"Error from server (Forbidden): {reason}\n", "status": 1}
        self._answers.write_text(json.dumps({**messages, **(others or {})}))

    @property
    def asked(self) -> list[dict[str, Any]]:
        """Every call, in order."""
        return [json.loads(line) for line in self._log.read_text().splitlines()]

    @property
    def path(self) -> str:
        """PATH with it in front."""
        return os.pathsep.join((str(self.folder), os.environ["PATH"]))


def kubectl_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> FakeKubectl:
    """The only program on PATH, for a test that stands in an empty repository."""
    (folder / "repo").mkdir()
    monkeypatch.chdir(folder / "repo")
    kubectl = FakeKubectl(folder / "bin")
    monkeypatch.setenv("PATH", kubectl.path)
    return kubectl
