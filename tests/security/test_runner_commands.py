"""What a repository writes is no command of a runner inside the annotations either (the fuzzer found it)."""

from __future__ import annotations

from workspace import Workspace


def test_the_older_form_of_commands_is_not_in_an_annotation(workspace: Workspace) -> None:
    quota = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: a}\nspec: {hard: {pods: '3'}}\n"
    workspace.put({"q.yaml": f'{quota}"x##[error]": 1\n"x##[error]": 2\n'})
    status, out, _ = workspace.text("check", "-f", "github", ".")
    assert (status, "QL002" in out, "x# #[error]" in out, "##[" in out) == (1, True, True, False)
