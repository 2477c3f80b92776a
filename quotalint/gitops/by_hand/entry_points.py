"""Finds the entry points of a repository: objects that deploy its folders. The folders that contain them are applied by
hand; other manifests are not applied.

Without entry points, folders are applied by hand, except test fixtures and templates for scripts.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import chain

from quotalint.gitops.by_hand.project_templates import is_filled_in_by_generator
from quotalint.gitops.deployer import EVERYTHING, ONLY_FILES
from quotalint.gitops.deployers import deploying_kind, is_deployer
from quotalint.gitops.labels import Siblings, role_label, siblings_of
from quotalint.gitops.nodes import Node, Root
from quotalint.gitops.rendering import Rendering
from quotalint.gitops.unapplied_bases import why_base_of_others
from quotalint.kube.amounts import is_placeholder, is_stand_in
from quotalint.kube.kinds import limits_namespace
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.recall import recalled_each, same_as_before
from quotalint.text.chart_files import folders_above
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.tree import is_within
from quotalint.text.words import join_with_and, list_some
from quotalint.unknowns.causes import CLUSTERS, LISTED_ELSEWHERE, RENAMED_REPOSITORY, TEMPLATED_PATH
from quotalint.unknowns.problems import Problem

_NAMED = 2
"""How many source folders of a generated copy are named in a message."""


class AppliedRoots(NamedTuple):
    """Which roots are applied."""

    roots: tuple[Root, ...]
    others: tuple[tuple[Root, str], ...]
    """The roots that are not applied, with the reason as a clause."""
    by_entry_points: bool
    """Whether there are entry points, which show what is applied."""


def find_applied_roots(
    roots: Sequence[Root],
    configured: Callable[[str], tuple[str, ...]],
    asked: Sequence[str],
    explicit: Set[str],
    templated: Set[str],
    project_templates: Set[str],
    store: str = "",
) -> AppliedRoots:
    """Which roots are applied.

    `configured` returns the configured environments of a folder. `asked` folders and `explicit` files are named by the
    user, so they count as applied. `templated` files are not YAML until they are rendered. `project_templates` are
    folders that a generator copies. `store` is the folder of vendored sources, which are not the repository's own.
    """
    if len(roots) == 1 and len(roots[0].nodes) == 1 and not roots[0].nodes[0].is_deployed:
        return AppliedRoots(tuple(roots), (), by_entry_points=False)  # the only root is taken as applied
    tests = frozenset(chain.from_iterable(recalled_each("folders of tests", roots, (), _test_folders)))
    meant = [bool(configured(root.folder)) or not explicit.isdisjoint(_used_files(root)) for root in roots]
    around = _RootSurroundings(
        tuple(asked),
        tests,
        siblings_of((root.folder for root in roots), asked),
        frozenset(templated),
        frozenset(project_templates),
    )
    around = same_as_before("beside roots", around)
    doubts = recalled_each("doubts of roots", roots, (around,), partial(_why_not, around))
    reasons = ["" if sure else doubt for sure, doubt in zip(meant, doubts, strict=True)]
    for number, root in enumerate(roots):
        if not (meant[number] or reasons[number]) and is_generated(root.folder):
            reasons[number] = _why_copy(
                root, (other_root for other_root, why in zip(roots, reasons, strict=True) if not why)
            )
    if not any(_gives_objects(root) for root, reason in zip(roots, reasons, strict=True) if not reason):
        reasons = [""] * len(roots)  # no other root remains, so all are taken as applied
    entries = [number for number, root in enumerate(roots) if not reasons[number] and _deploys_folders(root, store)]
    if entries:
        entry_roots = [roots[entry] for entry in entries]
        files_only, everything = (_readers_of_deployers(entry_roots, reach) for reach in (ONLY_FILES, EVERYTHING))
        is_meant = {id(root) for root, sure in zip(roots, meant, strict=True) if sure}
        entry_roots = [
            root
            for root in entry_roots
            if id(root) in is_meant or not _is_unread_subfolder(root, files_only, everything)
        ]
        beside_applied = {posixpath.dirname(folder) for entry in entry_roots for folder in _folders_of_deployers(entry)}
        undeployed = _why_undeployed(entry_roots)
        for number, root in enumerate(roots):
            if not (meant[number] or reasons[number] or root.is_own) and (
                not _bootstraps_others(root, entry_roots)
                or _is_unread_subfolder(root, files_only, everything)
                or _is_parked(root, beside_applied, around.siblings)
            ):
                reasons[number] = undeployed
    pairs = list(zip(roots, reasons, strict=True))
    left = tuple((root, reason) for root, reason in pairs if reason)
    return AppliedRoots(tuple(root for root, reason in pairs if not reason), left, bool(entries))


class _RootSurroundings(NamedTuple):
    """The data, common to all roots, that decides which are not applied."""

    asked: tuple[str, ...]
    tests: frozenset[str]
    """Folders that contain test definitions."""
    siblings: Siblings
    templated: frozenset[str]
    project_templates: frozenset[str]


def _test_folders(root: Root) -> tuple[str, ...]:
    return tuple(obj.folder for node in root.nodes for obj in node.rendering.objects if is_test(obj))


def _why_not(around: _RootSurroundings, root: Root) -> str:
    """Why a root is not applied, judged by its folder and objects only; empty if nothing speaks against it."""
    label = role_label(root.folder, frozenset(), around.siblings)
    why = (
        why_fixture(root.folder, around.asked, around.tests, label)
        or _why_project_template(root.folder, around)
        or _why_template(root, around.templated)
    )
    if why or not root.is_kustomization or len(root.nodes) > 1 or root.nodes[0].is_deployed:
        return why
    return why_base_of_others(root.nodes[0].rendering, around.siblings)


def _why_copy(root: Root, others: Iterable[Root]) -> str:
    """The reason if all objects of a root come from other roots outside generated folders: it is then a generated copy.
    Each overlay may be written to a file of one folder."""
    refs = {obj.ref for node in root.nodes for obj in node.rendering.objects}
    sources: list[str] = []
    rest = set(refs)
    for other in others if refs else ():
        if is_generated(other.folder):
            continue
        given = {obj.ref for node in other.nodes for obj in node.rendering.objects}
        folder = other.folder or "the root folder"
        if refs <= given:
            return f"a generated copy of what {folder} gives"
        if not rest.isdisjoint(given):
            rest -= given
            sources.append(folder)
    names = join_with_and(sources) if len(sources) <= _NAMED else list_some(sources, _NAMED)
    return f"a generated copy of what {names} give" if sources and not rest else ""


def _why_undeployed(entries: Sequence[Root]) -> str:
    """The reason for folders that no entry point reaches. It mentions entry points that are not fully known, or that
    use another name of this repository."""
    problems = [(problem, node) for root in entries for node in root.nodes for problem in node.rendering.problems]
    unknown = {problem.place.file for problem, node in problems if _may_deploy_folders(problem, node)}
    names = {
        problem.shared.name
        for problem, _ in problems
        if problem.shared is not None and problem.shared.family == RENAMED_REPOSITORY
    }
    more = f", unless {', '.join(sorted(unknown)[:3])} does, which is not known in full" if unknown else ""
    if names:
        more += ", or" if more else ", unless"
        more += f" this repository is {min(names)}, renamed or copied: `sources: {{<its URL>: .}}` says so"
    return f"nothing deploys this{more}"


def _gives_objects(root: Root) -> bool:
    return any(node.rendering.objects or node.rendering.problems for node in root.nodes)


def _used_files(root: Root) -> Iterator[str]:
    for node in root.nodes:
        if not node.is_deployed:
            yield from node.rendering.files


def _deploys_folders(root: Root, store: str) -> bool:
    def is_own(folder: str) -> bool:
        return not (store and is_within(folder, store))

    return any(
        node.deployer is not None
        and node.deployer.deploys_folders
        and (
            any(map(is_own, node.rendering.folders))
            or any(_may_deploy_folders(problem, node) for problem in node.rendering.problems)
        )
        for node in root.nodes
    )


def _may_deploy_folders(problem: Problem, node: Node) -> bool:
    """Whether a problem hides which folders of this repository are deployed. Problems of other sources, such as a
    remote chart, do not."""
    if problem.shared is None:  # a failing template, or its result, affects this repository's folders
        return node.deployer is not None and node.deployer.lists_folders and node.rendering.origin is not None
    families = (CLUSTERS, *LISTED_ELSEWHERE, TEMPLATED_PATH) if node.rendering.origin is not None else (TEMPLATED_PATH,)
    return problem.shared.family in families


def _holds_deployers(root: Root) -> bool:
    """Whether a root contains deploying objects, so that it is applied by hand to bootstrap the rest."""
    return any(node.is_deployed for node in root.nodes) or any(
        is_deployer(obj) for node in root.nodes[:1] for obj in node.rendering.objects
    )


def _bootstraps_others(root: Root, entries: Sequence[Root]) -> bool:
    """Whether a root is applied by hand to bootstrap others. Where Flux Kustomizations deploy folders, they also deploy
    HelmReleases. A folder with only HelmReleases then needs a Kustomization, unless its surroundings are applied by
    hand."""
    if not _holds_deployers(root):
        return False
    kinds = {node.deployer for node in root.nodes if node.is_deployed}
    kinds |= {deploying_kind(obj) for node in root.nodes[:1] for obj in node.rendering.objects} - {None}
    needed = {kind.needs_others if kind is not None else "" for kind in kinds}
    if len(needed) != 1 or "" in needed:
        return True
    (name,) = needed
    with_it = [
        entry
        for entry in entries
        if any(node.deployer is not None and node.deployer.kind == name for node in entry.nodes)
    ]
    return not with_it or any(is_within(root.folder, entry.folder) for entry in entries)


def _readers_of_deployers(entries: Iterable[Root], reads_below: str) -> Mapping[str, Set[str]]:
    """By folder of deploying objects that deployers with this reach apply: the folders of the roots that apply them."""
    readers: dict[str, set[str]] = {}
    for entry in entries:
        for node in entry.nodes:
            if (
                node.deployer is not None
                and node.deployer.reads_below == reads_below
                and any(map(is_deployer, node.rendering.objects))
            ):
                readers.setdefault(node.rendering.folder, set()).add(entry.folder)
    return readers


def _is_unread_subfolder(root: Root, files_only: Mapping[str, Set[str]], everything: Mapping[str, Set[str]]) -> bool:
    """Whether a root is inside such a folder that another root applies, but is not read with it: `apps/off/` inside
    `apps/`.

    Argo CD reads only the files of one folder without `directory.recurse`; overlays are built on their own. Flux reads
    all subfolders, unless a kustomization selects some. Folders where Flux applies itself to another cluster are
    excluded.
    """
    above = [folder for folder in folders_above(root.folder) if folder]
    if not root.is_kustomization and _is_read_by_another(root, above, files_only):
        return True
    if not root.nodes or root.nodes[0].is_deployed:
        return False
    own = root.nodes[0].rendering.folders
    return _is_read_by_another(root, (folder for folder in above if folder not in own), everything)


def _is_parked(root: Root, beside: Set[str], siblings: Siblings) -> bool:
    """Whether a folder of deploying objects lies `beside` another one that an entry point applies, and is not applied
    itself: `apps/parked` beside `apps/live`. Folders of environments, and those that apply such folders themselves, are
    bootstrapped one by one."""
    if role_label(root.folder, frozenset(), siblings) or any(_folders_of_deployers(root)):
        return False
    return any(folder in beside for folder in folders_above(root.folder) if folder)


def _folders_of_deployers(root: Root) -> Iterator[str]:
    """The folders of deploying objects that a root applies."""
    for node in root.nodes:
        if node.is_deployed and any(map(is_deployer, node.rendering.objects)):
            yield node.rendering.folder


def _is_read_by_another(root: Root, folders: Iterable[str], readers: Mapping[str, Set[str]]) -> bool:
    return any(readers.get(folder, frozenset()) - {root.folder} for folder in folders)


def _why_project_template(folder: str, around: _RootSurroundings) -> str:
    """The reason if a project generator copies a folder, unless the user asked for it."""
    below = _path_below(folder, around.asked)
    is_named = any(is_within(folder, template) for template in around.project_templates - {*around.asked})
    return _TEMPLATE if is_named or is_filled_in_by_generator(below) else ""


def _why_template(root: Root, templated: Set[str]) -> str:
    """The reason if a root is a kustomization that must still be rendered, or if all its objects have a placeholder as
    namespace."""
    own = root.nodes[0].rendering if root.nodes and not root.nodes[0].is_deployed else None
    if own is None or root.is_own:
        return ""
    if root.is_kustomization and not own.objects and not templated.isdisjoint(own.files):
        return "a template: nothing in view renders it"
    name = unfilled_namespace(own)
    return f"a template: nothing in view fills in {name}" if name else ""


_TESTS = frozenset(
    ("__fixtures__", "__tests__", "chainsaw", "e2e", "fixture", "fixtures", "kuttl", "test", "testdata", "tests")
)
_SAMPLES = frozenset({"example", "examples", "sample", "samples", "testing-samples"})
_COPIED = frozenset({"_boilerplate", "_scaffold", "_skeleton", "_template", "_templates"})
_GENERATED = frozenset({"_build", "_out", "build", "dist", "generated", "out", "output", "release", "rendered"})
_IN_CAPITALS = lazy_pattern("[A-Z][A-Z0-9_]*")
"""A placeholder in capitals, such as `TEAM_NAME`."""
_TEST_KINDS = frozenset(
    {
        ("chainsaw.kyverno.io", "Test"),
        ("cli.kyverno.io", "Test"),
        ("kuttl.dev", "TestAssert"),
        ("kuttl.dev", "TestCase"),
        ("kuttl.dev", "TestStep"),
        ("kuttl.dev", "TestSuite"),
    }
)

_FIXTURE = "a fixture of tests"
_EXAMPLE = "an example"
_TEMPLATE = "a template to be copied"
FIXTURES = frozenset({_FIXTURE, _EXAMPLE, _TEMPLATE})
"""The reasons for folders that exist for tests or readers only."""


def why_fixture(folder: str, asked: Sequence[str], test_folders: Iterable[str], label: Collection[str]) -> str:
    """Why a folder is considered not applied; empty if it is. The `asked` paths themselves do not count, because a user
    who checks `examples/` wants it. Segments in `label` name the environment, such as `test` beside `prod`."""
    segments = [segment for segment in _path_below(folder, asked).split("/") if segment not in label]
    if any(segment.lower().lstrip(".").removesuffix("-test") in _TESTS for segment in segments):
        return _FIXTURE
    if any(segment.lower().lstrip("_") in _SAMPLES for segment in segments):
        return _EXAMPLE
    if not _COPIED.isdisjoint(segments):
        return _TEMPLATE
    if any(folder == test or folder.startswith(f"{test}/") for test in test_folders if test):
        return _FIXTURE
    return ""


def is_generated(folder: str) -> bool:
    """Whether a folder has a typical name of generated output."""
    return not _GENERATED.isdisjoint(folder.lower().split("/"))


def _path_below(folder: str, asked: Sequence[str]) -> str:
    within = [path for path in asked if path and (folder == path or folder.startswith(f"{path}/"))]
    return folder[len(max(within, key=len)) :].lstrip("/") if within else folder


def is_test(obj: Object) -> bool:
    """Whether an object defines a test, so that its folder belongs to that test."""
    return (obj.group, obj.kind) in _TEST_KINDS


def unfilled_namespace(rendering: Rendering) -> str:
    """The placeholder used as namespace of all objects, as in a folder copied by a script; empty if any object has a
    real one."""
    names = [obj.name if obj.kind == "Namespace" else obj.namespace for obj in rendering.objects]
    written = [name for name in names if name]
    return written[0] if written and all(map(_is_unfilled, written)) else ""


def _is_unfilled(namespace: str) -> bool:
    if is_placeholder(namespace) or _IN_CAPITALS.fullmatch(namespace):
        return True
    # `your-namespace` in lower case is valid and may be meant.
    return namespace != namespace.lower() and is_stand_in(namespace)


def file_name(rendering: Rendering) -> str:
    """The file by which reports name a folder: its kustomization, else its first file with a quota, else its first with
    any object."""
    names = sorted(rendering.files)
    own = [name for name in names if posixpath.dirname(name) == rendering.folder]
    kustomized = [name for name in own if posixpath.basename(name).lower().startswith("kustomization")]
    limiting = {obj.place.source for obj in rendering.objects if limits_namespace(obj)}
    giving = limiting or {obj.place.source for obj in rendering.objects}
    return next(iter(kustomized or [name for name in own if name in giving] or own or names), rendering.folder)
