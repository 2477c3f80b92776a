"""A check of the result by ruamel.yaml, which shares no code with our reader and keeps comments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from quotalint.named_tuples import NamedTuple


class _Read(NamedTuple):
    """The features of a file that ruamel.yaml reads."""

    documents: int
    comments: Counter[str]
    anchors: Counter[str]


def repair_doubt(before: bytes, after: bytes) -> str:
    """Why a repaired file should not be written; empty if nothing is wrong.

    The file must stay readable, with the same number of documents, and with every comment and anchor except those of
    removed entries. A file that ruamel.yaml could not read before is not checked: repeated keys, a template.
    """
    old = _read_back(before)
    if old is None:
        return ""
    new = _read_back(after)
    if new is None:
        return "what would be written is no YAML to ruamel.yaml"
    # A comment for quotalint is removed with its entry.
    lost = [comment for comment in old.comments - new.comments if not comment.lstrip("# \t").startswith("quotalint:")]
    if lost:
        return f"the comment `{lost[0]}` would be lost"
    if new.documents != old.documents:
        return "the number of documents would change"
    return "an anchor would be lost" if old.anchors - new.anchors else ""


def _read_back(data: bytes) -> _Read | None:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    reader = YAML(typ="rt")
    try:
        text = data.decode("utf-8-sig")
        tokens = list(reader.scan(text))
        documents = sum(1 for _ in YAML(typ="rt").load_all(text))
    # ruamel.yaml raises various errors (ValueError for invalid dates, RecursionError for deep nesting).
    except (YAMLError, ValueError, ArithmeticError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    comments = Counter(line for token in tokens for line in _comment_lines(getattr(token, "_comment", None)))
    anchors = Counter(token.value for token in tokens if type(token).__name__ == "AnchorToken")
    return _Read(documents, comments, anchors)


def _comment_lines(node: object) -> Iterator[str]:
    """The lines of the comments attached to a token."""
    if isinstance(node, (list, tuple)):
        for child in node:
            yield from _comment_lines(child)
    elif node is not None:
        for line in str(getattr(node, "value", "")).splitlines():
            if line.strip().startswith("#"):
                yield line.strip()
