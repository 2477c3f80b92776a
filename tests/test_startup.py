"""What is not needed is not imported: a hook runs on every commit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from manifests import quota

HEAVY = {
    "jsonschema",
    "ruamel.yaml",
    "subprocess",
    "hashlib",
    "difflib",
    "dataclasses",
    "importlib.metadata",
    "importlib.resources",
    "concurrent.futures",
    "logging",
    "asyncio",
    "unittest",
}
UNNEEDED = (
    *("quotalint.checks.exceeded.", "quotalint.checks.lazy.", "quotalint.gitops.helm."),
    "quotalint.gitops.kustomize.kustomization_fields",
    *(
        "quotalint.quota.next_rollouts",
        "quotalint.quota.sequences",
        "quotalint.quota.unmet_demand",
        "quotalint.workloads.jobs",
    ),
    *("quotalint.text.nodes", "quotalint.text.spans", "quotalint.text.json_reader", "quotalint.fixes.apply"),
)
"""What a clean check has no use for."""

MOST = 226
"""How many modules of ours a clean check may import. Each costs a quarter of a millisecond: before it is raised, look
whether what is new is needed where nothing is found."""


def imported(code: str, cwd: Path) -> set[str]:
    """The modules that a process has imported when it exits."""
    program = f"import atexit, sys; atexit.register(lambda: sys.stderr.write(' '.join(sys.modules)))\n{code}"
    run = subprocess.run([sys.executable, "-S", "-c", program], cwd=cwd, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return set(run.stderr.split())


def quotalint(arguments: list[str]) -> str:
    setup = f"sys.path[:] = {sys.path!r}; sys.argv = {['quotalint', *arguments]!r}"
    return f"{setup}; import quotalint.__main__ as q; q.main()"


def test_version_imports_nothing_but_itself(tmp_path: Path) -> None:
    bare = imported("pass", tmp_path)
    assert imported(quotalint(["--version"]), tmp_path) - bare == {
        "quotalint",
        "quotalint.__main__",
        "quotalint.version",
    }


def test_a_clean_check_imports_nothing_heavy(tmp_path: Path) -> None:
    for number in range(10):
        (tmp_path / f"{number}.yaml").write_text(
            f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: q{number}, namespace: team-{number}}}\n"
            "spec: {hard: {pods: 1, requests.cpu: 2}}\n"
        )
    modules = imported(quotalint(["check", "."]), tmp_path)
    assert (modules & (HEAVY | {"click", "yaml"}), "quotalint.text.plain_yaml" in modules) == (set(), True)
    assert {name for name in modules if name.startswith(UNNEEDED)} == set()
    assert len([name for name in modules if name.startswith("quotalint.")]) <= MOST


def test_quotas_of_other_kinds_cost_nothing_where_there_are_none(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: a, annotations: {a: b}}\n")
    modules = imported(quotalint(["check", "."]), tmp_path)
    kinds = {name for name in modules if name.startswith("quotalint.quota.family.")}
    assert (kinds, "quotalint.gitops.openshift_templates" in modules) == (set(), False)


def test_options_cost_click_and_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: 1\n")
    modules = imported(quotalint(["check", "--quiet", "."]), tmp_path)
    assert (modules & {"jsonschema", "ruamel.yaml", "hashlib"}, "click" in modules) == (
        set(),
        True,
    )


def test_a_run_ends_at_once_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """What was promised for the end is done, all is printed, and the status is the one of the run."""
    (tmp_path / "q.yaml").write_text(quota(name="q", hard="pod: 1"))
    promised = "import atexit, sys; atexit.register(lambda: print('promised'))"
    never = "class Last:\n    def __del__(self):\n        print('taken apart')\nlast = Last()"
    program = f"{promised}\n{never}\n{quotalint(['check'])}"
    run = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.stderr == ""
    assert (run.returncode, "QL102" in run.stdout, run.stdout.splitlines()[-1]) == (1, True, "promised")


def test_whoever_watches_a_run_sees_its_end(tmp_path: Path) -> None:
    program = (
        f"import sys; sys.setprofile(lambda *_: None)\ntry:\n    {quotalint(['check'])}\nfinally:\n    print('seen')"
    )
    run = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout.splitlines()[-1]) == (0, "seen")
