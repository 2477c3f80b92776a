"""The picture of the comment in the README shows what the Action writes, and its links lead to the event's commit."""

from __future__ import annotations

import re
import struct
import zlib
from pathlib import Path

import pytest
from git_repositories import Repository
from github_runner import ROOT
from github_server import GitHub
from pictured_comment import commented

from action.addresses import file_addresses
from action.event import Event


def drawn_from(picture: Path) -> str:
    """The Markdown that a picture was drawn from, which .ci/make-pictures keeps in it (PNG, iTXt)."""
    data, place = picture.read_bytes(), 8
    while place < len(data):
        size, kind = struct.unpack_from(">I4s", data, place)
        if kind == b"iTXt":
            keyword, _, text = data[place + 8 : place + 8 + size].partition(b"\0")
            assert keyword == b"Markdown"
            return zlib.decompress(text[4:]).decode()
        place += 12 + size
    return ""


def test_the_picture_is_of_what_the_action_writes(tmp_path: Path, github: GitHub) -> None:
    written = commented(tmp_path, github)
    assert drawn_from(ROOT / "docs" / "pictures" / "comment.png") == written, "run .ci/make-pictures"
    links = re.findall(r"\((https://github\.com/acme/shop/blob/[^)]+)\)", written)
    commit = "https://github.com/acme/shop/blob/9fceb02d0ae598e95dc970b74767f19372d61af8"
    assert set(links) >= {f"{commit}/web.yaml#L5", f"{commit}/quota.yaml#L7"}
    assert {link.rpartition("/")[0] for link in links} == {commit}


@pytest.mark.parametrize(
    ("environ", "head", "address"),
    [
        ({"GITHUB_SHA": "HEAD"}, "", "https://github.com/acme/shop/blob/HEAD/{file}#L{line}"),
        ({}, "HEAD", "https://github.com/acme/shop/blob/HEAD/{file}#L{line}"),
        ({"GITHUB_SHA": "c0ffee"}, "", ""),
        ({"GITHUB_SHA": "HEAD", "GITHUB_SERVER_URL": "javascript:alert(1)//"}, "", ""),
        ({"GITHUB_SHA": "HEAD", "GITHUB_REPOSITORY": ""}, "", ""),
    ],
)
def test_links_lead_to_the_commit_of_the_event(
    environ: dict[str, str], head: str, address: str, tmp_path: Path
) -> None:
    commit = Repository(tmp_path).commit({"a.yaml": ""})
    of_github = {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "acme/shop"}
    given = {name: value.replace("HEAD", commit) for name, value in (of_github | environ).items()}
    what = Event("pull_request", 1, "", head.replace("HEAD", commit))
    assert file_addresses(what, str(tmp_path), given) == address.replace("HEAD", commit)
    assert file_addresses(what, str(tmp_path.parent), given) == ""
