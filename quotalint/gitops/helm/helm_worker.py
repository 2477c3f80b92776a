"""The process that renders charts with Helm's library; `library.py` starts it by its path, without the user's
environment. It imports nothing of quotalint, for a fast start and isolation.

It reads requests from standard input and writes answers to standard output, one line of JSON each. Arguments: the
folder of `helm_python`, the memory limit in bytes, the largest answer in bytes, and CPU seconds per answer.
"""

from __future__ import annotations

import io
import json
import os
import queue
import sys
import threading
import time
from contextlib import suppress
from typing import Any


def main(folder: str, most_memory: int, longest: int, seconds: int) -> None:
    """Answer requests until standard input ends."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # output of the library itself must not mix with answers
    _bound_memory(most_memory)
    leave_network()
    sys.path.insert(0, folder)
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_receive_requests, args=(requests,), daemon=True).start()
    while True:
        line = requests.get()
        begun = time.process_time()
        request = json.loads(line)
        _bound_work(min(seconds, request.get("seconds", seconds)))
        fields = _answer_request(request)
        answer = json.dumps({**fields, "seconds": time.process_time() - begun}).encode()
        if len(answer) > longest:
            fields = {"error": f"it renders to more than {longest // 1024 // 1024} MiB"}
            answer = json.dumps({**fields, "seconds": time.process_time() - begun}).encode()
        answers.write(answer + b"\n")


def _receive_requests(requests: queue.SimpleQueue[bytes]) -> None:
    """Read requests in a thread, so that the process ends at once when its parent is gone."""
    for line in sys.stdin.buffer:
        requests.put(line)
    os._exit(0)


def _bound_memory(most: int) -> None:
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def leave_network() -> bool:
    """Move to a namespace without network; returns whether that succeeded.

    This is a second safeguard: charts whose schemas need the network are filtered before.
    """
    if not sys.platform.startswith("linux"):
        return False
    import ctypes

    # Must run before any thread starts (user_namespaces(7)).
    new_user, new_network = 0x10000000, 0x40000000
    with suppress(OSError, AttributeError):
        status: int = ctypes.CDLL(None).unshare(new_user | new_network)
        return status == 0
    return False


def _bound_work(seconds: int) -> None:
    """Limit the CPU time from now on. Wall-clock time is not used, because other processes would affect it."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        usage = resource.getrusage(resource.RUSAGE_SELF)
        most = int(usage.ru_utime + usage.ru_stime) + 1 + seconds
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _answer_request(request: dict[str, Any]) -> dict[str, Any]:
    try:
        return _render_request(request)
    except Exception as error:
        return {"error": str(error) or type(error).__name__, "by": type(error).__name__}


def _render_request(request: dict[str, Any]) -> dict[str, Any]:
    import helm_python

    with helm_python.Chart.load(request["chart"]) as chart:
        metadata = chart.metadata
        named = metadata.get("dependencies") or () if request["without_dependencies"] else chart.dependencies
        refused = _install_refusal(metadata, [dependency["name"] for dependency in named], request["options"])
        if refused:
            return refused
        manifests = _render_chart(chart, request["values"], request["options"])
        crds = [] if request["skip_crds"] else [(crd["filename"], crd["data"]) for crd in chart.crds]
        return {"name": metadata["name"], "templates": sorted(manifests.items()), "crds": crds}


def _render_chart(chart: Any, values: dict[str, Any], options: dict[str, Any]) -> dict[str, str]:
    # `Chart.render` lacks the Kubernetes version and API versions that the library accepts.
    from helm_python import _native

    manifests: dict[str, str] = json.loads(
        _native.call_string("helm_render", chart._raw(), json.dumps(values), json.dumps(options))
    )
    return manifests


def _install_refusal(metadata: dict[str, Any], dependencies: list[str], options: dict[str, Any]) -> dict[str, Any]:
    """Why a chart cannot be installed, as `helm template` checks before it renders (pkg/action/install.go)."""
    if metadata.get("type") not in (None, "", "application"):
        return {"refused": "type", "type": metadata["type"]}
    missing = [
        dependency["name"]
        for dependency in metadata.get("dependencies") or ()
        if dependency["name"] not in dependencies
    ]
    if missing:
        return {"refused": "dependencies", "missing": missing}
    wanted = metadata.get("kubeVersion")
    if wanted:
        version = evaluate_template("{{ .Capabilities.KubeVersion.Version }}", {}, options)
        values = {"wanted": wanted, "version": version}
        if evaluate_template("{{ semverCompare .Values.wanted .Values.version }}", values) != "true":
            return {"error": f"chart requires kubeVersion: {wanted} which is incompatible with Kubernetes {version}"}
    return {}


def evaluate_template(template: str, values: dict[str, Any], options: dict[str, Any] | None = None) -> str:
    """The output of a single template."""
    import tarfile  # few charts ask for a version

    import helm_python

    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        chart = "{apiVersion: v2, name: a, version: 0.0.0}"
        for name, text in (("a/Chart.yaml", chart), ("a/templates/a", template)):
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    with helm_python.Chart.load_archive(packed.getvalue()) as loaded:
        return _render_chart(loaded, values, options or {})["a/templates/a"]


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
