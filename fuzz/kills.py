"""Kills each command that writes at each of its system calls, lets these calls fail, and runs commands at once.

    python -m fuzz.kills [COMMAND...]

It needs strace. A small repository is made anew for each run. Afterwards each file has to be as before or as the whole
command leaves it, with its mode; a failure has to be said, without a traceback; and the command, if it is run again an
hour later, has to finish the work and leave nothing else behind.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import quotalint
from quotalint.answering import answer
from quotalint.cache import folder as cache_folder

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))
from chart_servers import add_charts, server, web_chart
from manifests import quota, web

ERRORS = {
    **dict.fromkeys(("read", "getdents64", "close", "fsync", "ftruncate"), ("EIO",)),
    **dict.fromkeys(("unlink", "unlinkat", "rmdir", "link", "chmod"), ("EPERM",)),
    **dict.fromkeys(("rename", "mkdir", "mkdirat"), ("EACCES", "ENOSPC")),
    "openat": ("EMFILE", "EACCES"),
    "write": ("ENOSPC", "EIO"),
}
"""What each system call may end with."""
AT_ONCE = 6
HOUR = 3600
LEFT = ".quotalint."
CLEANING = ("unlink", "rmdir", "openat", "getdents64")
"""Without these calls no temporary folder can be removed."""

Tree = dict[str, tuple[bytes, int]]
"""Content and mode of each file, by path."""


class Case(NamedTuple):
    """A command that writes, and its repository."""

    arguments: Sequence[str]
    files: Mapping[str, tuple[str, int]]
    reads: bool = False
    """Calls that only read fail too."""


class Ended(NamedTuple):
    """How a run ended."""

    status: int
    out: str
    err: str


TYPO = quota("a", "q", "pod: '1'").replace("\n", "\r\n")
SHOP = {"quota.yaml": (quota("shop", "q", "pods: '1'"), 0o755), "web.yaml": (web(3, "shop"), 0o640)}


def cases(url: str) -> dict[str, Case]:
    """Every command that writes, by name."""
    release = (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web, namespace: argocd}\nspec: {source: "
        f"{{repoURL: '{url}', chart: web, targetRevision: 1.2.3}}, destination: {{namespace: a, name: in-cluster}}}}\n"
    )
    other = ("{}\n", 0o600)
    return {
        "fix": Case(
            ("check", "--fix", "."), {"a.yaml": (TYPO, 0o755), "b/b.yaml": (TYPO.replace("q", "r"), 0o640)}, True
        ),
        "suggest": Case(("suggest", "--write", "."), {**SHOP, "more.yaml": (web(2, "b"), 0o644)}),
        "vendor": Case(("vendor",), {"app.yaml": (release, 0o644)}),
        "vendor again": Case(("vendor",), {"app.yaml": (release, 0o644)}),
        "baseline": Case(
            ("check", "--write-baseline", "--baseline", "b.yaml"), {**SHOP, "b.yaml": ("findings: []\n", 0o600)}
        ),
        "output": Case(("usage", "-o", "json=u.json", "-o", "html=new.html"), {**SHOP, "u.json": other}),
        "init": Case(("init",), SHOP),
        "init again": Case(("init", "--force"), {**SHOP, ".quotalint.yaml": ("failOn: error\n", 0o600)}),
        "snapshot": Case(("snapshot", "--from", "web.yaml", "-o", "c.yaml"), {**SHOP, "c.yaml": other}),
        "cache": Case(("check",), SHOP),
    }


class Trials:
    """The runs of one command."""

    def __init__(self, top: Path, name: str, case: Case) -> None:
        self.case, self.start, self.repo, self.kept = case, top / "start", top / "repo", top / "kept"
        self.out, self.err, self.log = top / "out", top / "err", top / "calls"
        self.caches = name == "cache"
        for path, (text, mode) in case.files.items():
            (self.start / path).parent.mkdir(parents=True, exist_ok=True)
            (self.start / path).write_bytes(text.encode())
            (self.start / path).chmod(mode)
        (self.start / ".git").mkdir()
        if name == "vendor again":  # a source that lacks a file and has a damaged one
            self.anew()
            self.run()
            found = next((self.repo / ".quotalint/sources").glob("web-*"))
            (found / "values.yaml").unlink()
            (found / "Chart.yaml").write_text("damaged")
            shutil.rmtree(self.start)
            shutil.copytree(self.repo, self.start)

    def anew(self) -> None:
        """The repository as it was, and an empty cache."""
        shutil.rmtree(self.repo, ignore_errors=True)
        shutil.rmtree(self.kept, ignore_errors=True)
        shutil.copytree(self.start, self.repo)
        time.sleep(0.1 * self.caches)  # no answer is kept about files that were just written

    def started(self) -> int:
        """A process that does it all when it is continued."""
        if process := os.fork():
            os.waitpid(process, os.WUNTRACED)
            return process
        os.environ["QUOTALINT_CACHE_DIR" if self.caches else "QUOTALINT_NO_CACHE"] = str(self.kept)
        os.chdir(self.repo)
        sys.stdout, sys.stderr = (path.open("w", buffering=1) for path in (self.out, self.err))
        os.kill(os.getpid(), signal.SIGSTOP)
        status = 70
        try:
            status = answer(list(self.case.arguments))
            sys.stdout.flush()
        finally:
            os._exit(status)

    def run(self, *traced: str) -> Ended:
        """How a run ended, with these options of strace, if any."""
        process = self.started()
        tracer = None
        if traced:
            command = ["strace", "-y", "-s0", "-o", str(self.log), *traced, "-p", str(process)]
            tracer = subprocess.Popen(command, stderr=subprocess.PIPE)
            assert tracer.stderr is not None
            tracer.stderr.readline()  # "attached"
        os.kill(process, signal.SIGCONT)
        _, status = os.waitpid(process, 0)
        if tracer is not None:
            tracer.communicate()
        return Ended(os.waitstatus_to_exitcode(status), self.out.read_text(), self.err.read_text())

    def tree(self) -> Tree:
        """The files that there are; of an entry of the cache counts whether it is whole."""
        found: Tree = {}
        for path in (*self.repo.rglob("*"), *self.kept.rglob("*")):
            if path.is_file():
                data = path.read_bytes()
                if path.suffix == cache_folder.ANSWER:
                    data = b"whole" if cache_folder.entry(str(self.kept), path.stem) else b"broken"
                found[str(path.relative_to(self.repo.parent))] = (data, path.stat().st_mode)
        return found

    def calls(self) -> Iterator[tuple[str, int, bool]]:
        """The system calls of a run that concern the files: name, number among those of its name, if it may write."""
        self.anew()
        self.run("-e", f"trace={','.join(f'?{name}' for name in ERRORS)}")
        counts = dict.fromkeys(ERRORS, 0)
        for line in self.log.read_text(errors="replace").splitlines():
            name, _, given = re.sub(r"AT_FDCWD<[^>]*>, ", "", line).partition("(")
            counts[name] = counts.get(name, 0) + 1
            if str(self.repo) in given or str(self.kept) in given or re.match('"[^/]', given):
                reads = name in ("read", "getdents64") or (name in ("openat", "close") and "O_CREAT" not in given)
                yield name, counts[name], not reads or f"/{LEFT}" in given

    def wrong(self) -> Iterator[tuple[str, str]]:
        """Each run that was tried, with what is wrong with it (or nothing)."""
        self.anew()
        before = self.tree()
        whole, after = self.run(), self.tree()
        assert before != after, whole
        for name, number, writes in list(self.calls()):
            if not (writes or self.case.reads):
                continue
            ways = [f"signal=KILL:when={number}"] * writes
            ways += [f"error={error}:when={number}" for error in ERRORS[name]]
            ways += [f"error={error}:when={number}+" for error in ERRORS[name] if name == "write"]
            for way in ways:
                self.anew()
                ended = self.run("-e", f"trace={name}", "-e", f"inject={name}:{way}")
                yield f"{name} {way}", "; ".join(self._judged(ended, whole, before, after, f"{name} {way}"))
        self.anew()
        runs = [self.started() for _ in range(AT_ONCE)]
        for process in runs:
            os.kill(process, signal.SIGCONT)
        statuses = {os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) for process in runs}
        is_well = self.tree() == after and whole.status in statuses
        yield f"{AT_ONCE} at once", "" if is_well else f"{statuses}, {self.tree()}, {self.err.read_text()}"

    def _judged(self, ended: Ended, whole: Ended, before: Tree, after: Tree, way: str) -> Iterator[str]:
        found, is_killed = self.tree(), "KILL" in way
        name, _, _ = way.partition(" ")
        for path in sorted({*before, *after}):
            # A damaged source counts for nothing and is removed first.
            if found.get(path) not in (before.get(path), after.get(path), None if "/sources/" in path else ()):
                yield f"{path} is neither old nor new: {found.get(path)}"
        if "Traceback" in ended.err or ("bug in" in ended.err and "/quotalint/" not in ended.err):
            yield ended.err  # a file of quotalint itself may be missing
        if is_killed and ended.status != -signal.SIGKILL:
            yield f"not killed: {ended}"
        left = found.keys() - before.keys() - after.keys()
        if left and not is_killed and not name.startswith(CLEANING):
            yield f"left behind: {sorted(left)}"
        is_silent = ended.status == 0 or not (ended.err + ended.out or "+" in way)
        if found != after and is_silent and not (is_killed or self.caches):
            yield f"nothing is said: {ended}"
        for leftover in self.repo.parent.glob(f"*/**/{LEFT}*.tmp"):
            os.utime(leftover, (time.time() - HOUR, time.time() - HOUR))
        if is_killed or name in ("write", "rename", "openat", "mkdir", "link"):
            again, end = self.run(), self.tree()
            if name == "unlink":  # the file itself is whole, and so nothing is written again
                end = {path: held for path, held in end.items() if not path.endswith(".tmp")}
            if end != after:
                yield f"the next run leaves {sorted(end.items() ^ after.items())}, says {again}"


def main(names: Sequence[str]) -> int:
    """The exit status: 1 if anything is wrong."""
    if not shutil.which("strace"):
        print("strace is needed: apt-get install strace")
        return 2
    for module in pkgutil.walk_packages(quotalint.__path__, "quotalint."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)  # once, and not in each process
    failed = 0
    with server() as charts:
        add_charts(charts, {("web", "1.2.3"): web_chart(3)})
        for name, case in cases(charts.url).items():
            if names and name not in names:
                continue
            counts = {"KILL": 0, "error": 0}
            with tempfile.TemporaryDirectory(prefix="quotalint-kills-") as made:
                for about, reason in Trials(Path(os.path.realpath(made)), name, case).wrong():
                    counts.update({kind: counts[kind] + (kind in about) for kind in counts})
                    failed += bool(reason)
                    if reason:
                        print(f"{name}: {about}: {reason}", flush=True)
            print(f"{name}: {counts['KILL']} kills, {counts['error']} errors", flush=True)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
