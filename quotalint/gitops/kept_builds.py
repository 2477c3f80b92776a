"""What kustomizations came to in an earlier run, for as long as nothing that they looked at is another.

A build looks at files, at what lies in folders, and at whether there is something of a name; all of that is heard
(`listening_tree.py`) and is kept with what stands for it. A later run takes what came of a build where each of these is
as it was, and builds the rest. All that is kept is of one state of the repository: of what is shared there is one.
"""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from quotalint import budget
from quotalint.gitops.folder_build import FolderBuild, recipe_of
from quotalint.gitops.kept_folders import KeptFolders, PackedFolders
from quotalint.gitops.kustomize.build import MAX_WORK, AccumulatedFolder
from quotalint.gitops.listening_tree import ListeningTree
from quotalint.gitops.noted_builds import NotedBuilds
from quotalint.gitops.plain_places import is_written, origin_of, plain_origin, plain_place
from quotalint.gitops.plain_problems import plain_problem, problem_of
from quotalint.gitops.rendering import rendering_of
from quotalint.gitops.tree import CHART, LISTED, Tree
from quotalint.kube.objects import Object
from quotalint.text.place import Derivation, Place
from quotalint.text.reading import Learning
from quotalint.transcript import digest

if TYPE_CHECKING:
    from quotalint.gitops.kustomize.kustomization import Kustomization

_PLACE = 3  # how many parts of a place stand for themselves
_OUTSIDE = b"^"  # what leads out of the repository


class KeptBuilds:
    """What an earlier run built. A class because what holds is found out as it is asked for."""

    def __init__(self, tree: Tree, about: str, files: Learning) -> None:
        """`about` is what builds depend on besides the files."""
        self._tree = tree
        self._about = about
        self._files = files
        self._names: tuple[str, ...] = ()
        self._states: tuple[bytes, ...] = ()
        self._texts: frozenset[int] = frozenset()
        self._builds: dict[str, tuple[Any, ...]] | None = None
        """By recipe; None where nobody has asked for any."""
        self._folders = KeptFolders(b"", self._are_as_they_were)
        self._given: list[str] = []
        """The folders of which a build was given."""
        self._holds: dict[int, bool] = {}
        self._is_all_here = True

    def build_of(self, over: Kustomization | None, folder: str) -> FolderBuild | None:
        """What a folder came to, also with a kustomization `over` it that no file holds, if that still holds."""
        build = self._known_build(over, folder)
        self._is_all_here = self._is_all_here and build is not None
        return build

    def folder(self, folder: str, namespace: str) -> AccumulatedFolder | None:
        """What a folder came to that was listed among many, if that still holds."""
        self._load_once()
        return self._folders.folder(folder, namespace)

    def unbuilt_folders(self) -> PackedFolders:
        """What those came to that are listed in what nobody has built, since it still holds."""
        return self._folders.listed_below(self._given)

    def _known_build(self, over: Kustomization | None, folder: str) -> FolderBuild | None:
        self._load_once()
        if not self._builds or not (over is None or is_written(over.traced.origin)):
            return None
        recipe = recipe_of(over, folder)
        build = self._builds.get(repr(recipe))
        if build is None:
            return None
        numbers, cost, objects, problems, used = build
        heard = array("I", numbers)
        if not all(map(self._is_as_it_was, heard)):
            return None
        names = frozenset(self._names[number] for number in heard)
        self._count_texts(heard)
        self._tree.hear(names)
        rendering = rendering_of(
            tuple(map(_object_of, objects)), tuple(map(problem_of, problems)), frozenset(used), folder
        )
        self._given.append(folder)
        return FolderBuild(recipe, names, rendering, cost)

    def keep(self, noted: NotedBuilds) -> None:
        """Keep what this run builds when it is over."""
        self._files.keep_builds(self._about, partial(self._packed_anew, noted))

    def _packed_anew(self, noted: NotedBuilds) -> bytes:
        # A build is charged for what it is the first to build on. So that none takes more than it may where another
        # was kept, all of them together have to take far less. What is given takes nothing of what a run may spend: of
        # a run that spends most of it, nothing may be given.
        is_cheap = sum(build.cost for build in noted.made) <= MAX_WORK / 2 and budget.spent() <= budget.units_left()
        if self._is_all_here or not is_cheap:
            return b""
        return _packed_builds(noted, self._files)

    def _load_once(self) -> None:
        if self._builds is not None:
            return
        self._builds = {}
        body = self._files.earlier_builds(self._about)
        if body is None:
            return
        try:
            self._names, self._states, texts, builds, folders = marshal.loads(body)
            self._texts, self._builds = frozenset(array("I", texts)), dict(builds)
            self._folders = KeptFolders(folders, self._are_as_they_were)
        except (ValueError, TypeError, EOFError):
            self._builds = {}

    def _are_as_they_were(self, names: frozenset[str]) -> bool:
        """Whether all is as it was that was looked at for a folder, which then counts as read."""
        numbers = [self._numbers[name] for name in names if name in self._numbers]
        holds = len(numbers) == len(names) and all(map(self._is_as_it_was, numbers))
        if holds:
            self._count_texts(numbers)
        return holds

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self._names)}

    def _count_texts(self, heard: Iterable[int]) -> None:
        if isinstance(self._tree, ListeningTree):
            self._tree.count_as_text(self._names[number] for number in heard if number in self._texts)

    def _is_as_it_was(self, number: int) -> bool:
        if number not in self._holds:
            with self._tree.listening():  # whoever looks at a state builds nothing
                state = _state_of(self._tree, self._names[number], self._files)
            self._holds[number] = state == self._states[number]
        return self._holds[number]


