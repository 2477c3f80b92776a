"""Limits for all readers: bytes that are no manifest, and YAML that would exhaust memory."""

from __future__ import annotations

from quotalint.text.lazy_patterns import lazy_pattern

MAX_BYTES = 16 * 1024 * 1024
"""The size above which a file is refused unread. etcd accepts objects up to 1.5 MiB."""

MAX_DEPTH = 1000
"""The deepest nesting of nodes. PyYAML's composer recurses in C, and overflows the stack far above."""

MAX_ENTRIES = 1_000_000
"""The most entries of a document, roughly counted: the nodes of each take about a kilobyte of memory."""


MAX_DOCUMENTS = 20_000
"""The most documents of a file that are read; `kubectl` reads all, one by one."""

MAX_FAILURES = 100
"""The most broken documents of a file; after these the rest is not read."""

MAX_REPEATS = 100
"""The most repeated keys of a document that are reported."""

TOO_EXPENSIVE = "not judged: too expensive"


GIT_CRYPT = b"\x00GITCRYPT\x00"
"""The first bytes of a file encrypted by git-crypt."""
LFS_POINTER = b"version https://git-lfs.github.com/spec/v1\n"
"""The first bytes of a pointer to a file in Git LFS."""
ANSIBLE_VAULT = b"$ANSIBLE_VAULT;"
"""The first bytes of a file encrypted by Ansible Vault."""


def why_content_is_elsewhere(data: bytes) -> str:
    """Why a file has other content than is deployed; empty if it has its own."""
    if data.startswith(LFS_POINTER):
        return "in Git LFS, and only a pointer to it is here"
    if data.startswith(ANSIBLE_VAULT):
        return "encrypted with Ansible Vault"
    return "encrypted by git-crypt" if data.startswith(GIT_CRYPT) else ""


def why_foreign(data: bytes) -> str:
    """Why these bytes are no file that Kubernetes reads; empty if they may be one."""
    if len(data) > MAX_BYTES:
        return f"the file is larger than {MAX_BYTES // 1024 // 1024} MiB"
    head = data[:10]
    if head == GIT_CRYPT:
        return "the file is encrypted by git-crypt; unlock the repository to have it read"
    if b"\x00" not in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ""
    if _WIDE_32.match(head):
        return "the file is UTF-32, Kubernetes reads UTF-8 only"
    if _WIDE_16.match(head):
        return "the file is UTF-16, Kubernetes reads UTF-8 only"
    return ""


_WIDE_32 = lazy_pattern(rb"\xff\xfe\x00\x00|\x00\x00\xfe\xff|\x00\x00\x00[^\x00]|[^\x00]\x00\x00\x00")
_WIDE_16 = lazy_pattern(rb"\xff\xfe|\xfe\xff|\x00[^\x00]\x00[^\x00]|[^\x00]\x00[^\x00]\x00")


def nesting(text: bytes) -> int:
    """A cheap upper bound for the nesting of a document's nodes.

    It may be far too high, because it does not distinguish strings and comments from structure. Above `MAX_DEPTH` the
    real depth is counted while composing; nothing is refused because of the bound.
    """
    if len(text) < MAX_DEPTH:
        return len(text) + 1  # the shortest collection, `[`, is one byte
    return _block_nesting(text) + text.count(b"[") + text.count(b"{") + 1


def _block_nesting(text: bytes) -> int:
    """An upper bound for block collections: each begins further right than the one around it, after only indentation
    and `-?:`; only a sequence may be in the column of its mapping."""
    return MAX_DEPTH if _LONG_RUN in text.translate(_RUNS) else 2 * len(_LONG_RUN)


_LONG_RUN = b" " * (MAX_DEPTH // 4)
_RUNS = bytes(32 if byte in b" \t-?:" else 120 for byte in range(256))


def entries(text: bytes) -> int:
    """An upper bound for the entries of all collections of a document: each needs one of these characters."""
    return sum(map(text.count, (b",", b"\n", b"- ", b"? ")))
