"""Charts of repositories over HTTP: an index, and packed charts."""

from __future__ import annotations

import re
from urllib.parse import urljoin

from quotalint.kube.fields import dig, mapping, sequence, text
from quotalint.lockfile.lock import RemoteSource
from quotalint.runtime.hashes import hash_function
from quotalint.text.documents import read
from quotalint.text.semver import SemverError, order_of, parse_version, satisfies
from quotalint.vendoring import Fetched, FetchError, Limits
from quotalint.vendoring.unpacking import unpacked_chart
from quotalint.vendoring.web import Access, download


def fetch_http_chart(source: RemoteSource, access: Access, limits: Limits) -> Fetched:
    """The chart of a chart repository. Raises FetchError."""
    base = f"{source.url.rstrip('/')}/"
    index = download(urljoin(base, "index.yaml"), access, limits)
    entries = [mapping(entry) for entry in sequence(_entries_of(index, source.chart))]
    if not entries:
        raise FetchError("the repository has no such chart")
    version = newest_version([text(entry.get("version")) for entry in entries], source.version)
    entry = next(entry for entry in entries if text(entry.get("version")) == version)
    url = next(filter(None, map(text, sequence(entry.get("urls")))), "")
    if not url:
        raise FetchError(f"the repository names no file of version {version}")
    packed = download(urljoin(base, url), access, limits)
    stated = text(entry.get("digest")).removeprefix("sha256:").lower()
    if stated and hash_function("sha256")(packed).hexdigest() != stated:
        raise FetchError(f"the file of version {version} has not the digest that the repository's index names")
    return Fetched(version, unpacked_chart(packed, limits))


def newest_version(versions: list[str], asked: str) -> str:
    """The version that Helm takes: the one with this name, else the newest that satisfies the constraint (pkg/repo,
    IndexFile.Get). Raises FetchError."""
    if asked in versions:
        return asked
    fitting = [version for version in versions if _satisfies(asked or "*", version)]
    if not fitting:
        raise FetchError(f"no version satisfies {asked or '*'}")
    return max(fitting, key=lambda version: order_of(parse_version(version)))


def _satisfies(asked: str, version: str) -> bool:
    try:
        return satisfies(asked, version)
    except SemverError:
        return False


def _entries_of(index: bytes, chart: str) -> object:
    """The versions of a chart. Indexes are large, so only the chart's part is read if it can be cut out."""
    part = index
    first = re.compile(rb"^entries:[ \t]*\n( +)[^ \n]", re.MULTILINE).search(index)
    head = first and re.compile(rb"^%b%b:[ \t]*$" % (first[1], re.escape(chart.encode())), re.MULTILINE).search(index)
    if first and head:
        end = re.compile(rb"^ {0,%d}[^ #\n-]" % len(first[1]), re.MULTILINE).search(index, head.end())
        part = b"entries:\n" + index[head.start() : end.start() if end else len(index)]
    reading = read(part)
    value = reading.documents[0].value if reading.documents and not reading.failures else None
    if value is None:
        raise FetchError("the repository's index.yaml cannot be read")
    return dig(value, "entries", chart)
