"""The process that pulls one chart from a registry with Helm's library; `oci_charts.py` starts it by its path. It
imports nothing of quotalint.

Arguments: the folder of `helm_python`, the reference (`oci://…`), the version or tag, whether to use plain HTTP. The
packed chart is written into the working directory; without one, standard error says why.
"""

from __future__ import annotations

import sys


def main(folder: str, reference: str, version: str, plain: str) -> None:
    """Pull the chart."""
    sys.path.insert(0, folder)
    from helm_python.registry import RegistryClient

    try:
        with RegistryClient(plain_http=plain == "plain") as client:
            if version.startswith("tag "):  # no version, so Helm would not find it
                version = client.resolve(f"{reference}:{version[4:]}")["digest"]
            if version.startswith("sha256:"):
                reference, version = f"{reference}@{version}", ""
            client.pull(reference, version=version or None, destination=".", plain_http=plain == "plain")
    except Exception as error:
        raise SystemExit(str(error) or type(error).__name__) from None


if __name__ == "__main__":
    main(*sys.argv[1:5])
