"""What a live API server answered, beside what quotalint says of the same files.

`scenarios.jsonl.gz`: small repositories, each with its files, and with what kube-apiserver and kube-controller-manager
v1.36.2 said once they were applied: `demand` with room for everything, `enforced` with the quotas as they are written,
`rollouts` with a new image. `validation.jsonl.gz`: single objects, accepted or refused.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from yaml_texts import load_documents

from quotalint.kube import quantity
from quotalint.kube.quantity import Quantity

HERE = Path(__file__).parent.parent / "live"
VERSION = "1.36"

_REFUSED = re.compile(r"so: (?:(\d+) of \d+ (\w+) of )?(\w+) (\S+?)(?: of namespace \S+)? will be refused")
_WORKLOADS = ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job")
_ALL_PODS = ("QL401", "QL402", "QL403", "QL404", "QL408", "QL409")
"""The rules that say that no pod of a workload is admitted."""


class Difference(NamedTuple):
    """Something that quotalint and the server do not agree on."""

    what: str
    key: str


def bundle(name: str) -> list[dict[str, Any]]:
    """The recorded answers, one a line."""
    with gzip.open(HERE / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def differences(scenario: Mapping[str, Any], report: Mapping[str, Any]) -> Iterator[Difference]:
    """What the report on a scenario's files says otherwise than the server."""
    yield from _demand(scenario["truth"]["demand"], report)
    if "enforced" not in scenario["truth"]:
        return
    findings = [finding for finding in report["findings"] if not finding["suppressed"] and finding["object"]]
    foretold = _foretold(findings)
    yield from _refused(scenario, foretold)
    yield from _sentences(scenario["truth"]["enforced"], findings)
    yield from _rollouts(scenario["truth"].get("rollouts", {}), findings, foretold)
    yield from _runs(scenario, findings)
    yield from _scaled(scenario, findings)


def _rollouts(
    truth: Mapping[str, Any], actual: list[dict[str, Any]], foretold: Mapping[str, int]
) -> Iterator[Difference]:
    for key, value in truth.items():
        if "skipped" in value:
            continue
        hangs = any(
            finding["rule"] == "QL302" and finding["severity"] == "error" and key == _key(finding) for finding in actual
        )
        if not value["completeBefore"]:  # what is refused already is said as that
            hangs = hangs or bool(foretold.get(key))
        if hangs == value["finished"]:
            yield Difference("rollout", key)
        quoted = [words for finding in actual if finding["rule"] == "QL302" for words in _quoted(finding, key)]
        messages = [" ".join(_plain(refusal["message"])) for refusal in value["refusals"]]
        if quoted and messages and not any(words in message for words in quoted for message in messages):
            yield Difference("sentence of a rollout", key)


def _runs(scenario: Mapping[str, Any], actual: list[dict[str, Any]]) -> Iterator[Difference]:
    """A Job of each CronJob, and a second one beside it: whether one of them lacks anything."""
    specs = {obj["metadata"].get("name"): obj.get("spec") or {} for obj in _objects(scenario["files"])}
    for key, finding in scenario["truth"].get("runs", {}).items():
        refused = [bool(job["refused"]) for job in finding["runs"]]
        short = [bool(job["refused"]) or job["pods"] < job["wanted"] for job in finding["runs"]]
        # A second run that is not begun lacks nothing, but for its Job: one that has ended stays for a while.
        alone = specs[key.split("/")[-1]].get("concurrencyPolicy", "Allow") != "Allow"
        lacking = any(refused) or short[0] or (short[1] and not alone)
        if lacking != any(finding["rule"] in ("QL303", *_ALL_PODS) and _key(finding) == key for finding in actual):
            yield Difference("run", key)


def _scaled(scenario: Mapping[str, Any], actual: list[dict[str, Any]]) -> Iterator[Difference]:
    """The target of each autoscaler at its maximum: whether it gets there, and where it stops."""
    scalers = {
        obj["spec"]["scaleTargetRef"]["name"]: obj["metadata"]["name"]
        for obj in _objects(scenario["files"])
        if obj["kind"] == "HorizontalPodAutoscaler"
    }
    for key, value in scenario["truth"].get("scaled", {}).items():
        namespace, _, name = key.split("/")
        scaler = f"{namespace}/HorizontalPodAutoscaler/{scalers[name]}"
        mine = [finding for finding in actual if finding["rule"] == "QL304" and _key(finding) == scaler]
        stops = {
            int(number) for finding in mine for number in re.findall(r"stops at (\d+)", " ".join(finding["notes"]))
        }
        if bool(mine) != (value["pods"] < value["asked"]) or stops - {value["pods"]}:
            yield Difference("scaled", key)


def _sentences(enforced: Mapping[str, Any], actual: list[dict[str, Any]]) -> Iterator[Difference]:
    """Whether what is quoted of the server was said by it; of several quotas or LimitRanges without room any may be
    the one that it names."""
    quoted: dict[str, list[str]] = {}
    for finding in actual:
        for key, sentence in _sentences_of(finding):
            quoted.setdefault(key, []).append(sentence)
    for key, sentences in quoted.items():
        namespace, _, name = key.split("/")
        messages = [
            " ".join(_plain(complaint["message"]))
            for complaint in (*enforced["complaints"], *enforced["refused"])
            if complaint["namespace"] == namespace
            and (complaint["name"] == name or complaint["name"].startswith(f"{name}-"))
        ]
        if messages and not any(sentence in message for sentence in sentences for message in messages):
            yield Difference("sentence", key)


