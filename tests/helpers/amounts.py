"""Amounts as Kubernetes writes them, read."""

from __future__ import annotations

from quotalint.kube.quantity import Quantity, parse


def amount(text: str) -> Quantity:
    """The amount of a text that is one."""
    parsed = parse(text)
    assert isinstance(parsed, Quantity), text
    return parsed
