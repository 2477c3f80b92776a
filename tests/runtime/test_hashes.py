"""What is hashed is hashed as everybody does."""

from __future__ import annotations

import hashlib
import sys

import pytest

from quotalint.runtime.hashes import hash_function


@pytest.mark.parametrize("name", ["sha1", "sha256"])
@pytest.mark.parametrize("without", [(), ("_sha1", "_sha2", "_sha256")])
def test_a_hash_is_that_of_the_standard_library(
    name: str, without: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    hash_function.cache_clear()
    for module in without:
        monkeypatch.setitem(sys.modules, module, None)
    for data in (b"", b"blob 3\0abc", bytes(range(256)) * 9):
        assert hash_function(name)(data).hexdigest() == hashlib.new(name, data).hexdigest()
    hash_function.cache_clear()
