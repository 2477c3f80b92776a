"""A program kubectl that answers with recorded JSON: there is no cluster in tests."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import Any

import pytest

# A shell starts ten times as fast as Python, and a snapshot asks twenty times.
_PROGRAM = """\
#!/bin/sh
printf '%s\\t' "$KUBECONFIG" "$PATH" "$@" >>{log}
echo >>{log}
arguments=
for argument; do
  case "$argument" in --context=*) ;; *) arguments="$arguments $argument";; esac
done
. {answers}
echo "error: unexpected:$arguments" >&2
exit 1
"""
_ANSWER = """\
if [ "$arguments" = {arguments} ]; then
  printf %s {output}
  printf %s {errors} >&2
  exit {status}
fi
"""

Objects = Mapping[str, list[dict[str, Any]]]
"""By resource as `kubectl get` is asked for it."""


class FakeKubectl:
    """What lies on PATH as kubectl, and what it was asked."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self._answers, self._log = folder, folder / "answers", folder / "log"
        self._log.touch()
        program = folder / "kubectl"
        program.write_text(_PROGRAM.format(answers=quote(str(self._answers)), log=quote(str(self._log))))
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
        answers = [
            _ANSWER.format(
                arguments=quote(f" {arguments}"),
                output=quote(answer.get("output", "")),
                errors=quote(answer.get("errors", "")),
                status=answer.get("status", 0),
            )
            for arguments, answer in {**messages, **(others or {})}.items()
        ]
        self._answers.write_text("".join(answers))

    @property
    def asked(self) -> list[dict[str, Any]]:
        """Every call, in order."""
        calls = [line.split("\t")[:-1] for line in self._log.read_text().splitlines()]
        return [{"kubeconfig": config, "path": path, "argv": arguments} for config, path, *arguments in calls]

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
