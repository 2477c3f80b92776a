"""The folders that files of project generators name."""

from __future__ import annotations

import pytest

from quotalint.gitops.by_hand.project_templates import project_template_folders
from quotalint.text.documents import read
from quotalint.text.reading import File
from quotalint.text.sources import Source

BACKSTAGE = """\
apiVersion: scaffolder.backstage.io/v1beta3
kind: Template
metadata: {name: service}
spec:
  steps:
    - {id: a, action: "fetch:template", input: {url: ./skeleton}}
    - {id: b, action: "fetch:plain", input: {url: "https://example.com/x"}}
    - {id: c, action: "publish:github", input: {url: ./other}}
"""


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("copier.yml", "_subdirectory: project\n", {"project"}),
        ("a/copier.yaml", "_subdirectory: project\n", {"a/project"}),
        ("a/copier.yaml", "name: {type: str}\n", {"a"}),
        ("a/values.yaml", "_subdirectory: project\n", set()),
        ("t/template.yaml", BACKSTAGE, {"t/skeleton"}),
        ("t/template.yaml", BACKSTAGE.replace("kind: Template", "kind: Other"), set()),
        ("copier.yml", "[1]\n", {""}),
    ],
)
def test_folders_of_templates(name: str, text: str, expected: set[str]) -> None:
    assert project_template_folders([File(Source(name, name, explicit=False), read(text.encode()))]) == expected
