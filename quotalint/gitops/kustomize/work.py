"""The mutable state of building one kustomization: resources, problems and the files read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from quotalint.gitops.kustomize.kustomization import Kustomization, is_remote
from quotalint.gitops.kustomize.kustomize_resource import Resource, decides_amounts
from quotalint.gitops.kustomize.kustomize_yaml import read_objects, read_operations
from quotalint.gitops.kustomize.merge_types import builtin_types
from quotalint.gitops.kustomize.patches import LoadedPatch
from quotalint.gitops.kustomize.remote_bases import locate_base
from quotalint.gitops.kustomize.traced import Traced
from quotalint.gitops.kustomize.transformer_config import BLANK, FieldConflictError, TransformerConfig
from quotalint.gitops.kustomize.variables import KustomizeVariable, VariableError, join_variables
from quotalint.kube.fields import text
from quotalint.named_tuples import NamedTuple
from quotalint.runtime import budget
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Place
from quotalint.text.tree import Tree, join_path
from quotalint.unknowns.causes import REMOTE_BASE, Reason, cause_of
from quotalint.unknowns.problems import ABSENT, LOAD, MISSING, REFUSED, Problem


class Built(NamedTuple):
    """The result of building a kustomization."""

    resources: tuple[Resource, ...]
    problems: tuple[Problem, ...]
    used: frozenset[str]
    """The files and folders that it read."""
    config: TransformerConfig = BLANK
    """Transformer configuration, which also applies to kustomizations that build on it."""
    variables: tuple[KustomizeVariable, ...] = ()
    """Variables not resolved yet."""


HelmChart = Callable[[Traced, Kustomization, str], "tuple[list[Resource], list[Problem]]"]
"""Renders an entry of `helmCharts` of a kustomization into a namespace."""


class Work:
    """The state of one build; the only mutable object in rendering, visible only to the builder."""

    def __init__(
        self, tree: Tree, kustomization: Kustomization, folder: str, namespace: str, before: Built | None = None
    ) -> None:
        """`namespace` is the one that overlays set for its objects; `before` is the input of a Component."""
        self.tree = tree
        self.kustomization = kustomization
        self.folder = folder
        self.resources: list[Resource] = list(before.resources) if before is not None else []
        self.problems: list[Problem] = []
        self.used: set[str] = set()
        self.config = before.config if before is not None else BLANK
        self.variables: tuple[KustomizeVariable, ...] = before.variables if before is not None else ()
        self._given = before.problems if before is not None else ()
        self._ids: dict[tuple[object, ...], Resource] = {}
        self._counted: tuple[list[Resource] | None, int] = None, 0
        """The list whose ids are indexed in `_ids`, and its length at that time."""
        self.types = builtin_types()
        own = kustomization.field("namespace")
        self.own_namespace = text(own.value) if own is not None else ""
        self.namespace = self.own_namespace or namespace

    @property
    def build_of_work(self) -> Built:
        parts = tuple(self.resources), tuple(self.problems), frozenset(self.used)
        return Built(*parts, self.config, self.variables)

    @property
    def is_partial(self) -> bool:
        """Whether objects are missing, so that references to them are no errors."""
        return any(problem.kind == MISSING and not problem.only for problem in (*self._given, *self.problems))

    def note_problem(
        self,
        place: Place,
        reason: str,
        kind: str = REFUSED,
        *,
        cycle: bool = False,
        only: tuple[str, ...] = (),
        may_lower: bool = False,
    ) -> None:
        """Add a problem of this kustomization."""
        problem = Problem(place, reason, kind, namespace=self.own_namespace, only=only, cycle=cycle)
        self.problems.append(problem._replace(may_lower=may_lower))

    def note_absent(self, place: Place, reason: str, target: str, subject: str = "") -> None:
        """Add a problem for a path that does not exist, at which `kustomize build` stops. `subject` is the path as
        written."""
        problem = Problem(place, reason, MISSING, namespace=self.own_namespace, cause=ABSENT, subject=subject)
        problem = problem._replace(target=target)
        problem = problem._replace(may_lower=_changes_others(place))
        # The folder name counts too: folders of CRDs are often sorted by group and kind.
        self.problems.append(problem._replace(only=kinds_by_path(f"{self.folder} {reason}")))

    def locate(self, path: str) -> str:
        """The name of the file or folder that an entry names, remote or not."""
        found = self.tree.vendored(path) or (locate_base(path, self.tree) if is_remote(path) else "")
        is_usable = found and not isinstance(found, Reason)
        return self.tree.canonical_name(found if is_usable else join_path(self.folder, path))

    def note_missing(self, entry: Traced, path: str, what: str = "") -> None:
        """Add a problem for a path that cannot be resolved: remote, outside the repository, or absent."""
        if is_remote(path):
            found = locate_base(path, self.tree)
            if found and not isinstance(found, Reason):
                self.note_problem(entry.place, f"{path} names nothing that there is: {found}", MISSING)
                return
            reason: str = found or Reason(f"{path} is remote", REMOTE_BASE, path)
            problem = Problem(entry.place, reason, MISSING, namespace=self.own_namespace)
            problem = problem._replace(may_lower=_changes_others(entry.place))
            self.problems.append(problem._replace(shared=cause_of(reason), subject=path, only=kinds_by_path(path)))
        elif not self.tree.contains(join_path(self.folder, path)):
            lower = _changes_others(entry.place)
            nearer = self._path_within(path)
            meant = f"; {nearer} lies in it" if nearer else ""
            self.note_problem(entry.place, f"{path} lies outside the repository{meant}", MISSING, may_lower=lower)
        else:
            target = join_path(self.folder, path)
            other = self.tree.other_spelling(target)
            reason = f"there is no {what}{path}{f', only {other}' if other else ''}"
            self.note_absent(entry.place, reason, target, path)

    def _path_within(self, path: str) -> str:
        """The path without some leading `../`, if it then exists in the repository; empty otherwise."""
        while path.startswith("../"):
            path = path.removeprefix("../")
            target = join_path(self.folder, path)
            if path.strip("./") and (self.tree.is_file(target) or self.tree.is_folder(target)):
                return path
        return ""

    def note_outside(self, entry: Traced, target: str) -> None:
        """Add a problem if a file is outside the kustomization's folder."""
        if self.folder and not is_remote(text(entry.value)) and not target.startswith(self.folder + "/"):
            reason = f"{target} lies outside the kustomization's folder: `kustomize build` refuses it, Flux does not"
            problem = Problem(entry.place, reason, LOAD, namespace=self.own_namespace, subject=target)
            self.problems.append(problem)

    def note_built(self, built: Built, entry: Traced) -> None:
        """Add the problems and files of a base, seen through the entry that lists it."""
        self.used |= built.used
        if not built.problems:
            return
        noted_problems = {
            (problem.place, problem.reason) for problem in self.problems
        }  # once, even if reached by several paths
        self.problems += [
            problem.seen_through(entry.place, self.own_namespace)
            for problem in built.problems
            if (problem.place, problem.reason) not in noted_problems
        ]

    def learn_configuration(
        self, place: Place, config: TransformerConfig, variables: tuple[KustomizeVariable, ...]
    ) -> None:
        """Merge the transformer configuration and variables of a base."""
        try:
            self.config = self.config.merge_config(config)
            self.variables = join_variables(self.variables, variables)
        except (FieldConflictError, VariableError) as error:
            self.note_problem(place, str(error))

    def append_resources(self, new: Iterable[Resource]) -> None:
        """Add resources; Kustomize refuses one whose id already exists."""
        known, number = self._counted
        if known is not self.resources or number != len(self.resources):
            self._ids = {resource.id.distinction: resource for resource in self.resources}
        ids = self._ids
        repeated: dict[Place, list[str]] = {}
        contested: set[Place] = set()
        for resource in new:
            key = resource.id.distinction
            if key in ids and resource.id.name:
                place = resource.via[0] if resource.via else resource.traced.place
                reason = f"{resource.id.kind.kind} {resource.id.name} is already there ({ids[key].traced.place.source})"
                repeated.setdefault(place, []).append(reason)
                # If both are equal, it does not matter which one remains.
                if decides_amounts(resource.id) and resource.traced.value != ids[key].traced.value:
                    contested.add(place)
                continue
            ids[key] = resource
            self.resources.append(resource)
        for place, (first, *others) in repeated.items():
            more = len(others)
            more_words = f", and so {'are' if more > 1 else 'is'} {more} more object{'s' * (more > 1)}" if more else ""
            self.note_problem(place, first + more_words, may_lower=place in contested)
        self._counted = self.resources, len(self.resources)

    def data_at(self, entry: Traced, path: str) -> bytes | None:
        """The bytes of a file that an entry names; None if it does not exist."""
        target = self.tree.canonical_name(join_path(self.folder, path))
        self.used.add(target)
        data = self.tree.data(target)
        if data is not None:
            self.note_outside(entry, target)
            budget.spend(len(data) / 5000, f"the files that {self.folder or '.'} takes in are too large")
        return data

    def load_documents(self, path: str, entry: Traced) -> LoadedPatch | None:
        """The documents of a file that an entry names; None if it does not exist."""
        target = self.tree.canonical_name(join_path(self.folder, path))
        self.used.add(target)
        reading = read_objects(self.tree, target) if self.tree.is_file(target) else None
        if reading is None:
            return None
        self.note_outside(entry, target)
        return LoadedPatch(
            target, self.tree.data(target) or b"", reading, read_operations(self.tree, target) or reading
        )


def _changes_others(place: Place) -> bool:
    """Whether an entry could change objects from other entries."""
    return bool(place.real.path[:1]) and place.real.path[0] in ("components", "transformers")


_DEFINITIONS = lazy_pattern(r"(?:^|[-_./ ])(?:crds?|customresourcedefinitions?)(?:[-_./ ?]|$)", re.IGNORECASE)
_ROLES = lazy_pattern(r"(?:^|[-_./ ])(?:rbac|(?:cluster)?role(?:binding)?s?)(?:[-_./ ?]|$)", re.IGNORECASE)


def kinds_by_path(path: str) -> tuple[str, ...]:
    """The kinds that a path probably contains, judged by the words in it; empty if it may contain any."""
    if _DEFINITIONS.search(path):
        return ("CustomResourceDefinition",)
    return ("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding") if _ROLES.search(path) else ()
