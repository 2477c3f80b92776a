"""All that an editor is told of a look, in a form that can be compared, and manifests to look at."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from quotalint.editor.looking import Look, Workspace
from quotalint.text.place import Place

NAMESPACE = """\
apiVersion: v1
kind: Namespace
metadata: {name: shop}
"""
WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web, resources: {requests: {cpu: 100m}}}]}
"""
QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata: {name: base, namespace: shop}
spec: {hard: {requests.cpu: 250m}}
"""


def texts(root: Path) -> list[Path]:
    paths = (path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink())
    return [path for path in paths if path.suffix in (".yaml", ".yml", ".json", ".tpl", ".env", ".txt")]


def plain(value: object) -> object:
    """A value that can be compared: of places where they are, however that is known."""
    if isinstance(value, Place):
        return value.source, value.document, value.path, value.real._replace(made=None)
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else repr(key): plain(item) for key, item in value.items()}
    return value


def shown(look: Look) -> tuple[object, ...]:
    """All that an editor is told of a look."""
    if look.result is None:
        return (look.problem,)
    result = look.result
    problems = [(facts.environment, facts.problems, facts.unseen) for facts in result.environments]
    # What is applied where, which findings and tables rest on.
    objects = [
        (facts.cluster.objects, facts.cluster.overwritten, facts.repository.skipped, len(facts.charges))
        for facts in result.environments
    ]
    return tuple(
        map(plain, (look.problem, result.findings, look.tables, result.stale, result.untold, problems, objects))
    )


def check_look(long: Workspace, typed: Collection[str], about: str) -> None:
    """After an edit an editor is told what a first look at the same texts would tell it."""
    actual_lines = shown(long.look(typed))
    anew = Workspace(".")
    anew.buffers = dict(long.buffers)
    for mine, other in zip(actual_lines, shown(anew.look()), strict=True):
        assert mine == other, about


def check_edits(files: Mapping[str, str], edits: Sequence[tuple[str, str, str]]) -> None:
    """The same after each edit of files of the working directory, which puts a text in place of another in one."""
    long = Workspace(".")
    long.look()
    for file, old, new in edits:
        assert old in files[file]
        real = os.path.realpath(file)
        for typed in (files[file].replace(old, new), files[file]):
            long.buffers[real] = typed.encode()
            check_look(long, {real}, file)
        # Left as it is in the end: the next edit is made beside it.
        long.buffers[real] = files[file].replace(old, new).encode()
        long.look({real})
