"""Whether a placeholder is in a plain manifest that is applied as it is, with no script, pipeline or scaffolding near
it that fills it in."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterator

from quotalint.accounts.facts import Facts
from quotalint.deployed import APPLIED_AS_WRITTEN
from quotalint.kube.amounts import is_placeholder, is_stand_in
from quotalint.kube.fields import dig, mapping, text
from quotalint.kube.objects import Object, objects
from quotalint.kube.pod_resources import stated_resources
from quotalint.named_tuples import NamedTuple
from quotalint.text.disk import FolderEntry, entries_of, open_file
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Path, Place, Whole
from quotalint.text.reading import File
from quotalint.text.sources import TERRAFORM_SUFFIXES
from quotalint.text.tree import KUSTOMIZATION_NAMES

_FOLDERS = lazy_pattern(
    r"(?i)templat|scaffold|skeleton|cookiecutter|copier|blueprint|boilerplate|archetype|example|sample|tests?$|testdata"
    r"|e2e|fixture|^docs?$|generator|^hack$|starter|[{<%$]|__"
)
_FILES = lazy_pattern(r"(?i)templat|example|sample|\btpl\b|tmpl|skeleton|boilerplate")


_Choice = Callable[[str], bool]


class _NeighbourCounts(NamedTuple):
    """How many manifests of some folders have no placeholder (`plain`), and how many have one (`unfilled`)."""

    plain: int
    unfilled: int


def amounts_filled_in_later(facts: Facts) -> frozenset[Place]:
    """The places of amounts for which a quota or LimitRange is refused, but which something fills in first."""
    refused = [(refused_quota.quota.object, refused_quota.errors) for refused_quota in facts.refused]
    refused += [(limits.object, facts.errors.get(limits.place, ())) for limits in facts.limit_ranges]
    return frozenset(
        obj.at(*error.path) for obj, errors in refused for error in errors if is_filled_in_later(obj, error.path, facts)
    )


def is_filled_in(obj: Object, path: Path, written: str, facts: Facts) -> bool:
    """Whether something in view may fill in an object's placeholder at a path, or nobody applies the object as it
    is."""
    name = obj.at(*path).real.source
    if name.endswith(TERRAFORM_SUFFIXES):
        return True  # Terraform evaluates it; QL003 says what is not in view
    if not _is_applied_as_written(obj, facts) or name in _ALONE or _shows_replacement(obj, name, written, facts):
        return True
    return not is_among_plain_manifests(name, facts)


_ALONE = ("<stdin>",)


def _shows_replacement(obj: Object, name: str, written: str, facts: Facts) -> bool:
    """Whether the name of the file or folder, or a reader of it, shows that it is filled in."""
    if has_template_name(name):
        return True
    if any("avp.kubernetes.io" in str(key) for key in mapping(obj.metadata.get("annotations"))):
        return True  # the Vault plugin of Argo CD
    return is_filled_by_script(name, written, facts.settings.repository)


def is_filled_in_later(obj: Object, path: Path, facts: Facts) -> bool:
    """Whether the text at a path is a variable such as `PVC_SIZE` that something fills in. A word alone does not make a
    template: without other files beside it, it is applied and refused."""
    written = dig(obj.body, *path)
    if not isinstance(written, str) or not is_stand_in(written):
        return False
    name = obj.at(*path).real.source
    if name in _ALONE or not _has_neighbours(name, facts):
        return not _is_applied_as_written(obj, facts) or _shows_replacement(obj, name, written, facts)
    return is_filled_in(obj, path, written, facts)


def _is_applied_as_written(obj: Object, facts: Facts) -> bool:
    """Whether an object is applied as in its file: by hand, or by a deployer that only applies files."""
    rendered_from = obj.place.made
    if rendered_from is None:
        return not _may_substitute(facts)
    if isinstance(rendered_from.origin, Whole) or rendered_from.patches:
        return False
    files = {file.source.name: file for file in facts.repository.files}
    ways = [_document_value(place, files) for place in rendered_from.via if not _is_kustomization(place)]
    is_built = len(ways) < len(rendered_from.via)
    # A person may fill in the output of a kustomization; a deployer applies it as it is.
    return all(map(_only_applies, ways)) and (not is_built or (_has_deployers(facts) and not _may_substitute(facts)))


def _may_substitute(facts: Facts) -> bool:
    """Whether a Flux Kustomization or an Argo CD plugin that could not be followed may fill it in."""
    return any(
        (deployer.kind == "Kustomization" and "postBuild" in deployer.spec)
        or dig(deployer.spec, "source", "plugin") is not None
        for deployer in _deployers(facts)
    )


def _has_deployers(facts: Facts) -> bool:
    return next(_deployers(facts), None) is not None


def _deployers(facts: Facts) -> Iterator[Object]:
    for group, kind in APPLIED_AS_WRITTEN:
        yield from facts.cluster.of(group, kind)


def _document_value(place: Place, files: dict[str, File]) -> object:
    file = files.get(place.source)
    documents = file.reading.documents if file is not None else ()
    return next((document.value for document in documents if document.index == place.document), None)


def _is_kustomization(place: Place) -> bool:
    return posixpath.basename(place.source) in KUSTOMIZATION_NAMES


def _only_applies(value: object) -> bool:
    body = mapping(value)
    if (text(body.get("apiVersion")).partition("/")[0], text(body.get("kind"))) not in APPLIED_AS_WRITTEN:
        return False
    fills = dig(body, "spec", "postBuild"), dig(body, "spec", "source", "plugin")
    return all(filling is None for filling in fills)


def has_template_name(name: str) -> bool:
    """Whether the name of the file or of a folder above it says that it is a template."""
    *folders, last = name.split("/")
    return any(_FOLDERS.search(folder) for folder in folders) or _FILES.search(last) is not None


def _has_neighbours(name: str, facts: Facts) -> bool:
    """Whether other manifests are in the folder of a file, or in the folders beside it."""
    folder = posixpath.dirname(name)
    around = (folder, posixpath.dirname(folder))
    counts = _count_neighbours(name, facts, lambda other: other == folder or posixpath.dirname(other) in around)
    return counts != _NeighbourCounts(0, 0)


def is_among_plain_manifests(name: str, facts: Facts) -> bool:
    """Whether most manifests in the folder of a file have no placeholder; if the folder does not decide, most manifests
    in the folders beside it. A folder in which every manifest has a placeholder is a template."""
    folder = posixpath.dirname(name)
    here = _count_neighbours(name, facts, lambda other: other == folder)
    if here.plain > here.unfilled or (here.unfilled and not here.plain):
        return here.plain > here.unfilled
    parent = posixpath.dirname(folder)
    neighbours = _count_neighbours(
        name, facts, lambda other: bool(folder) and posixpath.dirname(other) == parent != other
    )
    # A half-filled folder among plain ones was forgotten.
    return neighbours.plain > (_MANY * neighbours.unfilled if here.unfilled else neighbours.unfilled)


_MANY = 3


def _count_neighbours(name: str, facts: Facts, is_one: _Choice) -> _NeighbourCounts:
    plain = unfilled = 0
    for file in facts.repository.files:
        other = file.source.name
        if other == name or posixpath.basename(other) in KUSTOMIZATION_NAMES or not is_one(posixpath.dirname(other)):
            continue
        names = list(_object_names(file))
        plain += bool(names) and not any(map(is_stand_in, names))
        unfilled += any(map(is_stand_in, names)) or (bool(file.reading.failures) and file.templated)
    return _NeighbourCounts(plain, unfilled)


def _object_names(file: File) -> Iterator[object]:
    for document in file.reading.documents:
        for obj in objects(document.value, Place(file.source.name, document.index)):
            yield obj.name
            yield obj.namespace
            yield from mapping(obj.spec.get("hard")).values()
            yield from (written for stated in stated_resources(obj) for _, _, written in stated.amounts())


_SCAFFOLDS = (
    "cookiecutter.json",
    "copier.yml",
    "copier.yaml",
    ".copier-answers.yml",
    "plopfile.js",
    "ytt",
    ".kluctl.yaml",
)
_PIPELINES = (".github/workflows", ".gitlab", ".tekton", ".circleci")
_BESIDE = (".", "scripts", "script", "bin", "hack", "ci", "tools", *_PIPELINES)
_SCRIPTS = lazy_pattern(
    r"(?i)^(makefile|gnumakefile|jenkinsfile|taskfile|justfile|tiltfile|earthfile|rakefile|dockerfile|\.?gitlab-ci"
    r"|azure-pipe|bitbucket-pipe|cloudbuild|buildspec|skaffold|kluctl|devspace|\.?copier|cookiecutter)|\.(sh|bash|mk|py|rb|js|ts|go|ps1"
    r"|tf|tfvars|jsonnet|nix|groovy|env|md|tmpl|tpl|j2)$|^\.env"
)
_TOOLS = lazy_pattern(
    rb"envsubst|gomplate|\bytt\b|jinja2?\b|ansible|mustache|consul-template|kluctl|kapitan|\brender\b"
)
_MOST_FILES, _MOST_BYTES = 200, 1 << 18


def is_filled_by_script(name: str, written: str, repository: str) -> bool:
    """Whether a file in the folders around mentions the variable, or a tool that fills in templates. `name` is relative
    to the working directory."""
    about, tools = _replacing_pattern(written)
    for path in _filling_scripts(os.path.dirname(os.path.abspath(name)), os.path.abspath(repository)):
        if os.path.basename(path) in _SCAFFOLDS:
            return True
        try:
            with open_file(path) as file:
                content = file.read(_MOST_BYTES)
        except OSError:
            continue
        if (tools and _TOOLS.search(content)) or (about is not None and about.search(content)):
            return True
    return False


def _replacing_pattern(written: str) -> tuple[re.Pattern[bytes] | None, bool]:
    """The pattern for scripts that fill it in, and whether a template tool alone is enough."""
    plain = written.strip(_AROUND)
    if not is_placeholder(written) and plain.upper().replace("-", "_") in _LEFT_FOR_AUTHORS:
        return re.compile(_REPLACING % re.escape(plain.encode()), re.MULTILINE), False
    variable = re.search(r"[A-Za-z][A-Za-z0-9_]{2,}", written)
    if variable is None:
        return None, True
    word = re.escape(variable[0].rstrip("_").encode())
    return re.compile(rb"(?<![A-Za-z0-9_])_*%s_*(?![A-Za-z0-9_])" % word), True


_AROUND = " *[]%"
_LEFT_FOR_AUTHORS = frozenset(
    ("CHANGEME", "CHANGE_ME", "FIXME", "GENERATED", "REDACTED", "REPLACEME", "REPLACE_ME", "TBD", "TODO", "XXX")
)
"""Words that scripts often have in comments: only a command that replaces them fills them in."""
_REPLACING = (
    rb"^(?![ \t]*(?:#|//|/?\*))(?:(?!\s#\s|//)[^\n])*(?:\b(?:awk|perl|sed|subst\w*|yq)\b|\b[gm]?sub\(|(?i:replace))"
    rb"(?:(?!\s#\s)[^\n])*(?<!\w)%s(?!\w)"
)


def _filling_scripts(folder: str, top: str) -> Iterator[str]:
    remaining = _MOST_FILES
    for around in _folders_upwards(folder, top):
        for subfolder in _BESIDE:
            for entry in _sorted_entries(os.path.join(around, subfolder)):
                is_script = entry.name in _SCAFFOLDS or _SCRIPTS.search(entry.name) or subfolder in _PIPELINES
                if is_script and remaining and entry.is_file():
                    remaining -= 1
                    yield entry.path


def _folders_upwards(folder: str, top: str) -> Iterator[str]:
    while True:
        yield folder
        if folder == top or folder == os.path.dirname(folder):
            return
        folder = os.path.dirname(folder)


def _sorted_entries(folder: str) -> list[FolderEntry]:
    try:
        return sorted(entries_of(folder), key=lambda entry: entry.name)
    except OSError:
        return []
