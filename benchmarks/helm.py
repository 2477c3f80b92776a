"""How alike `helm template` and Helm's library in its worker are, over all charts below some folders.

    python helm.py FOLDER… [--helm PROGRAM]

Each folder is a repository. A chart is rendered with its own values; for every release that an object, a helmfile or
the configuration of the repository declares, with the values of that release; and with each values file that one of
those names, alone. Documents are compared as a set; what
a chart draws at random (passwords, certificates) is compared by its fields alone. The seconds are the sums of one
process or one request after the other. Exits with 1 if any release is rendered differently, or by one of them alone.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from quotalint.gitops.helm import Release, RenderedChart, library
from quotalint.gitops.helm.program import render_release
from quotalint.pipeline import gather
from quotalint.settings import Options, Settings
from quotalint.settings.loading import load_settings
from quotalint.text.documents import read
from quotalint.text.sources import find

KUBE_VERSION = "1.34"
"""By default each takes the version of its own client library."""


class Compared(NamedTuple):
    """One release, rendered twice."""

    name: str
    verdict: str
    """equal, different, failing in both, or by which of them alone."""
    reason: str
    ours: float
    """Seconds."""
    theirs: float


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--helm", default=shutil.which("helm"), help="the program; from PATH unless given")
    options = parser.parse_args()
    if options.helm is None:
        sys.exit("helm is not on PATH")
    helm = os.path.abspath(options.helm)
    compared = [compared for folder in map(os.path.abspath, options.folders) for compared in compare(folder, helm)]
    for comparison in compared:
        times = f"{comparison.ours * 1000:7.0f} ms {comparison.theirs * 1000:7.0f} ms"
        print(f"{times}  {comparison.verdict:20} {comparison.name} {comparison.reason}"[:240])
    counts = Counter(comparison.verdict for comparison in compared)
    print(", ".join(f"{number} {verdict}" for verdict, number in counts.most_common()))
    ours, theirs = sum(one.ours for one in compared), sum(one.theirs for one in compared)
    print(f"{len(compared)} releases: library {ours:.2f} s, program {theirs:.2f} s")
    sys.exit(0 if set(counts) <= {"equal", "failing in both"} else 1)


def compare(folder: str, helm: str) -> Iterator[Compared]:
    """Every release of a repository."""
    os.chdir(folder)
    known = declared()
    releases = {
        f"{release._replace(layers=(), filled_in=())}{values}": (release, values)
        for release, values in (*own_values(), *known, *each_file(known))
    }
    worker = library.Library(os.path.realpath("."))
    worker.render_release(Release(folder, "warm-up", ""), {})  # the library is loaded once for a run
    for release, values in releases.values():
        start = time.perf_counter()
        ours = worker.render_release(release, values)
        between = time.perf_counter()
        theirs = render_release(
            release._replace(values=values or None, values_files=(), parameters=(), layers=()), folder, helm
        )
        end = time.perf_counter()
        name = f"{os.path.relpath(release.chart, os.path.dirname(folder))} ({release.name})"
        yield Compared(name, *verdict(ours, theirs), between - start, end - between)


def own_values() -> Iterator[tuple[Release, Mapping[str, object]]]:
    """Each chart that lies in no other, with nothing but its own values."""
    for path, folders, names in os.walk("."):
        folders[:] = sorted(folder for folder in folders if folder != ".git")
        if "Chart.yaml" in names:
            yield Release(os.path.abspath(path), "release-name", "default", kube_version=KUBE_VERSION), {}
            folders.remove("charts") if "charts" in folders else None


def each_file(known: list[tuple[Release, Mapping[str, object]]]) -> Iterator[tuple[Release, Mapping[str, object]]]:
    """The charts with each values file that is given to them, alone."""
    for release, _ in known:
        alone = release._replace(name="release-name", namespace="default", parameters=(), file_parameters=())
        for layer in release.layers:
            if layer.place.path == () and layer.place.source.endswith((".yaml", ".yml", ".json")):
                yield alone._replace(layers=(layer,)), dict(layer.values)
        for name in release.values_files:
            with open(name, "rb") as file:
                documents = read(file.read()).documents
            if documents and isinstance(documents[0].value, dict):
                yield alone._replace(values_files=(name,), layers=()), documents[0].value


def declared() -> list[tuple[Release, Mapping[str, object]]]:
    """The releases that a check of the repository renders."""
    seen: list[tuple[Release, Mapping[str, object]]] = []
    original = library.Library.render_release

    def recorded(self: library.Library, release: Release, values: Mapping[str, object]) -> RenderedChart:
        seen.append((release, values))
        return original(self, release, values)

    settings = load_settings(["."], Options(), frozenset())
    if not isinstance(settings, Settings):
        return []
    library.Library.render_release = recorded  # type: ignore[method-assign]  # to listen in
    try:
        gather(find(["."], settings.root, settings.exclude), settings, bytes, 1)
    finally:
        library.Library.render_release = original  # type: ignore[method-assign]  # as it was
    return seen


def verdict(ours: RenderedChart, theirs: RenderedChart) -> tuple[str, str]:
    """What the comparison comes to, and why."""
    if ours.error and theirs.error:
        return "failing in both", ours.error
    if ours.error or theirs.error:
        return f"by {'the program' if ours.error else 'the library'} alone", ours.error or theirs.error
    first, second = documents(ours), documents(theirs)
    if first == second:
        return "equal", ""
    left, right = first - second, second - first
    if sorted(map(shape, left.elements())) == sorted(map(shape, right.elements())) and all(map(is_random, left)):
        return "equal", "(but for what is random)"
    return "different", f"{next(iter(left), '')[:90]} | {next(iter(right), '')[:90]}"


def documents(rendered: RenderedChart) -> Counter[str]:
    return Counter(
        json.dumps((rendered_template.source, document), sort_keys=True)
        for rendered_template in rendered.templates
        for document in rendered_template.documents
    )


def shape(written: str) -> str:
    """A document without its values."""

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: bare(inner) for key, inner in value.items()}
        return [bare(comparison) for comparison in value] if isinstance(value, list) else ""

    return json.dumps(bare(json.loads(written)[1]), sort_keys=True)


def is_random(written: str) -> bool:
    """Whether charts draw such documents at random: passwords, certificates, and what carries their checksums."""
    return any(word in written for word in ('"Secret"', "checksum", "caBundle", "rollme", "timestamp"))


if __name__ == "__main__":
    main()