def _packed_builds(noted: NotedBuilds, files: Learning) -> bytes:
    """What was built, as bytes."""
    tree, number_of = noted.tree, dict[str, int]()
    builds = []
    for recipe, (names, *rest) in dict(_plain_builds(noted)).items():
        heard = array("I", (number_of.setdefault(name, len(number_of)) for name in sorted(names)))
        builds.append((recipe, (heard.tobytes(), *rest)))
    with tree.listening():  # whoever looks at the states builds nothing
        states = tuple(_state_of(tree, name, files) for name in number_of)
    texts = array("I", (number for name, number in number_of.items() if tree.is_text_read(name)))
    return marshal.dumps((tuple(number_of), states, texts.tobytes(), builds, noted.folders()), 4)


def _plain_builds(noted: NotedBuilds) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for build in noted.made:
        if build.reads_anything or any(name.startswith(CHART) for name in build.names):
            continue
        rendering = build.rendering
        try:
            plain = (
                build.cost,
                list(map(_plain_object, rendering.objects)),
                list(map(plain_problem, rendering.problems)),
                tuple(rendering.used),
            )
            marshal.dumps(plain)
        except ValueError:  # something in it is no plain value
            continue
        yield repr(build.recipe), (build.names, *plain)


def _state_of(tree: Tree, name: str, files: Learning) -> bytes:
    """What stands for a file, a folder, all that lies in a folder; empty where there is nothing of that name here."""
    folder, _, last = name.rpartition("/")
    if last == LISTED:
        listing = tree.listing(folder)
        return digest(repr((listing.folders, sorted(listing.links), listing.names)).encode("utf-8", "surrogatepass"))
    if tree.is_file(name):
        # Of a file that people ask about more is known: who encrypted it, or that it is a template.
        way = b"=" if name in tree.given_names else b"-"
        state = way + (files.digest_of(tree.real_path_of(name)) or _digest_of_data(tree, name))
    elif tree.is_folder(name):
        state = b"/"
    else:
        return b"" if tree.contains(name) else _OUTSIDE
    real = tree.canonical_name(name)
    return state if real == name else state + real.encode("utf-8", "surrogatepass")


def _digest_of_data(tree: Tree, name: str) -> bytes:
    data = tree.data(name)
    # Of what is too large to be read nobody knows more than that.
    return digest(data) if data is not None else b"?"


def _plain_object(obj: Object) -> tuple[Any, ...]:
    made = obj.place.made
    if made is None or obj.guesses or not is_written(made.origin):
        raise ValueError("not as a build leaves it")
    ways = tuple(map(plain_place, made.via)), tuple(map(plain_place, made.patches))
    return (*obj[:5], obj.body, obj.place[:_PLACE], plain_origin(made.origin), made.depth, *ways)


def _object_of(plain: tuple[Any, ...]) -> Object:
    group, version, kind, namespace, name, body, (source, document, path), origin, depth, via, patches = plain
    made = Derivation(origin_of(origin), depth, tuple(Place(*at) for at in via), tuple(Place(*at) for at in patches))
    return Object(group, version, kind, namespace, name, body, Place(source, document, path, made))
