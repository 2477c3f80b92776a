"""Labels of folders: the segments of a path that name environments and clusters."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence, Set
from types import MappingProxyType

from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern

Label = tuple[str, ...]
"""The distinguishing segments of a path, outermost first: `production`, `eu-1`."""

ROOT_FOLDER = "root folder"
"""The name of the repository's root folder as an environment."""
_CONTAINERS = frozenset(
    ("cluster", "clusters", "env", "environment", "environments", "envs", "overlay", "overlays", "sites", "stages")
)
"""Folders whose children are environments, whatever their names."""
_NAMESPACE_FOLDERS = frozenset({"namespace", "namespaces", "ns", "projects"})
"""Folders whose children are namespaces of one cluster, whatever their names."""
_SHARED = frozenset({"_base", "_common", "all", "base", "bases", "common", "components", "default", "global", "shared"})
"""Names of folders that apply to every environment."""
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
"""Lower-case stage names → the first spelling of that stage."""
_BESIDE_A_STAGE = frozenset(
    (
        *("canary", "ci", "demo", "dr", "int", "integration", "lab", "live", "local", "perf", "pre", "preview"),
        *("sandbox", "sbx", "sit", "test", "testing", "tst"),
    )
)
"""Stage names with other meanings; they count only if a sibling is certainly a stage."""
_TOKENS = lazy_pattern("[-_.]")
_PARTS_OF_THE_WORLD = (
    r"af|africa|america|ap|apac|asia|au|australia|ca|canada|cn|china|de|emea|eu|europe|fr|il|in|india|jp|japan|kr|latam|me"
    r"|na|nl|nordic|sa|uk|us|usa"
)
_LOCATION = lazy_pattern(
    rf"(?:{_PARTS_OF_THE_WORLD})(?:[-_]?(?:north|south|east|west|central|gov|southeast|northeast|southwest|northwest))*"
    r"[-_]?[0-9]{0,2}[a-z]?"  # eu, us-east-1, europe-west4, uksouth, eu1
    r"|(?!app|web|api|svc|job|env|dev|uat|sit|tst|pod|sql|lab|k8s)[a-z]{3}-?[0-9]{1,2}"  # ams3, after its airport
    r"|(?:cluster|region|site|dc|datacenter|edge|az)[-_]?(?:[0-9]{1,3}|[a-z])"  # cluster-1, dc2
)
"""Names of regions and data centres, which are not names of components."""


class Siblings(NamedTuple):
    """The sibling folders among all folders in view."""

    names: Mapping[str, frozenset[str]]
    """The path of a folder → the names of its children."""
    depth: int = 0
    """The number of segments that all checked folders share, which distinguish nothing."""
    contained: frozenset[str] = frozenset()
    """The lower-case names of children of folders such as `clusters` and `environments`."""
    staged: Mapping[str, frozenset[str]] = MappingProxyType({})
    """The path of a folder → its children's lower-case names that may be stages."""
    located: frozenset[str] = frozenset()
    """The folders whose children are all named after regions or data centres, several in at least one of them."""

    def has_stage(self, folder: str) -> bool:
        """Whether a child of the folder is certainly named after a stage."""
        return any(name.lower() in _STAGES for name in self.names.get(folder, ()))

    def has_overlays(self, folder: str) -> bool:
        """Whether children of the folder are environments or contain them."""
        return self.has_stage(folder) or any(name.lower() in _CONTAINERS for name in self.names.get(folder, ()))

    def is_stage(self, folder: str, name: str) -> bool:
        """Whether a child of the folder is an environment by its name. A single one is not, if environments are
        elsewhere and have other names (`misc/dev` beside `clusters/a` and `clusters/b`)."""
        if not _CONTAINERS.isdisjoint(folder.lower().split("/")):
            return True
        containing_labels = self.contained
        alone = self.staged.get(folder, frozenset()) <= {name}
        return not (
            alone and len(containing_labels) > 1 and containing_labels.isdisjoint(_STAGES.keys() | _BESIDE_A_STAGE)
        )


def siblings_of(folders: Iterable[str], asked: Sequence[str] = ()) -> Siblings:
    """The siblings of these folders and of the folders above them; `asked` are the folders to check."""
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
        _folders_of_locations(names),
    )


def _folders_of_locations(names: Mapping[str, Set[str]]) -> frozenset[str]:
    own = {folder: {name for name in children if name.lower() not in _SHARED} for folder, children in names.items()}
    located = {
        folder: children
        for folder, children in own.items()
        if len(children) > 1 and all(_LOCATION.fullmatch(name.lower()) for name in children)
    }
    known = frozenset().union(*located.values())
    return frozenset(
        folder for folder, children in own.items() if folder in located or (children and children <= known)
    )


def _last_segment(folder: str) -> str:
    return posixpath.basename(folder).lower()


def _common_folder(folders: Sequence[str]) -> str:
    """The innermost folder that contains all of these."""
    return posixpath.commonpath(folders) if folders and "" not in folders else ""


def role_label(folder: str, namespaces: Set[str], siblings: Siblings) -> Label:
    """The segments of a folder that name an environment by themselves; `namespaces` are those of its objects.

    Folders of a namespace are excluded: `namespaces/prod`, and `prod` if its objects are in namespace `prod`.
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
        elif label and segments[depth - 1] == label[-1] and "/".join(segments[:depth]) in siblings.located:
            label.append(segment)  # prod/ams3 beside prod/sgp1
    return tuple(label)


def is_shared(label: Label) -> bool:
    """Whether a label means every environment without its own overlay, such as `default` or `common`."""
    return bool(label) and all(segment.lower() in _SHARED for segment in label)


def is_stage(segment: str) -> bool:
    """Whether a segment names a stage, which may exist per region or team."""
    return segment.lower() in _STAGES or segment.lower() in _BESIDE_A_STAGE


def without_containers(path: str) -> Label:
    """The segments of a path without containers of environments."""
    segments = tuple(path.split("/"))
    return tuple(segment for segment in segments if segment.lower() not in _CONTAINERS) or segments


def in_order(folder: str, segments: Set[str]) -> Label:
    """The given segments of a folder, in the folder's order."""
    return tuple(segment for segment in folder.split("/") if segment in segments)


def short_names(labels: Iterable[Label]) -> dict[Label, str]:
    """A short name for each label: its last segments, as many as needed to distinguish all labels."""
    labels = list(dict.fromkeys(labels))
    for depth in range(1, max(map(len, labels), default=0) + 1):
        names = {label: "/".join(label[-depth:]) for label in labels}
        if len(set(names.values())) == len(labels):
            return names
    return {label: "/".join(label) for label in labels}
