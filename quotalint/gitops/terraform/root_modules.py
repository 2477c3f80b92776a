"""Finds the root modules of a repository, and renders what they declare for Kubernetes.

A root module is a folder that no other module here calls, and that shows that it is applied by itself: it has a
backend, a provider, values for its variables, or needs none. Other such folders are modules for callers elsewhere.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from quotalint.gitops.charts import Charts
from quotalint.gitops.deployer import Sources
from quotalint.gitops.nodes import FoundRoots, Node, Root
from quotalint.gitops.rendering import Rendering
from quotalint.gitops.terraform.releases import rendered_release
from quotalint.kube.fields import mapping
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.faults import attempt
from quotalint.runtime.resource_limits import take_in
from quotalint.terraform.expressions import Scope, value_of
from quotalint.terraform.hcl import NOT_INSTALLED, Body, HclError, HclFile, is_installed, read_hcl, warm_up
from quotalint.terraform.modules import Declared, Module, Modules, Undeclared
from quotalint.terraform.plan import is_plan, planned
from quotalint.terraform.resources import Applied, applied_kind, applied_objects
from quotalint.terraform.values import RefusedError, plain_value
from quotalint.text.documents import Reading
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Place
from quotalint.text.sources import TERRAFORM_SUFFIXES
from quotalint.text.tree import Tree, join_path
from quotalint.unknowns.causes import TERRAFORM_PARSER, TERRAFORM_VALUES, SharedCause
from quotalint.unknowns.problems import EXPENSIVE, MISSING, UNREAD, UNRENDERED, Problem

_CALLED = lazy_pattern(rb'(?m)^[ \t]*source[ \t]*=[ \t]*"(\.\.?(?:/[^"\s]*)?)"')
_APPLIED = lazy_pattern(rb'(?m)^[ \t]*(?:backend[ \t]+"|cloud[ \t]*\{|provider[ \t]+"?[a-z])')
_SAMPLE = lazy_pattern("example|sample|template")
_VALUES = (".tfvars", ".tfvars.json")
_LIMITING = frozenset(("LimitRange", "ResourceQuota"))
_PODS = frozenset(
    ("CronJob", "DaemonSet", "Deployment", "Job", "Pod", "ReplicationController", "StatefulSet", "object")
)


def find_root_modules(sources: Sources, names: Sequence[str]) -> FoundRoots:
    """The roots of all root modules that declare objects of Kubernetes, themselves or through modules. `names` are the
    files with such resources."""
    tree = sources.folders.tree
    files = _files_by_folder(name for name in sources.templates_found if name.endswith(TERRAFORM_SUFFIXES))
    calls = {folder: _called_folders(folder, own, tree) for folder, own in files.items()}
    called = {target for targets in calls.values() for target in targets}
    declaring = {posixpath.dirname(name) for name in names}
    roots: list[Root] = []
    for folder in sorted(files.keys() - called):
        if declaring.isdisjoint(_reached(folder, calls)) or not _is_applied(folder, files[folder], tree):
            continue
        if not is_installed():
            problem = _missing_parser(Place(min(names)), any(sources.templates[name].limiting for name in names))
            roots.append(Root("", (Node(Rendering().lacking(problem), ""),), is_kustomization=False))
            break
        if not roots:
            warm_up()
        roots += _roots_of_folder(folder, files, tree, sources.charts)
    return FoundRoots(tuple(roots), files=frozenset(names))


def _files_by_folder(names: Iterable[str]) -> dict[str, list[str]]:
    files: dict[str, list[str]] = {}
    known = {name for name in names if not posixpath.splitext(name)[0].endswith("override")}
    for name in sorted(known):
        # OpenTofu reads main.tofu in place of main.tf.
        if f"{posixpath.splitext(name)[0]}.tofu" not in known or name.endswith(".tofu"):
            files.setdefault(posixpath.dirname(name), []).append(name)
    return files


def _called_folders(folder: str, names: Iterable[str], tree: Tree) -> frozenset[str]:
    paths = (path for name in names for path in _CALLED.findall(tree.data(name) or b""))
    return frozenset(join_path(folder, path.decode("utf-8", "replace")) for path in paths) - {folder}


def _reached(folder: str, calls: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The folder, and those of all modules that it calls."""
    reached, pending = {folder}, [folder]
    while pending:
        new = calls.get(pending.pop(), frozenset()) - reached
        reached |= new
        pending += new
    return frozenset(reached)


