"""Named tuples that are defined in half the time: there are two hundred of them in a clean run.

`typing.NamedTuple` looks into what is annotated, each time a program starts; nobody asks for that here. To whoever
checks types it is the very same.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections import namedtuple

    class _Definition(type):
        """Makes a named tuple of the body of a class."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
            fields = list(body.get("__annotations__", ()))
            with_default = [field for field in fields if field in body]
            if fields[len(fields) - len(with_default) :] != with_default:
                raise TypeError(f"a field of {name} without a default stands behind one that has one")
            defaults = [body.pop(field) for field in with_default]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            made._replace = _with_changes
            for key, value in body.items():
                setattr(made, key, value)
            return made

    def _with_changes(self: tuple, /, **changes: object) -> tuple:
        # Half the time of what `namedtuple` brings, which asks for every field whether it is another one.
        values = list(self)
        for name, value in changes.items():
            values[self._fields.index(name)] = value
        return tuple.__new__(self.__class__, values)

    NamedTuple = type.__new__(_Definition, "NamedTuple", (), {})

__all__ = ["NamedTuple"]
