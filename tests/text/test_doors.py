"""Whoever looks at a repository asks `text/disk.py`: a state of it may be on no disk."""

from __future__ import annotations

import ast
import re

from rooms import PACKAGE, nodes_of, room_of

ROOMS = ("gitops", "settings", "fixes", "checks", "suppression", "reports", "diff", "text")
DOORS = {
    *("os.path.realpath", "os.path.isfile", "os.path.isdir", "os.path.islink", "os.path.lexists", "os.path.exists"),
    *(
        "os.path.getsize",
        "os.stat",
        "os.lstat",
        "os.scandir",
        "os.listdir",
        "os.walk",
        "os.readlink",
        "os.open",
        "open",
    ),
}
OTHERS = {
    "checks/__init__.py": "the rules that the package brings",
    "diff/blobs.py": "files of our own",
    "diff/git.py": "the repository itself, which is on the disk",
    "diff/revisions.py": "what a command line may mean instead",
    "diff/trees.py": "files of our own",
    "diff/work_tree.py": "the work tree, which is on the disk",
    "gitops/helm/library.py": "files of our own",
    "gitops/helm/program.py": "files of our own, and charts that are on the disk",
    "gitops/helm/helm_worker.py": "files of our own",
    "gitops/helm/chart_copy.py": "the copy, which is on the disk",
    "gitops/kustomize_program.py": "programs, and files of our own",
    "gitops/look.py": "the working directory, which is on the disk",
    "reports/html/__init__.py": "files that the package brings",
    "settings/extending.py": "files of an installed package",
    "settings/init_file.py": "where the first configuration is written, on the disk",
    "text/disk.py": "the door",
    "text/virtual_files.py": "where links lead out of what is on no disk",
    "text/files.py": "the door to contents",
    "text/git_index.py": "git's own folder, which is on the disk",
}


def test_nobody_looks_at_the_disk_past_the_door() -> None:
    past = {
        f"{name}: {ast.unparse(call.func)}"
        for path, call in nodes_of("|".join(re.escape(f"{door}(") for door in DOORS))
        if room_of(path) in ROOMS and (name := path.relative_to(PACKAGE).as_posix()) not in OTHERS
        if isinstance(call, ast.Call) and ast.unparse(call.func) in DOORS
    }
    assert past == set()


def test_the_exceptions_are_needed() -> None:
    assert [name for name in OTHERS if not (PACKAGE / name).is_file()] == []
