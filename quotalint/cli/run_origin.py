"""Where a report comes from: command line, commit, and addresses of files, mostly known from CI."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence

from quotalint.cli.request import CannotRun
from quotalint.reports.links import Links, Origin, links_of_address, links_of_commit
from quotalint.text.gitignore import git_folder, shared_git_folder
from quotalint.text.lazy_patterns import lazy_pattern

_COMMIT = lazy_pattern(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_MOST = 1 << 20  # bytes of a file of git's; packed-refs of 10,000 branches
_USER = lazy_pattern(r"(?<=://)[^/@\s]*@")


def page_origin(
    arguments: Sequence[str], link: str, repository: str, environ: Mapping[str, str] = os.environ
) -> Origin:
    """The origin of a run: `link` is the option, `repository` the top folder of the files."""
    here = os.path.relpath(".", repository).replace(os.sep, "/") if repository else ""
    within = "" if here.startswith("..") else here
    commit = commit_of(repository)
    file_links = asked_links(link, commit, within) if link else _of_ci(environ, commit, within)
    return Origin(_command_line(arguments), commit or file_links.commit, file_links)


def asked_links(link: str, commit: str, within: str) -> Links:
    """The addresses of `--link`. Raises CannotRun."""
    file_links = links_of_address(link, commit, within)
    if file_links is None:
        raise CannotRun(
            f"--link {link}: give the address of a repository (https://github.com/acme/gitops) or of a revision "
            "(https://github.com/acme/gitops/blob/main), or a pattern with {file} "
            "(https://git.example.org/acme/gitops/blob/{commit}/{file}#L{line})"
        )
    return file_links


def _of_ci(environ: Mapping[str, str], commit: str, within: str) -> Links:
    """The addresses from the variables of CI: Forgejo, Gitea, GitHub, GitLab, Bitbucket."""

    def variable(name: str) -> str:
        return environ.get(name, "").strip()

    if variable("GITHUB_SERVER_URL") and variable("GITHUB_REPOSITORY"):
        host = "forgejo" if variable("FORGEJO_ACTIONS") or variable("GITEA_ACTIONS") else ""
        home = f"{variable('GITHUB_SERVER_URL').rstrip('/')}/{variable('GITHUB_REPOSITORY')}"
        return links_of_commit(
            home,
            _known_commit(commit, variable("GITHUB_SHA")),
            within,
            host or ("github" if variable("GITHUB_SHA") else ""),
        )
    if variable("CI_PROJECT_URL"):
        return links_of_commit(
            variable("CI_PROJECT_URL"), _known_commit(commit, variable("CI_COMMIT_SHA")), within, "gitlab"
        )
    if variable("BITBUCKET_GIT_HTTP_ORIGIN"):
        origin_ = variable("BITBUCKET_GIT_HTTP_ORIGIN")
        return links_of_commit(origin_, _known_commit(commit, variable("BITBUCKET_COMMIT")), within, "bitbucket")
    return Links()


def _known_commit(checked_out: str, named: str) -> str:
    return checked_out or (named if _COMMIT.fullmatch(named) else "")


def _command_line(arguments: Sequence[str]) -> str:
    """The command line as typed, without credentials in addresses."""
    return _USER.sub("", shlex.join(("quotalint", *arguments))) if arguments else ""


def commit_of(repository: str) -> str:
    """The checked-out commit of a folder, read from git's files without running git; empty if unknown."""
    git = os.path.join(repository, ".git")
    if not repository or not os.path.lexists(git):
        return ""
    folder, shared = git_folder(git), shared_git_folder(git)
    head = _first_line(os.path.join(folder, "HEAD"))
    name = head.removeprefix("ref:").strip()
    if name == head:
        return head if _COMMIT.fullmatch(head) else ""
    if not re.fullmatch(r"refs/[^\0]+", name) or ".." in name:
        return ""
    for place in (folder, shared):
        commit = _first_line(os.path.join(place, *name.split("/")))
        if _COMMIT.fullmatch(commit):
            return commit
    packed = re.search(rf"(?m)^({_COMMIT.pattern}) {re.escape(name)}$", _file_text(os.path.join(shared, "packed-refs")))
    return packed[1] if packed else ""


def _first_line(path: str) -> str:
    return _file_text(path).partition("\n")[0].strip()


def _file_text(path: str) -> str:
    from quotalint.text.files import content

    try:
        return (content(path, _MOST) or b"")[:_MOST].decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
