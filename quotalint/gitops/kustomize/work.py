"""One kustomization at work: what it has put together so far, how it reaches for files, and what it comes to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from quotalint.gitops.kustomize.kustomization import Kustomization, is_remote
from quotalint.gitops.kustomize.kustomize_resource import Resource, decides_amounts
from quotalint.gitops.kustomize.kustomize_yaml import read_objects, read_operations
from quotalint.gitops.kustomize.merge_types import builtin_types
from quotalint.gitops.kustomize.patches import LoadedPatch
from quotalint.gitops.kustomize.problems import ABSENT, LOAD, MISSING, REFUSED, Problem
from quotalint.gitops.kustomize.traced import Traced
from quotalint.gitops.kustomize.transformer_config import BLANK, FieldConflictError, TransformerConfig
from quotalint.gitops.kustomize.variables import KustomizeVariable, VariableError, join_variables
from quotalint.gitops.tree import Tree, join_path
from quotalint.gitops.unseen_causes import REMOTE_BASE, SharedCause
from quotalint.kube.fields import text
from quotalint.named_tuples import NamedTuple
from quotalint.runtime import budget
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Place


class Built(NamedTuple):
    """What a kustomization yields."""

    resources: tuple[Resource, ...]
    problems: tuple[Problem, ...]
    used: frozenset[str]
    """The files and folders that it builds on."""
    config: TransformerConfig = BLANK
    """What it teaches the transformers of those that build on it, too."""
    variables: tuple[KustomizeVariable, ...] = ()
    """Those that are not resolved yet."""


HelmChart = Callable[[Traced, Kustomization, str], "tuple[list[Resource], list[Problem]]"]
"""Renders an entry of `helmCharts` of a kustomization, into a namespace."""


class Work:
    """The only thing that changes while a kustomization is rendered; nobody sees it but the one who renders."""

    def __init__(
        self, tree: Tree, kustomization: Kustomization, folder: str, namespace: str, before: Built | None = None
    ) -> None:
        """`namespace` is the one that what builds on this kustomization puts its objects into; `before` is what a
        Component is given to work on."""
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
        """The resources of which these are the ids, and how many there were."""
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
        """Whether objects are missing, so that what is said of them leads nowhere here."""
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
        """Note that something is wrong, or not rendered."""
        problem = Problem(place, reason, kind, namespace=self.own_namespace, only=only, cycle=cycle)
        self.problems.append(problem._replace(may_lower=may_lower))

    def note_absent(self, place: Place, reason: str, target: str, subject: str = "") -> None:
        """Note that a path, the subject, leads to nothing at the target, so that `kustomize build` stops there."""
        problem = Problem(place, reason, MISSING, namespace=self.own_namespace, cause=ABSENT, subject=subject)
        problem = problem._replace(target=target)
        problem = problem._replace(may_lower=_changes_others(place))
        # The folder counts too: bases of definitions are kept by group and kind.
        self.problems.append(problem._replace(only=kinds_by_path(f"{self.folder} {reason}")))

    def note_missing(self, entry: Traced, path: str, what: str = "") -> None:
        """Note that there is nothing where a path leads, and why."""
        if is_remote(path):
            problem = Problem(entry.place, f"{path} is remote", MISSING, namespace=self.own_namespace)
            problem = problem._replace(may_lower=_changes_others(entry.place))
            self.problems.append(
                problem._replace(shared=SharedCause(REMOTE_BASE, path), subject=path, only=kinds_by_path(path))
            )
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
        """The path with fewer steps up that leads to something in the repository; empty where none does."""
        while path.startswith("../"):
            path = path.removeprefix("../")
            target = join_path(self.folder, path)
            if path.strip("./") and (self.tree.is_file(target) or self.tree.is_folder(target)):
                return path
        return ""

    def note_outside(self, entry: Traced, target: str) -> None:
        """Note that a file is not below the folder of the kustomization, where that is so."""
        if self.folder and not target.startswith(self.folder + "/"):
            reason = f"{target} lies outside the kustomization's folder: `kustomize build` refuses it, Flux does not"
            problem = Problem(entry.place, reason, LOAD, namespace=self.own_namespace, subject=target)
            self.problems.append(problem)

    def note_built(self, built: Built, entry: Traced) -> None:
        """Keep what is wrong with something that an entry builds on."""
        self.used |= built.used
        if not built.problems:
            return
        noted_problems = {
            (problem.place, problem.reason) for problem in self.problems
        }  # once, whichever ways lead to it
        self.problems += [
            problem.seen_through(entry.place, self.own_namespace)
            for problem in built.problems
            if (problem.place, problem.reason) not in noted_problems
        ]

    def learn_configuration(
        self, place: Place, config: TransformerConfig, variables: tuple[KustomizeVariable, ...]
    ) -> None:
        """Take over what something that an entry builds on teaches transformers, and its variables."""
        try:
            self.config = self.config.merge_config(config)
            self.variables = join_variables(self.variables, variables)
        except (FieldConflictError, VariableError) as error:
            self.note_problem(place, str(error))

    def append_resources(self, new: Iterable[Resource]) -> None:
        """Add resources; one whose id is already there is given twice, and Kustomize refuses."""
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
                # Of equal ones it makes no difference which is left once the entry is fixed.
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
        """The bytes of a file that an entry names; None where there is none."""
        target = self.tree.canonical_name(join_path(self.folder, path))
        self.used.add(target)
        data = self.tree.data(target)
        if data is not None:
            self.note_outside(entry, target)
            budget.spend(len(data) / 5000, f"the files that {self.folder or '.'} takes in are too large")
        return data

    def load_documents(self, path: str, entry: Traced) -> LoadedPatch | None:
        """The documents of a file that an entry names; None where there is none."""
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
    """Whether what an entry leads to would change objects that are there without it."""
    return bool(place.real.path[:1]) and place.real.path[0] in ("components", "transformers")


_DEFINITIONS = lazy_pattern(r"(?:^|[-_./ ])(?:crds?|customresourcedefinitions?)(?:[-_./ ?]|$)", re.IGNORECASE)
_ROLES = lazy_pattern(r"(?:^|[-_./ ])(?:rbac|(?:cluster)?role(?:binding)?s?)(?:[-_./ ?]|$)", re.IGNORECASE)


def kinds_by_path(path: str) -> tuple[str, ...]:
    """The kinds of what a path leads to, as far as its words say; nothing where it may be anything."""
    if _DEFINITIONS.search(path):
        return ("CustomResourceDefinition",)
    return ("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding") if _ROLES.search(path) else ()
