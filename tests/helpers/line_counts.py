"""How much work something is: lines of ours that run are counted, so that every machine will do."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import quotalint

PACKAGE = str(Path(quotalint.__file__).parent)


def lines_of(work: Callable[[], object], part: str = "") -> int:
    """How many lines of ours run, or of a part of the package."""
    count = 0
    wanted = PACKAGE + part

    def within(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line"
        return within

    def entering(frame: FrameType, event: str, _: Any) -> Any:
        return within if frame.f_code.co_filename.startswith(wanted) else None

    before = sys.gettrace()
    sys.settrace(entering)
    try:
        work()
    finally:
        sys.settrace(before)
    return count
