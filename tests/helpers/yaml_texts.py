"""YAML as `yaml.safe_load_all` and `yaml.safe_dump_all` have it, through libyaml where it is: ten times as fast."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def load_documents(text: str) -> Iterator[Any]:
    """The documents of a text."""
    return yaml.load_all(text, _LOADER)  # no more than its own objects


def dump_documents(documents: Iterable[object], **options: Any) -> str:
    """A text of documents."""
    written: str = yaml.dump_all(documents, Dumper=_DUMPER, **options)
    return written
