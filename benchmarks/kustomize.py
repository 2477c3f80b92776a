"""How alike `kubectl kustomize` and the built-in renderer are, over all kustomizations below a folder.

    python kustomize.py FOLDER [--roots] [--kubectl PROGRAM] [--jobs N]

Objects are compared as a set, without fields that are null and without what `buildMetadata` notes on them. Exits with
1 if any kustomization is rendered otherwise without a word, or fewer than 98 % of those that kubectl builds are equal.
With `--roots` only those are rendered that no other builds on, and the time that both take is shown: kubectl's is the
sum over its processes, one at a time.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple
from unittest.mock import patch

from quotalint.deployed import render
from quotalint.diff.trees import standing_in
from quotalint.gitops.kustomize.build import Builder, Built
from quotalint.text.documents import read
from quotalint.text.tree import KUSTOMIZATION_NAMES, Tree

LEAST_EQUAL = 0.98
NOTES = ("config.kubernetes.io/origin", "alpha.config.kubernetes.io/transformations")
TIMEOUT = 60  # seconds that kubectl may take for one kustomization


class Printed(NamedTuple):
    """What kubectl prints for a kustomization."""

    objects: frozenset[str] | None
    """None where it refuses."""
    error: str
    seconds: float


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--roots", action="store_true", help="only those that no other builds on; show the time")
    parser.add_argument("--kubectl", default=shutil.which("kubectl"), help="the program; from PATH unless given")
    parser.add_argument(
        "--jobs", type=int, default=0, help="how many processes at once; one per processor, with --roots one"
    )
    options = parser.parse_args()
    if options.kubectl is None:
        sys.exit("kubectl is not on PATH")
    kubectl = os.path.abspath(options.kubectl) if os.sep in options.kubectl else options.kubectl
    os.chdir(options.folder)
    folders = sorted(kustomizations())
    start = time.perf_counter()
    builder = Builder(Tree(".", {}))
    built = {folder: builder.build(folder) for folder in folders}
    taken = time.perf_counter() - start
    if options.roots:
        folders = list(roots(built))
        start = time.perf_counter()
        builder = Builder(Tree(".", {}))
        built = {folder: builder.build(folder) for folder in folders}
        taken = time.perf_counter() - start
    jobs = options.jobs or (1 if options.roots else os.cpu_count() or 1)
    with ThreadPoolExecutor(jobs) as pool:
        printed = dict(zip(folders, pool.map(lambda folder: kustomize(kubectl, folder), folders), strict=True))
    if options.roots:
        theirs = sum(item.seconds for item in printed.values())
        print(
            f"{len(folders)} roots: kubectl {theirs:.2f} s, built in {taken:.2f} s, {theirs / taken:.0f} times as fast"
        )
    sys.exit(0 if compare(built, printed) else 1)


def kustomizations() -> Iterator[str]:
    """The folders below the working directory that hold a kustomization."""
    for path, folders, names in os.walk("."):
        folders[:] = [folder for folder in folders if folder != ".git"]
        if not set(KUSTOMIZATION_NAMES).isdisjoint(names):
            folder = os.path.normpath(path).replace(os.sep, "/")
            yield "" if folder == "." else folder


def roots(built: dict[str, Built]) -> Iterator[str]:
    """The folders that no other builds on."""
    referenced = {used for folder, value in built.items() for used in value.used if used != folder}
    yield from (folder for folder in built if folder not in referenced)


def built_roots(folder: str) -> list[str]:
    """The kustomizations that a check of a folder builds by themselves, by their real paths."""
    built: dict[str, None] = {}
    build = Builder.build

    def noting_build(builder: Builder, root: str) -> Built:
        built[os.path.realpath(root)] = None
        return build(builder, root)

    with standing_in(folder), patch.object(Builder, "build", noting_build):
        render(".")
    return sorted(built)


def kustomize(kubectl: str, folder: str) -> Printed:
    """What kubectl prints for a folder."""
    command = [kubectl, "kustomize", "--load-restrictor", "LoadRestrictionsNone", folder or "."]
    start = time.perf_counter()
    try:
        ended = subprocess.run(command, capture_output=True, timeout=TIMEOUT, check=False, env=without_network())
    except subprocess.TimeoutExpired:
        return Printed(None, f"took longer than {TIMEOUT} s", TIMEOUT)
    seconds = time.perf_counter() - start
    if ended.returncode:
        return Printed(None, ended.stderr.decode("utf-8", "replace").strip()[-200:], seconds)
    reading = read(ended.stdout)
    if reading.failures:
        return Printed(None, f"printed what cannot be read: {reading.failures[0].message}", seconds)
    return Printed(objects(document.value for document in reading.documents), "", seconds)


def without_network() -> dict[str, str]:
    """An environment in which remote bases fail at once."""
    nowhere = dict.fromkeys(
        ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"), "http://127.0.0.1:9"
    )
    return {**os.environ, **nowhere, "GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": "none"}


def objects(values: Iterable[object]) -> frozenset[str]:
    """Objects as a set that can be compared."""
    return frozenset(json.dumps(without_nulls(without_notes(value)), sort_keys=True) for value in values)


def without_notes(value: object) -> object:
    """The object without what `buildMetadata` adds, which nobody counts."""
    metadata = value.get("metadata") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(metadata, dict):
        return value
    kept = dict(metadata)
    for field in ("annotations", "labels"):
        pairs = metadata.get(field)
        if isinstance(pairs, dict) and any(map(is_note, pairs, pairs.values())):
            kept[field] = {key: text for key, text in pairs.items() if not is_note(key, text)} or None
    return {**value, "metadata": kept}


def is_note(key: str, text: object) -> bool:
    """Whether `buildMetadata` made an annotation or a label."""
    return key in NOTES or (key == "app.kubernetes.io/managed-by" and str(text).startswith("kustomize-v"))


def without_nulls(value: object) -> object:
    if isinstance(value, dict):
        return {key: without_nulls(below) for key, below in value.items() if below is not None}
    if isinstance(value, list):
        return [without_nulls(item) for item in value]
    return value


def compare(built: dict[str, Built], printed: dict[str, Printed]) -> bool:
    """Show how alike they are; whether that is enough."""
    equal = refused = 0
    different: list[str] = []
    unnoticed: list[str] = []
    declined: dict[str, list[str]] = {}
    reasons: Counter[str] = Counter()
    for folder, theirs in printed.items():
        messages = [f"{problem.kind}: {problem.reason}" for problem in built[folder].problems if problem.kind != "load"]
        if theirs.objects is None:
            refused += 1
            unnoticed += [] if messages else [f"{folder}: {theirs.error}"]
        elif theirs.objects == objects(resource.traced.value for resource in built[folder].resources):
            equal += 1
        elif messages:
            declined[folder] = messages
            reasons.update(set(messages))
        else:
            different.append(folder)
    print(f"equal {equal}")
    print(f"declined by name {len(declined)}")
    for reason, count in reasons.most_common():
        print(f"  {count} × {reason}")
    print(f"different {len(different)}")
    for folder in different:
        print(f"  {folder}")
    print(f"refused by kubectl {refused}, of which noticed {refused - len(unnoticed)}")
    for line in unnoticed:
        print(f"  {line}")
    total = equal + len(declined) + len(different)
    share = equal / total if total else 1.0
    print(f"equal are {share:.1%} of the {total} that kubectl builds")
    return not different and share >= LEAST_EQUAL


if __name__ == "__main__":
    main()
