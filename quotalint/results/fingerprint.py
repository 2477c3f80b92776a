"""The fingerprint of a finding: the same in every run, whatever its amounts and lines are."""

from __future__ import annotations

import re
from functools import cache

from quotalint.catalogue import Rule
from quotalint.checks.hit import MANY, Hit
from quotalint.runtime.hashes import hash_function
from quotalint.settings import Settings

FORMER_WORDS = (
    (
        r"(?<!\S)(\S+ \S+) sets `directory` for (\S+), so Argo CD applies (\S+) as an object",
        r"\1 says that \2 is a `directory`, so Argo CD takes \3 for an object",
    ),
    (
        r"its source is of the types (.+), and Argo CD refuses more than one",
        r"its source is said to be \1, which Argo CD refuses",
    ),
    (
        r"bundles in a repository's root folder are not worked out",
        r"what its root folder comes to is not worked out here",
    ),
    (r"(?<!\S)(\S+) allows nothing, so there is no share of it", r"\1 allows nothing, of which there are no shares"),
    (r"a map with keys that are not strings", r"a map of which not all keys are strings"),
    (r"an amount that is only known as a lower bound", r"an amount of which only a lower bound is known"),
)
"""The words of a reason, as a pattern, and the words that it had when fingerprints were fixed.

The fingerprint of a finding without a resource and without a field contains its reason, because nothing else tells it
from others of its file. Add an entry here when you reword such a reason: baselines then stay valid. The texts of
rules in rules/ are not part of any fingerprint."""


def fingerprint_of(checked_rule: Rule, hit: Hit, settings: Settings) -> str:
    """20 hexadecimal digits. The texts of the rule are not part of it."""
    obj, place = hit.object, hit.place.real
    of_file = () if obj or hit.variant == MANY else (settings.way(place.source), str(place.document))
    identity = (obj.group, obj.kind, obj.namespace, obj.name) if obj else of_file
    about = hit.resource or hit.field or stable_reason(hit.values.get("key", "") or hit.values.get("reason", ""))
    parts = (checked_rule.id, *identity, hit.field, about, hit.values.get("quota", ""), hit.values.get("detail", ""))
    # An object may set the quotas of several namespaces, and be in none of them.
    if obj is not None and not obj.namespace and hit.values.get("namespace"):
        parts += (hit.values["namespace"],)
    digest: str = hash_function("sha256")("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
    return digest[:20]


def stable_reason(text: str) -> str:
    """A reason in the words of the first release, without revisions, tags, versions and digests."""
    for words, former in _former_words():
        text = words.sub(former, text)
    return _pin_pattern().sub("", text)


@cache
def _former_words() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(words), former) for words, former in FORMER_WORDS)


@cache
def _pin_pattern() -> re.Pattern[str]:
    return re.compile(
        r"""
      @(?:sha256:)?[0-9a-f]{7,64}\b | @v?\d[\w.+-]*     # a digest, a commit, a version
    | [?&](?:ref|version|tag|revision)=[^\s&,;]*        # Kustomize, go-getter
    | (?<=[a-z0-9]):v?\d[\w.+-]*(?=[\s,;)]|$)          # the tag of an OCI artifact; no port is at an end
    | (?:\s(?:version|revision|tag|ref|at))?\sv?\d+\.\d+(?:\.\d+)?[\w.+-]*   # a version by itself
    """,
        re.VERBOSE,
    )
