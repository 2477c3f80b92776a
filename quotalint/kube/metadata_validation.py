"""Why the API server refuses the metadata of an object, apart from its name, labels and annotations.

Source: Kubernetes 1.36, apimachinery/pkg/api/validation/objectmeta.go (ValidateObjectMetaAccessor,
validateOwnerReference, ValidateFinalizers), pkg/apis/core/validation/validation.go (validateKubeFinalizerName) and
apimachinery/pkg/apis/meta/v1/time.go (Time.UnmarshalJSON).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import Body, integer, mapping, sequence, text
from quotalint.kube.names import qualified_errors, subdomain_errors
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Path

_STANDARD = ("foregroundDeletion", "kubernetes", "orphan")
_TIME = lazy_pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.,][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})")
_UNQUALIFIED = "name is neither a standard finalizer name nor is it fully qualified"


class MetadataError(NamedTuple):
    """One reason to refuse the metadata."""

    field: str
    """The API server's path."""
    path: Path
    detail: str
    value: str


def metadata_errors(metadata: Body) -> Iterator[MetadataError]:
    """The errors; fields of a wrong type and placeholders have none."""
    for field in ("creationTimestamp", "deletionTimestamp"):
        written = metadata.get(field)
        if isinstance(written, str) and not is_placeholder(written) and not _TIME.fullmatch(written):
            yield _error((field,), "must be a time such as 2026-01-31T12:00:00Z", written)
    prefix = text(metadata.get("generateName"))
    if prefix and not is_placeholder(prefix):
        # A dash at the end is followed by random letters.
        for words in subdomain_errors(f"{prefix[:-1]}a" if prefix.endswith("-") else prefix):
            yield _error(("generateName",), words, prefix)
    generation = integer(metadata.get("generation"))
    if generation is not None and generation < 0:
        yield _error(("generation",), "must be greater than or equal to 0", str(generation))
    yield from _owner_errors(sequence(metadata.get("ownerReferences")))
    for index, finalizer in enumerate(sequence(metadata.get("finalizers"))):
        if isinstance(finalizer, str) and not is_placeholder(finalizer):
            for words in qualified_errors(finalizer):
                yield _error(("finalizers", index), words, finalizer, "metadata.finalizers")
            if "/" not in finalizer and finalizer not in _STANDARD:
                yield _error(("finalizers", index), _UNQUALIFIED, finalizer)


def _owner_errors(references: Iterable[object]) -> Iterator[MetadataError]:
    controllers = []
    for index, reference in enumerate(map(mapping, references)):
        for field, detail in (
            ("apiVersion", "version must not be empty"),
            *((field, "must not be empty") for field in ("kind", "name", "uid")),
        ):
            if reference.get(field) in (None, ""):
                yield _error(("ownerReferences", index), detail, "", f"metadata.ownerReferences.{field}")
        if reference.get("controller") is True:
            controllers.append(f"{text(reference.get('kind'))}/{text(reference.get('name'))}")
            if len(controllers) > 1:
                words = f'Found "true" in references for {controllers[0]} and {controllers[-1]}'
                detail = f"Only one reference can have Controller set to true. {words}"
                yield _error(("ownerReferences", index), detail, controllers[-1], "metadata.ownerReferences")


def _error(path: Path, detail: str, value: str, field: str = "") -> MetadataError:
    shown = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return MetadataError(field or f"metadata{shown}", ("metadata", *path), detail, value)
