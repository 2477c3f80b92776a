"""Which extras a run needs: Helm's library for charts, the engine for policies, the parser of Terraform."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from action import git
from action.event import event

NAMES = ("helm", "policies", "terraform")
CONFIGURATIONS = (".quotalint.yaml", ".quotalint.yml", "quotalint.yaml", "quotalint.yml")
# What `extends` names may have policies as well. A comment asks for nothing.
_POLICIES = re.compile(r"""^[^#\n]*\b(?:policies|extends)["']?\s*:""", re.MULTILINE)
_HELMFILE = re.compile(r"(?:helmfile[^/]*|.*/helmfile[^/]*|(?:.*/)?helmfile\.d/[^/]*)\.ya?ml(?:\.gotmpl)?")
_TERRAFORM = re.compile(r"""\bresource\s+"(?:kubernetes|kubectl|helm)_""")
LOCK = "quotalint.lock"
_CHART = re.compile(r"^  chart: ", re.MULTILINE)
_MOST = 1 << 20  # characters of a configuration


def wanted_extras(environ: Mapping[str, str]) -> tuple[str, ...] | str:
    """The extras that the input names, or that the repository needs; otherwise what is wrong with the input."""
    given = environ.get("INPUT_EXTRAS", "").strip() or "auto"
    if given == "none":
        return ()
    if given == "auto":
        return _needed_extras(environ)
    named = [name.strip() for name in given.split(",")]
    wrong = [name for name in named if name not in NAMES]
    if wrong:
        return f"extras: {wrong[0]!r} is unknown; write auto, none, or a list such as {','.join(NAMES)}"
    return tuple(name for name in NAMES if name in named)


def _needed_extras(environ: Mapping[str, str]) -> tuple[str, ...]:
    """By what is checked out, and by what it is compared with as far as that is here: a change may remove a chart or a
    policy. Charts count wherever they lie, because what is checked may deploy any of them."""
    here = git.clone(".")
    root = os.path.realpath(".") if isinstance(here, str) else here.root
    config = os.path.relpath(environ.get("INPUT_CONFIG", "").strip() or ".", root).replace(os.sep, "/")
    needed = set[str]()
    for name, read in (*_files_below(root), *(() if isinstance(here, str) else _files_of_bases(here, environ))):
        last = name.rpartition("/")[2]
        if last == "Chart.yaml" or _HELMFILE.fullmatch(name) or (last == LOCK and _CHART.search(read())):
            needed.add("helm")
        elif (name == config or last in CONFIGURATIONS) and _POLICIES.search(read()):
            needed.add("policies")
        elif last.endswith((".tf", ".tofu")) and "terraform" not in needed and _TERRAFORM.search(read()):
            needed.add("terraform")
    return tuple(name for name in NAMES if name in needed)


def _files_below(root: str) -> Iterator[tuple[str, Callable[[], str]]]:
    """The paths of all files, and what reads them."""
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        for name in files:
            path = os.path.join(folder, name)
            yield path[len(root) :].lstrip(os.sep).replace(os.sep, "/"), partial(_text, path)


def _files_of_bases(here: git.Clone, environ: Mapping[str, str]) -> Iterator[tuple[str, Callable[[], str]]]:
    """The same for the commits that may be compared with, as far as they are here. Nothing is fetched for that."""
    given = environ.get("INPUT_BASE", "").strip()
    named = (given, f"origin/{given}") if given else (event(environ).base, *git.parents(here)[:1])
    for revision in {git.commit(here, name) for name in named if name} - {""}:
        for name in git.files(here, revision):
            yield name, partial(git.text, here, revision, name)


def _text(path: str) -> str:
    if not os.path.isfile(path):  # a link may lead to a device
        return ""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(_MOST)
    except OSError:
        return ""
