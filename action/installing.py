"""The step "Install quotalint": into a virtual environment of its own, so that the job's Python stays what it is.

What this checkout needs comes from the package index as wheels, whose hashes stand in requirements.txt; what an extra
adds, in requirements-EXTRA.txt. Nothing is built, and the checkout itself is not copied: the environment is told where
it lies.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Mapping

from action import git, log
from action.extras import wanted_extras
from action.files import put_outputs
from quotalint.version import __version__

_FAILED = 2
_CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_LOCK = "requirements.txt"
_DONE = "quotalint-installed"
_PYTHON = [sys.executable, "-I", "-m"]
_PIP = [*_PYTHON, "pip", "--disable-pip-version-check", "--no-input"]


def main(environ: Mapping[str, str]) -> int:
    """Install it, unless another step of the job has; the output `python` is the interpreter that has it, and
    `version`, `extras` and `contents` say for which of its releases, extras and files a cache holds."""
    version = environ.get("INPUT_VERSION", "").strip()
    if version and not re.fullmatch(r"[0-9][0-9A-Za-z.!+_-]*", version):
        log.error(f"version: {version!r} is no version; write 1.0.0, for example, or nothing")
        return _FAILED
    extras = wanted_extras(environ)
    if isinstance(extras, str):
        log.error(extras)
        return _FAILED
    with_extras = f"[{','.join(extras)}]" if extras else ""
    what = f"quotalint{with_extras}=={version}" if version else f"requirements{with_extras} of {_CHECKOUT}"
    # Where everybody may write, somebody else's folder of that name would be taken for ours.
    temporary = environ.get("RUNNER_TEMP") or tempfile.mkdtemp(prefix="quotalint-")
    folder = os.path.join(temporary, "-".join(("quotalint-venv", version or "checkout", *extras)))
    python = os.path.join(folder, *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")))
    if not _is_done(folder, what):
        # The pip of this Python installs it: another one in the new environment would take longer than all the rest.
        make = [*_PYTHON, "venv", "--clear", "--without-pip", folder]
        locks = [_LOCK, *(f"requirements-{extra}.txt" for extra in extras)]
        locked = [f"--requirement={os.path.join(_CHECKOUT, 'action', lock)}" for lock in locks]
        wanted = [what] if version else ["--require-hashes", *locked]
        for command in (make, [*_PIP, "--python", python, "install", "--quiet", "--only-binary=:all:", *wanted]):
            ended = _run(command, temporary, environ)
            log.foreign(ended.stdout.decode(errors="backslashreplace"))
            if ended.returncode != 0:
                cure = "; `extras: none` does without the extras" if extras else ""
                log.error(f"{what} could not be installed; the log says why{cure}")
                return _FAILED
        if not version:
            _point_at_checkout(folder)
        with open(os.path.join(folder, _DONE), "w", encoding="utf-8") as file:
            file.write(what)
    clone = git.clone(os.getcwd())
    contents = "" if isinstance(clone, str) else git.contents(clone)
    put_outputs(
        environ,
        {"python": python, "version": version or __version__, "extras": "-".join(extras), "contents": contents},
    )
    return 0


def _point_at_checkout(folder: str) -> None:
    """Let the environment import quotalint from this checkout (a path configuration file, see Python's `site`)."""
    packages = sysconfig.get_path("purelib", "venv", vars={"base": folder, "platbase": folder})
    with open(os.path.join(packages, "quotalint-checkout.pth"), "w", encoding="utf-8") as file:
        file.write(f"{_CHECKOUT}\n")


def _run(command: list[str], folder: str, environ: Mapping[str, str]) -> subprocess.CompletedProcess[bytes]:
    # Away from the repository, whatever it holds. pip starts other Pythons, to which -I does not go on: a PYTHONPATH of
    # the workflow may well be the repository.
    return subprocess.run(
        command,
        cwd=folder,
        env={name: value for name, value in environ.items() if not name.startswith("PYTHON")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )


def _is_done(folder: str, what: str) -> bool:
    try:
        with open(os.path.join(folder, _DONE), encoding="utf-8") as file:
            return file.read() == what
    except OSError:
        return False
