"""The scalars of a YAML text that are written plainly, without quotes or a tag: those that a parser interprets."""

from __future__ import annotations

from quotalint.named_tuples import NamedTuple


class PlainScalar(NamedTuple):
    """One of them."""

    text: str
    end: int
    """Where in the text it ends, in characters."""
    is_key: bool


def plain_scalars(data: bytes) -> list[PlainScalar]:
    """Those of all documents; none where the text cannot be parsed as a whole."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    scalars = []
    awaits_key: list[bool | None] = [None]  # of each mapping that is open; None of what is none
    try:
        for event in yaml.parse(data.decode("utf-8-sig"), loader):
            if isinstance(event, yaml.CollectionEndEvent):
                awaits_key.pop()
            if not isinstance(event, yaml.NodeEvent):
                continue
            is_key = awaits_key[-1]
            if is_key is not None:
                awaits_key[-1] = not is_key
            if isinstance(event, yaml.MappingStartEvent):
                awaits_key.append(True)
            elif isinstance(event, yaml.SequenceStartEvent):
                awaits_key.append(None)
            elif isinstance(event, yaml.ScalarEvent) and not event.style and event.tag is None and event.end_mark:
                scalars.append(PlainScalar(event.value, event.end_mark.index, is_key is True))
    except (UnicodeDecodeError, yaml.YAMLError):
        return []
    return scalars
