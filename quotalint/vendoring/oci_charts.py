"""Charts of registries, with Helm's library (the extra `helm`), which knows the user's logins."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec

from quotalint.kube.fields import mapping, text
from quotalint.lockfile.lock import RemoteSource
from quotalint.programs import Stopped, one_line, run, user_environment
from quotalint.runtime.scratch import scratch_folder
from quotalint.text.documents import read
from quotalint.text.files import content
from quotalint.text.semver import SemverError, satisfies
from quotalint.vendoring import MIB, Fetched, FetchError, Limits
from quotalint.vendoring.unpacking import unpacked_chart

_MODULE = "helm_python"
PLAIN = "oci+http://"
"""The scheme of a registry without TLS."""


def fetch_oci_chart(source: RemoteSource, limits: Limits, root: str) -> Fetched:
    """The chart of a registry. Nothing in the repository `root` is run. Raises FetchError."""
    module = find_spec(_MODULE)
    if module is None or not module.origin:
        raise FetchError("registries need Helm's library (`pip install 'quotalint[helm]'`)")
    plain = source.url.startswith(PLAIN)
    reference = f"oci://{source.url.partition('://')[2]}/{source.chart}"
    worker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "oci_worker.py")
    above = os.path.dirname(os.path.dirname(module.origin))
    arguments = (above, reference, _asked(source.version), "plain" if plain else "tls")
    with scratch_folder() as folder:
        command = (sys.executable, "-I", "-S", worker, *arguments)
        ended = run(command, folder, user_environment(root), limits.longest, whole=True)
        if isinstance(ended, Stopped):
            raise FetchError(f"the registry {ended.reason}")
        names = [name for name in os.listdir(folder) if name.endswith(".tgz")]
        if ended.errors or ended.status or not names:
            raise FetchError(one_line(ended.errors.decode(errors="replace")) or "Helm's library failed")
        packed = content(os.path.join(folder, names[0]), limits.download)
    if packed is None or len(packed) > limits.download:
        raise FetchError(f"the registry sent no chart of at most {limits.download // MIB} MiB")
    files = unpacked_chart(packed, limits)
    documents = read(files["Chart.yaml"]).documents
    version = text(mapping(documents[0].value).get("version")) if documents else ""
    return Fetched(version, files)


def _asked(version: str) -> str:
    """The version for the worker; a tag that is no version is marked."""
    if not version or version.startswith("sha256:"):
        return version
    try:
        satisfies(version, "0.0.0")
    except SemverError:
        return f"tag {version}"
    return version
