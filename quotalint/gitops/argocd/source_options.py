"""What fills the options of an Application's source: variables, and the files that a chart is given.

Source: argo-cd 3.x, reposerver/repository/repository.go (newEnv, runManifestGenAsync, getResolvedValueFiles),
pkg/apis/application/v1alpha1/types.go (Envsubst); patterns among the values files since 3.4, as docs/user-guide/helm.md
has them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from quotalint.gitops.context import Context, at_home
from quotalint.gitops.origins import argo_origin, why_elsewhere
from quotalint.gitops.tree import join_path, matching_files
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern

_VARIABLE = lazy_pattern(r"\$(?:\$|\{([^}]*)\}|(\w+))")
_REVISION = "0" * 40  # which commit it will be, nobody knows; it decides no amount


def build_environment(obj: Object, source: Body) -> Mapping[str, str]:
    """The variables of one source of an Application."""
    return {
        "ARGOCD_APP_NAME": obj.name,
        "ARGOCD_APP_NAMESPACE": text(dig(obj.spec, "destination", "namespace")),
        "ARGOCD_APP_PROJECT_NAME": text(obj.spec.get("project")),
        "ARGOCD_APP_REVISION": _REVISION,
        "ARGOCD_APP_REVISION_SHORT": _REVISION[:7],
        "ARGOCD_APP_REVISION_SHORT_8": _REVISION[:8],
        "ARGOCD_APP_SOURCE_REPO_URL": text(source.get("repoURL")),
        "ARGOCD_APP_SOURCE_PATH": text(source.get("path")),
        "ARGOCD_APP_SOURCE_TARGET_REVISION": text(source.get("targetRevision")),
    }


def filled_in(written: str, environment: Mapping[str, str]) -> str:
    """A text with its variables; one that there is not is empty, and `$$` is a dollar sign (os.Expand)."""
    return _VARIABLE.sub(lambda match: _variable_value(match, environment), written) if "$" in written else written


def _variable_value(match: re.Match[str], environment: Mapping[str, str]) -> str:
    name = match[1] if match[1] is not None else match[2]
    return "$" if name is None else environment.get(name, "")


class GivenFrom(NamedTuple):
    """Where the files of a chart may lie."""

    folder: str
    """That of the chart."""
    references: Mapping[str, Body]
    """The sources that a path names with `$`."""
    environment: Mapping[str, str]


class GivenFiles(NamedTuple):
    """What a chart is given from files."""

    values: tuple[str, ...]
    parameters: tuple[tuple[str, str], ...]
    """A value, and the file that holds it."""
    hidden: tuple[str, ...]
    """Why others are not in view."""


def given_files(obj: Object, helm: Body, given_from: GivenFrom, context: Context) -> GivenFiles:
    """The files of `valueFiles` and `fileParameters`."""
    values: list[str] = []
    parameters, hidden = [], []
    written_names = tuple(map(text, sequence(helm.get("valueFiles"))))
    listed = [(_GLOB.search(written), _find_files(obj, written, given_from, context)) for written in written_names]
    named = {name for pattern, names in listed if not pattern and isinstance(names, tuple) for name in names}
    for written, (pattern, names) in zip(written_names, listed, strict=True):
        if isinstance(names, _Hidden):
            hidden.append(f"the values file {written} {names.why}")
            continue
        there = [name for name in names if context.units.tree.is_file(name)]
        if not there and helm.get("ignoreMissingValueFiles") is not True:
            hidden.append(f"there is no values file {written if pattern else names[0]}")
        # What a pattern matches counts once, and where its own name stands if that is listed too.
        values += [name for name in there if not pattern or name not in (*named, *values)]
    for parameter in map(mapping, sequence(helm.get("fileParameters"))):
        written = text(parameter.get("path"))
        name = _find_file(obj, written, given_from, context)
        if isinstance(name, _Hidden):
            hidden.append(f"the file {written} of a parameter {name.why}")
        else:
            parameters.append((text(parameter.get("name")), name))
    return GivenFiles(tuple(values), tuple(parameters), tuple(hidden))


_GLOB = lazy_pattern(r"[*?\[]")


class _Hidden(NamedTuple):
    """A file that is not in view."""

    why: str


def _find_files(obj: Object, written: str, given_from: GivenFrom, context: Context) -> tuple[str, ...] | _Hidden:
    """The file that a path names, or those that a pattern matches: those of a folder before those below it, by name."""
    sign = _GLOB.search(written)
    before, slash, _ = written[: sign.start()].rpartition("/") if sign else (written, "", "")
    folder = _find_file(obj, before or slash or ".", given_from, context)
    if sign is None or isinstance(folder, _Hidden):
        return (folder,) if isinstance(folder, str) else folder
    pattern = filled_in(written[len(before) + len(slash) :], given_from.environment)
    return tuple(matching_files(context.units.tree, folder, pattern))


def _find_file(obj: Object, written: str, given_from: GivenFrom, context: Context) -> str | _Hidden:
    """The file of the source that a path names, of the repository, or beside the chart."""
    reference, _, below = written[1:].partition("/")
    if written.startswith("$") and reference in given_from.references:
        source = given_from.references[reference]
        below = filled_in(below, given_from.environment)
        folder = context.vendored(text(source.get("repoURL")))
        if folder is None and why_elsewhere(argo_origin(source), context.above, context.is_here):
            return _Hidden("is not in this repository")
        return at_home(below, obj, context) if folder is None else join_path(folder, below)
    if written.startswith("$") and sequence(obj.spec.get("sources")):
        # Where there are several, the sign is that of a source, never of a variable.
        return _Hidden("names a source that there is not, so that Argo CD refuses it")
    filled = filled_in(written, given_from.environment)
    if "://" in filled:
        return _Hidden("is remote")
    return at_home(filled, obj, context) if filled.startswith("/") else join_path(given_from.folder, filled)
