"""rules/*.yaml → the texts of each rule. A rule is read when it is needed: a clean run reads none."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from quotalint.named_tuples import NamedTuple
from quotalint.runtime.data import rules_folder
from quotalint.text.documents import read

SEVERITIES = ("error", "warning", "info")


class Alike(NamedTuple):
    """How findings of a rule with the same message are merged into one."""

    by: tuple[str, ...]
    """The values that all merged findings have in common."""
    lists: Mapping[str, str]
    """The lists in the merged texts: the name of a list → the text for one finding, with its values in braces."""
    instead: Mapping[str, str]
    """Parts of the rule's texts → the words that replace them; these may name the lists."""
    also: str
    """The message at the place of each finding except the first."""


class Others(NamedTuple):
    """How findings of a rule about several workloads, objects or files are merged in reports for people: the first is
    written, and the others are listed with it."""

    by: tuple[str, ...]
    """The values that all merged findings have in common."""
    name: str
    """The text for each of the others, with its values in braces."""


class Rule(NamedTuple):
    """One rule of the catalogue. Texts name the values of a hit in braces."""

    id: str
    name: str
    severity: str
    """`error`, `warning`, `info`, or `off`: only when selected."""
    since: str
    """The first release of quotalint with this rule."""
    looks_at: str
    """What must be in view to know that there is no finding: a `file`, an `object`, an `entry` of a quota with its sum,
    a `namespace`, or the `repository`."""
    stands_alone: bool
    """It holds for an object regardless of who applies it, and where."""
    repair: str
    """Whether what it finds can be repaired: `safe` or `unsafe` at best, or `none`."""
    summary: str
    headline: Mapping[str, str]
    """The finding in a few words with its numbers, by variant, for the head of a comment."""
    message: Mapping[str, str]
    """What is wrong, by variant."""
    label: Mapping[str, str]
    """A few words under the caret, by variant."""
    help: Mapping[str, str]
    """What to write instead, by variant."""
    rationale: str
    kubernetes: tuple[Mapping[str, str], ...]
    """The source code of Kubernetes that proves the rule: release, file and symbol, with a sentence."""
    known_problems: str
    bad: tuple[Mapping[str, Any], ...]
    good: tuple[Mapping[str, Any], ...]
    of_change: bool = False
    """It is about a change, so it is only found in a comparison."""
    worse_with: str = ""
    """The name of a value that is larger in worse findings, such as `short`."""
    needs_quotas: bool = False
    """It does not apply to a repository without quotas and LimitRanges."""
    refuses: bool = False
    """Its findings say that the API server refuses an object, whatever the quota allows."""
    supersedes: tuple[str, ...] = ()
    """Less important rules: their findings at the same place are dropped."""
    outdoes: tuple[str, ...] = ()
    """Less important rules about the same quota: if this rule has a new finding, their earlier findings do not count as
    fixed."""
    counts: Mapping[str, str] = MappingProxyType({})
    """For a rule about an entry of a quota, by variant: the sum that it compares. `settled` is the configured scenario,
    `surge` has one step of a workload, `scaled` the maximum of autoscalers, `peak` everything at once."""
    moment: Mapping[str, str] = MappingProxyType({})
    """When the amount is needed, by variant: `during rollouts`; empty if it is needed at rest."""
    consequence: Mapping[str, str] = MappingProxyType({})
    """What will happen, in one sentence, by variant; none if the message says it."""
    alike: Alike | None = None
    """How findings with the same message are merged for people; None: they are not merged."""
    others: Others | None = None
    """How findings about several subjects are merged for people; None: they are not merged."""


def source_words(proof: Mapping[str, str]) -> str:
    """Where a proof was read: project and release, file and symbol."""
    project = proof["repository"].rpartition("/")[2].capitalize()
    return f"{project} {proof['release']}, {proof['file']}, {proof['symbol']}"


def source_address(proof: Mapping[str, str]) -> str:
    """The address of that file."""
    return f"https://github.com/{proof['repository']}/blob/v{proof['release']}.0/{proof['file']}"


def rule_ids() -> tuple[str, ...]:
    """The ids of all rules, sorted."""
    return tuple(sorted(_rule_files()))


