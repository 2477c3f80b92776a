"""What helmfile installs: charts with values that only helmfile puts together, into namespaces that it names."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator

from quotalint.gitops.layout import OTHER, TEMPLATE, Skipped
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.text.reading import File

_MANY = 3  # releases that are named
_NAMESPACE = re.compile(r"""(?m)^[ \t-]*namespace:[ \t]*["']?([^"'#\r\n]*)""")


def helmfiles(files: Iterable[File], content: Callable[[str], bytes | None]) -> Iterator[Skipped]:
    """The helmfiles: known by their releases, or by their names where they are templates that cannot be parsed.
    `content` gives the bytes of a file."""
    for file in files:
        name = file.source.name
        if file.reading.failures:
            if file.templated and _is_named(name):
                found = _NAMESPACE.findall((content(name) or b"").decode(errors="replace"))
                reason = "a template of helmfile, whose releases are not rendered"
                # What else it installs is as unknown as what any other template makes, which doubts nothing either.
                yield _skipped(name, reason, TEMPLATE, [one.strip() for one in found])._replace(anywhere=False)
            continue
        bodies = [mapping(document.value) for document in file.reading.documents]
        releases = [(one, body) for body in bodies for one in _releases(body, name)]
        if releases:
            named = [text(one.get("name")) for one, _ in releases]
            more = f" and {len(named) - _MANY} more" if len(named) > _MANY else ""
            reason = f"helmfile installs {', '.join(named[:_MANY])}{more}, which is not rendered"
            namespaces = [text(one.get("namespace")) or text(body.get("namespace")) for one, body in releases]
            yield _skipped(name, reason, OTHER, namespaces)


def _is_named(name: str) -> bool:
    folder, base = posixpath.split(name)
    return base.startswith("helmfile.") or posixpath.basename(folder) == "helmfile.d"


def _releases(body: Body, name: str) -> Iterator[Body]:
    """The releases of a helmfile that are installed."""
    releases = [mapping(one) for one in sequence(body.get("releases"))]
    if "apiVersion" in body or not all(isinstance(one.get("name"), str) for one in releases):
        return
    # A chart may be inherited from a template.
    if "helmfile" in name or any(one.get("chart") for one in releases):
        yield from (one for one in releases if one.get("installed") is not False)


def _skipped(name: str, reason: str, kind: str, namespaces: Iterable[str]) -> Skipped:
    """A release without a namespace goes wherever whoever runs helmfile is at home."""
    given = frozenset(namespaces)
    known = tuple(sorted(one for one in given if one and not is_placeholder(one)))
    return Skipped(name, reason, kind, known, len(known) < len(given))
