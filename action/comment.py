"""The one comment on a pull request, or merge request, that is kept up to date."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from action.api import Api, Refused, ask
from action.files import shortened

_MOST = 64_000  # bytes; GitHub takes 65536 characters
_PAGE = 100
_PAGES = 50


class Text(NamedTuple):
    """What a comment says, in Markdown."""

    report: str
    """Shortened where it is too long."""
    footer: str = ""


class Thread(NamedTuple):
    """Where comments are, and how a code host speaks of them."""

    comments: str
    """The path that lists them, and that a new one is sent to."""
    comment: str
    """The path that the number of one is added to."""
    change: str = "PATCH"
    """How one is replaced."""
    author: str = "user"
    """The key of who wrote it, and below, of the name."""
    name: str = "login"
    most: int = _MOST
    """Bytes of a comment."""


def github_thread(repository: str, number: int) -> Thread:
    """Of a pull request on GitHub, and on Forgejo and Gitea, whose API is the same here."""
    issues = f"/repos/{repository}/issues"
    return Thread(f"{issues}/{number}/comments", f"{issues}/comments")


def gitlab_thread(project: str, number: int) -> Thread:
    """Of a merge request on GitLab (docs.gitlab.com/api/notes)."""
    notes = f"/projects/{project}/merge_requests/{number}/notes"
    return Thread(notes, notes, "PUT", "author", "username")


def put_comment(api: Api, thread: Thread, key: str, text: Text, worth: bool) -> str | Refused:
    """Write the report into the comment that is there, or into a new one if it is `worth` one; what was done.

    `key` tells the comments of several uses of the action apart.
    """
    marker = f"<!-- quotalint {hashlib.sha256(key.encode()).hexdigest()[:16]} -->\n"
    room = thread.most - len(marker) - len(text.footer.encode())
    body = {"body": f"{marker}{shortened(text.report, room)}{text.footer}"}
    mine = _mine(api, thread)
    if isinstance(mine, Refused):
        return mine
    found = _found(api, thread, marker, mine)
    if isinstance(found, Refused):
        return found
    if found is not None:
        said = ask(api, thread.change, f"{thread.comment}/{found['id']}", body)
        # Somebody may have deleted it in the meantime.
        if not isinstance(said, Refused) or said.status != 404:
            return said if isinstance(said, Refused) else "the comment is up to date"
    if not worth:
        return "there is nothing to comment on"
    said = ask(api, "POST", thread.comments, body)
    return said if isinstance(said, Refused) else "commented"


def _mine(api: Api, thread: Thread) -> str | Refused:
    """The name that comments are written under. The token of an app is no user and may not ask for one: empty then."""
    if api.login:
        return api.login
    said = ask(api, "GET", "/user")
    if isinstance(said, Refused):
        return "" if said.status in (403, 404) else said
    return str(said.get(thread.name) or "") if isinstance(said, dict) else ""


def _found(api: Api, thread: Thread, marker: str, mine: str) -> Mapping[str, Any] | Refused | None:
    """The comment, if it is there. One of somebody else with the same marker is left alone."""
    for page in range(1, _PAGES + 1):
        said = ask(api, "GET", f"{thread.comments}?per_page={_PAGE}&page={page}")
        if isinstance(said, Refused):
            return said
        if not isinstance(said, list) or not all(isinstance(one, dict) and type(one.get("id")) is int for one in said):
            return Refused(0, "no list of comments")
        for one in said:
            who = one.get(thread.author)  # null for one who has left
            user = who if isinstance(who, dict) else {}
            by_me = user.get(thread.name) == mine if mine else user.get("type") == "Bot"
            # GitHub gives line breaks back as it likes.
            if by_me and str(one.get("body")).startswith(marker.rstrip()):
                return dict(one)
        if len(said) < _PAGE:
            break
    return None
