"""Named tuples whose definition takes a fraction of the usual time: a clean run defines two hundred.

`typing.NamedTuple` evaluates annotations, and `collections.namedtuple` compiles a constructor for each class, each time
a program starts. Here all classes with the same number of fields share one constructor, with other names. For type
checkers it is `typing.NamedTuple`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections import _tuplegetter
    from types import CodeType, FunctionType

    class _Definition(type):
        """Makes a named tuple of the body of a class."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body.pop(field) for field in fields if field in body}
            if fields[len(fields) - len(defaults) :] != tuple(defaults):
                raise TypeError(f"a field of {name} without a default stands behind one that has one")
            getters = {
                field: _tuplegetter(index, f"Alias for field number {index}") for index, field in enumerate(fields)
            }
            own = {"_fields": fields, "_field_defaults": defaults, "__match_args__": fields, "__slots__": ()}
            constructor = _constructor(name, fields, tuple(defaults.values()))
            return type.__new__(type, name, (tuple,), {**_METHODS, **getters, **own, "__new__": constructor, **body})

    def _constructor(name: str, fields: tuple[str, ...], defaults: tuple[object, ...]) -> FunctionType:
        """`__new__` of a class: the code of all with as many fields, with other names for its parameters."""
        code = _CODES.get(len(fields)) or _CODES.setdefault(len(fields), _constructor_code(len(fields)))
        own_globals = {"_tuple_new": tuple.__new__, "__builtins__": {}, "__name__": f"namedtuple_{name}"}
        return FunctionType(code.replace(co_varnames=("_cls", *fields)), own_globals, "__new__", defaults)

    def _constructor_code(number: int) -> CodeType:
        parameters = "".join(f", _{index}" for index in range(number))
        written = eval(f"lambda _cls{parameters}: _tuple_new(_cls, ({parameters[2:]}{',' * (number == 1)}))")
        return written.__code__.replace(co_name="__new__")

    _CODES: dict[int, CodeType] = {}
    """By the number of fields."""

    def _make(cls: type, iterable: object) -> tuple:
        made = tuple.__new__(cls, iterable)
        if len(made) != len(cls._fields):
            raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
        return made

    def _with_changes(self: tuple, /, **changes: object) -> tuple:
        # Half the time of what `namedtuple` brings, which asks for every field whether it is another one.
        values = list(self)
        for name, value in changes.items():
            values[self._fields.index(name)] = value
        return tuple.__new__(self.__class__, values)

    def _as_written(self: tuple) -> str:
        values = ", ".join(f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True))
        return f"{self.__class__.__name__}({values})"

    def _as_dict(self: tuple) -> dict[str, object]:
        return dict(zip(self._fields, self, strict=True))

    def _arguments(self: tuple) -> tuple:
        return tuple(self)

    _METHODS = {
        "_make": classmethod(_make),
        "_replace": _with_changes,
        "_asdict": _as_dict,
        "__repr__": _as_written,
        "__getnewargs__": _arguments,
    }
    NamedTuple = type.__new__(_Definition, "NamedTuple", (), {})

__all__ = ["NamedTuple"]
