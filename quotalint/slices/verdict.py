"""What was kept and the files that have changed → whether what was said is still true.

Where a file says what it said, in other words, it is. What is needed to make units again and to judge slices is
imported where a file says something else.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Sequence
from itertools import chain

from quotalint.settings import Settings
from quotalint.slices.edits import Edits, FileChanges
from quotalint.slices.kept import Slices, digest_at, unpack_slices
from quotalint.slices.outline import file_content, file_listing, file_outline
from quotalint.slices.text_notes import is_as_noted
from quotalint.text.files import content
from quotalint.text.guards import MAX_BYTES
from quotalint.text.reading import File, read_all
from quotalint.text.sources import MANIFEST_SUFFIXES, Source, TemplateFile, counts
from quotalint.transcript import UNKNOWN


def is_still_true(packed_slices: bytes, changed: Sequence[str]) -> bool:
    """Whether nothing that was said of the repository is another since these files (real paths) have changed, as far as
    can be said. Raises anything where they have not their form."""
    slices = unpack_slices(packed_slices)
    edits = edits_of(slices, changed)
    if edits is None or not _is_as_shown(slices, changed):
        return False
    if not edits:
        return True
    from quotalint.slices.trial import is_same_said

    return is_same_said(slices, edits)


def _is_as_shown(slices: Slices, changed: Sequence[str]) -> bool:
    """Whether all that reports show of these files beside sums is as it was."""
    if slices.shown is None or not any(slices.shown):
        return True
    from quotalint.slices.shown_sums import is_as_shown

    return all(is_as_shown(_name_of(path), path, slices.shown) for path in changed)


def edits_of(
    slices: Slices,
    changed: Sequence[str],
    changes: FileChanges | None = None,
    *,
    is_judged: bool = False,
    may_shift: bool = False,
) -> Edits | None:
    """What of the files that have changed says something else, and what comes and goes with files; None where more may
    rest on that than what it makes. Where all `is_judged` again that is said of these, their lines may move; where they
    `may_shift`, those of what is said of others, too."""
    different = frozenset(map(_name_of, chain(changed, *(changes or ()))))
    changed = [path for path in changed if not _is_quiet(path, slices)]
    data = {name: path for path in changed if (name := _name_of(path)) in slices.files.data}
    files = read_noted_files(slices, [path for path in changed if path not in data.values()])
    if files is None or any(_may_tell(name, path, slices) for name, path in data.items()):
        return None
    edited: dict[int, File] = {}
    relisted: set[int] = set()
    rewritten: dict[int, File] = {}
    """Those in which objects come, go, or have another name."""
    for number, file in files.items():
        # Where lines may move nothing is shown of what stays, nor by what it would be repaired.
        if not (is_judged or may_shift) and number in slices.files.repaired:
            return None
        is_as_said = file_content(file) == digest_at(slices.files.contents, number) != UNKNOWN
        # What is told of a file that says the same is not judged again with the others.
        with_lines = (is_as_said or not is_judged) and not may_shift
        if not is_as_noted(slices.files.texts[number], file.source.path, with_lines=with_lines):
            return None
        if is_as_said:
            continue
        outline = digest_at(slices.files.outlines, number)
        if outline == UNKNOWN:
            return None
        is_built = not slices.files.written[number]
        if file_outline(file, deploys=slices.deploys, is_built=is_built) != outline:
            if changes is None:
                return None
            rewritten[number] = file
            continue
        if file.limiting and holds_limits(file, slices.settings):
            return None
        edited[number] = file
        listing = file_listing(file, deploys=slices.deploys, is_built=is_built)
        if listing != digest_at(slices.files.listings, number):
            if not slices.files.users[number]:
                return None  # nobody builds it, but what it names is applied by nobody else
            relisted.add(number)
    of_files = edited, different, frozenset(relisted), frozenset(data)
    edits = Edits(*of_files, may_move=changes is not None, may_shift=may_shift)
    if changes is None or (changes.is_of_contents and not rewritten):
        return edits
    from quotalint.slices.new_files import with_new_files, with_rewritten_files

    with_others = with_rewritten_files(edits, rewritten, slices, is_judged=is_judged) if rewritten else edits
    if with_others is None or changes.is_of_contents:
        return with_others
    return with_new_files(with_others, slices, changes, is_judged=is_judged)


def read_noted_files(slices: Slices, paths: Sequence[str]) -> dict[int, File] | None:
    """What is in files, by their numbers; None where nothing is noted of one, or it cannot be read."""
    numbers = {name: number for number, name in enumerate(slices.files.names)}
    names = list(map(_name_of, paths))
    if not all(name in numbers for name in names):
        return None
    sources = [Source(name, path, explicit=False) for name, path in zip(names, paths, strict=True)]
    files = read_all(sources, bytes, 1)
    if not all(isinstance(file, File) for file in files):
        return None
    return {numbers[name]: file for name, file in zip(names, files, strict=True) if isinstance(file, File)}


def _is_quiet(path: str, slices: Slices) -> bool:
    """Whether nothing depends on what a file holds that is no manifest."""
    if not slices.tree or path.lower().endswith(MANIFEST_SUFFIXES):
        return False
    from quotalint.slices.quiet_templates import is_quiet_template
    from quotalint.slices.tree_notes import tree_note

    return is_quiet_template(_name_of(path), tree_note(slices.tree))


def _may_tell(name: str, path: str, slices: Slices) -> bool:
    """Whether what a file holds may be a manifest, or hold some, or is said to, or was."""
    if counts(posixpath.basename(name)):
        from quotalint.deployed import NO_WORDS, template_words
        from quotalint.slices.tree_notes import tree_note

        is_told = not slices.tree or name in tree_note(slices.tree).telling
        if is_told or template_words(TemplateFile(name, path)) != NO_WORDS:
            return True
    data = content(path, MAX_BYTES)
    return data is None or len(data) > MAX_BYTES or b"apiVersion" in data


def _name_of(path: str) -> str:
    return os.path.relpath(path).replace(os.sep, "/")


def holds_limits(file: File, settings: Settings) -> bool:
    """Whether there are quotas or LimitRanges inside other objects, which none of the files had before."""
    from quotalint.deployed import embedded_limits

    return bool(embedded_limits([file], (), settings.holds_manifests, processes_templates=settings.templates))
