"""Files in languages that make manifests, such as those of Terraform: nothing depends on one that writes no quota,
LimitRange or workload, and that nobody asked for."""

from __future__ import annotations

import os
import posixpath

from quotalint.deployed import LANGUAGES, NO_WORDS, template_words
from quotalint.slices.tree_notes import TreeNote, are_unasked
from quotalint.text.disk import is_file
from quotalint.text.sources import PACKAGE_FOLDERS, TemplateFile


def is_quiet_template(name: str, note: TreeNote) -> bool:
    """Whether such a file, which has changed, came or went, wrote nothing of the kind, and writes nothing now: the
    working directory has what there is."""
    *above, own = name.split("/")
    if not own.endswith(LANGUAGES) or any(part.startswith(".") or part in PACKAGE_FOLDERS for part in above):
        return False
    if name in note.telling or not are_unasked([name], (), note, in_taken=False) or is_in_chart(above):
        return False
    return template_words(TemplateFile(name, os.path.abspath(name))) == NO_WORDS


def is_in_chart(folders: list[str]) -> bool:
    """Whether a chart lies in one of these folders, each in the one before."""
    around = ("/".join(folders[:depth]) for depth in range(len(folders) + 1))
    return any(is_file(os.path.abspath(posixpath.join(folder, "Chart.yaml"))) for folder in around)
