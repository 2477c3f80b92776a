"""The API of a code host: one request, and what goes wrong as a value."""

from __future__ import annotations

import json
import re
import time
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any, NamedTuple

_TRIES = 3


class Api(NamedTuple):
    """A server, and what it knows us by."""

    url: str
    """`https://api.github.com`, or that of a server of one's own."""
    token: str
    login: str = ""
    """The name that the token writes under, where that is known without asking."""
    timeout: float = 20.0
    """Seconds, for each answer."""
    pause: float = 2.0
    """Seconds, before asking again."""
    accept: str = "application/vnd.github+json"


class Refused(NamedTuple):
    """No answer that helps."""

    status: int
    """Of HTTP; 0 where there was no answer."""
    reason: str


def ask(api: Api, method: str, path: str, body: Any = None) -> Any | Refused:
    """What the server answers. A server in trouble is asked again, unless that might do something twice."""
    found = _ask(api, method, path, body)
    for _ in range(_TRIES - 1):
        if not isinstance(found, Refused) or 0 < found.status < 500 or method == "POST":
            break
        time.sleep(api.pause)
        found = _ask(api, method, path, body)
    return found


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The token goes nowhere else."""

    def redirect_request(self, *_: Any) -> None:
        """Nowhere."""


def _ask(api: Api, method: str, path: str, body: Any) -> Any | Refused:
    # What http.client says of a header that is none quotes it.
    if not re.fullmatch("[!-~]+", api.token):
        return Refused(0, "the token has characters that no token has")
    headers = {
        "Accept": api.accept,
        "Authorization": f"Bearer {api.token}",
        "Content-Type": "application/json",
        "User-Agent": "quotalint-action",
        "X-GitHub-Api-Version": "2022-11-28",
    }
    data = None if body is None else json.dumps(body).encode()
    try:
        request = urllib.request.Request(f"{api.url}{path}", data, headers, method=method)
        with urllib.request.build_opener(_NoRedirect).open(request, timeout=api.timeout) as answer:
            return json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        with error:
            return Refused(error.code, _message(error))
    except (OSError, HTTPException, ValueError, RecursionError) as error:
        return Refused(0, str(getattr(error, "reason", "") or error))


def _message(error: urllib.error.HTTPError) -> str:
    try:
        said = json.loads(error.read(65536))
    except (OSError, HTTPException, ValueError, RecursionError):
        said = None
    message = said.get("message") if isinstance(said, dict) else None
    return str(message or error.reason)[:200]
