"""`quotalint.lock` as text and as entries."""

from __future__ import annotations

import pytest

from quotalint.lockfile.lock import (
    LockedSource,
    LockError,
    RemoteSource,
    digest_of,
    lock_text,
    locked_sources,
    without_credentials,
)
from quotalint.text.documents import read

DIGEST = digest_of([("a.yaml", b"a: 1\n")])
WEB = LockedSource(RemoteSource("https://charts.example.com", "web", "1.x"), "1.10", DIGEST)
BASE = LockedSource(RemoteSource("https://github.com/acme/base", "", ""), "0123456789" * 4, DIGEST)


def test_is_sorted_and_read_back() -> None:
    text = lock_text([BASE, WEB])
    assert text == lock_text([WEB, BASE])
    assert locked_sources(read(text.encode())) == {WEB.source: WEB, BASE.source: BASE}
    assert text == (
        "# Written by `quotalint vendor`; not to be edited.\nversion: 1\nsources:\n"
        '- source: "https://charts.example.com"\n  chart: "web"\n  asked: "1.x"\n  resolved: "1.10"\n'
        f'  digest: "{DIGEST}"\n'
        f'- source: "https://github.com/acme/base"\n  resolved: "{"0123456789" * 4}"\n  digest: "{DIGEST}"\n'
    )


def test_an_empty_lock_has_no_entries() -> None:
    assert locked_sources(read(lock_text([]).encode())) == {}


@pytest.mark.parametrize(
    "text",
    [
        "version: 2\nsources: []\n",
        "version: 1\nsources: {}\n",
        "[]\n",
        "version: 1\nsources: [{source: a, resolved: '1', digest: 'sha256:1'}]\n",
        f"version: 1\nsources: [{{source: 1, digest: '{DIGEST}'}}]\n",
        "a: {\n",
    ],
)
def test_what_is_no_lock_is_refused(text: str) -> None:
    with pytest.raises(LockError):
        locked_sources(read(text.encode()))


def test_a_folder_is_named_after_source_and_content() -> None:
    end = DIGEST.removeprefix("sha256:")[:16]
    assert (WEB.folder, BASE.folder) == (f"web-1.10-{end}", f"base-012345678901-{end}")
    hostile = LockedSource(RemoteSource("https://h/../x", "../..", ""), "../../etc", DIGEST)
    assert hostile.folder == f"etc-{end}"


@pytest.mark.parametrize(
    ("url", "bare"),
    [
        ("https://me:secret@charts.example.com/a/", "https://charts.example.com/a"),
        ("https://token@github.com/acme/base.git", "https://github.com/acme/base.git"),
        ("ssh://git:secret@github.com/acme/base", "ssh://git@github.com/acme/base"),
        ("git@github.com:acme/base.git", "git@github.com:acme/base.git"),
        ("oci://ghcr.io/acme", "oci://ghcr.io/acme"),
    ],
)
def test_credentials_are_no_part_of_an_address(url: str, bare: str) -> None:
    assert without_credentials(url) == bare
