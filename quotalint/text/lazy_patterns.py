"""Regular expressions that are compiled when they are first looked for: there are two hundred, of which a run needs a
few dozen, and to compile one takes as long as to read a manifest."""

from __future__ import annotations

import re
from typing import Any, AnyStr, Generic, cast

_METHODS = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")


def lazy_pattern(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` makes of it, as soon as anything of that is asked for. Raises re.error only then."""
    return cast("re.Pattern[AnyStr]", _LazyPattern(expression, flags))


class _LazyPattern(Generic[AnyStr]):
    """Stands for a compiled expression. A class because it becomes one."""

    def __init__(self, expression: AnyStr, flags: int) -> None:
        self._written: tuple[AnyStr, int] = expression, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(*self._written)
        # From now on nobody comes by here: what is found in the object itself is not asked for again.
        self.__dict__.update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)
