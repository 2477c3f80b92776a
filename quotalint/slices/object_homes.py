"""Where the objects are that are written in files, and those that are made in folders that are built."""

from __future__ import annotations

import os
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from quotalint.checks.homes import naming_place
from quotalint.deployed import FolderBuild, NotedBuilds
from quotalint.kube.objects import Object, objects
from quotalint.slices.kept import Deploying, Home, Homes, NotedFiles, Unit, pack_unit
from quotalint.slices.local_kinds import is_local_kind
from quotalint.slices.outline import (
    ObjectDigests,
    file_content,
    file_listing,
    file_outline,
    is_tuned,
)
from quotalint.slices.remaking import is_unfinished, read_for, rest_of
from quotalint.slices.shown_sums import places_digest
from quotalint.slices.text_notes import text_note
from quotalint.slices.told_lines import ToldLines, line_sources, lines_digests
from quotalint.text.place import Place
from quotalint.text.reading import File
from quotalint.transcript import UNKNOWN

_Key = tuple[object, ...]
_Found = set[Home] | None
"""Homes of an object; None where something rests on it of which nobody can say what."""


class Sources:
    """What objects are made of. A class because their homes are found one after the other."""

    def __init__(
        self,
        files: Iterable[File],
        noted: NotedBuilds,
        lines: ToldLines,
        data: AbstractSet[str],
        closed: AbstractSet[str],
        *,
        deploys: Deploying,
        shows_places: bool,
    ) -> None:
        """The lines that are told have to stay as they are, and all of an object that has anything to do with their
        files where it is written. Some of the files are `data` of kustomizations, and of some anything may be made:
        they are `closed`. The repository holds something that `deploys` others or not; a report shows where objects are
        written or not."""
        self._deploys = deploys
        self._shows_places = shows_places
        self._data = data
        self._tree = noted.tree
        self._told = lines
        self._files = {file.source.name: file for file in files}
        self._closed = lines.extreme | noted.read_by_others | closed
        self._mentioned = noted.tree.mentioned
        self._builds: list[FolderBuild] = []
        self._built: list[list[_Found]] = []
        self._told_objects: list[set[int]] = []
        """By build: the numbers of the objects of which lines are told."""
        self._made: dict[int, tuple[int, int] | None] = {}
        """By the identity of how an object was made: by which build, as which of its objects."""
        self._written: dict[tuple[str, int], _Found] = {}
        self._copied: set[_Key] = set()
        """Where objects begin that are made of others here."""
        for build in noted.made:
            objects = build.rendering.objects
            if build.reads_anything:
                self._closed |= build.names
                self._made.update((id(obj.place.made), None) for obj in objects)
                continue
            self._made.update((id(obj.place.made), (len(self._builds), at)) for at, obj in enumerate(objects))
            self._builds.append(build)
            self._built.append([set() for _ in objects])
            is_near = not lines.sources.isdisjoint(build.names)
            self._told_objects.append(
                {at for at, obj in enumerate(objects) if is_near and not lines.sources.isdisjoint(line_sources(obj))}
            )

    def note(self, obj: Object, home: Home | None) -> None:
        """An object is applied, in a slice, or where nobody can say what rests on it."""
        source, number, path, made = obj.place
        if made is None and not path and source in self._files:
            if source not in self._closed and home is not None and self._is_written(obj, source, number):
                homes = self._written.setdefault((source, number), set())
                if homes is not None:
                    homes.add(home)
            else:
                self._written[source, number] = None
        elif id(made) not in self._made:
            self._copied.add((source, number, path))
        elif (maker := self._made[id(made)]) is not None:
            build, at = maker
            homes = self._built[build][at]
            if (obj.kind, obj.namespace, obj.name) in self._told.subjects:
                self._told_objects[build].add(at)
            if home is None or obj.body is not self._builds[build].rendering.objects[at].body:
                self._built[build][at] = None
            elif homes is not None:
                homes.add(home)

    def _is_written(self, obj: Object, name: str, number: int) -> bool:
        documents = self._files[name].reading.documents
        return any(document.index == number and document.value is obj.body for document in documents)

    def maker_of(self, obj: Object) -> int | None:
        """The number of the unit that an object is made in; None where it is in none that can be made again."""
        made = self._made.get(id(obj.place.made)) if obj.place.made is not None else None
        return None if made is None else made[0]

    def noted_files(self) -> NotedFiles:
        """What there is of them. Raises ValueError where anything is no plain value."""
        users: dict[str, list[int]] = {}
        for number, build in enumerate(self._builds):
            for name in build.names:
                users.setdefault(name, []).append(number)
        here = os.getcwd()
        names, outlines, listings, contents, written, texts = [], [], [], [], [], []
        for name, file in self._files.items():
            homes = self._homes_of(file, is_used=name in users)
            if name in self._closed or homes is None or not _leads_to(here, file):
                continue
            if not (homes or name in users):
                continue
            is_built = not homes
            outline = file_outline(file, deploys=self._deploys, is_built=is_built)
            if outline == UNKNOWN:
                continue
            text = text_note(file.source.path, self._told.lines.get(name, ()), self._mentioned.get(name, {}))
            if text is not None:
                names.append(name)
                texts.append(text)
                outlines.append(outline)
                listings.append(file_listing(file, deploys=self._deploys, is_built=is_built))
                contents.append(file_content(file))
                written.append(homes)
        tuned = [name for name in names if is_tuned(self._files[name], deploys=self._deploys)]
        used = {number for name in tuned for number in users.get(name, ())}
        slices = {number for of_file in written for homes in of_file for number, _ in homes}
        units: list[bytes] = []
        digests = ObjectDigests(deploys=self._deploys)
        for number, build in enumerate(self._builds):
            unit = self._unit(number, build, digests) if number in used else None
            units.append(pack_unit(unit) if unit is not None else b"")
            slices |= {number for homes in unit.homes for number, _ in homes or ()} if unit is not None else set()
        data = {name: tuple(own) for name, own in users.items() if used.issuperset(own) and self._is_data(name)}
        numbers = tuple(tuple(users.get(name, ())) for name in names)
        repaired = frozenset(number for number, name in enumerate(names) if name in self._told.repaired)
        digests_of_files = b"".join(outlines), b"".join(listings), b"".join(contents)
        return NotedFiles(
            names, *digests_of_files, tuple(texts), tuple(written), numbers, units, repaired, data, slices
        )

    def _homes_of(self, file: File, *, is_used: bool) -> tuple[Homes, ...] | None:
        """Where each document of a file is applied as it is written, nowhere if nobody looks at the file but by the
        names of its objects; empty where something else is made of it, and None where any of that is true of some
        alone, or cannot be said."""
        name, documents = file.source.name, file.reading.documents
        keys = [(name, document.index) for document in documents]
        if any(self._written.get(key, ()) is None or (*key, ()) in self._copied for key in keys):
            return None
        applied = [key in self._written for key in keys]
        if not any(applied):
            return () if is_used or not self._is_idle(file) else tuple(() for _ in keys)
        return tuple(tuple(self._written[key] or ()) for key in keys) if all(applied) else None

    def _is_idle(self, file: File) -> bool:
        """Whether nothing is made of what is written in a file, and only its names decide that."""
        written = (obj for document in file.reading.documents for obj in objects(document.value, Place("")))
        return not file.limiting and all(
            is_local_kind(obj.body, deploys=self._deploys) and not is_unfinished(obj, deploys=self._deploys)
            for obj in written
        )

    def _is_data(self, name: str) -> bool:
        """Whether a file is no manifest, and nothing but units reads it."""
        tree, told = self._tree, self._told
        if not tree.is_text_read(name) or name in self._closed:
            return False
        if name in tree.asked_by_others or name in tree.mentioned:
            return False
        if name in told.sources or name in told.lines or name in told.repaired:
            return False
        return name not in self._files or (name in self._data and b"apiVersion" not in tree.text_read(name))

    def _unit(self, number: int, build: FolderBuild, digests: ObjectDigests) -> Unit:
        objects = build.rendering.objects
        homes = tuple(
            None if homes is None or self._is_open(obj) else tuple(homes)
            for obj, homes in zip(objects, self._built[number], strict=True)
        )
        told_objects = tuple(sorted(self._told_objects[number]))
        of_objects = digests.outlines(objects), digests.contents(objects)
        lines = b"".join(lines_digests(objects[at] for at in told_objects))
        rendering, places = build.rendering, places_digest(objects) if self._shows_places else b""
        of_build = tuple(build.recipe), rest_of(rendering), read_for(rendering)
        return Unit(*of_build, *of_objects, homes, told_objects, lines, places)

    def _is_open(self, obj: Object) -> bool:
        """Whether more than its homes rests on what an object says. One that is half written has none, and gets some
        when the rest is."""
        is_told_apart = obj.place[:3] in self._copied or _is_named_elsewhere(obj)
        return is_told_apart or self._is_compared(obj) or is_unfinished(obj, deploys=self._deploys)

    def _is_compared(self, obj: Object) -> bool:
        """Whether its amounts may be held against an extreme one."""
        return bool(self._told.extreme) and not self._told.extreme.isdisjoint(line_sources(obj))


def _is_named_elsewhere(obj: Object) -> bool:
    """Whether the namespace of an object is that of another one, in whose file it is written. Then it says something of
    that file's folder."""
    place = naming_place(obj)
    return place is not None and place.source != obj.place.source


def _leads_to(here: str, file: File) -> bool:
    """Whether the name of a file leads to it from this folder, so that it is found by that again."""
    name, path = file.source.name, file.source.path
    if path == f"{here}{os.sep}{name}":
        return True
    return name.startswith("..") and os.path.normpath(os.path.join(here, name)) == path