def _is_applied(folder: str, names: Iterable[str], tree: Tree) -> bool:
    """Whether a folder is applied by itself, and not only called from elsewhere."""
    data = [tree.data(name) or b"" for name in names]
    if any(_value_files(folder, tree)) or any(_APPLIED.search(text) for text in data):
        return True
    if tree.is_file(join_path(folder, ".terraform.lock.hcl")):
        return True
    return not any(_is_required(block) for text in data for block in (b"\n" + text).split(b"\nvariable ")[1:])


def _is_required(variable: bytes) -> bool:
    """Whether the text of a variable, and what follows, has no default."""
    first, _, rest = variable.partition(b"\n")
    return b"default" not in (first if first.rstrip().endswith(b"}") else rest.partition(b"\n}")[0])


class _ValueFiles(NamedTuple):
    always: tuple[str, ...] = ()
    """Files that are loaded by themselves; later ones win."""
    chosen: tuple[str, ...] = ()
    """Alternative files; `-var-file` names one."""


def _value_files(folder: str, tree: Tree) -> _ValueFiles:
    """The files with values of a folder's variables (Terraform, "Assigning values to root module variables")."""
    names = [name for name in tree.listing(folder).names if name.endswith(_VALUES)]
    stated = [name for name in ("terraform.tfvars", "terraform.tfvars.json") if name in names]
    automatic = sorted(name for name in names if name.endswith((".auto.tfvars", ".auto.tfvars.json")))
    always = [*stated, *automatic]
    chosen = [name for name in names if name not in always and not _SAMPLE.search(name.lower())]
    return _ValueFiles(
        tuple(join_path(folder, name) for name in always), tuple(join_path(folder, name) for name in chosen)
    )


def _roots_of_folder(folder: str, files: Mapping[str, Sequence[str]], tree: Tree, charts: Charts) -> Iterator[Root]:
    """A root for each file of values that may be chosen, else one."""
    values = _value_files(folder, tree)
    for chosen in values.chosen or ("",):
        given = (*values.always, *([chosen] if chosen else ()))
        environment = posixpath.basename(chosen).partition(".")[0] if len(values.chosen) > 1 else ""

        def failed(reason: str, is_expensive: bool, own: Sequence[str] = files[folder]) -> tuple[Rendering, ...]:
            problem = Problem(Place(own[0]), reason, MISSING, cause=EXPENSIVE if is_expensive else "", limits=True)
            return (Rendering(folder=folder, files=frozenset(own)).lacking(problem),)

        work = partial(_rendered, folder, given, files, tree, charts)
        own, *others = attempt("Terraform", folder, work, failed)
        nodes = (Node(own, environment, is_deployed=False), *(Node(each, environment) for each in others))
        yield Root(folder, nodes, is_kustomization=False, is_own=True)


def _rendered(
    folder: str, given: Sequence[str], files: Mapping[str, Sequence[str]], tree: Tree, charts: Charts
) -> tuple[Rendering, ...]:
    """What a root module declares, and then what its releases install."""
    used: set[str] = set()
    bodies: dict[str, Body] = {}
    problems: list[Problem] = []
    objects: list[Object] = []
    releases: list[Rendering] = []

    def body_of(own: str) -> Body:
        if own not in bodies:
            read = [body for name in files.get(own, ()) if (body := _read(name, tree, problems)) is not None]
            attributes = {name: value for body in read for name, value in body.attributes.items()}
            bodies[own] = Body(attributes, tuple(block for body in read for block in body.blocks))
        return bodies[own]

    inputs = _given_values(given, tree, problems)
    try:
        for declared in Module(Modules(tree, body_of, used.add), folder, inputs).declared():
            if isinstance(declared, Undeclared):
                problems += _problems_of(declared)
            elif declared.type == "helm_release":
                releases.append(rendered_release(declared, folder, charts))
            else:
                objects += _objects_of(declared, problems)
    except RefusedError as failure:
        problems.append(Problem(Place(files[folder][0]), f"{folder} is not rendered: {failure}", MISSING, limits=True))
    names = frozenset((*(name for own in bodies for name in files.get(own, ())), *given))
    rendering = _lacking(Rendering(tuple(objects), files=names, folder=folder), problems)
    # Files that it reads are not applied by themselves.
    return (rendering, *releases, *((Rendering(files=frozenset(used), folder=folder),) if used else ()))


