"""Which names Kubernetes accepts, and its messages for invalid ones.

Source: Kubernetes 1.34, apimachinery/pkg/util/validation/validation.go (IsDNS1123Label, IsDNS1123Subdomain,
IsQualifiedName).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from quotalint.text.lazy_patterns import lazy_pattern

VALIDATED_METADATA = frozenset(
    {"creationTimestamp", "deletionTimestamp", "finalizers", "generateName", "generation", "ownerReferences"}
)
"""The fields of `metadata` that `metadata_validation` looks at."""

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN_PATTERN = _LABEL + r"(\." + _LABEL + ")*"
_NAME_PATTERN = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_LABEL_NAME = lazy_pattern(_LABEL)
_SUBDOMAIN = lazy_pattern(_SUBDOMAIN_PATTERN)
_NAME = lazy_pattern(_NAME_PATTERN)

_LABEL_WORDS = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
    f"an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '{_LABEL}')"
)
_SUBDOMAIN_WORDS = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start "
    f"and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '{_SUBDOMAIN_PATTERN}')"
)
_NAME_WORDS = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
    f"(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{_NAME_PATTERN}')"
)
_KEY_WORDS = (
    f"a valid label key {_NAME_WORDS} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
)
_VALUE_WORDS = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    f"'({_NAME_PATTERN})?')"
)


@lru_cache  # every object names a namespace
def label_name_errors(name: str) -> tuple[str, ...]:
    """Why the name is not a DNS-1123 label, as namespaces need; empty if it is one."""
    errors = []
    if len(name) > 63:
        errors.append("must be no more than 63 characters")
    if not _LABEL_NAME.fullmatch(name):
        errors.append(_LABEL_WORDS)
    return tuple(errors)


def subdomain_errors(name: str, unit: str = "characters") -> tuple[str, ...]:
    """Why the name is not a DNS-1123 subdomain; empty if it is one. `unit` is the unit of its length in the message."""
    errors = []
    if len(name) > 253:
        errors.append(f"must be no more than 253 {unit}")
    if not _SUBDOMAIN.fullmatch(name):
        errors.append(_SUBDOMAIN_WORDS)
    return tuple(errors)


def label_errors(labels: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """The invalid labels, each with its reason, like ValidateLabels."""
    for name, value in labels.items():
        for words in (*qualified_errors(name), *_label_value_errors(value)):
            yield name, words


def annotation_errors(annotations: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """The annotations with invalid names, like ValidateAnnotations, which ignores case."""
    for name in annotations:
        for words in qualified_errors(name.lower()):
            yield name, words


def _label_value_errors(value: object) -> tuple[str, ...]:
    if not isinstance(value, str):
        return ()  # refused by the decoder
    errors = ("must be no more than 63 bytes",) if len(value) > 63 else ()
    return errors if not value or _NAME.fullmatch(value) else (*errors, _VALUE_WORDS)


@lru_cache(maxsize=4096)
def qualified_errors(name: str) -> tuple[str, ...]:
    """Why the name is not `[prefix/]name`; empty if it is."""
    prefix, slash, last = name.partition("/")
    if "/" in last:
        return (_KEY_WORDS,)
    errors = []
    if slash:
        if not prefix:
            errors.append("prefix part must be non-empty")
        errors += [f"prefix part {words}" for words in subdomain_errors(prefix, "bytes") if prefix]
    else:
        last = prefix
    if not last:
        errors.append("name part must be non-empty")
    elif len(last) > 63:
        errors.append("name part must be no more than 63 bytes")  # "characters" before 1.36
    if not _NAME.fullmatch(last):
        errors.append(f"name part {_NAME_WORDS}")
    return tuple(errors)
