"""A second opinion on what is to be written, by ruamel.yaml: it shares no code with our reader, and keeps comments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from quotalint.named_tuples import NamedTuple


class _Read(NamedTuple):
    """What ruamel.yaml makes of a file."""

    documents: int
    comments: Counter[str]
    anchors: Counter[str]


def repair_doubt(before: bytes, after: bytes) -> str:
    """Why a repaired file should not be written; empty where nothing speaks against it.

    It must still be readable, with as many documents, every comment and every anchor that is not gone with what was
    dropped by intention. Of a file that ruamel.yaml could not read before it has no opinion: a key that is given twice,
    a template.
    """
    was = _read_back(before)
    if was is None:
        return ""
    now = _read_back(after)
    if now is None:
        return "what would be written is no YAML to ruamel.yaml"
    # What quotalint is told of an entry goes with it.
    lost = [comment for comment in was.comments - now.comments if not comment.lstrip("# \t").startswith("quotalint:")]
    if lost:
        return f"the comment `{lost[0]}` would be lost"
    if now.documents != was.documents:
        return "the number of documents would change"
    return "an anchor would be lost" if was.anchors - now.anchors else ""


def _read_back(data: bytes) -> _Read | None:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    reader = YAML(typ="rt")
    try:
        text = data.decode("utf-8-sig")
        tokens = list(reader.scan(text))
        documents = sum(1 for _ in YAML(typ="rt").load_all(text))
    # ruamel.yaml raises what it happens to meet (ValueError for dates that are none, RecursionError for depth).
    except (YAMLError, ValueError, ArithmeticError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    comments = Counter(line for token in tokens for line in _comment_lines(getattr(token, "_comment", None)))
    anchors = Counter(token.value for token in tokens if type(token).__name__ == "AnchorToken")
    return _Read(documents, comments, anchors)


def _comment_lines(node: object) -> Iterator[str]:
    """The lines of comments that hang on a token."""
    if isinstance(node, (list, tuple)):
        for child in node:
            yield from _comment_lines(child)
    elif node is not None:
        for line in str(getattr(node, "value", "")).splitlines():
            if line.strip().startswith("#"):
                yield line.strip()