def _read(name: str, tree: Tree, problems: list[Problem]) -> Body | None:
    data = tree.data(name) or b""
    take_in(len(data))
    try:
        return read_hcl(name, data)
    except HclError as failure:
        problem = Problem(Place(name), str(failure), MISSING, cause=UNREAD, limits=True)
        problems.append(problem._replace(line=failure.line, column=failure.column))
        return None


def _given_values(names: Sequence[str], tree: Tree, problems: list[Problem]) -> dict[str, Callable[[], object]]:
    """The values of variables in files; a later file wins."""

    def nothing(first: str, _: Sequence[object]) -> tuple[object, int]:
        raise RefusedError(f"{first} is not known in a file of values")

    values: dict[str, Callable[[], object]] = {}
    for name in names:
        if name.endswith(".json"):
            reading = tree.reading(name)
            table = mapping(reading.documents[0].value) if reading is not None and reading.documents else {}
            values |= {key: partial(plain_value, value) for key, value in table.items()}
        elif (body := _read(name, tree, problems)) is not None:
            scope = Scope(HclFile(name, ""), nothing, lambda _: None)
            values |= {key: partial(value_of, attribute, scope) for key, attribute in body.attributes.items()}
    return values


def _objects_of(declared: Declared, problems: list[Problem]) -> tuple[Object, ...]:
    """The objects that a resource applies; what is unknown of them is added to the problems."""
    if not applied_kind(declared.type):
        return ()
    applied = applied_objects(declared.type, declared.values, declared.origin, declared.via)
    problems += _problems_of_resource(applied, declared.address, declared.place)
    return applied.objects


def _problems_of_resource(applied: Applied, address: str, place: Place) -> Iterator[Problem]:
    if applied.hidden:
        yield from _hidden(place, address, applied.why, applied.hidden, applied.causes)
    elif applied.causes:
        names = ", ".join(applied.causes)
        reason = f"{address} depends on what is not known here: {names}"
        shared = SharedCause(TERRAFORM_VALUES, names)
        yield Problem(applied.unknown or place, reason, UNRENDERED, shared=shared, subject=address)


def root_of_plan(name: str, reading: Reading) -> Root:
    """The root of a plan that was read."""
    planned_resources = [
        resource
        for document in reading.documents
        if is_plan(document.value)
        for resource in planned(document.value, Place(name, document.index))
    ]
    problems = tuple(
        problem
        for resource in planned_resources
        for problem in _problems_of_resource(resource.applied, resource.address, resource.place)
    )
    folder = posixpath.dirname(name)
    objects = tuple(obj for resource in planned_resources for obj in resource.applied.objects)
    rendering = Rendering(objects, files=frozenset({name}), folder=folder)
    return Root(folder, (Node(_lacking(rendering, problems), ""),), is_kustomization=False, is_own=True)


def _lacking(rendering: Rendering, problems: Sequence[Problem]) -> Rendering:
    missing = rendering.lacking(*(problem for problem in problems if problem.kind == MISSING))
    return missing._replace(problems=tuple(problems))


def _problems_of(undeclared: Undeclared) -> Iterator[Problem]:
    kind = "object" if undeclared.type in ("module", "helm_release") else applied_kind(undeclared.type)
    if undeclared.source:
        why = f"the module {undeclared.source} is not in this repository"
        namespace = undeclared.namespace if isinstance(undeclared.namespace, str) else ""
        yield from _hidden(undeclared.place, undeclared.address, why, kind, (undeclared.source,), namespace)
    elif kind:
        why = "how often it is applied is unknown"
        yield from _hidden(undeclared.place, undeclared.address, why, kind, undeclared.causes)


def _hidden(
    place: Place, address: str, why: str, kind: str, causes: Sequence[str], namespace: str = ""
) -> Iterator[Problem]:
    """The problem of a resource that is not counted."""
    names = ", ".join(causes)
    reason = f"{address} is not counted: {why}{f': {names}' if names and names not in why else ''}"
    shared = SharedCause(TERRAFORM_VALUES, names) if names else None
    problem = Problem(place, reason, MISSING, namespace=namespace, shared=shared, subject=address)
    only = () if kind in _PODS else (kind,)
    yield problem._replace(limits=kind in _LIMITING, only=only)


def _missing_parser(place: Place, limits: bool) -> Problem:
    reason = f"files of Terraform are not read: {NOT_INSTALLED}"
    shared = SharedCause(TERRAFORM_PARSER, "python-hcl2")
    return Problem(place, reason, MISSING, shared=shared, subject="Terraform", limits=limits)
