"""Where the files of a commit can be read."""

from __future__ import annotations

import pytest

from quotalint.reports.links import links_of_address, links_of_commit, repository_home


@pytest.mark.parametrize(
    ("remote", "home"),
    [
        ("https://github.com/acme/shop.git", "https://github.com/acme/shop"),
        ("https://x-access-token:secret@github.com/acme/shop", "https://github.com/acme/shop"),
        ("git@github.com:acme/shop.git", "https://github.com/acme/shop"),
        ("ssh://git@gitlab.example.org:2222/team/sub/shop.git", "https://gitlab.example.org/team/sub/shop"),
        ("https://git.example.org:8443/acme/shop", "https://git.example.org:8443/acme/shop"),
        ("/srv/git/shop.git", ""),
        ("../shop", ""),
        ("file:///srv/git/shop.git", ""),
        ("https://example.org/a b)](javascript:alert(1))", ""),
        ("", ""),
    ],
)
def test_the_home_of_a_repository(remote: str, home: str) -> None:
    assert repository_home(remote) == home


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("git@github.com:acme/shop.git", "https://github.com/acme/shop/blob/c0ffee/apps/a%20b.yaml#L7"),
        ("https://gitlab.com/acme/shop", "https://gitlab.com/acme/shop/-/blob/c0ffee/apps/a%20b.yaml#L7"),
        ("https://bitbucket.org/acme/shop", "https://bitbucket.org/acme/shop/src/c0ffee/apps/a%20b.yaml#lines-7"),
        ("https://codeberg.org/acme/shop", "https://codeberg.org/acme/shop/src/commit/c0ffee/apps/a%20b.yaml#L7"),
    ],
)
def test_a_line_of_a_file(remote: str, address: str) -> None:
    assert links_of_commit(remote, "c0ffee", "apps").to("a b.yaml", 7) == address


def test_no_commit_and_no_place_outside_have_an_address() -> None:
    assert links_of_commit("git@github.com:acme/shop.git", "").to("a.yaml", 1) == ""
    assert links_of_commit("git@github.com:acme/shop.git", "c0ffee").to("../a.yaml", 1) == ""


def test_a_file_of_another_repository_has_no_address() -> None:
    links = links_of_commit("git@github.com:acme/shop.git", "c0ffee")
    assert (links.to("shop:web.yaml", 7), links.to("../web.yaml", 7), links.to("/web.yaml", 7)) == ("", "", "")
    assert links.to("a/b:c.yaml", 7) == "https://github.com/acme/shop/blob/c0ffee/a/b%3Ac.yaml#L7"


@pytest.mark.parametrize(
    ("address", "line"),
    [
        ("https://github.com/acme/shop/blob/v1", "https://github.com/acme/shop/blob/v1/apps/a.yaml#L7"),
        ("https://github.com/acme/shop/tree/main/", "https://github.com/acme/shop/tree/main/apps/a.yaml#L7"),
        ("https://github.com/blob/tree", "https://github.com/blob/tree/blob/c0ffee/apps/a.yaml#L7"),
        ("https://gitlab.com/a/b/shop/-/blob/v1", "https://gitlab.com/a/b/shop/-/blob/v1/apps/a.yaml#L7"),
        ("https://gitlab.com/a/blob/shop", "https://gitlab.com/a/blob/shop/-/blob/c0ffee/apps/a.yaml#L7"),
        ("https://git.example.org/a/shop/-/tree/v1", "https://git.example.org/a/shop/-/tree/v1/apps/a.yaml#L7"),
        ("https://bitbucket.org/acme/shop/src/v1", "https://bitbucket.org/acme/shop/src/v1/apps/a.yaml#lines-7"),
        ("https://codeberg.org/a/shop/src/branch/main", "https://codeberg.org/a/shop/src/branch/main/apps/a.yaml#L7"),
    ],
)
def test_an_address_may_name_a_revision(address: str, line: str) -> None:
    links = links_of_address(address, "c0ffee", "apps")
    assert links is not None
    assert (links.to("a.yaml", 7), links.commit) == (line, "c0ffee")


def test_a_folder_behind_a_revision_is_refused() -> None:
    # Nothing tells the branch main/apps from the folder apps of main.
    assert links_of_address("https://github.com/acme/shop/blob/main/apps", "c0ffee", "apps") is None
