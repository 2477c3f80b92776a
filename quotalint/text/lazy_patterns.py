"""Regular expressions that are compiled at their first use. A run needs a few dozen of about
two hundred, and compiling one takes as long as reading a manifest."""

from __future__ import annotations

import re
from typing import Any, AnyStr, Generic, cast

_METHODS = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")


def lazy_pattern(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Like `re.compile`, but compiled at its first use. Raises re.error only then."""
    return cast("re.Pattern[AnyStr]", _LazyPattern(expression, flags))


class _LazyPattern(Generic[AnyStr]):
    """A placeholder for a compiled expression. It is a class because it replaces its own methods."""

    def __init__(self, expression: AnyStr, flags: int) -> None:
        self._written: tuple[AnyStr, int] = expression, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(*self._written)
        # From now on, Python finds the methods on the object itself and does not call `__getattr__`.
        self.__dict__.update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)
