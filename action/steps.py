"""The step "Run quotalint": what to compare with, the run, and everything that is told of it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from action import log
from action.addresses import file_addresses
from action.api import Api, Refused
from action.base import base
from action.comment import Text, github_thread, put_comment
from action.event import Event, event
from action.files import put_outputs, put_summary
from action.inputs import Inputs, inputs
from action.links import astray
from action.outcome import Outcome, outcome
from action.running import FAILED, Ran, run, vendor

_CANNOT_RUN = "# quotalint\n\nquotalint could not run; the log of the step says why.\n"
_FORBIDDEN = (401, 403, 404)
_TOKEN_OF_JOB = "github-actions[bot]"  # who writes with it


def main(environ: Mapping[str, str]) -> int:
    """Run the step; its exit status, which is that of quotalint."""
    wanted = _sound_inputs(environ)
    if wanted is None:
        return FAILED
    what = event(environ)
    if wanted.upload_sarif and what.name == "pull_request_target":
        # There the ref of the run is the base: what the pull request holds would be taken for what the base holds.
        log.warning("no upload to code scanning: under pull_request_target it would count as one of the base")
        wanted = wanted._replace(upload_sarif=False)
    compared = base(wanted.base, what, ".")
    if compared.missing:
        log.error(compared.because)
        put_summary(environ, _CANNOT_RUN)
        put_outputs(environ, {"command": "diff", "status": str(FAILED), "fork": str(what.fork).lower()})
        if wanted.comment:
            comment(wanted, what, Text(_CANNOT_RUN, _footer(environ)), False, environ)
        return FAILED
    (log.warning if compared.doubtful else log.say)(compared.because)
    ran = run(wanted, compared.commit, file_addresses(what, ".", environ), environ)
    found = outcome(ran)
    _print(ran)
    report = ran.read("markdown") if found else _CANNOT_RUN
    put_summary(environ, report)
    put_outputs(environ, _outputs(wanted, ran, found, what))
    if wanted.comment:
        # Any other only takes the place of one that said otherwise.
        worth = found is not None and found.is_worth_a_comment
        comment(wanted, what, Text(report, _footer(environ)), worth, environ)
    return ran.status


def fetch_sources(environ: Mapping[str, str]) -> int:
    """Fetch remote sources; the exit status. The run says what is hidden by a source that could not be fetched."""
    wanted = _sound_inputs(environ)
    if wanted is None:
        return FAILED
    status, said = vendor(wanted, environ)
    log.foreign(said)
    if status:
        log.warning("not every remote source could be fetched; the log says why")
    return 0


def _sound_inputs(environ: Mapping[str, str]) -> Inputs | None:
    """The inputs of the step; None if something is wrong with them, which is then in the log."""
    wanted = inputs(environ)
    wrong = wanted if isinstance(wanted, str) else astray(wanted, ".", environ)
    if isinstance(wanted, str) or wrong:
        log.error(wrong)
        return None
    return wanted


def comment(wanted: Inputs, what: Event, text: Text, worth: bool, environ: Mapping[str, str]) -> None:
    """Put the comment, and say what came of it. That fails nothing."""
    repository = environ.get("GITHUB_REPOSITORY", "")
    if not what.number:
        log.say(f"no comment: the event {what.name or 'of this run'} is about no pull request")
        return
    if not wanted.token or not re.fullmatch(r"[\w.-]+/[\w.-]+", repository):
        log.warning("no comment: there is no token, or no repository")
        return
    api = Api(environ.get("GITHUB_API_URL") or "https://api.github.com", wanted.token)
    api = api._replace(login=_TOKEN_OF_JOB if wanted.is_of_job else "")
    said = put_comment(api, github_thread(repository, what.number), wanted.key, text, worth)
    if not isinstance(said, Refused):
        log.say(said)
        return
    why = f"no comment: GitHub answered {said.status or 'nothing'} ({said.reason})"
    if said.status in _FORBIDDEN and what.fork:
        log.notice(f"{why}. The token of a pull request from a fork can only read.")
    elif said.status in _FORBIDDEN:
        log.warning(f"{why}. The job needs `permissions: pull-requests: write`.")
    else:
        log.warning(why)


def _print(ran: Ran) -> None:
    if ran.status != FAILED:
        log.foreign(ran.read("text"))
    log.foreign(ran.errors)
    log.obeyed(ran.annotations)
    if ran.status == FAILED:
        log.error(ran.errors.strip() or "quotalint did not finish")


def _outputs(wanted: Inputs, ran: Ran, found: Outcome | None, what: Event) -> Mapping[str, str]:
    values = {"command": ran.command, "status": str(ran.status), "fork": str(what.fork).lower()}
    if found is None:
        return values
    paths = {name: ran.report(name) for name in ("json", "markdown", "sarif")}
    return {
        **values,
        "findings": str(found.findings),
        "exceeded": str(found.exceeded),
        "verdict": found.verdict,
        "reports": ran.folder,
        "category": wanted.category,
        **paths,
    }


def _footer(environ: Mapping[str, str]) -> str:
    """Where the whole report is. All of it is GitHub's own; what does not look so is left out."""
    parts = [environ.get(f"GITHUB_{name}", "") for name in ("SERVER_URL", "REPOSITORY", "RUN_ID")]
    address = "{}/{}/actions/runs/{}".format(*parts)
    return f"\n[This run]({address})\n" if all(parts) and re.fullmatch(r"https?://[\w./:-]+", address) else ""
