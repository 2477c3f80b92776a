"""Standard output and standard error, as every run has them."""

from __future__ import annotations

import os
import sys


def open_streams() -> None:
    """Have both, in UTF-8, whatever the locale is."""
    # A stream that was closed for us (`>&-`) is None.
    sys.stdout, sys.stderr = (stream or open(os.devnull, "w") for stream in (sys.stdout, sys.stderr))  # noqa: SIM115  # until the end
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
