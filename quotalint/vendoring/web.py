"""Downloads over HTTP: with limits, and with credentials only for the server that they belong to."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from quotalint.named_tuples import NamedTuple
from quotalint.text.digits import whole_number
from quotalint.vendoring import MIB, FetchError, Limits
from quotalint.version import __version__

if TYPE_CHECKING:
    from ssl import SSLContext

_MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_AT_ONCE = 65536


class Access(NamedTuple):
    """How to reach the server of a chart repository."""

    url: str = ""
    """The repository to which the credentials belong; empty: there are none."""
    authorization: str = ""
    """The header's value."""
    ca_file: str = ""
    """Additional certificates to trust."""
    cert_file: str = ""
    key_file: str = ""


def download(url: str, access: Access, limits: Limits) -> bytes:
    """The content at a URL. Plain HTTP is used only if the URL says so. Raises FetchError."""
    results: list[bytes | Exception] = []

    def attempt() -> None:
        try:
            results.append(_follow(url, access, limits))
        except Exception as error:
            results.append(error)

    # A server may send a byte now and then for ever, and the search for its address has no limit at all.
    thread = threading.Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(limits.longest)
    result = results[0] if results else FetchError(f"{_host_of(url)} took longer than {limits.longest:g} s")
    if isinstance(result, bytes):
        return result
    if isinstance(result, FetchError):
        raise result
    raise FetchError(f"{_host_of(url)}: {_words_of(result)}") from result


def _follow(url: str, access: Access, limits: Limits) -> bytes:
    scheme = urlsplit(url).scheme
    for _ in range(_MOST_REDIRECTS + 1):
        if urlsplit(url).scheme not in ("https", scheme) or scheme not in ("http", "https"):
            raise FetchError(f"{_host_of(url)} is not reached by https")
        answer = _open(url, access, limits)
        with answer:
            if answer.status == 200:
                return _content(answer, url, limits)
            if answer.status not in _REDIRECTS or not answer.headers.get("Location"):
                raise FetchError(f"{_host_of(url)} answered {answer.status} to a request for {_path_of(url)}")
            url = urljoin(url, answer.headers["Location"])
    raise FetchError(f"{_host_of(url)} redirects more than {_MOST_REDIRECTS} times")


def _open(url: str, access: Access, limits: Limits) -> Any:
    from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, ProxyHandler, Request

    is_theirs = bool(access.url) and _origin(url) == _origin(access.url)
    opener = OpenerDirector()  # without handlers for redirects, files, FTP, cookies and netrc
    opener.add_handler(ProxyHandler())
    is_http = url.startswith("http:")
    opener.add_handler(HTTPHandler() if is_http else HTTPSHandler(context=_tls(access, is_theirs=is_theirs)))
    headers = {"User-Agent": f"quotalint/{__version__}"}
    if is_theirs and access.authorization:
        headers["Authorization"] = access.authorization
    return opener.open(Request(url, headers=headers), timeout=limits.silence)


def _tls(access: Access, *, is_theirs: bool) -> SSLContext:
    import ssl

    context = ssl.create_default_context()
    if is_theirs and access.ca_file:
        context.load_verify_locations(access.ca_file)
    if is_theirs and access.cert_file:
        context.load_cert_chain(access.cert_file, access.key_file or None)
    return context


def _content(answer: Any, url: str, limits: Limits) -> bytes:
    stated = answer.headers.get("Content-Length", "")
    data = bytearray()
    while piece := answer.read1(_AT_ONCE):
        data += piece
        if len(data) > limits.download:
            raise FetchError(f"{_host_of(url)} sends more than {limits.download // MIB} MiB for {_path_of(url)}")
    length = whole_number(stated)
    if length is not None and len(data) < length:
        raise FetchError(f"{_host_of(url)} sent only {len(data)} of {stated} bytes of {_path_of(url)}")
    return bytes(data)


def _origin(url: str) -> tuple[str, str, int | None]:
    parts = urlsplit(url)
    ports: Callable[[str], int | None] = {"http": 80, "https": 443}.get
    return parts.scheme, parts.hostname or "", parts.port or ports(parts.scheme)


def _host_of(url: str) -> str:
    try:
        return urlsplit(url).hostname or url
    except ValueError:
        return url


def _path_of(url: str) -> str:
    """The path alone, because a query may hold a token."""
    return urlsplit(url).path or "/"


def _words_of(error: Exception) -> str:
    reason = getattr(error, "reason", error)
    if isinstance(reason, TimeoutError):
        return "no answer in time"
    return str(getattr(reason, "strerror", "") or reason) or type(reason).__name__
