"""The JSON report of another repository, as what that repository deploys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from quotalint.gitops.rendering import Unseen
from quotalint.kube.fields import Body, integer, mapping, sequence, strings, text
from quotalint.kube.guess import Guess
from quotalint.kube.objects import Object, objects
from quotalint.text.place import Place


class Published(NamedTuple):
    """What a report says of one environment."""

    environment: str
    objects: tuple[Object, ...]
    unseen: tuple[Unseen, ...]
    lines: dict[tuple[str, int], int]
    """Where each object stands in its repository, by the source and the document of its place."""


def is_report(value: object) -> bool:
    """Whether a document is a JSON report of quotalint."""
    return mapping(mapping(value).get("tool")).get("name") == "quotalint"


def published(value: object, name: str) -> tuple[Published, ...] | None:
    """By environment, what the repository `name` deploys; None where its report does not say."""
    listed = mapping(value).get("deploys")
    if not isinstance(listed, list) or not listed:
        return None
    return tuple(_environment(one, name) for one in map(mapping, listed))


def _environment(written: Body, name: str) -> Published:
    found: list[Object] = []
    lines: dict[tuple[str, int], int] = {}
    for number, one in enumerate(map(mapping, sequence(written.get("objects")))):
        place = Place(f"{name}:{text(one.get('file'))}", number)
        lines[place.source, number] = max(1, integer(one.get("line")) or 1)
        guesses = tuple(_guesses(one))
        found += (obj._replace(foreign=True, guesses=guesses) for obj in objects(one.get("manifest"), place))
    unseen = (
        Unseen(text(one.get("namespace")), f"{name}: {text(one.get('reason'))}", strings(one.get("kinds")))
        for one in map(mapping, sequence(written.get("unseen")))
    )
    return Published(text(written.get("environment")), tuple(found), tuple(unseen), lines)


def _guesses(one: Body) -> Iterator[Guess]:
    for guess in map(mapping, sequence(one.get("assumptions"))):
        yield Guess(text(guess.get("about")), text(guess.get("reason")), text(guess.get("cure")))
