"""Finds the files to read: every YAML and JSON file below some paths that neither git nor the user ignores.

These names count: `*.yaml`, `*.yml`, `*.json` in any case, and `Kustomization`. A file on the command line is read
whatever its name, and a folder there is entered, even if .gitignore ignores them. `exclude` wins even then, because
pre-commit names every changed file.

Files that git tracks are read even if .gitignore ignores them, because they are deployed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import TypeVar

from quotalint.named_tuples import NamedTuple
from quotalint.runtime.resource_limits import take_entries
from quotalint.text.disk import (
    entries_of,
    error_words,
    is_file,
    kind_of_entry,
    printable_name,
    real_path,
    status_of,
    why_broken,
)
from quotalint.text.files import lies_in, lies_in_repository
from quotalint.text.git_index import Tracked
from quotalint.text.gitignore import Layers, ignores_entry, layers_above, layers_below, layers_within
from quotalint.text.patterns import COUNTED, Patterns, compile_patterns, covers, verdict


class Source(NamedTuple):
    """A file to read."""

    name: str
    """The name in reports: relative to the working directory, with `/`, printable; `<stdin>` for `-`."""
    path: str
    """The real, absolute path to open; empty for standard input."""
    explicit: bool
    """Whether the command line names this file."""


class Unreadable(NamedTuple):
    """A file or folder that should be read but cannot be."""

    name: str
    reason: str
    is_link: bool = False
    """It is a broken symbolic link in a folder, so only its name shows whether a manifest was meant."""


class Passed(NamedTuple):
    """A file or folder that was skipped, for a reason worth reporting."""

    name: str
    reason: str


class TemplateFile(NamedTuple):
    """A file whose suffix shows that a program makes manifests from it."""

    name: str
    path: str


class Found(NamedTuple):
    """The files below the paths, sorted by name."""

    sources: tuple[Source, ...]
    unreadable: tuple[Unreadable, ...]
    passed: tuple[Passed, ...]
    missing: tuple[str, ...]
    """The paths of the command line that do not exist, in their order."""
    whole: bool = True
    """Whether the paths contain the whole root."""
    folders: tuple[str, ...] = ()
    """The folders among the paths, as names; the working directory is the empty name."""
    templates: tuple[TemplateFile, ...] = ()
    """Files from which programs make manifests."""
    entries: Mapping[str, AbstractSet[str]] = MappingProxyType({})
    """The names in each listed folder, by its real path."""


NOTHING_FOUND = Found((), (), (), ())


def find(paths: Sequence[str], root: str, exclude: Sequence[str], *, ignoring: bool = True) -> Found:
    """Every file below the paths, each real file once.

    `exclude` has .gitignore patterns relative to the folder `root`; outside of it, only patterns without `/` can match.
    A symbolic link to a folder is not followed. A link to a file is followed if the file is below `root` or a path and
    is not read by its own name. Unless `ignoring`, .gitignore is not used. Nothing is raised: unreadable files are part
    of the result.
    """
    excluded = _Excluded(real_path(root), compile_patterns(exclude))
    seen_items: list[_Seen] = [item for path in dict.fromkeys(paths) for item in _named_sources(path, excluded)]
    starts = [item for item in seen_items if isinstance(item, _Folder)]
    trees = tuple(start.real for start in starts)
    entered: dict[str, AbstractSet[str] | None] = {}
    for start in starts:
        seen_items += _walk_folder(start, excluded, trees, entered, Tracked() if ignoring else None)
    sources: dict[str, Source] = {}
    for source in _items_of_kind(Source, seen_items):
        sources.setdefault(source.path, source)
    passed_items = [item for item in seen_items if not isinstance(item, Source)]
    for link in sorted(_items_of_kind(_Link, passed_items)):
        if not excluded.covers(link.real, is_folder=False):
            sources.setdefault(link.real, Source(link.name, link.real, explicit=False))
    return Found(
        tuple(sorted(sources.values())),
        tuple(sorted(set(_items_of_kind(Unreadable, passed_items)))),
        tuple(sorted(set(_items_of_kind(Passed, passed_items)))),
        tuple(_items_of_kind(str, passed_items)),
        _lies_in(excluded.root, trees),
        tuple(start.name.rstrip("/") for start in starts),
        tuple(sorted(_items_of_kind(TemplateFile, passed_items))),
        {folder: names for folder, names in entered.items() if names is not None},
    )


class _Excluded(NamedTuple):
    root: str
    patterns: Patterns

    def root_path(self, real: str) -> str:
        """The path from the root: "." for the root itself, with `..` outside."""
        try:
            return os.path.relpath(real, self.root).replace(os.sep, "/")
        except ValueError:  # another drive of Windows
            return "../" + os.path.basename(real)

    def covers(self, real: str, *, is_folder: bool) -> bool:
        return bool(self.patterns) and covers(self.patterns, self.root_path(real) + ("/" if is_folder else ""))


class _Folder(NamedTuple):
    name: str  # "" or "a/b/": the prefix of its entries' names
    real: str
    path: str  # "" or "a/b/": the path from the root
    layers: Layers
    ignored: bool = False  # only what git tracks counts in it
    asked: bool = False  # by the command line, or by a `!` in `exclude`


class _Link(NamedTuple):
    name: str
    real: str


_Seen = (
    Source | TemplateFile | Unreadable | Passed | _Folder | _Link | str
)  # a bare string is a path that does not exist


def _named_sources(path: str, excluded: _Excluded) -> Iterator[_Seen]:
    """The source, folder or error for a path of the command line."""
    if path == "-":
        yield Source("<stdin>", "", explicit=True)
        return
    try:
        mode = status_of(path, follow=False).st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        yield printable_name(path)
        return
    except OSError as error:
        yield Unreadable(printable_name(path), f"cannot be read: {error_words(error)}")
        return
    try:
        name = printable_name(os.path.relpath(path).replace(os.sep, "/"))
        mode = status_of(path).st_mode
        if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
            yield Unreadable(name, f"is {kind_of_entry(mode)}, which is never opened; `-` reads from standard input")
            return
        real = real_path(path, strict=True)
    except OSError as error:
        yield Unreadable(
            printable_name(path), why_broken(error) if stat.S_ISLNK(mode) else f"cannot be read: {error_words(error)}"
        )
        return
    if any(excluded.covers(at, is_folder=stat.S_ISDIR(mode)) for at in {real, os.path.abspath(path)}):
        return
    if stat.S_ISDIR(mode):
        root_path = excluded.root_path(real)
        shown, root_path = ("" if at == "." else at + "/" for at in (name, root_path))
        yield _Folder(shown, real, root_path, layers_above(real), asked=True)
    else:
        yield Source(name, real, explicit=True)


_CACHE = f"{os.sep}.kube{os.sep}cache"
"""What kubectl keeps of API servers: lists of kinds and recorded answers."""


def _walk_folder(
    start: _Folder,
    excluded: _Excluded,
    trees: tuple[str, ...],
    entered: dict[str, AbstractSet[str] | None],
    tracked: Tracked | None,
) -> Iterator[_Seen]:
    """The items below a folder. `entered` has the names in each folder by its real path, None if they are unknown; such
    folders are skipped. Without `tracked`, nothing is ignored."""
    waiting = [start]
    most = COUNTED.tries + MOST_TRIES
    while waiting:  # no recursion: folders may be nested deeper than Python's call limit
        folder = waiting.pop()
        if COUNTED.tries > most:
            yield Unreadable(folder.name.rstrip("/") or ".", _TOO_MANY_PATTERNS)
            continue
        if folder.real in entered:
            continue
        entered[folder.real] = None
        try:
            entries = entries_of(folder.real)
            take_entries(len(entries))
            most += len(entries) * TRIES_FOR_AN_ENTRY
        except OSError as error:
            yield Unreadable(folder.name.rstrip("/") or ".", f"is a folder that cannot be listed: {error_words(error)}")
            continue
        entered[folder.real] = names = {entry.name for entry in entries}
        if not folder.asked and _is_environment(folder.real, names, tracked):
            yield Passed(folder.name.rstrip("/"), _PACKAGES)
            continue
        layers = layers_within(folder.layers, folder.real, names)
        path = "" if folder.real == excluded.root else folder.path
        for entry in entries:
            name = entry.name
            shown = folder.name + printable_name(name)
            if COUNTED.tries > most:
                yield Unreadable(folder.name.rstrip("/") or ".", _TOO_MANY_PATTERNS)
                break
            try:
                link = entry.is_symlink()
                inner = not link and entry.is_dir()
                manifest = name.lower().endswith(MANIFEST_SUFFIXES) or name == "Kustomization"
                wanted = manifest or _is_helmfile(name, folder.real)
                template = not (wanted or link or inner) and name.endswith(_TEMPLATES)
                is_skipped = name in (".git", OWN_FOLDER) or entry.path.endswith(_CACHE)
                if is_skipped or _is_editor_lock(name, link=link):
                    continue
                if not (wanted or link or inner or template):
                    continue
                asked = name + "/" if inner else name
                hidden = tracked is not None and (folder.ignored or ignores_entry(layers, asked))
                if hidden and tracked is not None and entry.path + asked[len(name) :] not in tracked:
                    continue
                is_excluded = verdict(excluded.patterns, path, asked)
                if is_excluded:
                    continue
                if inner and is_excluded is None and name in PACKAGE_FOLDERS:
                    yield Passed(shown, _PACKAGES)
                elif inner:
                    below, is_asked = layers_below(layers, name), is_excluded is not None
                    waiting.append(_Folder(_name_prefix(shown), entry.path, path + asked, below, hidden, is_asked))
                elif link:
                    yield from _follow_link(shown, entry.path, wanted=wanted, root=excluded.root, trees=trees)
                elif entry.is_file():
                    yield TemplateFile(shown, entry.path) if template else Source(shown, entry.path, explicit=False)
                else:
                    yield Passed(shown, f"is {kind_of_entry(entry.stat().st_mode)}, which is never opened")
            except OSError as error:
                yield Unreadable(shown, f"cannot be read: {error_words(error)}")


OWN_FOLDER = ".quotalint"
"""The folder of `quotalint vendor`, which is never searched for manifests."""
MOST_TRIES = 300_000
"""The most wildcards of `exclude` and .gitignore that a run tries; each takes some microseconds."""
TRIES_FOR_AN_ENTRY = 300
"""How many more for each name that is compared with them."""
_TOO_MANY_PATTERNS = (
    "is not judged: too expensive: its names would be compared with more wildcards of `exclude` and .gitignore than "
    "one run may try"
)
_PACKAGES = "is a folder that package managers fill, read where `exclude` names it with a `!` before it"
PACKAGE_FOLDERS = frozenset({"node_modules", "vendor", ".terraform"})
"""Folders of package managers, which are applied only if something names them; so are virtual environments of
Python."""


def _is_environment(folder: str, names: AbstractSet[str], tracked: Tracked | None) -> bool:
    """Whether a folder with these names is a virtual environment of Python. One with a tracked `pyvenv.cfg`, as in any
    revision, is not skipped."""
    mark = os.path.join(folder, "pyvenv.cfg")
    return "pyvenv.cfg" in names and tracked is not None and is_file(mark) and mark not in tracked


MANIFEST_SUFFIXES = (".yaml", ".yml", ".json")
"""The suffixes of manifests."""
TERRAFORM_SUFFIXES = (".tf", ".tofu")
"""The suffixes of files of Terraform and OpenTofu."""
TEMPLATE_SUFFIXES = (".j2", ".jinja", ".jinja2", ".gotmpl", ".tmpl", ".tpl", ".tftpl", ".erb", ".mustache", ".hbs")
"""The suffixes of texts that another program fills in."""
_TEMPLATES = (
    *TEMPLATE_SUFFIXES,
    *(".jsonnet", ".libsonnet", ".cue", ".k", ".dhall", ".pp"),
    *TERRAFORM_SUFFIXES,
)


def counts(name: str) -> bool:
    """Whether a file of this name is read as a manifest, or may be a template of one."""
    return name.lower().endswith(MANIFEST_SUFFIXES) or name == "Kustomization" or name.endswith(_TEMPLATES)


def _is_helmfile(name: str, folder: str) -> bool:
    """Whether a file is a helmfile template; in `helmfile.d` it may have any name."""
    if not name.endswith((".yaml.gotmpl", ".yml.gotmpl")):
        return False
    return name.startswith("helmfile") or os.path.basename(folder) == "helmfile.d"


def _name_prefix(folder: str) -> str:
    """The prefix of names in a folder; a path that goes up and back to the working directory is shortened."""
    if not folder.startswith("../"):
        return folder + "/"
    shortest = os.path.relpath(folder).replace(os.sep, "/")
    return "" if shortest == "." else shortest + "/"


def _follow_link(shown: str, path: str, root: str, trees: tuple[str, ...], *, wanted: bool) -> Iterator[_Seen]:
    """The result for a symbolic link; none if its target is found by its own name."""
    try:
        real = real_path(path, strict=True)
        mode = status_of(real).st_mode
    except OSError as error:
        # Without a suffix it is unknown whether a manifest was meant.
        reason = why_broken(error)
        yield Unreadable(shown, reason, is_link=True) if wanted else Passed(shown, reason)
        return
    is_below_given, inside = _lies_in(real, trees), _lies_in(real, (root, *trees))
    if stat.S_ISDIR(mode):
        if not is_below_given:
            where = "that is not below the given paths" if inside else "outside the root"
            yield Passed(shown, f"is a symbolic link to a folder {where}")
    elif wanted and not stat.S_ISREG(mode):
        yield Passed(shown, f"is a symbolic link to {kind_of_entry(mode)}, which is never opened")
    elif wanted and inside and not any(lies_in_repository(real, folder) for folder in (root, *trees)):
        yield Passed(shown, "is a symbolic link into the folder of git")
    elif wanted:
        yield _Link(shown, real) if inside else Passed(shown, "is a symbolic link to a file outside the root")


def _lies_in(real: str, folders: Iterable[str]) -> bool:
    return any(lies_in(real, folder) for folder in folders)


def _is_editor_lock(name: str, *, link: bool) -> bool:
    """Whether it is Emacs' lock for an edited file: a link `.#a.yaml` to `user@host.pid` (its manual, File Locks)."""
    return link and name.startswith(".#")


_T = TypeVar("_T")


def _items_of_kind(kind: type[_T], items: Iterable[object]) -> Iterator[_T]:
    return (item for item in items if isinstance(item, kind))
