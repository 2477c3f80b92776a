"""What the path of a folder says of where it is applied: the segments that name environments and clusters."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence, Set
from types import MappingProxyType

from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern

Label = tuple[str, ...]
"""The segments of a path that tell a place apart, from the outermost: `production`, `eu-1`."""

ROOT_FOLDER = "root folder"
"""What the folder of the repository itself is called, where it is an environment beside others."""
_CONTAINERS = frozenset(
    ("cluster", "clusters", "env", "environment", "environments", "envs", "overlay", "overlays", "sites", "stages")
)
"""Folders whose children are environments, whatever they are called."""
_NAMESPACE_FOLDERS = frozenset({"namespace", "namespaces", "ns", "projects"})
"""Folders whose children are namespaces of one cluster, whatever they are called."""
_SHARED = frozenset({"_base", "_common", "all", "base", "bases", "common", "components", "default", "global", "shared"})
"""Names that say that something is of every environment."""
_ALIASES = (
    ("dev", "develop", "development"),
    ("prod", "prd", "production"),
    ("stage", "staging", "stg"),
    ("preprod", "pre-prod", "preproduction"),
    ("nonprod", "non-prod", "nonproduction"),
    ("qa", "quality"),
    ("uat", "acceptance"),
)
_STAGES = {word: words[0] for words in _ALIASES for word in words}
STAGE_SPELLINGS = _STAGES | {"int": "int", "integration": "int", "test": "test", "testing": "test", "tst": "test"}
"""Words for stages in small letters → the first of those that mean the same."""
_BESIDE_A_STAGE = frozenset(
    (
        *("canary", "ci", "demo", "dr", "int", "integration", "lab", "live", "local", "perf", "pre", "preview"),
        *("sandbox", "sbx", "sit", "test", "testing", "tst"),
    )
)
"""Names of stages that mean other things too: they count where a sibling is surely a stage."""
_TOKENS = lazy_pattern("[-_.]")


class Siblings(NamedTuple):
    """The folders that lie beside each other, among all that are looked at."""

    names: Mapping[str, frozenset[str]]
    """The path of a folder → the names of its children."""
    depth: int = 0
    """How many segments all of them share with what was asked for: they tell nothing apart."""
    contained: frozenset[str] = frozenset()
    """The names, in small letters, of what lies in folders of environments or clusters."""
    staged: Mapping[str, frozenset[str]] = MappingProxyType({})
    """The path of a folder → those names of its children, in small letters, that may be stages."""

    def has_stage(self, folder: str) -> bool:
        """Whether a child of the folder is surely named after a stage."""
        return any(name.lower() in _STAGES for name in self.names.get(folder, ()))

    def has_overlays(self, folder: str) -> bool:
        """Whether children of the folder are environments, or hold them."""
        return self.has_stage(folder) or any(name.lower() in _CONTAINERS for name in self.names.get(folder, ()))

    def is_stage(self, folder: str, name: str) -> bool:
        """Whether a child of the folder is an environment by its name: alone among its siblings it is none where the
        environments lie together elsewhere and are called otherwise (`misc/dev` beside `clusters/a` and `clusters/b`).
        """
        if not _CONTAINERS.isdisjoint(folder.lower().split("/")):
            return True
        containing_labels = self.contained
        alone = self.staged.get(folder, frozenset()) <= {name}
        return not (
            alone and len(containing_labels) > 1 and containing_labels.isdisjoint(_STAGES.keys() | _BESIDE_A_STAGE)
        )


def siblings_of(folders: Iterable[str], asked: Sequence[str] = ()) -> Siblings:
    """Which children each folder has on the way to these; `asked` are the folders that are to be checked."""
    names: dict[str, set[str]] = {}
    for folder in folders:
        segments = folder.split("/")
        for depth, segment in enumerate(segments):
            names.setdefault("/".join(segments[:depth]), set()).add(segment)
    depth = len(_common_folder(asked).split("/")) if _common_folder(asked) else 0
    contained = {
        name.lower() for folder, children in names.items() if _last_segment(folder) in _CONTAINERS for name in children
    }
    stages = _STAGES.keys() | _BESIDE_A_STAGE
    return Siblings(
        {folder: frozenset(children) for folder, children in names.items()},
        depth,
        frozenset(contained - _SHARED),
        {folder: frozenset(stages & {child.lower() for child in children}) for folder, children in names.items()},
    )


def _last_segment(folder: str) -> str:
    return posixpath.basename(folder).lower()


def _common_folder(folders: Sequence[str]) -> str:
    """The innermost folder that holds all of these."""
    return posixpath.commonpath(folders) if folders and "" not in folders else ""


def role_label(folder: str, namespaces: Set[str], siblings: Siblings) -> Label:
    """The segments of a folder that name an environment by their own meaning; `namespaces` are those of its objects.

    `namespaces/prod` and `prod` with the objects of namespace `prod` are folders of a namespace.
    """
    segments = folder.split("/") if folder else []
    label: list[str] = []
    for depth, segment in enumerate(segments):
        if depth < siblings.depth:
            continue
        above = segments[depth - 1].lower() if depth else ""
        name = segment.lower()
        if name in _CONTAINERS or name in _SHARED or above in _NAMESPACE_FOLDERS:
            continue
        if above in _CONTAINERS:
            label.append(segment)
        elif segment in namespaces or not siblings.is_stage("/".join(segments[:depth]), name):
            continue
        elif name in _STAGES or (name in _BESIDE_A_STAGE and siblings.has_stage("/".join(segments[:depth]))):
            label.append(segment)
        elif above in _STAGES and _STAGES[above] in {_STAGES.get(token) for token in _TOKENS.split(name)}:
            label.append(segment)  # production/prod-eu
    return tuple(label)


def is_shared(label: Label) -> bool:
    """Whether that is what people call something for every environment that has none of its own."""
    return bool(label) and all(segment.lower() in _SHARED for segment in label)


def is_stage(segment: str) -> bool:
    """Whether a segment names a stage, of which every region or team may have one."""
    return segment.lower() in _STAGES or segment.lower() in _BESIDE_A_STAGE


def without_containers(path: str) -> Label:
    """The segments of a path without those that only hold environments."""
    segments = tuple(path.split("/"))
    return tuple(segment for segment in segments if segment.lower() not in _CONTAINERS) or segments


def in_order(folder: str, segments: Set[str]) -> Label:
    """Those segments of a folder, in its order."""
    return tuple(segment for segment in folder.split("/") if segment in segments)


def short_names(labels: Iterable[Label]) -> dict[Label, str]:
    """A name for each label: its last segments, as many as tell all of them apart."""
    labels = list(dict.fromkeys(labels))
    for depth in range(1, max(map(len, labels), default=0) + 1):
        names = {label: "/".join(label[-depth:]) for label in labels}
        if len(set(names.values())) == len(labels):
            return names
    return {label: "/".join(label) for label in labels}
