"""Fills parameters into the templates of an ApplicationSet (argo-cd 3.6, applicationset/utils/utils.go, `Replace`)."""

from __future__ import annotations

from collections.abc import Mapping

from quotalint.gitops.go.go_templates import render_template
from quotalint.gitops.go.values import MAX_DEPTH, MAX_TEXT
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.runtime import budget

Parameters = Mapping[str, object]
"""The parameters of one Application."""

MAX_WORK = 2_000_000
"""The largest number of values filled in for one ApplicationSet. Long strings count more, each step of a Go template
counts one."""


class UnexpandableError(Exception):
    """Argo CD fails, so that it generates nothing from an ApplicationSet."""


class UnfollowedError(UnexpandableError):
    """The result is unknown here, although Argo CD itself may succeed."""


class SetTemplating:
    """Fills in the templates of one ApplicationSet, within a work limit."""

    def __init__(self, spec: Body) -> None:
        self.go = spec.get("goTemplate") is True
        self._options = [text(option) for option in sequence(spec.get("goTemplateOptions"))] if self.go else []
        self._done = 0

    def replace_parameters(self, written: str, parameters: Parameters, missing_key: str = "") -> str:
        """The text with its parameters filled in. Raises UnexpandableError."""
        result = self._go_template(written, parameters, missing_key) if self.go else _fast_template(written, parameters)
        self.count_work(len(result) // 256)
        return result

    def fill_value(self, value: object, parameters: Parameters) -> object:
        """A template with parameters filled in, keys included; mapping entries with null are dropped. Raises
        UnexpandableError."""
        return self._fill_below(value, parameters, 0, second=False) if parameters else value

    def filled_generator(self, generator: Body, parameters: Parameters) -> Body:
        """A matrix's second generator, filled with parameters of the first. Raises UnexpandableError."""
        return mapping(self._fill_below(generator, parameters, 0, second=True)) if parameters else generator

    def count_work(self, work: int) -> None:
        """Add to the work done. Raises UnexpandableError above the limit."""
        self._done += work
        budget.spend(work / 300, "templates of ApplicationSets produce too much")
        if self._done > MAX_WORK:
            raise UnfollowedError("it produces too much to follow")

    def _spend_steps(self, steps: int) -> None:
        self._done += steps
        budget.spend(steps / 300, "templates of ApplicationSets produce too much")

    def _go_template(self, written: str, parameters: Parameters, missing_key: str) -> str:
        if "{{" not in written:
            return written
        self.count_work(0)
        for option in self._options:
            name, _, value = option.partition("=")
            if name != "missingkey" or value not in ("default", "invalid", "zero", "error"):
                raise UnexpandableError(f"Go's templates have no option {option!r}")
            missing_key = missing_key or value if option == self._options[-1] else missing_key
        result = render_template(written, parameters, missing_key or "default", self._spend_steps)
        if result.error:
            raise UnexpandableError(f"{_shortened_text(written)}: {result.error}")
        return result.text

    def _fill_below(self, value: object, parameters: Parameters, depth: int, *, second: bool) -> object:
        self.count_work(1)
        if depth > MAX_DEPTH:
            raise UnfollowedError("a template is nested too deeply")
        if isinstance(value, str):
            return self.replace_parameters(value, parameters)
        if isinstance(value, list):
            return [self._fill_below(item, parameters, depth + 1, second=second) for item in value]
        if isinstance(value, dict):
            return {
                self.replace_parameters(key, parameters): self._fill_below(below, parameters, depth + 1, second=second)
                if not (second and key in _WITH_VALUES and isinstance(below, dict))
                else self._with_values(below, parameters, depth + 1)
                for key, below in value.items()
                if below is not None
            }
        return value

    def _with_values(self, generator: Body, parameters: Parameters, depth: int) -> Body:
        """A generator with all fields filled in. In `values`, references to unknown parameters are kept, because they
        are filled in again later (`RenderGeneratorParams`)."""
        other_fields = {key: below for key, below in generator.items() if key != "values"}
        result = dict(mapping(self._fill_below(other_fields, parameters, depth, second=True)))
        if "values" in generator:
            result["values"] = {
                key: self._fill_or_keep(value, parameters) for key, value in mapping(generator["values"]).items()
            }
        return result

    def _fill_or_keep(self, value: object, parameters: Parameters) -> object:
        try:
            return self.replace_parameters(value, parameters, "error") if isinstance(value, str) else value
        except UnexpandableError as error:
            if any(sign in str(error) for sign in ("map has no entry for key", "can't evaluate field")):
                return value
            raise


_WITH_VALUES = frozenset(("git", "clusters", "clusterDecisionResource", "pullRequest", "scmProvider", "plugin"))


def _fast_template(written: str, parameters: Parameters) -> str:
    """A text with its tags replaced (github.com/valyala/fasttemplate); a tag without a string parameter is kept."""
    # The regexp `isTemplatedRegex`.
    if "{{" not in written or not any("}}" in line.partition("{{")[2] for line in written.split("\n")):
        return written
    parts = written.split("{{")
    result = [parts[0]]
    at = len(parts[0])
    size = 0
    while at < len(written):
        end = written.find("}}", at + 2)
        if end < 0:
            raise UnexpandableError(f"{_shortened_text(written)}: the last tag is not closed")
        tag = written[at + 2 : end]
        parameter = parameters.get(tag.strip()) if tag.strip() else None
        result.append(parameter if isinstance(parameter, str) else "{{" + tag + "}}")
        begin = written.find("{{", end + 2)
        at = begin if begin >= 0 else len(written)
        result.append(written[end + 2 : at])
        size += len(result[-2])
        if size > MAX_TEXT:
            raise UnfollowedError(f"a string grows longer than {MAX_TEXT:,} characters")
    return "".join(result)


def _shortened_text(written: str) -> str:
    line = " ".join(written[:200].split())
    return line if len(line) <= 60 else line[:59] + "…"
