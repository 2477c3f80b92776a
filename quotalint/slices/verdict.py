"""What was kept and the files that have changed → whether what was said is still true.

Where a file says what it said, in other words, it is. What is needed to judge a slice is imported for one of which a
file says something else.
"""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.slices.kept import unpack_slices
from quotalint.slices.outline import content_digest
from quotalint.text.reading import File, read_all
from quotalint.text.sources import Source
from quotalint.transcript import UNKNOWN


def is_still_true(kept: bytes, changed: Sequence[str]) -> bool:
    """Whether nothing that was said of the repository is another since these files (real paths) have changed, as far as
    can be said. Raises anything where what is kept has not its form."""
    slices = unpack_slices(kept)
    names = [path.removeprefix(slices.base) for path in changed]
    if not all(name in slices.names and slices.base + name == path for name, path in zip(names, changed, strict=True)):
        return False
    touched = set()
    outlines = {}
    files = read_all([Source(name, slices.base + name, False) for name in names], bytes, 1)
    for name, file in zip(names, files, strict=True):
        number = slices.names.index(name)
        if not isinstance(file, File):
            return False
        if content_digest(file) == slices.content(number) != UNKNOWN:
            continue
        outlines[name] = slices.outline(number)
        touched.add(slices.owners[number])
        if outlines[name] == UNKNOWN:
            return False
    if not touched:
        return True
    from quotalint.slices.trial import is_nothing_found

    return is_nothing_found(slices, outlines, touched)
