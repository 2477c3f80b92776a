"""Loads the Settings from `.quotalint.yaml` and the command line.

The nearest file in the folders above the first path counts, or the one that `--config` names. The options `--select`,
`--fail-on`, `--nodes` (the default count), `--enforcement` and `--kube-version` replace the file's values, and
`--ignore` adds to them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any

from quotalint.named_tuples import NamedTuple
from quotalint.settings import ConfigError, Options, Particular, Settings, with_slashes
from quotalint.text.disk import is_file, is_folder, is_there
from quotalint.text.files import content, leads_out_of_git, lies_in

NAME = ".quotalint.yaml"
NAMES = (NAME, ".quotalint.yml", "quotalint.yaml", "quotalint.yml")
"""Names of configuration files; the last two count only if the content is not another manifest."""
_LOOK = 1 << 16  # bytes in which a manifest's `apiVersion` is expected


class Disagreement(NamedTuple):
    """Why it is unclear which configuration file is meant."""

    reason: str


def configurations_in(folder: str) -> tuple[str, ...]:
    """The configuration files of a folder; more than one is an error."""
    paths = (os.path.join(folder, name) for name in NAMES)
    return tuple(path for path in paths if is_file(path) and (_is_hidden(path) or not _is_manifest(path)))


def nearest_configuration(paths: Sequence[str], top: str) -> str | Disagreement | None:
    """The nearest configuration file above all paths, up to the folder `top`; a Disagreement if the paths have
    different ones."""
    configurations: dict[str, str | None] = {}
    for path in paths:
        folder = folder_of(path)
        while not (files := configurations_in(folder)) and folder not in (top, os.path.dirname(folder)):
            folder = os.path.dirname(folder)
        if len(files) > 1:
            names = " and ".join(map(_shown_path, files))
            return Disagreement(f"which configuration counts, {names}? Remove one, or name one with `--config`")
        configurations.setdefault(path, files[0] if files else None)
    if len(set(configurations.values())) > 1:
        says = ", ".join(f"{path}: {_shown_path(file) if file else 'none'}" for path, file in configurations.items())
        cure = "check them one by one, or name one with `--config`"
        return Disagreement(f"the paths have several configurations ({says}): {cure}")
    return next(iter(configurations.values()), None)


def folder_of(path: str) -> str:
    """The absolute folder that contains a path, existing or not; for standard input the working directory."""
    folder = os.path.abspath(path if path != "-" else ".")
    while not is_folder(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    return folder


def _is_hidden(path: str) -> bool:
    return os.path.basename(path).startswith(".")


def _is_manifest(path: str) -> bool:
    try:
        data = content(path, _LOOK) or b""
    except (OSError, ValueError):
        return False
    return data.startswith((b"apiVersion:", b"kind:")) or b"\napiVersion:" in data


def load_settings(
    paths: Sequence[str],
    options: Options,
    known_rules: frozenset[str] | None = None,
    top: str = "",
    *,
    configured: bool = True,
) -> Settings | tuple[ConfigError, ...]:
    """The settings for a run over these paths, or all errors in them.

    `known_rules` are the existing ids; without them every well-formed id is accepted. Ids with `QLC`, of the user's own
    rules, are checked only if there are such rules. No file is searched above the folder `top`, and none at all unless
    `configured`.
    """
    start = folder_of(paths[0] if paths else ".")
    file = options.config if configured else None
    if file is None and configured:
        nearest = nearest_configuration(paths or (".",), top)
        if isinstance(nearest, Disagreement):
            return (ConfigError(nearest.reason, None, None, None),)
        file = nearest
    option_fields: dict[str, Any] = {}
    errors: tuple[ConfigError, ...] = ()
    if any(option is not None for option in options[1:]):
        from quotalint.settings.file import of_options

        option_fields, errors = of_options(options, known_rules)
    if file:
        from quotalint.settings.file import of_file

        shown = _shown_path(file)
        if options.config is None and leads_out_of_git(file):
            return (ConfigError(f"{LEADS_OUT}; `--config {shown}` reads it anyway", shown, None, None),)
        fields, file_errors = of_file(file, shown, known_rules)
        errors += file_errors
        settings = Settings(os.path.dirname(os.path.abspath(file)), shown)._replace(**fields)
    else:
        repository = _find_git(start)
        settings = Settings(os.path.dirname(repository) if repository else start, None)
    if errors:
        return errors
    settings = settings._replace(repository=_repository_root(start, settings.root, paths))
    if settings.vendor != Settings._field_defaults["vendor"]:
        settings = settings._replace(exclude=(*settings.exclude, f"/{settings.vendor}/"))
    if settings.baseline:
        settings = settings._replace(baseline=_shown_path(os.path.join(settings.root, settings.baseline)))
    # An option counts in every environment.
    over: dict[str, Any] = {name: None for name in Particular._fields if getattr(options, name, None) is not None}
    particulars = {name: particular._replace(**over) for name, particular in settings.particulars.items()}
    settings = settings._replace(particulars=MappingProxyType(particulars))
    nodes = settings.nodes if options.nodes is None else settings.nodes._replace(default=options.nodes)
    settings = settings._replace(
        **{**option_fields, "nodes": nodes, "ignore": settings.ignore + option_fields.get("ignore", ())}
    )
    return (tuple(_unknown_policies(settings)) if settings.policies else ()) or settings


def _unknown_policies(settings: Settings) -> Iterator[ConfigError]:
    """Errors for ids of the user's own rules that do not exist, if there are others."""
    ids = [policy.rule.id for policy in settings.policies]
    ignored = (rule for ignore_rule in settings.ignore for rule in ignore_rule.rules)
    named = (*settings.select, *settings.severity, *ignored)
    for name in dict.fromkeys(name for name in named if name.startswith("QLC")):
        if not any(policy_id.startswith(name) for policy_id in ids):
            yield ConfigError(f"no rule begins with `{name}`", settings.file, None, None)


LEADS_OUT = "it is a symbolic link that leads out of the repository"


def _repository_root(start: str, root: str, paths: Sequence[str]) -> str:
    git_folder = _find_git(start)
    if git_folder:
        return os.path.dirname(git_folder)
    # A relative path probably means a part of the working directory; `/repo` from `/` does not.
    working_directory = () if paths and os.path.isabs(paths[0]) else (os.path.abspath("."),)
    enclosing_folders = [folder for folder in (root, *working_directory) if lies_in(start, folder)]
    return min(enclosing_folders, key=len, default=start)


def _find_git(folder: str) -> str | None:
    """The `.git` of the repository around a folder; None if there is none."""
    while not is_there(os.path.join(folder, ".git")):
        if folder == os.path.dirname(folder):
            return None
        folder = os.path.dirname(folder)
    return os.path.join(folder, ".git")


def _shown_path(path: str) -> str:
    return with_slashes(os.path.relpath(path))
