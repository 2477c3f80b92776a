"""helmfile's templates: texts → texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from quotalint.gitops.go.go_templates import RenderedText, render_template
from quotalint.gitops.go.hidden import changeable_copy, open_values
from quotalint.gitops.go.values import GoError
from quotalint.gitops.helmfile import HelmfileError
from quotalint.gitops.helmfile.template_functions import Functions, helmfile_functions
from quotalint.gitops.tree import Tree
from quotalint.kube.fields import mapping
from quotalint.named_tuples import NamedTuple

UNFILLED = "cannot be filled in"
_MOST_STEPS = 2_000_000
_MOST_NESTED = 20  # `tpl` of a text with `tpl` in it


class HelmfileTemplating(NamedTuple):
    """What templates of the files in one folder are filled in with."""

    tree: Tree
    folder: str
    data: Mapping[str, object]
    """`.Values`, `.Environment`, `.Release` and so on."""
    note: Callable[[str], None] = lambda _: None
    """Takes what was taken for granted of values that are not in view, as clauses."""
    depth: int = 0

    def fill_text(self, text: str, what: str) -> str:
        """What a text comes to. Raises HelmfileError, which names `what` it is."""
        if "{{" not in text:
            return text
        data = changeable_copy(self.data) if _CHANGES.search(text) else dict(self.data)
        result = render_template(text, data, "error", functions=self._template_functions(), most_steps=_MOST_STEPS)
        if result.error:
            raise HelmfileError(f"{what} {UNFILLED}: {result.error}")
        self._note_assumptions(result)
        return result.text

    def _template_functions(self) -> Functions:
        return helmfile_functions(self.tree, self.folder, self._evaluate_nested)

    def _evaluate_nested(self, text: str, data: object) -> str:
        if self.depth > _MOST_NESTED:
            raise GoError("tpl is nested too deeply")
        inner = self._replace(depth=self.depth + 1)
        result = render_template(text, data, "error", functions=inner._template_functions(), most_steps=_MOST_STEPS)
        if result.error:
            raise GoError(f"tpl: {result.error}")
        self._note_assumptions(result)
        return result.text

    def _note_assumptions(self, result: RenderedText) -> None:
        for clause in result.assumed:
            self.note(clause)


_CHANGES = re.compile(r"\b(?:set|unset|merge|mergeOverwrite|mustMerge|mustMergeOverwrite)\b")


def state_data(environment: str, values: Mapping[str, object], *, hidden: bool = False) -> dict[str, object]:
    """What the templates of a state file see (pkg/state/types.go, EnvironmentTemplateData). `hidden`: whether some of
    the values are not in view."""
    if hidden:
        values = mapping(open_values(values))
    return {
        "Environment": {"Name": environment, "KubeContext": "", "Values": values},
        "Namespace": "",
        "Values": values,
        "StateValues": values,
    }
