"""Parses the changes of `what-if`: `web=12`, `worker.requests.memory=2Gi`, `quota.shop/base.pods=30`, `nodes=5`,
`node-loss=1`, `+DIR`, `+chart:DIR@NAMESPACE`."""

from __future__ import annotations

from quotalint.kube import quantity
from quotalint.kube.quantity import BadQuantity
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern

REPLICAS, MINIMUM, MAXIMUM, CONTAINER = "replicas", "min", "max", "container"
QUOTA, NODES, NODE_LOSS, ADDED, CHART = "quota", "nodes", "node-loss", "added", "chart"
_INT32 = 2**31 - 1
_CONTAINER = lazy_pattern(r"(?P<subject>.+?)\.(?P<side>requests|limits)\.(?P<resource>[^=]+)")
_NUMBER = lazy_pattern(r"(?P<subject>.+)\.(?P<field>replicas|min|max)")


class Wish(NamedTuple):
    """One change."""

    text: str
    """As it was typed."""
    kind: str
    subject: str = ""
    """The object as typed: `web`, `shop/web`, `Deployment/web`, `shop/base.pods` of a quota; or a folder."""
    value: str = ""
    container: str = ""
    """The name of a container; empty: the only one."""
    side: str = ""
    """`requests` or `limits`."""
    resource: str = ""

    @property
    def number(self) -> int:
        """The value as a number."""
        return int(self.value)


class Unclear(NamedTuple):
    """Why a change cannot be made."""

    reason: str


def is_wish(text: str) -> bool:
    """Whether it is a change, and not a path."""
    return text.startswith("+") or "=" in text


def wish(text: str) -> Wish | Unclear:
    """The change of a text, or why it is unclear."""
    if text.startswith("+chart:"):
        folder, _, namespace = text.removeprefix("+chart:").partition("@")
        return Wish(text, CHART, folder, namespace) if folder else Unclear(f"{text}: names no folder")
    if text.startswith("+"):
        return Wish(text, ADDED, text[1:]) if text[1:] else Unclear(f"{text}: names no file or folder")
    subject, _, value = text.partition("=")
    if not subject or not value:
        return Unclear(f"{text}: not a change, such as web=12 or web.requests.cpu=2")
    if subject in (NODES, NODE_LOSS):
        return _check_count(Wish(text, subject, "", value))
    if subject.startswith("quota."):
        return _check_amount(Wish(text, QUOTA, subject.removeprefix("quota."), value))
    match = _CONTAINER.fullmatch(subject)
    if match is not None:
        name, _, container = match["subject"].partition(":")
        return _check_amount(Wish(text, CONTAINER, name, value, container, match["side"], match["resource"]))
    match = _NUMBER.fullmatch(subject)
    if match is not None:
        return _check_count(Wish(text, match["field"], match["subject"], value))
    return _check_count(Wish(text, REPLICAS, subject, value))


def _check_count(wish: Wish) -> Wish | Unclear:
    if not (wish.value.isascii() and wish.value.isdecimal()) or len(wish.value) > 10 or int(wish.value) > _INT32:
        return Unclear(f"{wish.text}: {wish.value} is not a whole number, such as 12")
    return wish


def _check_amount(wish: Wish) -> Wish | Unclear:
    parsed = quantity.parse(wish.value)
    if isinstance(parsed, BadQuantity) or parsed.nano < 0:
        return Unclear(f"{wish.text}: {wish.value} is not an amount, such as 500m or 2Gi")
    return wish
