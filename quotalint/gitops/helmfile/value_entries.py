"""Entries of `values:` in a helmfile (maps, files, globs, templates) as value layers with their places."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable

from quotalint.gitops.helm import ValuesLayer
from quotalint.gitops.helm.value_layers import merge_layers
from quotalint.gitops.helmfile import HelmfileError
from quotalint.gitops.helmfile.absent import Absent, absent_outside
from quotalint.gitops.helmfile.helmfile_templates import HelmfileTemplating
from quotalint.kube.amounts import is_placeholder
from quotalint.named_tuples import NamedTuple
from quotalint.text.documents import Reading, read
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Place
from quotalint.text.tree import join_path, matching_files

_REMOTE = lazy_pattern(r"[a-z][a-z0-9+.-]*://|git::|s3::|http::|ref\+")


class Entries(NamedTuple):
    """The layers of several entries."""

    layers: tuple[ValuesLayer, ...]
    """The last one wins."""
    absent: tuple[Absent, ...] = ()
    """The values that are not in view."""


def value_entries(
    entries: Iterable[tuple[object, Place, bool]], templating: HelmfileTemplating, handler: str
) -> Entries:
    """The layers of entries; each entry has its place and whether its parts have none.

    `handler` is `missingFileHandler`. Raises HelmfileError if helmfile would refuse an entry.
    """
    layers: list[ValuesLayer] = []
    absent: list[Absent] = []
    for entry, place, is_flat in entries:
        if isinstance(entry, dict):
            layers.append(ValuesLayer(entry, place, is_flat))
            continue
        if not isinstance(entry, str):
            raise HelmfileError("an entry of `values` is neither a map nor the name of a file")
        stand_in = _stand_in(entry, templating)
        if stand_in:
            entry = stand_in
        elif _REMOTE.match(entry):
            absent.append(Absent(f"the values {entry.split('?')[0]} are remote"))
            continue
        elif not _is_within(entry, templating):
            absent.append(absent_outside(entry))
            continue
        names = matching_files(templating.tree, "" if stand_in else templating.folder, entry)
        if not names and handler in ("", "Error"):
            raise HelmfileError(f"there is no values file {entry}")
        for name in names:
            layer = _file_layer(name, templating)
            layers += [layer] if isinstance(layer, ValuesLayer) else []
            absent += [] if isinstance(layer, ValuesLayer) else [layer]
    return Entries(tuple(layers), tuple(absent))


def _stand_in(entry: str, templating: HelmfileTemplating) -> str:
    """The repository file that the settings name for a file elsewhere; empty if there is none."""
    if not posixpath.isabs(entry) and not _REMOTE.match(entry):
        return ""
    name = templating.tree.vendored(entry)
    return name if name is not None and templating.tree.is_file(name) else ""


def _is_within(entry: str, templating: HelmfileTemplating) -> bool:
    fixed = re.split(r"[*?\[{]", entry)[0]
    return not posixpath.isabs(entry) and templating.tree.contains(join_path(templating.folder, fixed))


def _file_layer(name: str, templating: HelmfileTemplating) -> ValuesLayer | Absent:
    """The values of a file, or why they are not in view."""
    if name.endswith((".hcl", ".hcl.gotmpl")):
        return Absent(f"the values file {name} is HCL, which is not supported here")
    is_template = name.endswith(".gotmpl")
    reading = _fill_file(name, templating) if is_template else templating.tree.reading(name)
    if reading is None:
        raise HelmfileError(f"the values file {name} cannot be read, or is too large")
    if reading.failures:
        failure = reading.failures[0]
        raise HelmfileError(f"{name}: line {failure.line}: {failure.message}")
    if not reading.documents:
        return ValuesLayer({}, Place(name))
    value = reading.documents[0].value
    if is_template and is_placeholder(value):
        return Absent(f"the values of {name} come from something that is not in view")
    if not isinstance(value, dict):
        raise HelmfileError(f"the values file {name} is not a map")
    if "sops" in value:
        raise HelmfileError(f"the values file {name} is encrypted")
    return ValuesLayer(value, Place(name, reading.documents[0].index), is_template)


def _fill_file(name: str, templating: HelmfileTemplating) -> Reading | None:
    data = templating.tree.data(name)
    if data is None:
        return None
    text = templating._replace(folder=posixpath.dirname(name)).fill_text(data.decode(errors="replace"), name)
    return read(text.encode("utf-8", "surrogatepass"))


def values_of(entries: Entries) -> dict[str, object]:
    """The values of all entries merged."""
    return merge_layers(tuple(layer.values for layer in entries.layers))
