"""Inputs of an Application's source: build variables, values files and file parameters of a chart.

Source: argo-cd 3.x, reposerver/repository/repository.go (newEnv, runManifestGenAsync, getResolvedValueFiles),
pkg/apis/application/v1alpha1/types.go (Envsubst); globs in valueFiles since 3.4, as in docs/user-guide/helm.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from quotalint.gitops.deployer import Context, locate_path
from quotalint.gitops.origins import argo_origin, is_of_another, why_elsewhere
from quotalint.gitops.remote_sources import locate_repository
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.tree import join_path, matching_files
from quotalint.unknowns.causes import Reason

_VARIABLE = lazy_pattern(r"\$(?:\$|\{([^}]*)\}|(\w+))")
_REVISION = "0" * 40  # the commit is unknown; it affects no amount


def build_environment(obj: Object, source: Body) -> Mapping[str, str]:
    """The build environment variables of one source of an Application."""
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
    """A text with variables replaced; an unknown one becomes empty, `$$` a dollar sign (os.Expand)."""
    return _VARIABLE.sub(lambda match: _variable_value(match, environment), written) if "$" in written else written


def _variable_value(match: re.Match[str], environment: Mapping[str, str]) -> str:
    name = match[1] if match[1] is not None else match[2]
    return "$" if name is None else environment.get(name, "")


def vendored_repository(source: Body, context: Context) -> str | None:
    """The folder that stands for the repository of a source: the settings', or the vendored one. None if there is none,
    a Reason if what is vendored must not count."""
    url = text(source.get("repoURL"))
    folder = context.vendored(url)
    if folder is not None or not is_of_another(url, context.above, context.is_here):
        return folder
    return locate_repository(url, text(source.get("targetRevision")), context.folders.tree) or None


class ChartFileLookup(NamedTuple):
    """Where the files of a chart are looked up."""

    folder: str
    """The chart's folder."""
    references: Mapping[str, Body]
    """The sources with a `ref`, which paths refer to with `$`."""
    environment: Mapping[str, str]


class ChartFiles(NamedTuple):
    """The values files and file parameters of a chart."""

    values: tuple[str, ...]
    parameters: tuple[tuple[str, str], ...]
    """Name of the parameter, and the file with its value."""
    hidden: tuple[str, ...]
    """Why other files are not in view."""


def find_chart_files(obj: Object, helm: Body, given_from: ChartFileLookup, context: Context) -> ChartFiles:
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
        there = [name for name in names if context.folders.tree.is_file(name)]
        if not there and helm.get("ignoreMissingValueFiles") is not True:
            hidden.append(f"there is no values file {written if pattern else names[0]}")
        # A file matched by a glob counts once; if it is also listed by name, at that position.
        values += [name for name in there if not pattern or name not in (*named, *values)]
    for parameter in map(mapping, sequence(helm.get("fileParameters"))):
        written = text(parameter.get("path"))
        name = _find_file(obj, written, given_from, context)
        if isinstance(name, _Hidden):
            hidden.append(f"the file {written} of a parameter {name.why}")
        else:
            parameters.append((text(parameter.get("name")), name))
    return ChartFiles(tuple(values), tuple(parameters), tuple(hidden))


_GLOB = lazy_pattern(r"[*?\[]")


class _Hidden(NamedTuple):
    """Why a file is not in view."""

    why: str


def _find_files(obj: Object, written: str, given_from: ChartFileLookup, context: Context) -> tuple[str, ...] | _Hidden:
    """The file at a path, or the files that a glob matches: those of a folder before those of its subfolders, by
    name."""
    sign = _GLOB.search(written)
    before, slash, _ = written[: sign.start()].rpartition("/") if sign else (written, "", "")
    folder = _find_file(obj, before or slash or ".", given_from, context)
    if sign is None or isinstance(folder, _Hidden):
        return (folder,) if isinstance(folder, str) else folder
    pattern = filled_in(written[len(before) + len(slash) :], given_from.environment)
    return tuple(matching_files(context.folders.tree, folder, pattern))


def _find_file(obj: Object, written: str, given_from: ChartFileLookup, context: Context) -> str | _Hidden:
    """The file at a path: in a referenced source, from the repository root, or relative to the chart."""
    reference, _, below = written[1:].partition("/")
    if written.startswith("$") and reference in given_from.references:
        source = given_from.references[reference]
        below = filled_in(below, given_from.environment)
        folder = vendored_repository(source, context)
        if isinstance(folder, Reason):
            return _Hidden(f"is not in view: {folder}")
        if folder is None and why_elsewhere(argo_origin(source), context.above, context.is_here):
            return _Hidden("is not in this repository")
        return locate_path(below, obj, context) if folder is None else join_path(folder, below)
    if written.startswith("$") and sequence(obj.spec.get("sources")):
        # With several sources, `$` always refers to a source, never to a variable.
        return _Hidden("names a source that there is not, so that Argo CD refuses it")
    filled = filled_in(written, given_from.environment)
    if "://" in filled:
        return _Hidden("is remote")
    return locate_path(filled, obj, context) if filled.startswith("/") else join_path(given_from.folder, filled)
