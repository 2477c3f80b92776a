"""Addresses of the files of a commit at the host of its repository. Rarely needed imports are inside functions."""

from __future__ import annotations

import re

from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern

_SCP = lazy_pattern(r"^(?:[\w.-]+@)?([\w.-]+):(?!//)/?(.+)$")
_HOME = "https://github.com/quotalint/quotalint"


class Links(NamedTuple):
    """The addresses of files at a host: a prefix, and the form of a line. Without a prefix there are no addresses."""

    prefix: str = ""
    """Ends with `/`."""
    anchor: str = "#L{line}"
    commit: str = ""
    """The commit of the files; empty if unknown."""

    def to(self, file: str, line: int) -> str:
        """The address of a line; empty if the host is unknown, or if the file lies outside, such as `shop:web.yaml` of
        another repository's report."""
        if not self.prefix or file.startswith(("../", "/")) or ":" in file.partition("/")[0]:
            return ""
        from urllib.parse import quote

        return self.prefix + quote(file, errors="replace") + self.anchor.replace("{line}", str(line))


def links_of_commit(remote: str, commit: str, within: str = "", host: str = "") -> Links:
    """The addresses of the files of a commit in the repository that is cloned from `remote`. File names are relative to
    the folder `within` it. `host` gives the kind of server if its name does not."""
    home = repository_home(remote)
    if not home or not commit:
        return Links()
    way, anchor = _way_to_files(host or home.split("/")[2])
    return Links(f"{home}/{way}/{commit}/{_folder_path(within)}", anchor, commit)


def _way_to_files(host: str) -> tuple[str, str]:
    """The parts of addresses at this host: the text between a repository and a commit, and the form of a line."""
    if "bitbucket" in host:
        return "src", "#lines-{line}"
    if "gitlab" in host:
        return "-/blob", "#L{line}"
    if host in ("codeberg.org", "gitea.com") or "gitea" in host or "forgejo" in host:
        return "src/commit", "#L{line}"
    return "blob", "#L{line}"


def links_of_address(address: str, commit: str, within: str) -> Links | None:
    """The addresses for `--link`: `https://host/group/repository`, one of its revisions, or a pattern with `{file}` and
    optionally `{line}` and `{commit}`; None if it is none of these. `commit`: that of the files, otherwise HEAD is
    named."""
    before, pattern, after = address.partition("{file}")
    if not pattern:
        file_links = _links_of_repository(address, commit, within) if _is_of_the_web(address) else Links()
        return file_links._replace(commit=commit) if file_links.prefix else None
    begun, ended = (text.replace("{commit}", commit or "HEAD") for text in (before, after))
    return Links(begun + _folder_path(within), ended, commit) if _is_of_the_web(begun) else None


def _links_of_repository(address: str, commit: str, within: str) -> Links:
    """The addresses of the files of a commit, or of the revision in the address, as in `…/blob/main`. Empty if a folder
    may follow the revision."""
    home = repository_home(address)
    way, anchor = _way_to_files(home.split("/")[2]) if home else ("", "")
    ways = {"-/blob": "-/(?:blob|tree)", "src": "src", "src/commit": "src/(?:commit|branch|tag)"}
    of_revision = re.fullmatch(rf"https://[^/]+/[^/]+/.+?/{ways.get(way, '(?:blob|tree)')}/(.+)", home)
    if of_revision is None:
        return links_of_commit(address, commit or "HEAD", within)
    return Links() if "/" in of_revision[1] else Links(f"{home}/{_folder_path(within)}", anchor, commit)


def _is_of_the_web(address: str) -> bool:
    return re.match(r"https?://[^/]", address) is not None


def _folder_path(within: str) -> str:
    from urllib.parse import quote

    folder = within.strip("/")
    return f"{quote(folder)}/" if folder and folder != "." else ""


def repository_home(remote: str) -> str:
    """The web address of a repository, from the address that git clones, without credentials; empty if it has none."""
    remote = remote.strip()
    if "://" in remote:
        from urllib.parse import urlsplit

        try:
            parts = urlsplit(remote)
            host, path = parts.hostname or "", parts.path
            port = f":{parts.port}" if parts.port and parts.scheme in ("http", "https") else ""
        except ValueError:
            return ""
        if parts.scheme not in ("http", "https", "ssh", "git"):
            return ""
        host += port
    else:
        scp = _SCP.match(remote)
        if scp is None:
            return ""
        host, path = scp[1], scp[2]
    path = path.strip("/").removesuffix(".git").strip("/")
    is_plain = re.fullmatch(r"[\w.:-]+", host) and re.fullmatch(r"[\w.~/-]+", path) and "." in host
    return f"https://{host}/{path}" if is_plain else ""


def rule_page(rule_id: str, name: str, version: str) -> str:
    """The address of a rule's page."""
    return f"{_HOME}/blob/v{version}/rules/{rule_id}-{name}.yaml"


class Origin(NamedTuple):
    """The run that made a report."""

    command: str = ""
    """The command line, as a shell would take it."""
    commit: str = ""
    """The commit that was checked out; empty if unknown."""
    links: Links = Links()


NOWHERE = Origin()
