"""A page for each rule, and the table of all: the words of `rules/*.yaml`, and what quotalint says of the examples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import yaml
from program_output import printed
from prose import escaped, fenced, indented, paragraphs

from quotalint.catalogue import Rule, in_general, rule_by_id, rule_ids, source_address, source_words
from quotalint.suppression import UNUSED

GROUPS = {
    "QL0": "Reading the repository",
    "QL1": "Refused by the API server",
    "QL2": "Accepted and never enforced",
    "QL3": "More than the quota allows",
    "QL4": "Pods and claims that are refused",
    "QL5": "How a cluster is governed",
    "QL6": "What people mistake",
    "QL7": "What Kueue queues",
}


def groups() -> Iterator[tuple[str, list[str]]]:
    """The title of each group with the ids of its rules."""
    for prefix, title in GROUPS.items():
        begun = [rule_id for rule_id in rule_ids() if rule_id.startswith(prefix)]
        if begun:
            yield title, begun


def rule_index() -> str:
    """A table for each group."""
    return "\n\n".join(f"## {title}\n\n{_table(found)}" for title, found in groups())


def _table(ids: list[str]) -> str:
    rows = [
        f"| [{rule.id}]({rule.id}.md) | {rule.name} | {rule.severity} | {escaped(rule.summary)} |"
        for rule in map(rule_by_id, ids)
    ]
    return "\n".join(["| rule | name | severity | finds |", "|---|---|---|---|", *rows])


def rule_page(rule_id: str) -> str:
    """Everything that is known of a rule."""
    return "\n\n".join(_page(rule_by_id(rule_id))) + "\n"


def _page(rule: Rule) -> Iterator[str]:
    yield f"# {rule.id} {rule.name}"
    off = "; it is off until `select` names it" if rule.severity == "off" else ""
    yield f"Finds: {escaped(rule.summary)}. Severity: **{rule.severity}**{off}."
    yield f"`quotalint explain {rule.id}` says the same in a terminal."
    yield "## Why it matters"
    yield paragraphs(rule.rationale)
    yield "## What Kubernetes does"
    yield "\n".join(_proof(proof) for proof in rule.kubernetes)
    yield "## What to write"
    yield "\n".join(f"- {escaped(text)}" for text in dict.fromkeys(map(in_general, rule.help.values())))
    yield "## What is wrong here"
    for at, example in enumerate(rule.bad):
        shown = "\n\n".join(_bad(rule, example))
        yield f"**{escaped(example['title'])}**\n\n{shown}" if at == 0 else _folded(example["title"], shown)
    yield "## What is right"
    for at, example in enumerate(rule.good):
        shown = "\n\n".join(_files(example))
        yield f"**{escaped(example['title'])}**\n\n{shown}" if at == 0 else _folded(example["title"], shown)
    yield "## Where it may be wrong or in the way"
    yield paragraphs(rule.known_problems)
    yield "## How to silence it"
    yield _silence(rule)
    related = _related(rule)
    if related:
        yield "## Related rules"
        yield _table(related)


def _proof(proof: Mapping[str, str]) -> str:
    return f"- {escaped(proof['says'])} [{escaped(source_words(proof))}]({source_address(proof)})"


def _bad(rule: Rule, example: Mapping[str, Any]) -> Iterator[str]:
    yield from _files(example)
    if example.get("before"):
        places = ", ".join(f"`{place.partition(' ')[0]}`" for place in example["expect"])
        yield f"`quotalint diff` reports it at {places}."
    else:
        # What silences nothing is only known where every rule is applied.
        select = [] if rule.id == UNUSED else ["--select", rule.id]
        given = {**_configuration(example), **example["files"]}
        report = printed(["check", "--jobs", "1", *select], given)
        if f"info  {rule.id} " not in report and f" × {rule.id} " in report:  # notes take a line together
            select.append("--verbose")
            report = printed(["check", "--jobs", "1", *select], given)
        yield fenced(" ".join(["$ quotalint", *select]) + "\n" + report, "console")


def _files(example: Mapping[str, Any]) -> Iterator[str]:
    before = {f"{name}, before": text for name, text in example.get("before", {}).items()}
    for name, text in {**_configuration(example), **before, **example["files"]}.items():
        yield fenced(text, "json" if name.endswith(".json") else "yaml", name)


def _configuration(example: Mapping[str, Any]) -> dict[str, str]:
    settings = example.get("settings")
    return {".quotalint.yaml": yaml.safe_dump(settings, default_flow_style=None, sort_keys=False)} if settings else {}


def _folded(title: str, text: str) -> str:
    plain = title.replace('"', "”")
    return f'??? example "{escaped(plain)}"\n\n{indented(text)}'


def _silence(rule: Rule) -> str:
    ways = fenced(f"# quotalint: ignore[{rule.id}] why it is meant", "yaml")
    places = fenced(f"ignore:\n- rules: [{rule.id}]\n  paths: [legacy/]", "yaml", ".quotalint.yaml")
    off = fenced(f'severity: {{{rule.id}: "off"}}', "yaml", ".quotalint.yaml")
    return (
        f"Where it is found, on a line above it:\n\n{ways}\n\nFor some files:\n\n{places}\n\nEverywhere:\n\n{off}\n\n"
        "[Suppressing findings](../suppression.md) has the other ways: a whole document, an annotation, a baseline."
    )


def _related(rule: Rule) -> list[str]:
    """The rules that its texts name, and those whose texts name it."""
    named = _named(rule)
    return [
        other for other in rule_ids() if other != rule.id and (other in named or rule.id in _named(rule_by_id(other)))
    ]


def _named(rule: Rule) -> set[str]:
    texts = (*rule.message.values(), *rule.help.values(), rule.rationale, rule.known_problems)
    titles = (example["title"] for example in (*rule.bad, *rule.good))
    return {rule_id for text in (*texts, *titles) for rule_id in re.findall(r"QL\d{3}", text)}
