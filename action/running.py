"""Runs quotalint, once for all reports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from action.inputs import Inputs

FAILED = 2
# None of it is quotalint's business: tokens, and the files by which a step tells the runner something.
_KEPT_BACK = ("INPUT_", "GITHUB_", "ACTIONS_", "RUNNER_", "GH_")
# Where the files of the repository can be read, for the links of a page.
_PASSED_ON = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_SHA")


class Ran(NamedTuple):
    """What came of it."""

    command: str
    """`diff` or `check`."""
    status: int
    """As quotalint has it: 0, 1 (findings) or 2 (the run itself failed)."""
    annotations: str
    """The report in the format github."""
    errors: str
    """What was printed beside the reports."""
    folder: str
    """Of the reports."""

    def report(self, format_: str) -> str:
        """The path of a report."""
        return os.path.join(self.folder, _NAMES[format_])

    def read(self, format_: str) -> str:
        """A report."""
        with open(self.report(format_), encoding="utf-8") as file:
            return file.read()


def run(wanted: Inputs, base: str, link: str, environ: Mapping[str, str]) -> Ran:
    """Check the working directory, or compare it with `base` if that is not empty. `link`: the addresses of its files,
    if they have any."""
    folder = tempfile.mkdtemp(prefix="quotalint-", dir=environ.get("RUNNER_TEMP") or None)
    command = ["diff", base] if base else ["check"]
    outputs = ["--output=github=-", *(f"--output={name}={os.path.join(folder, _NAMES[name])}" for name in _NAMES)]
    outputs += [
        f"--output={one.format}={one.file if one.named else os.path.join(folder, one.file)}"
        for one in wanted.extras
        if one.named or one.format not in _NAMES
    ]
    if base and wanted.trust_head:
        command.append("--trust-head-config")
    if base and link:
        command.append(f"--link={link}")
    options = [*_options(wanted), *([f"--fail-on={wanted.fail_on}"] if wanted.fail_on else [])]
    ended = _quotalint([*command, *options, *outputs, "--", *wanted.paths], environ)
    # A signal is a negative number; with a status of 1 and without a report it is Python that could not start.
    whole_run = ended.returncode in (0, 1) and os.path.isfile(os.path.join(folder, _NAMES["json"]))
    status = ended.returncode if whole_run else FAILED
    ran = Ran(command[0], status, _text(ended.stdout), _text(ended.stderr), folder)
    if base and wanted.upload_sarif and status != FAILED:
        # Code scanning works out by itself what is new: what is missing in an upload counts as fixed. What the pull
        # request itself silences is missing in a check of it, and is among the new.
        new = _results(ran.report("sarif"))
        whole = f"--output=sarif={ran.report('sarif')}"
        ended = _quotalint(["check", *_options(wanted), "--quiet", whole, "--", *wanted.paths], environ)
        if ended.returncode not in (0, 1):
            return ran._replace(status=FAILED, errors=ran.errors + _text(ended.stderr))
        _leave_out_suppressed(ran.report("sarif"), new)
    elif wanted.upload_sarif and status != FAILED:
        _leave_out_suppressed(ran.report("sarif"))
    return ran


def vendor(wanted: Inputs, environ: Mapping[str, str]) -> tuple[int, str]:
    """Fetch remote sources; the exit status, and what is printed."""
    config = [f"--config={wanted.config}"] if wanted.config else []
    ended = _quotalint(["vendor", *config, "--", *wanted.paths], environ)
    return ended.returncode, _text(ended.stdout) + _text(ended.stderr)


def _leave_out_suppressed(path: str, new: Sequence[Any] = ()) -> None:
    """Code scanning does not know suppressions (github/codeql-action#1230): each would be an open alert. What is `new`
    in a comparison, which has rules of its own, is there in any case."""
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    for one in report["runs"]:
        kept = [result for result in one["results"] if not result.get("suppressions")]
        known = [result.get("partialFingerprints") for result in kept]
        rules = [rule["id"] for rule in one["tool"]["driver"]["rules"]]
        missing = [result for result in new if result.get("partialFingerprints") not in known]
        # An index would be one into the rules of another run.
        kept += [
            {**result, "ruleIndex": rules.index(result["ruleId"])} for result in missing if result["ruleId"] in rules
        ]
        one["results"] = kept
    with open(path, "w", encoding="utf-8") as file:
        json.dump(report, file, indent=2, ensure_ascii=False)


def _results(path: str) -> list[Any]:
    """The results of a report that nothing suppresses."""
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    return [result for run in report["runs"] for result in run["results"] if not result.get("suppressions")]


def _options(wanted: Inputs) -> list[str]:
    return ["--color=never", *([f"--config={wanted.config}"] if wanted.config else [])]


def _quotalint(arguments: list[str], environ: Mapping[str, str]) -> subprocess.CompletedProcess[bytes]:
    # -I: what is checked out must not be imported.
    command = [sys.executable, "-I", "-m", "quotalint", *arguments]
    environment = {
        name: value for name, value in environ.items() if name in _PASSED_ON or not name.startswith(_KEPT_BACK)
    }
    return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")


_NAMES = {
    "text": "quotalint.txt",
    "json": "quotalint.json",
    "markdown": "quotalint.md",
    "sarif": "quotalint.sarif",
}
