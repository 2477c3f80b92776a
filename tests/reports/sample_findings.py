"""What the tests of the output formats share: findings made by hand, and hostile text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from quotalint.catalogue import rule_by_id
from quotalint.checks.hit import Note
from quotalint.cli import run
from quotalint.kube.objects import objects
from quotalint.results.finding import Finding, RelatedPlace
from quotalint.text.place import Place, Span

FORMATS = Path(__file__).parents[1] / "golden" / "formats" / "repo"
HOSTILE = (
    "a|b",
    "`x`",
    "``",
    "]]>",
    "<img src=x onerror=alert(1)>",
    "[x](http://example.com)",
    "[x](1)",
    "{0}",
    "\n::error::x",
    "##[set-env name=a]b",
    "%0A",
    "a,b:c",
    "\x1b[31m",
    "\x00",
    "\u202e",
    "\ud800",
    "\ufffe",
    "\\|",
    "&lt;",
    "@team",
    "__init__",
    "*a*",
    "$a$",
)
TEXT = st.one_of(
    st.text(),
    # Surrogates come out of names in JSON.
    st.text(st.characters()),
    st.lists(st.sampled_from([*HOSTILE, "a", " "])).map("".join),
)


def finding(**changes: Any) -> Finding:
    """A finding about a quota, with these fields."""
    (obj,) = objects(
        {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": changes.pop("name", "base")}},
        Place("q.yaml"),
    )
    finding = Finding(
        rule=rule_by_id("QL301"),
        severity="error",
        message="team-a asks for pods 5; quota base allows 4",
        label="1 short",
        help="raise pods to 5",
        file="team-a/q.yaml",
        span=Span(6, 5, 6, 14),
        namespace="team-a",
        object=obj,
        field="spec.hard[pods]",
        related=(RelatedPlace("used by", "team-a/web.yaml", Span(1, 1, 1, 20), "Deployment web"),),
        notes=(Note("so", "a pod is refused"),),
        environments=(),
        fingerprint="0123456789abcdef0123",
    )
    return finding._replace(**changes)


def hostile(text: str) -> Finding:
    """A finding with this text wherever a manifest has a say."""
    return finding(
        message=text,
        help=f"a{text}",
        file=f"a{text}.yaml",
        namespace=text,
        name=text,
        field=text,
        related=(RelatedPlace("used by", f"a{text}.yaml", Span(1, 1, 1, 2), text),),
        notes=(Note("so", text),),
        environments=(text,),
    )


def report(format_: str, path: Path, capsys: Any, *options: str) -> str:
    """What `quotalint check` prints of a folder."""
    run(["check", str(path), "--format", format_, *options])
    printed: str = capsys.readouterr().out
    return printed
