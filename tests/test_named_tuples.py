"""Named tuples of our own are those of `typing`, but for what is looked into when they are defined."""

from __future__ import annotations

import copy
import typing

import pytest
from rooms import PACKAGE

from quotalint import named_tuples


def defined(base: typing.Any) -> typing.Any:
    """The same class, defined with one of the two."""

    class Point(base):  # type: ignore[misc]  # whichever it is
        """A place."""

        x: int
        y: NoSuchThing = 2  # type: ignore[name-defined]  # noqa: F821  # what is annotated need not be there
        z: int = 3

        @property
        def total(self) -> int:
            """Of all three."""
            return int(self.x + self.y + self.z)

        @classmethod
        def origin(cls) -> typing.Any:
            return cls(0, 0, 0)

    return Point


@pytest.mark.parametrize("base", [typing.NamedTuple, named_tuples.NamedTuple])
def test_it_is_what_typing_defines(base: typing.Any) -> None:
    point = defined(base)
    assert point._fields == ("x", "y", "z") and point._field_defaults == {"y": 2, "z": 3}
    assert (point.__name__, point.__doc__, point.__module__) == ("Point", "A place.", __name__)
    assert point.__qualname__ == "defined.<locals>.Point" and point.__mro__ == (point, tuple, object)
    assert point(1) == (1, 2, 3) == point(z=3, x=1) and point(1).total == 6 and point.origin() == (0, 0, 0)
    changed = point(1)._replace(z=5, x=4)
    assert changed == (4, 2, 5) and type(changed) is point and point(1)._replace() == point(1)
    with pytest.raises((TypeError, ValueError)):
        point(1)._replace(w=1)
    assert repr(point(1)._replace(y=5)) == "Point(x=1, y=5, z=3)"
    assert point(1)._asdict() == {"x": 1, "y": 2, "z": 3} and copy.copy(point(1)) == point(1)
    assert point._make([4, 5, 6]) == (4, 5, 6) and type(copy.copy(point(1))) is type(point._make([4, 5, 6])) is point
    with pytest.raises(TypeError):
        point._make([4, 5])
    match point(1, z=7):
        case point(x, _, z):
            assert (x, z) == (1, 7)
    with pytest.raises(AttributeError):
        point(1).x = 2
    with pytest.raises(TypeError):
        point()


@pytest.mark.parametrize("base", [typing.NamedTuple, named_tuples.NamedTuple])
def test_a_field_without_a_default_stands_before_those_with_one(base: typing.Any) -> None:
    with pytest.raises(TypeError):

        class Wrong(base):  # type: ignore[misc]  # whichever it is
            x: int = 1
            y: int


@pytest.mark.parametrize("base", [typing.NamedTuple, named_tuples.NamedTuple])
def test_classes_of_as_many_fields_have_each_their_own(base: typing.Any) -> None:
    class One(base):  # type: ignore[misc]  # whichever it is
        left: int

    class Other(base):  # type: ignore[misc]  # whichever it is
        right: int = 1

    assert (One(left=2), Other(), Other(right=3)) == ((2,), (1,), (3,))
    assert (One(2).left, Other().right) == (2, 1)
    for wrong in (lambda: One(), lambda: One(right=2), lambda: Other(left=2), lambda: Other(1, 2)):
        with pytest.raises(TypeError):
            wrong()


def test_annotations_are_text_wherever_fields_are_read_from_them() -> None:
    """Python 3.14 puts only such annotations into the body of a class."""
    texts = {str(path.relative_to(PACKAGE)): path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    defining = {name for name, text in texts.items() if "(NamedTuple)" in text}
    assert len(defining) > 50
    assert [name for name in defining if "\nfrom __future__ import annotations\n" not in texts[name]] == []
