"""What templates come to → documents, cut up as helm does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from quotalint.gitops.helm import RenderedChart, RenderedTemplate
from quotalint.kube.fields import dig, text
from quotalint.programs import one_line
from quotalint.text.documents import read

# Helm's own (pkg/release/v1/util/manifest.go), which cuts where YAML does not: `---kind: Pod`.
_BETWEEN = re.compile(r"(?:^|\s*\n)---\s*")

# Hooks of these kinds run on `helm test` alone.
_TESTS = frozenset({"test", "test-success", "test-failure"})


def templates_of(texts: Iterable[tuple[str, str]], *, skip_hooks: bool) -> RenderedChart:
    """The documents of what templates come to: pairs of a path below the chart's folder and a text."""
    manifests = []
    for source, written in texts:
        if source.endswith("NOTES.txt"):
            continue
        documents: list[object] = []
        for part in _BETWEEN.split(written.strip()):
            reading = read(part.encode("utf-8", "surrogatepass"))
            for failure in reading.failures[:1]:
                where = f"{source}, line {failure.line} of what it renders to"
                return RenderedChart((), one_line(f"{where}: {failure.message}"))
            documents += (document.value for document in reading.documents)
        applied_documents = tuple(
            document for document in documents if not _is_left_out(document, skip_hooks=skip_hooks)
        )
        if applied_documents:
            manifests.append(RenderedTemplate(source, applied_documents))
    return RenderedChart(tuple(manifests))


def _is_left_out(document: object, *, skip_hooks: bool) -> bool:
    hooks = frozenset(_hook_names(document))
    return bool(hooks) and (skip_hooks or hooks <= _TESTS)


def _hook_names(document: object) -> Iterator[str]:
    written = text(dig(document, "metadata", "annotations", "helm.sh/hook"))
    yield from (hook.strip().lower() for hook in written.split(",") if hook.strip())