@cache
def rule_by_id(rule_id: str) -> Rule:
    """A rule by its id; KeyError when there is none."""
    with open(_rule_files()[rule_id], "rb") as file:
        document = read(file.read()).documents[0].value
    assert isinstance(document, dict)
    return Rule(
        id=document["id"],
        name=document["name"],
        severity=document["severity"],
        since=document["since"],
        looks_at=document["looks_at"],
        stands_alone=document["stands_alone"],
        repair=document["repair"],
        summary=document["summary"],
        headline=_text_variants(document["headline"]),
        message=_text_variants(document["message"]),
        label=_text_variants(document.get("label", "")),
        help=_text_variants(document["help"]),
        rationale=document["rationale"].strip(),
        kubernetes=tuple({"repository": "kubernetes/kubernetes", **proof} for proof in document["kubernetes"]),
        known_problems=document.get("known_problems", "").strip(),
        bad=tuple(document["bad"]),
        good=tuple(document["good"]),
        of_change=document.get("of_change", False),
        worse_with=document.get("worse_with", ""),
        needs_quotas=document.get("needs_quotas", False),
        refuses=document.get("refuses", False),
        supersedes=tuple(document.get("supersedes", ())),
        outdoes=tuple(document.get("outdoes", ())),
        counts=_text_variants(document.get("counts", {})),
        moment=_text_variants(document.get("moment", {})),
        consequence=_text_variants(document.get("consequence", {})),
        alike=_alike_settings(document["alike"]) if "alike" in document else None,
        others=Others(tuple(document["others"]["by"]), document["others"]["as"]) if "others" in document else None,
    )


def find_rule(wanted: str) -> Rule | str:
    """The rule with this id or name, in upper or lower case. If there is none, a suggestion: the ids that begin like it
    (`QL301 to QL305`), or the most similar id or name; empty if none is similar."""
    by_word = {word.lower(): rule_id for rule_id in rule_ids() for word in (rule_id, rule_by_id(rule_id).name)}
    if wanted.lower() in by_word:
        return rule_by_id(by_word[wanted.lower()])
    if re.fullmatch("ql[0-9]+", wanted.lower()):
        begun = [rule_id for rule_id in rule_ids() if rule_id.startswith(wanted.upper())]
        return f"{begun[0]} to {begun[-1]}" if len(begun) > 1 else next(iter(begun), "")
    from difflib import get_close_matches

    near = next(iter(get_close_matches(wanted.lower(), by_word, 1)), "")
    return by_word[near] if near.startswith("ql") else near


def in_general(text: str) -> str:
    """A text of a rule with a general word for each value of a finding: `raise RESOURCE`; `…` if it has only values."""
    from string import Formatter

    parts = [(literal, field) for literal, field, _, _ in Formatter().parse(text)]
    if not any(literal.strip() for literal, _ in parts):
        return "…"
    return "".join(literal + ("" if field is None else _general_word(field)) for literal, field in parts)


def _general_word(value: str) -> str:
    """The general word for a value of a finding, for texts without a finding."""
    words = {
        "raise": "RESOURCE to AMOUNT",
        "room": "",
        "heal": "; or let it need less",
        "less": "or ask for less",
        **dict.fromkeys(("hard", "enough", "short", "other_hard", "lower"), "AMOUNT"),
        **dict.fromkeys(("suggestion", "limit_range"), "NAME"),
        **dict.fromkeys(("old", "known"), "SCOPES"),
        "allowed": "NAMES",
        "counted": "RESOURCES",
        "defaults": "AMOUNTS",
        "entry": "RESOURCE",
        "meant": "VALUE",
        "since": "RELEASE",
        "threshold": "PERCENT",
        "what": "THINGS",
        "write": "KIND",
    }
    return words.get(value, value.upper().replace("_", " "))


@cache
def _rule_files() -> Mapping[str, str]:
    folder = rules_folder()
    return {name.partition("-")[0]: os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".yaml")}


def _text_variants(texts: str | Mapping[str, str]) -> Mapping[str, str]:
    return {"default": texts} if isinstance(texts, str) else texts


def _alike_settings(settings: Mapping[str, Any]) -> Alike:
    return Alike(tuple(settings["by"]), settings["lists"], settings["instead"], settings["also"])


_MAX_VALUE = 2000


def _shortened_text(value: str) -> str:
    """The value, shortened: a value from a manifest may be as long as a file."""
    return value if len(value) <= _MAX_VALUE else f"{value[: _MAX_VALUE - 1]}…"


def filled_text(texts: Mapping[str, str], variant: str, values: Mapping[str, str]) -> str:
    """The text of a variant (the default one where it has none of its own) with the values filled in."""
    # Messages of the API server keep their double blanks; line ends in names become blanks.
    spaced_values = {name: _shortened_text(value).replace("  ", "\0\0") for name, value in values.items()}
    text = texts.get(variant, texts["default"]).format_map(spaced_values)
    return " ".join(text.split()).replace("\0", " ")
