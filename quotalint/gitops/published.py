"""The JSON report of another repository, as what that repository deploys."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.gitops.rendering import Unseen
from quotalint.kube.fields import Body, integer, mapping, sequence, strings, text
from quotalint.kube.guess import Guess
from quotalint.kube.objects import Object, objects
from quotalint.named_tuples import NamedTuple
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


def published_environments(value: object, name: str) -> tuple[Published, ...] | None:
    """By environment, what the repository `name` deploys; None where its report does not say."""
    listed = mapping(value).get("deploys")
    if not isinstance(listed, list) or not listed:
        return None
    return tuple(_published_environment(environment, name) for environment in map(mapping, listed))


def _published_environment(written: Body, name: str) -> Published:
    deployed_objects: list[Object] = []
    lines: dict[tuple[str, int], int] = {}
    for number, entry in enumerate(map(mapping, sequence(written.get("objects")))):
        place = Place(f"{name}:{text(entry.get('file'))}", number)
        lines[place.source, number] = max(1, integer(entry.get("line")) or 1)
        guesses = tuple(_published_guesses(entry))
        deployed_objects += (
            obj._replace(foreign=True, guesses=guesses) for obj in objects(entry.get("manifest"), place)
        )
    unseen = (
        Unseen(
            text(unseen_entry.get("namespace")),
            f"{name}: {text(unseen_entry.get('reason'))}",
            strings(unseen_entry.get("kinds")),
        )
        for unseen_entry in map(mapping, sequence(written.get("unseen")))
    )
    return Published(text(written.get("environment")), tuple(deployed_objects), tuple(unseen), lines)


def _published_guesses(entry: Body) -> Iterator[Guess]:
    for guess in map(mapping, sequence(entry.get("assumptions"))):
        yield Guess(text(guess.get("about")), text(guess.get("reason")), text(guess.get("cure")))
