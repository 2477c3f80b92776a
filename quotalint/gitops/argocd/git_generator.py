"""The git generator: parameters from the folders or files of a repository (applicationset/generators/git.go)."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence

from quotalint.gitops.argocd.parameter_sets import StringList, decode_value, flatten_parameters
from quotalint.gitops.argocd.set_templates import UnexpandableError
from quotalint.gitops.go.text_functions import normalize_name
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.named_tuples import NamedTuple
from quotalint.text.glob_dialects import git_pathspec, path_match
from quotalint.text.globs import covers


class RepositoryFiles(NamedTuple):
    """Access to the repository that the generator reads."""

    folders: Callable[[], Sequence[str]]
    """All folders relative to the root, sorted; "" is the root."""
    files: Callable[[], Sequence[str]]
    """All files relative to the root, sorted."""
    read: Callable[[str], object | None]
    """The first document of a YAML or JSON file; None if it cannot be read."""
    is_here: Callable[[str], bool]
    """Whether a repoURL is this repository."""
    why_elsewhere: Callable[[str, str], str] = lambda _url, _revision: ""
    """For (repoURL, revision): why that is not the content in view; empty if it is."""


def folder_parameters(generator: Body, repository: RepositoryFiles, *, go: bool) -> Iterator[dict[str, object]]:
    """One parameter set for each folder that is matched and not excluded; hidden folders never match."""
    wanted: list[Matches] = []
    unwanted: list[Matches] = []
    for directory in map(mapping, sequence(generator.get("directories"))):
        matches = folder_pattern(text(directory.get("path")))
        if matches is not None:
            (unwanted if directory.get("exclude") is True else wanted).append(matches)
    for folder in repository.folders():
        if not folder or folder.startswith(".") or "/." in folder:
            continue
        if any(matches(folder) for matches in wanted) and not any(matches(folder) for matches in unwanted):
            yield _path_parameters(folder, "", text(generator.get("pathParamPrefix")), go=go)


def file_parameters(
    generator: Body, repository: RepositoryFiles, unknown: list[str], *, go: bool
) -> Iterator[dict[str, object]]:
    """One parameter set for each matching file, or for each item of a file that is a list. Raises UnexpandableError."""
    prefix = text(generator.get("pathParamPrefix"))
    for name in _selected_files(generator, repository):
        content = repository.read(name)
        if content is None:
            unknown.append(f"{name} cannot be read, so what the git generator takes from it is not known")
            continue
        items = content if isinstance(content, list) else [content]
        for item in items:
            if not isinstance(item, dict) and (item is not None or not isinstance(content, list)):
                raise UnexpandableError(f"{name} is neither a mapping nor a list of mappings")
            parameters = mapping(decode_value(item))
            path = _path_parameters(posixpath.dirname(name) or ".", posixpath.basename(name), prefix, go=go)
            yield {**(parameters if go else flatten_parameters(parameters)), **path}


def _selected_files(generator: Body, repository: RepositoryFiles) -> list[str]:
    wanted: list[Matches] = []
    unwanted: list[Matches] = []
    for file in map(mapping, sequence(generator.get("files"))):
        matches = file_pattern(text(file.get("path")))
        if isinstance(matches, str):
            raise UnexpandableError(f"the git generator's pattern {text(file.get('path'))!r}: {matches}")
        (unwanted if file.get("exclude") is True else wanted).append(matches)
    return [
        name
        for name in repository.files()
        if any(matches(name) for matches in wanted) and not any(matches(name) for matches in unwanted)
    ]


def _path_parameters(folder: str, name: str, prefix: str, *, go: bool) -> dict[str, object]:
    base = folder.rpartition("/")[2]
    segments = StringList(folder.split("/"))
    parts: dict[str, object] = {"basename": base, "basenameNormalized": normalize_name(base)}
    if name:
        parts.update(filename=name, filenameNormalized=normalize_name(name))
    if go:
        path = {"path": {"path": folder, "segments": segments, **parts}}
        return {prefix: path} if prefix else dict(path)
    key_prefix = f"{prefix}.path" if prefix else "path"
    flat_parts = {f"{key_prefix}.{key}": value for key, value in parts.items()}
    numbered = {f"{key_prefix}[{index}]": segment for index, segment in enumerate(segments) if segment}
    return {key_prefix: folder, **flat_parts, **numbered}


Matches = Callable[[str], bool]


def folder_pattern(pattern: str) -> Matches | None:
    """A matcher of folder paths as path.Match works; None for a malformed pattern, which matches nothing."""
    glob = path_match(pattern)
    return None if glob is None else lambda path: covers(glob, path)


def file_pattern(pattern: str) -> Matches | str:
    """A matcher of files as git's pathspec works; or why the pattern is refused or not supported here."""
    if pattern.startswith(":"):
        return "git's pathspec magic (`:`) is not supported here"
    if pattern.startswith("/"):
        return "it is outside the repository"
    plain = posixpath.normpath(pattern) if pattern else "."
    if plain == ".." or plain.startswith("../"):
        return "it is outside the repository"
    if plain == ".":
        return lambda _path: True
    folder = plain + "/"
    if _SPECIAL.isdisjoint(plain):
        only = pattern.endswith("/")
        return lambda path: path.startswith(folder) or (path == plain and not only)
    if pattern.endswith("/"):
        plain = folder
    if "[[:" in plain:
        return "character classes such as `[[:alpha:]]` are not supported here"
    glob = git_pathspec(plain)

    def matches(path: str) -> bool:
        return path == plain or path.startswith(folder) or (glob is not None and covers(glob, path))

    return matches


_SPECIAL = frozenset("*?[\\")
