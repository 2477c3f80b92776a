"""The rule catalogue as text: the list, and one rule in full."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quotalint.catalogue import Rule, in_general, rule_by_id, rule_ids, source_address, source_words
from quotalint.reports.terminal import SEVERITY_STYLES, Terminal, align_rows, count_noun, safe_text, wrap_paragraph

_REPAIRS = {"safe": "--fix", "unsafe": "--unsafe-fixes"}


def without_escapes(policy: Rule) -> Rule:
    """A policy of the repository, with texts that cannot change colours or hide anything on a terminal."""
    return Rule(*map(_plain_words, policy))


def _plain_words(value: Any) -> Any:
    if isinstance(value, str):
        return "\n".join(map(safe_text, value.split("\n")))
    if isinstance(value, Mapping):
        return {key: _plain_words(inner) for key, inner in value.items()}
    return tuple(map(_plain_words, value)) if isinstance(value, (tuple, list)) else value


def render_rules(to: Terminal, prefix: str = "", own: Sequence[Rule] = ()) -> str:
    """A line for each rule whose id has this prefix, and for policies of the user: severity, kind of fix, first
    release."""
    rules = [*(rule_by_id(rule_id) for rule_id in rule_ids() if rule_id.startswith(prefix)), *own]
    cells = [
        (rule.id, rule.severity, _REPAIRS.get(rule.repair, ""), rule.since, rule.name, rule.summary) for rule in rules
    ]
    severities = [rule.severity for rule in rules]
    return "".join(
        line.replace(severity, to.paint(severity, SEVERITY_STYLES.get(severity, "dim")), 1) + "\n"
        for severity, line in zip(severities, align_rows(cells), strict=True)
    )


def render_rules_json(own: Sequence[Rule]) -> str:
    """The same list as JSON."""
    import json

    rules = [*(rule_by_id(rule_id) for rule_id in rule_ids()), *own]
    facts = ("id", "name", "severity", "summary", "repair", "since")
    listed = [{fact: getattr(rule, fact) for fact in facts} for rule in rules]
    return json.dumps(listed, indent=2) + "\n"


def render_rule(rule: Rule, to: Terminal, *, all_examples: bool) -> str:
    """Everything about one rule, with one wrong and one right example, or with all examples."""
    return "\n".join(_rule_paragraphs(rule, to, all_examples=all_examples)) + "\n"


def _rule_paragraphs(rule: Rule, to: Terminal, *, all_examples: bool) -> Iterator[str]:
    severity = to.paint(rule.severity, SEVERITY_STYLES.get(rule.severity, "dim"))
    yield f"{to.paint(f'{rule.id} {rule.name}', 'bold')} ({severity})"
    yield wrap_paragraph(rule.summary, to.width)
    yield from _section_lines("Why it matters", rule.rationale, to)
    if rule.kubernetes:
        yield ""
        yield to.paint("What Kubernetes does", "bold")
    for proof in rule.kubernetes:
        yield wrap_paragraph(proof["says"], to.width, "  ", "  ")
        yield to.paint(wrap_paragraph(source_words(proof), to.width, "    ", "    "), "dim")
        yield to.paint(f"    {source_address(proof)}", "dim")
    yield from _section_lines(
        "What to write",
        "\n\n".join(text for text in dict.fromkeys(map(in_general, rule.help.values())) if text != "…"),
        to,
    )
    yield from _section_lines("Known problems", rule.known_problems, to)
    for title, examples in (("Wrong", rule.bad), ("Right", rule.good)):
        for example in examples if all_examples else examples[:1]:
            yield ""
            yield to.paint(f"{title}: {example['title']}", "bold")
            yield from _example_lines(example, to)
    more = len(rule.bad) + len(rule.good) - len(rule.bad[:1]) - len(rule.good[:1])
    if more and not all_examples:
        yield ""
        yield f"{count_noun(more, 'more example')}: quotalint explain --all {rule.id}"


def _section_lines(title: str, text: str, to: Terminal) -> Iterator[str]:
    if text:
        yield ""
        yield to.paint(title, "bold")
        for block in text.split("\n\n"):
            yield wrap_paragraph(block, to.width, "  ", "  ")


def _example_lines(example: Mapping[str, Any], to: Terminal) -> Iterator[str]:
    settings = example.get("settings")
    if settings:
        import json

        yield f"  with .quotalint.yaml: {json.dumps(settings)}"
    before = [(f"{name}, before", text) for name, text in example.get("before", {}).items()]
    for name, text in (*before, *example["files"].items()):
        yield to.paint(f"  # {name}", "dim")
        yield from (f"  {line}".rstrip() for line in text.rstrip("\n").split("\n"))
    if example.get("expect"):
        yield f"  reported at {', '.join(place.partition(' ')[0] for place in example['expect'])}"
