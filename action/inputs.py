"""What the workflow asks for: the inputs of action.yml, which come by the environment."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import NamedTuple

_NAMES = {"gitlab": "gl-code-quality-report.json", "junit": "quotalint.xml"}
_ONLY = ".\n"
"""The key of a use with the paths and the configuration that there are by default."""


class Extra(NamedTuple):
    """A report that is wanted beside those that there always are."""

    format: str
    file: str
    """From the working directory; of a format without one its name in the folder of reports."""
    named: bool
    """Whether the workflow names the file."""


class Inputs(NamedTuple):
    """The inputs, understood."""

    paths: tuple[str, ...]
    config: str
    fail_on: str
    base: str
    extras: tuple[Extra, ...]
    comment: bool
    key: str
    """What tells this use of the action from others."""
    upload_sarif: bool
    token: str
    trust_head: bool
    """Whether the configuration and the suppressions that the pull request brings count."""
    is_of_job: bool
    """Whether the token is the one that GitHub made for the job."""

    @property
    def category(self) -> str:
        """The name of the upload to code scanning, where a later one of the same name takes the place of an earlier."""
        of_this = hashlib.sha256(self.key.encode()).hexdigest()[:8]
        return "quotalint" if self.key == _ONLY else f"quotalint-{of_this}"


def inputs(environ: Mapping[str, str]) -> Inputs | str:
    """The inputs; otherwise what is wrong with them."""
    given = {name.removeprefix("INPUT_"): value.strip() for name, value in environ.items() if name.startswith("INPUT_")}
    switches = {}
    for name in ("COMMENT", "UPLOAD_SARIF", "TRUST_HEAD_CONFIG"):
        value = given.get(name, "").lower()
        if value not in ("", "true", "false"):
            return f"{name.lower().replace('_', '-')}: {value!r} is neither true nor false"
        switches[name] = value == "true"
    paths = tuple(_path(line.strip()) for line in given.get("PATHS", "").splitlines() if line.strip()) or (".",)
    config = given.get("CONFIG", "")
    if any("\0" in value for value in given.values()):
        return "a null byte is in an input"
    return Inputs(
        paths=paths,
        config=config,
        fail_on=given.get("FAIL_ON", ""),
        base=given.get("BASE", ""),
        extras=tuple(map(_extra, given.get("FORMATS", "").split())),
        comment=switches["COMMENT"],
        key=given.get("COMMENT_ID", "") or "\n".join((*paths, config)),
        upload_sarif=switches["UPLOAD_SARIF"],
        token=given.get("TOKEN", ""),
        trust_head=switches["TRUST_HEAD_CONFIG"],
        is_of_job=environ.get("TOKEN_IS_OF_JOB") == "true",
    )


def _path(path: str) -> str:
    # A file of this name; to quotalint it would be standard input.
    return "./-" if path == "-" else path


def _extra(given: str) -> Extra:
    format_, equals, file = given.partition("=")
    return Extra(format_, file or _NAMES.get(format_, f"quotalint.{format_}"), bool(equals))
