"""`python -I FOLDER comment REPORT.md [REPORT.json]`: the comment on a merge request of GitLab, or a pull request of
Forgejo or Gitea, from the reports that `quotalint diff` has written."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from action.api import Api, Refused
from action.comment import Text, Thread, github_thread, gitlab_thread, put_comment
from action.event import event

_FAILED = 2
TOKEN = "QUOTALINT_TOKEN"
"""The variable that holds the token."""


class Host(NamedTuple):
    """Where the comment goes."""

    api: Api
    thread: Thread


def main(arguments: Sequence[str], environ: Mapping[str, str]) -> int:
    """Write the comment, and say what came of it. That a code host refuses it fails nothing: the status of the job is
    that of `quotalint diff`."""
    if not 1 <= len(arguments) <= 2:
        return _say("which report? python -I FOLDER comment REPORT.md [REPORT.json]", _FAILED)
    try:
        texts = [_read(name) for name in arguments]
        changes = json.loads(texts[1]) if len(texts) > 1 else {"quotas": [{}]}
    except (OSError, ValueError) as error:
        return _say(f"the report cannot be read: {error}", _FAILED)
    if not environ.get(TOKEN):
        return _say(f"no comment: there is no token in {TOKEN}")
    host = host_of(environ)
    if isinstance(host, str):
        return _say(f"no comment: {host}")
    changes = changes if isinstance(changes, dict) else {}
    new = changes.get("findings", {}).get("new", [])
    worth = bool(new or changes.get("quotas") or changes.get("verdict") == "unknown")
    told = put_comment(host.api, host.thread, environ.get("QUOTALINT_COMMENT_ID", "."), Text(texts[0]), worth)
    return _say(f"no comment: {told.status or 'no answer'}: {told.reason}" if isinstance(told, Refused) else told)


def host_of(environ: Mapping[str, str]) -> Host | str:
    """The code host that runs this job; otherwise why there is nothing to comment on."""
    token = environ.get(TOKEN, "")
    if environ.get("GITLAB_CI"):
        project, number = environ.get("CI_PROJECT_ID", ""), environ.get("CI_MERGE_REQUEST_IID", "")
        if not project.isdigit() or not number.isdigit():
            return "this pipeline is of no merge request"
        api = Api(environ.get("CI_API_V4_URL", ""), token, accept="application/json")
        return Host(api, gitlab_thread(project, int(number)))
    repository, what = environ.get("GITHUB_REPOSITORY", ""), event(environ)
    if not what.number or not re.fullmatch(r"[\w.-]+/[\w.-]+", repository):
        return "this run is of no pull request"
    api = Api(environ.get("GITHUB_API_URL", ""), token, accept="application/json")
    return Host(api, github_thread(repository, what.number))


def _read(name: str) -> str:
    with open(name, encoding="utf-8", errors="replace") as file:
        return file.read()


def _say(text: str, status: int = 0) -> int:
    sys.stdout.write(f"quotalint: {' '.join(text.split())}\n")
    return status
