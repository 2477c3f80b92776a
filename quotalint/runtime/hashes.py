"""Functions of the standard library that hash, without OpenSSL."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from typing import Any

_MODULES = {"sha1": ("_sha1",), "sha256": ("_sha2", "_sha256")}
"""Where they are, before Python 3.12 and since then."""


@cache
def hash_function(name: str) -> Callable[[bytes], Any]:
    """The hash function `sha1` or `sha256`. It avoids `hashlib` if possible, because loading OpenSSL takes longer than
    hashing thousands of findings."""
    for module in (*_MODULES[name], "hashlib"):
        with suppress(ImportError):
            # Nothing is kept secret by these.
            return partial(getattr(import_module(module), name), usedforsecurity=False)
    raise ImportError(name)
