"""When the parser of Terraform is needed, and what is said without it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from gitops_outcome import checked
from manifests import quota_and_web

from quotalint.gitops.terraform import root_modules

QUOTA = (
    'resource "kubernetes_resource_quota" "a" {\n  metadata {\n    name = "a"\n  }\n  spec {\n    hard = {}\n  }\n}\n'
)
OTHER = 'resource "aws_instance" "a" {\n  ami = "x"\n}\n'


@pytest.mark.parametrize(("text", "is_needed"), [(QUOTA, True), (OTHER, False), ("", False)])
def test_it_is_imported_for_objects_of_kubernetes_only(text: str, is_needed: bool, tmp_path: Path) -> None:
    for name, content in {**quota_and_web("", "team-a"), **({"main.tf": text} if text else {})}.items():
        (tmp_path / name).write_text(content)
    program = (
        f"import sys; sys.path[:] = {sys.path!r}; sys.argv = ['quotalint', '--no-cache']\n"
        "import atexit; atexit.register(lambda: sys.stderr.write(' '.join(sys.modules)))\n"
        "import quotalint.__main__ as q; q.main()"
    )
    run = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    modules = {"hcl2", "lark", "quotalint.gitops.terraform.root_modules"} & set(run.stderr.split())
    assert bool(modules) == is_needed


def test_without_it_one_finding_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(root_modules, "is_installed", lambda: False)
    result = checked(tmp_path, {"a/main.tf": QUOTA, "b/main.tf": QUOTA}, monkeypatch)
    (finding,) = result.findings
    assert (finding.rule.id, finding.severity, finding.file) == ("QL003", "warning", "a/main.tf")
    assert "pip install 'quotalint[terraform]'" in finding.help
