"""SARIF 2.1.0, which GitHub code scanning, Azure DevOps and editors read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from quotalint.accounts.quota_table import QuotaTable
from quotalint.catalogue import SEVERITIES, Rule, source_words
from quotalint.quota.projection import EXACT
from quotalint.reports.cells import namespaces_label, quota_label
from quotalint.reports.json_text import json_text
from quotalint.reports.terminal import safe_text
from quotalint.results.finding import Finding
from quotalint.suppression import ANNOTATION, COMMENT, Suppression
from quotalint.text.place import Span
from quotalint.version import __version__

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
HOME = "https://github.com/quotalint/quotalint"
"""The address of the project."""
_ROOT = "%SRCROOT%"
_LEVELS = {"error": "error", "warning": "warning", "info": "note", "off": "warning"}
_PROBLEMS = {"error": "error", "warning": "warning", "info": "recommendation", "off": "warning"}
_LINKED = 8  # related places that the message names
_RELATED = 100  # of these GitHub keeps no more
_RESULTS = 25_000  # GitHub refuses a run with more


def render(findings: Sequence[Finding], tables: Iterable[QuotaTable], most: int = _RESULTS) -> str:
    """The whole log: one run, the reported rules, and a notification for each quota that is not fully in view. Of more
    than `most` findings it omits the least severe, and says so."""
    doubts = [
        quota_notification(doubt, table.quota.object.place.file, table.line)
        for table in tables
        if (doubt := quota_doubt(table))
    ]
    return render_log(findings, doubts, most)


def render_log(findings: Sequence[Finding], doubts: Sequence[dict[str, Any]], most: int = _RESULTS) -> str:
    """The log with these notifications."""
    found_count, findings = len(findings), _most_severe(findings, most)
    rules = {finding.rule.id: finding.rule for finding in findings}
    order = sorted(rules)
    index = {rule_id: number for number, rule_id in enumerate(order)}
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "quotalint",
                "version": __version__,
                "semanticVersion": __version__,
                "informationUri": HOME,
                "rules": [_rule_json(rules[rule_id]) for rule_id in order],
            }
        },
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [
                    *doubts,
                    *_left_out_notification(found_count - len(findings)),
                ],
            }
        ],
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The folder that quotalint was run in."}}},
        "columnKind": "unicodeCodePoints",
        "results": [_result_json(finding, index[finding.rule.id]) for finding in findings],
    }
    return json_text({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def _most_severe(findings: Sequence[Finding], most: int) -> Sequence[Finding]:
    """The most severe results, in their order."""
    if len(findings) <= most:
        return findings
    ranks = [
        (finding.suppressed is not None, SEVERITIES.index(finding.severity), at) for at, finding in enumerate(findings)
    ]
    return [findings[at] for at in sorted(at for _, _, at in sorted(ranks)[:most])]


def _left_out_notification(number: int) -> Iterator[dict[str, Any]]:
    if number:
        text = f"the {number} least severe results are omitted: a run may have {_RESULTS}"
        yield {"level": "warning", "message": {"text": text}}


def _rule_json(rule: Rule) -> dict[str, Any]:
    sources = [f"{source['says']} ({source_words(source)})" for source in rule.kubernetes]
    more = f"`quotalint explain {rule.id}` shows wrong and right manifests."
    text = [rule.summary, rule.rationale, *sources, rule.known_problems, more.replace("`", "")]
    markdown = [rule.rationale, "**What Kubernetes does**", "\n".join(f"- {source}" for source in sources)]
    if rule.known_problems:
        markdown += ["**Known problems**", rule.known_problems]
    described: dict[str, Any] = {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": _message_text(rule.summary)},
        "fullDescription": {"text": _message_text(" ".join(rule.rationale.split("\n\n")[0].split()))},
        "help": {
            "text": _message_text("\n\n".join(filter(None, text))),
            "markdown": _message_text("\n\n".join((*markdown, more))),
        },
        "defaultConfiguration": {"enabled": rule.severity != "off", "level": _LEVELS[rule.severity]},
        "properties": {
            "tags": ["kubernetes", "quota"],
            "precision": "very-high",
            "problem.severity": _PROBLEMS[rule.severity],
        },
    }
    address = rule_url(rule)
    if address:
        described["helpUri"] = address
    return described


def rule_url(rule: Rule) -> str:
    """The address of a rule; empty for rules of the user, which are not in our repository."""
    return "" if rule.id.startswith("QLC") else f"{HOME}/blob/v{__version__}/rules/{rule.id}-{rule.name}.yaml"


def quota_doubt(table: QuotaTable) -> str:
    """Why a quota may be exceeded although nothing was found: not everything is in view. Empty if it is."""
    if table.certainty == EXACT or table.rejected:
        return ""
    where = f"{namespaces_label(table)}{f' in {safe_text(table.environment)}' if table.environment else ''}"
    reasons = safe_text("; ".join((*(guess.reason for guess in table.guesses), *table.unknowns)))
    return f"Quota {quota_label(table)} of {where} has certainty {table.certainty}: {reasons}"


def quota_notification(doubt: str, file: str, line: int) -> dict[str, Any]:
    """The notification about a quota at this line."""
    return {
        "level": "note",
        "message": {"text": _message_text(doubt)},
        "locations": [{"physicalLocation": _physical_location(file, Span(line, 1, line, 1))}],
    }


def _result_json(finding: Finding, rule_index: int) -> dict[str, Any]:
    related = [
        {
            "id": number,
            "physicalLocation": _physical_location(item.file, item.span),
            "message": {"text": _message_text(safe_text(f"{item.label}: {item.message}"))},
        }
        for number, item in enumerate(finding.related[:_RELATED], 1)
    ]
    location: dict[str, Any] = {"physicalLocation": _physical_location(finding.file, finding.span)}
    if finding.object is not None:
        parts = (finding.namespace, finding.object.kind, finding.object.name)
        path = "/".join(safe_text(part) for part in parts if part)
        location["logicalLocations"] = [
            {"name": safe_text(finding.object.name), "fullyQualifiedName": path, "kind": "resource"},
        ]
    result: dict[str, Any] = {
        "ruleId": finding.rule.id,
        "ruleIndex": rule_index,
        "level": _LEVELS[finding.severity],
        "message": {"text": _result_text(finding)},
        "locations": [location],
        "partialFingerprints": {"quotalint/v1": finding.fingerprint},
        "properties": {
            "namespace": safe_text(finding.namespace),
            "environments": [safe_text(name) for name in finding.environments],
            "field": safe_text(finding.field),
            "notes": [safe_text(f"{note.label}: {note.text}") for note in finding.notes],
        },
    }
    if related:
        result["relatedLocations"] = related
    if finding.suppressed is not None:
        result["suppressions"] = [_suppression_json(finding.suppressed)]
    return result


def _suppression_json(suppression: Suppression) -> dict[str, Any]:
    suppression_object: dict[str, Any] = {"kind": "inSource" if suppression.by in (COMMENT, ANNOTATION) else "external"}
    if suppression.file and suppression.line:
        line = Span(suppression.line, 1, suppression.line, 1)
        suppression_object["location"] = {"physicalLocation": _physical_location(suppression.file, line)}
    if suppression.reason:
        suppression_object["justification"] = safe_text(suppression.reason)
    return suppression_object


def _result_text(finding: Finding) -> str:
    """The message as a first sentence, the help, and links to the related places, which GitHub shows there."""
    paragraphs = [_as_sentence(finding.message), *([_as_sentence(f"Help: {finding.help}")] if finding.help else [])]
    by_label: dict[str, list[str]] = {}
    for number, item in enumerate(finding.related[:_LINKED], 1):
        text = _message_text(re.sub(r"([\\\[\]])", r"\\\1", safe_text(item.message)))
        by_label.setdefault(item.label, []).append(f"[{text}]({number})")
    paragraphs += [
        f"{_message_text(safe_text(label.capitalize()))}: {', '.join(links)}." for label, links in by_label.items()
    ]
    return "\n\n".join(paragraphs)


def _as_sentence(text: str) -> str:
    text = _message_text(safe_text(text))
    return text if text.endswith((".", "!", "?")) else text + "."


def _message_text(text: str) -> str:
    """Text without SARIF syntax: `[a](b)` would be a link (§3.11.6), and `{0}` an argument (§3.11.5). `](` before a
    bracket or a backslash occurs in regular expressions of the API server, and is no link. Other braces stay as they
    are, although the specification doubles them: viewers show what is written."""
    return re.sub(r"\{(\d+)\}", r"{{\1}}", re.sub(r"\]\((?![\[\\])", "] (", text))


def _physical_location(file: str, span: Span) -> dict[str, Any]:
    from urllib.parse import quote

    region = {"startLine": span.line, "startColumn": span.column}
    if (span.end_line, span.end_column) > (span.line, span.column):
        region |= {"endLine": span.end_line, "endColumn": span.end_column}
    uri = quote(file, errors="replace")
    return {"artifactLocation": {"uri": uri, "uriBaseId": _ROOT}, "region": region}
