"""Asking the command line in this process, as the console script does, from memory or without it."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from manifests import quota

from quotalint.answering import answer
from quotalint.cache import census, folder


class Answer(NamedTuple):
    """What was answered."""

    status: int
    out: str
    err: str


def asked(*arguments: str) -> Answer:
    """The answer, from memory or not."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = answer(list(arguments))
    return Answer(status, out.getvalue(), err.getvalue())


def anew(*arguments: str) -> Answer:
    """The answer that is found out anew."""
    return asked(*arguments, "--no-cache")


@contextmanager
def runs_counted(patch: Any) -> Iterator[list[tuple[str, ...]]]:
    """The command lines that were not answered from memory."""
    from quotalint import cli

    ran: list[tuple[str, ...]] = []
    whole = cli.run

    def counted(arguments: Any) -> int:
        ran.append(tuple(arguments))
        return whole(arguments)

    with patch.context() as inner:
        inner.setattr(cli, "run", counted)
        yield ran


def answers_in(kept: Path) -> list[Path]:
    """The answers in a folder, without what is kept of files."""
    return [Path(path) for _, _, path in folder.kept_entries(str(kept)) if path.endswith(folder.ANSWER)]


def trust_times(patch: Any) -> None:
    """Tests ask right after they wrote, when a file system might not tell yet that a file is written again. They wait
    for that themselves, by running a whole check between two writes."""
    patch.setattr(census, "_FINE", 0)
    now = time.time_ns
    patch.setattr(time, "time_ns", lambda: now() + 5_000_000_000)


QUOTA = quota("a", hard='pods: "2"')
DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: a}
spec:
  replicas: 3
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec: {containers: [{name: web, image: web}]}
"""


def repository(folder: Path) -> Path:
    """A small repository, of which a quota is exceeded."""
    (folder / ".git").mkdir(parents=True)
    (folder / "quota.yaml").write_text(QUOTA)
    (folder / "apps").mkdir()
    (folder / "apps" / "web.yaml").write_text(DEPLOYMENT)
    return folder
