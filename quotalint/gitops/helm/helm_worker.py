"""The process that renders charts with Helm's own library: started by `library.py`, by its path, with nothing of the
user's environment. It imports nothing of quotalint, so that it starts fast and knows nothing.

It reads requests from standard input and writes answers to standard output, a line of JSON each. Its arguments are the
folder that `helm_python` lies in, how many bytes it may hold, how long an answer may be, and how many seconds it may
compute for each.
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
    """Answer requests until there are no more."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever the library prints is no answer
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
    """In a thread of its own: when whoever asks is gone, the process ends, whatever it is at."""
    for line in sys.stdin.buffer:
        requests.put(line)
    os._exit(0)


def _bound_memory(most: int) -> None:
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def leave_network() -> bool:
    """Go where there is no network; whether that was possible. A fence behind the walls: nothing that is asked of the
    library wants a network, since no chart with a schema that does comes here."""
    if not sys.platform.startswith("linux"):
        return False
    import ctypes

    # Before there is any thread, as user_namespaces(7) wants it.
    new_user, new_network = 0x10000000, 0x40000000
    with suppress(OSError, AttributeError):
        status: int = ctypes.CDLL(None).unshare(new_user | new_network)
        return status == 0
    return False


def _bound_work(seconds: int) -> None:
    """From now on. In computing, not by the clock: a chart is not to fail because the machine has other work."""
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
        refused = _install_refusal(
            metadata, [dependency["name"] for dependency in chart.dependencies], request["options"]
        )
        if refused:
            return refused
        manifests = _render_chart(chart, request["values"], request["options"])
        crds = [] if request["skip_crds"] else [(crd["filename"], crd["data"]) for crd in chart.crds]
        return {"name": metadata["name"], "templates": sorted(manifests.items()), "crds": crds}


def _render_chart(chart: Any, values: dict[str, Any], options: dict[str, Any]) -> dict[str, str]:
    # `Chart.render` does not pass on the version of Kubernetes and what it serves, which the library takes.
    from helm_python import _native

    manifests: dict[str, str] = json.loads(
        _native.call_string("helm_render", chart._raw(), json.dumps(values), json.dumps(options))
    )
    return manifests


def _install_refusal(metadata: dict[str, Any], dependencies: list[str], options: dict[str, Any]) -> dict[str, Any]:
    """What `helm template` looks at before it renders (pkg/action/install.go)."""
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
    """What a template alone comes to."""
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
