"""Credentials from Helm's own configuration (helm 3 and 4: `helm repo add`)."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from quotalint.text.documents import read
from quotalint.text.files import content
from quotalint.vendoring.web import Access

_LARGEST = 1 << 20


def access_for(url: str, environment: Mapping[str, str] = os.environ) -> Access:
    """The access to a chart repository: that of the entry with the longest URL that begins the repository's. Others of
    the same server may belong to somebody else."""
    entries = [entry for entry in _repositories(environment) if _begins(str(entry.get("url") or ""), url)]
    if not entries:
        return Access()
    entry = max(entries, key=lambda entry: len(str(entry["url"])))
    fields = {name: str(entry.get(name) or "") for name in ("username", "password", "caFile", "certFile", "keyFile")}
    authorization = ""
    if fields["username"] or fields["password"]:
        from base64 import b64encode

        pair = f"{fields['username']}:{fields['password']}".encode()
        authorization = f"Basic {b64encode(pair).decode()}"
    return Access(url, authorization, fields["caFile"], fields["certFile"], fields["keyFile"])


def _begins(above: str, url: str) -> bool:
    # Steps such as `..` lead to another repository of the server.
    is_plain = ".." not in url and "%" not in url and "\\" not in url
    return is_plain and bool(above.rstrip("/")) and f"{url.rstrip('/')}/".startswith(f"{above.rstrip('/')}/")


def _repositories(environment: Mapping[str, str]) -> list[dict[str, object]]:
    try:
        data = content(_file(environment), _LARGEST)
    except (OSError, ValueError):
        return []
    documents = read(data).documents if data else ()
    value = documents[0].value if documents else None
    listed = value.get("repositories") if isinstance(value, dict) else None
    return [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []


def _file(environment: Mapping[str, str]) -> str:
    """The path of Helm's list of repositories (helm pkg/helmpath, lazypath)."""
    if environment.get("HELM_REPOSITORY_CONFIG"):
        return environment["HELM_REPOSITORY_CONFIG"]
    folder = environment.get("HELM_CONFIG_HOME", "")
    if not folder:
        home = os.path.expanduser("~")
        usual = os.path.join(home, *(("Library", "Preferences") if sys.platform == "darwin" else (".config",)))
        folder = os.path.join(environment.get("XDG_CONFIG_HOME") or usual, "helm")
    return os.path.join(folder, "repositories.yaml")
