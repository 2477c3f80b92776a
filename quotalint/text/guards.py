"""What no reader may be given: bytes that are no manifest, and YAML that would exhaust the machine reading it."""

from __future__ import annotations

from quotalint.text.lazy_patterns import lazy_pattern

MAX_BYTES = 16 * 1024 * 1024
"""The size above which a file is refused unread. etcd takes objects of 1.5 MiB."""

MAX_DEPTH = 1000
"""How deep nodes may lie in each other. PyYAML's composer recurses in C, and overflows the stack far above."""

MAX_ENTRIES = 1_000_000
"""How many entries a document may have, roughly counted: the nodes of each take about a kilobyte of memory."""


MAX_DOCUMENTS = 20_000
"""How many documents of a file are read; `kubectl` reads them all, one by one."""

MAX_FAILURES = 100
"""How many documents of a file may be broken until the rest of it is not tried."""

MAX_REPEATS = 100
"""How many keys that a document gives again are told."""

TOO_EXPENSIVE = "not judged: too expensive"


GIT_CRYPT = b"\x00GITCRYPT\x00"
"""How a file begins that git-crypt has encrypted."""
LFS_POINTER = b"version https://git-lfs.github.com/spec/v1\n"
"""How a file begins that stands for one in Git LFS."""
ANSIBLE_VAULT = b"$ANSIBLE_VAULT;"
"""How a file begins that Ansible Vault has encrypted."""


def why_content_is_elsewhere(data: bytes) -> str:
    """What a file is that stands for another content, which whoever applies it has; empty where it is what it says."""
    if data.startswith(LFS_POINTER):
        return "in Git LFS, and only a pointer to it is here"
    if data.startswith(ANSIBLE_VAULT):
        return "encrypted with Ansible Vault"
    return "encrypted by git-crypt" if data.startswith(GIT_CRYPT) else ""


def why_foreign(data: bytes) -> str:
    """Why these bytes are no file that Kubernetes reads, in a developer's words; empty when they may be one."""
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
    """An upper bound, found cheaply, of how deep the nodes of a document lie in each other.

    It may exceed the truth by far, since it cannot tell strings and comments from structure: a bound above
    `MAX_DEPTH` asks to count while composing, and refuses nothing.
    """
    if len(text) < MAX_DEPTH:
        return len(text) + 1  # the cheapest collection, `[`, costs one byte
    return _block_nesting(text) + text.count(b"[") + text.count(b"{") + 1


def _block_nesting(text: bytes) -> int:
    """Every block collection opens further right than the one around it, after nothing but indentation and `-?:`;
    only a sequence may share the column of the mapping that holds it.
    """
    return MAX_DEPTH if _LONG_RUN in text.translate(_RUNS) else 2 * len(_LONG_RUN)


_LONG_RUN = b" " * (MAX_DEPTH // 4)
_RUNS = bytes(32 if byte in b" \t-?:" else 120 for byte in range(256))


def entries(text: bytes) -> int:
    """How many entries the collections of a document have together, at most: each needs one of these signs."""
    return sum(map(text.count, (b",", b"\n", b"- ", b"? ")))
