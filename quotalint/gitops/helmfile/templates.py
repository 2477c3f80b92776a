"""helmfile's templates: texts → texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from quotalint.gitops.go.templates import rendered
from quotalint.gitops.go.values import GoError
from quotalint.gitops.helmfile import HelmfileError
from quotalint.gitops.helmfile.template_functions import Functions, helmfile_functions
from quotalint.gitops.tree import Tree

_MOST_STEPS = 2_000_000
_MOST_NESTED = 20  # `tpl` of a text with `tpl` in it


class Templating(NamedTuple):
    """What templates of the files in one folder are filled in with."""

    tree: Tree
    folder: str
    data: Mapping[str, object]
    """`.Values`, `.Environment`, `.Release` and so on."""
    depth: int = 0

    def filled(self, text: str, what: str) -> str:
        """What a text comes to. Raises HelmfileError, which names `what` it is."""
        if "{{" not in text:
            return text
        result = rendered(text, dict(self.data), "error", functions=self._functions(), most_steps=_MOST_STEPS)
        if result.error:
            raise HelmfileError(f"{what} cannot be filled in: {result.error}")
        return result.text

    def _functions(self) -> Functions:
        return helmfile_functions(self.tree, self.folder, self._evaluated)

    def _evaluated(self, text: str, data: object) -> str:
        if self.depth > _MOST_NESTED:
            raise GoError("tpl is nested too deeply")
        inner = self._replace(depth=self.depth + 1)
        result = rendered(text, data, "error", functions=inner._functions(), most_steps=_MOST_STEPS)
        if result.error:
            raise GoError(f"tpl: {result.error}")
        return result.text


def state_data(environment: str, values: Mapping[str, object]) -> dict[str, object]:
    """What the templates of a state file see (pkg/state/types.go, EnvironmentTemplateData)."""
    return {
        "Environment": {"Name": environment, "KubeContext": "", "Values": values},
        "Namespace": "",
        "Values": values,
        "StateValues": values,
    }
