"""Under which key it is kept what is known of a state of a repository: by all that decides what is said of it."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Sequence

from quotalint.cache.folder import KEY
from quotalint.cache.identity import identity_of_readers
from quotalint.diff.folders import LeftOut
from quotalint.named_tuples import NamedTuple
from quotalint.settings import Options
from quotalint.transcript import key_of


class StateQuestion(NamedTuple):
    """What is asked of a state, whichever that is."""

    root: str
    """The real path of the repository."""
    here: str
    """That of the working directory."""
    paths: Sequence[str]
    """What is asked about, from there."""
    options: Options
    own_configuration: bytes
    """Git's own, which knows what the repository is called elsewhere."""
    left_out: Sequence[LeftOut] = ()
    """What of the tree is not looked at."""


def state_key(asked: StateQuestion, tree: str, sizes: Iterable[int]) -> str:
    """The key for a tree of git, of which these are the sizes of all files in the order of git; empty where not all is
    known that decides."""
    readers = identity_of_readers()
    if not (readers and tree):
        return ""
    ways = (os.path.relpath(os.path.join(asked.here, path), asked.here) for path in asked.paths)
    configured = asked.own_configuration.decode("utf-8", "replace").splitlines()
    about = (
        *(*readers, "state", asked.root, asked.here, repr(tuple(ways)), repr(asked.options)),
        *(line for line in configured if "url" in line.lower() or line.lstrip().startswith("[")),
        *(f"{file.path} {file.reason}" for file in asked.left_out),
        *(tree, key_of(array("q", sizes).tobytes(), KEY // 2)),
    )
    return key_of("\0".join(about).encode("utf-8", "surrogatepass"), KEY // 2)


def key_by_check(key: str) -> str:
    """The key for the same, as a check keeps it, which knows nothing of baselines and leaves nothing out."""
    return key_of(f"check {key}".encode("ascii"), KEY // 2)