def _quoted(finding: Mapping[str, Any], key: str) -> Iterator[str]:
    """The refusals that a finding about an object quotes."""
    for note in finding["notes"] if _key(finding) == key else ():
        if note.startswith("so: ") and "exceeded quota: " in note:
            yield " ".join(_plain(note[note.index("exceeded quota: ") :]))


def _sentences_of(finding: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What a finding quotes of the server, and of which object it would say that."""
    if finding["rule"] == "QL301":
        for note in finding["notes"]:
            match = _REFUSED.match(note)
            if match and ": exceeded quota" in note:
                words = " ".join(_plain(note[note.index("exceeded quota") :]))
                yield f"{finding['namespace']}/{match[3]}/{match[4]}", words
    if finding["rule"] in ("QL401", "QL403"):
        begin = re.search(r"failed quota: |insufficient quota ", finding["message"])
        if begin:
            yield _key(finding), " ".join(_plain(finding["message"][begin.start() :]))
    if finding["rule"] == "QL402":
        together = [note.partition("at once: ")[2] for note in finding["notes"] if "at once: " in note]
        alone = re.sub(r"^.*refused by LimitRange \S+: (container \S+: )?", "", finding["message"])
        yield from ((_key(finding), " ".join(_plain(item))) for item in together or [alone])
    if finding["rule"] == "QL404" and " is invalid: " in finding["message"]:
        yield _key(finding), " ".join(_plain(finding["message"].partition(" is invalid: ")[2]))


def _plain(message: str) -> list[str]:
    """Words without double blanks."""
    return message.split()


def _demand(demand: Mapping[str, Any], report: Mapping[str, Any]) -> Iterator[Difference]:
    if demand["complaints"] or any(item["kind"] != "Namespace" for item in demand["refused"]):
        return  # quotalint says what is asked for, also where some of it is refused at once
    for quota in report["quotas"]:
        used = demand["used"].get(f"{quota['namespace']}/{quota['name']}")
        if used is None or quota["kind"] != "ResourceQuota" or quota["rejected"]:
            continue
        for row in quota["resources"]:
            server = used.get(row["resource"])
            if (row["steady"] is None) != (server is None) or (server and _nano(server) != _nano(row["steady"])):
                yield Difference("demand", f"{quota['namespace']}/{quota['name']}/{row['resource']}")


def _refused(scenario: Mapping[str, Any], foretold: Mapping[str, int]) -> Iterator[Difference]:
    demand, enforced = scenario["truth"]["demand"], scenario["truth"]["enforced"]
    refused = {
        f"{finding['namespace']}/{finding['kind']}/{finding['name']}": finding["message"]
        for finding in enforced["refused"]
    }
    for obj in _objects(scenario["files"]):
        namespace = obj["metadata"].get("namespace", scenario.get("namespace", "default"))
        key = f"{namespace}/{obj['kind']}/{obj['metadata'].get('name')}"
        if "no matches for kind" in refused.get(key, ""):
            continue
        if obj["kind"] in _WORKLOADS and key not in refused:
            asked = _asked(obj, demand["pods"].get(key))
            if asked is not None and min(foretold.get(key, 0), asked) != asked - enforced["pods"].get(key, 0):
                yield Difference("pods", key)
        elif obj["kind"] in (*_WORKLOADS, "PersistentVolumeClaim", "Pod", "Service", "ConfigMap", "Secret"):
            differs = bool(foretold.get(key)) != (key in refused)
            yield from [Difference("object", key)] * differs


def _foretold(findings: list[dict[str, Any]]) -> dict[str, int]:
    """How many pods of a workload are refused, or that an object is; without bound where all are."""
    foretold: dict[str, int] = {}
    for finding in findings:
        if finding["rule"] in _ALL_PODS:
            foretold[_key(finding)] = 10**9
        for note in finding["notes"] if finding["rule"] == "QL301" else ():
            match = _REFUSED.match(note)
            if match and match[2] in (None, "pods"):
                key = f"{finding['namespace']}/{match[3]}/{match[4]}"
                foretold[key] = max(foretold.get(key, 0), int(match[1] or 10**9))
    return foretold


def _key(finding: Mapping[str, Any]) -> str:
    return f"{finding['namespace']}/{finding['object']['kind']}/{finding['object']['name']}"


def _asked(obj: Mapping[str, Any], seen: int | None) -> int | None:
    """How many pods a workload asks for; of a DaemonSet, what the server made where nothing stood in its way."""
    spec = obj.get("spec") or {}
    if obj["kind"] == "DaemonSet":
        return seen
    if obj["kind"] != "Job":
        replicas = spec.get("replicas")
        return max(1 if replicas is None else replicas, seen or 0)
    parallel = 0 if spec.get("suspend") else spec.get("parallelism", 1)
    return min(parallel, spec["completions"]) if spec.get("completions") is not None else parallel


def _objects(files: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for name in sorted(files):
        if name.endswith((".yaml", ".yml", ".json")) and not name.rpartition("/")[2].startswith("."):
            for document in load_documents(files[name]):
                if isinstance(document, dict) and "kind" in document:
                    for obj in document["items"] if document["kind"] == "List" else [document]:
                        obj.setdefault("metadata", {})
                        yield obj


def _nano(text: str | None) -> int | None:
    parsed = quantity.parse(text) if text is not None else None
    return parsed.nano if isinstance(parsed, Quantity) else None
