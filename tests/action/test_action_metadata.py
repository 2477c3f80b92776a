"""action.yml and every workflow that is shown are what GitHub publishes schemas for, and agree with each other."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import indent
from typing import Any, NamedTuple

import pytest
import yaml
from github_runner import ACTION, ROOT, STEPS

PAGES = sorted([*ROOT.glob("docs/*.md"), ROOT / "README.md"])
PAGE = (ROOT / "docs" / "github-action.md").read_text(encoding="utf-8")
WHOLE = "name: shown\non: pull_request\npermissions: {contents: read}\n"
STEPS_ALONE = f"{WHOLE}jobs:\n  shown:\n    runs-on: ubuntu-latest\n    steps:\n"


class Shown(NamedTuple):
    """A workflow on a page."""

    page: str
    text: str

    def steps(self) -> Iterator[dict[str, Any]]:
        """All of its steps."""
        for job in yaml.safe_load(self.text)["jobs"].values():
            yield from job["steps"]


def shown() -> Iterator[Shown]:
    """Whole workflows, jobs and lists of steps; of the latter two, a workflow around them."""
    for page in PAGES:
        for text in re.findall(r"```yaml[^\n]*\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            try:
                body = yaml.safe_load(text)
            except yaml.YAMLError:
                continue
            if isinstance(body, list) and all(isinstance(item, dict) and {"uses", "run"} & {*item} for item in body):
                yield Shown(page.name, STEPS_ALONE + indent(text, " " * 6))
            elif isinstance(body, dict) and isinstance(body.get("jobs"), dict):
                yield Shown(page.name, text if "name" in body else WHOLE + text)


SHOWN = list(shown())


def complaints(schema: str, *files: Path) -> str:
    """What a published schema has against files."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_the_action_is_one() -> None:
    assert complaints("vendor.github-actions", ROOT / "action.yml") == ""


def test_every_workflow_that_is_shown_is_one(tmp_path: Path) -> None:
    files = []
    for number, shown in enumerate(SHOWN):
        file = tmp_path / f"{shown.page}-{number}.yaml"
        file.write_text(shown.text, encoding="utf-8")
        files.append(file)
    assert {shown.page for shown in SHOWN} >= {"README.md", "github-action.md", "formats.md"}
    assert complaints("vendor.github-workflows", *files) == ""


def test_the_schemas_notice_mistakes(tmp_path: Path) -> None:
    file = tmp_path / "broken.yml"
    file.write_text(yaml.safe_dump({**ACTION, "runs": {"using": "composite", "steps": [{"run": "true"}]}}))
    assert complaints("vendor.github-actions", file) != ""


def test_no_expression_stands_in_a_command() -> None:
    commands = {name: step["run"] for name, step in STEPS.items() if "run" in step}
    assert commands == {
        "install": '"$PYTHON" -I "$GITHUB_ACTION_PATH/action" install\n',
        "vendor": '"$PYTHON" -I "$GITHUB_ACTION_PATH/action" vendor\n',
        "quotalint": '"$PYTHON" -I "$GITHUB_ACTION_PATH/action" run\n',
    }
    assert {step["shell"] for step in STEPS.values() if "run" in step} == {"bash"}


def test_every_input_is_used() -> None:
    text = yaml.safe_dump(ACTION["runs"])
    used = set(re.findall(r"inputs\.([\w-]+)", text))
    assert used == set(ACTION["inputs"])
    for name, step in STEPS.items():
        for variable, value in step.get("env", {}).items():
            if variable.startswith("INPUT_"):
                given = variable.removeprefix("INPUT_").lower().replace("_", "-")
                assert value == f"${{{{ inputs.{given} }}}}", name


def test_nothing_is_uploaded_as_if_it_were_of_the_base() -> None:
    # Under pull_request_target the ref of the run, to which the upload goes, is the base.
    assert "github.event_name != 'pull_request_target'" in STEPS["Upload to code scanning"]["if"]


def test_a_cache_is_of_a_version_and_of_contents() -> None:
    cache = STEPS["Keep what quotalint answered"]
    key, earlier = cache["with"]["key"], cache["with"]["restore-keys"].splitlines()
    outputs = ("version", "extras", "contents")
    version, extras, contents = (f"${{{{ steps.install.outputs.{name} }}}}" for name in outputs)
    assert key == f"quotalint-${{{{ runner.os }}}}-{version}-{extras}-{contents}"
    assert [key.removeprefix(item) for item in earlier] == [contents]
    assert cache["with"]["path"] == STEPS["quotalint"]["env"]["QUOTALINT_CACHE_DIR"]
    # Below the checkout, the pull request would bring it.
    assert cache["with"]["path"].startswith("${{ runner.temp }}/")


def test_what_a_pull_request_brings_is_in_no_cache_that_main_reads() -> None:
    # GitHub: what a run of refs/pull/N/merge keeps is restored for that pull request alone. These run for the base.
    condition = STEPS["Keep what quotalint answered"]["if"]
    listed = re.search(r"fromJSON\('(.*?)'\), github\.event_name", condition)
    assert listed is not None
    events = set(json.loads(listed[1]))
    assert events == {"push", "pull_request", "merge_group", "schedule", "workflow_dispatch"}
    assert not events & {"pull_request_target", "workflow_run", "issue_comment", "pull_request_review", "check_run"}


def test_nothing_is_fetched_for_a_pull_request() -> None:
    condition = STEPS["vendor"]["if"]
    listed = re.search(r"fromJSON\('(.*?)'\), github\.event_name", condition)
    assert listed is not None
    assert set(json.loads(listed[1])) == {"push", "schedule", "workflow_dispatch"}
    assert "inputs.vendor == 'true' &&" in " ".join(condition.split())
    assert ACTION["inputs"]["vendor"]["default"] == "false"


def test_sources_are_kept_by_their_lock() -> None:
    cache = STEPS["Keep remote sources"]
    assert cache["with"]["key"] == "quotalint-sources-${{ hashFiles('quotalint.lock') }}"
    assert list(STEPS).index("Keep remote sources") < list(STEPS).index("vendor") < list(STEPS).index("quotalint")
    assert "pull_request_target" not in cache["if"]


def test_every_action_is_pinned_to_a_commit_and_says_its_version() -> None:
    texts = [(ROOT / "action.yml").read_text(encoding="utf-8"), *(shown.text for shown in SHOWN)]
    used = [line for text in texts for line in re.findall(r"uses: *(.+)", text) if not line.startswith("quotalint/")]
    assert [item for item in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+", item)] == []
    commits: dict[str, set[str]] = {}
    for item in used:
        commits.setdefault("/".join(item.split("@")[0].split("/")[:2]), set()).add(item.split("@")[1])
    assert {name: len(value) for name, value in commits.items()} == dict.fromkeys(commits, 1)


def test_zizmor_finds_nothing(tmp_path: Path) -> None:
    if shutil.which("zizmor") is None:
        pytest.skip("zizmor is not on PATH")
    workflows = tmp_path / ".github" / "workflows"
    workflows.mkdir(parents=True)
    for number, shown in enumerate(SHOWN):
        # Who uses the action pins it as well; the pages name the release, whose commit is not known before it is made.
        text = re.sub(r"(uses: quotalint/quotalint)@v[\d.]+", rf"\1@{'0' * 40}", shown.text)
        (workflows / f"{shown.page}-{number}.yml").write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "action.yml", tmp_path)
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        shutil.copy(path, workflows)
    command = ["zizmor", "--offline", "--no-progress", "--no-config", "--format=plain", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "No findings to report" in done.stdout + done.stderr) == (0, True), done.stdout


def test_the_page_names_every_input_and_output() -> None:
    inputs, outputs = (PAGE.split(f"## {title}\n", 1)[1].split("\n## ")[0] for title in ("Inputs", "Outputs"))
    named = [set(re.findall(r"`([\w-]+)`", row.split("|")[1])) for row in (inputs + outputs).splitlines() if "|" in row]
    assert set().union(*named) == {*ACTION["inputs"], *ACTION["outputs"]}


def _given(step: Mapping[str, Any]) -> set[str]:
    return set(step.get("with", {}))


@pytest.mark.parametrize("shown", SHOWN, ids=[f"{shown.page} {number}" for number, shown in enumerate(SHOWN)])
def test_what_is_shown_asks_for_what_there_is(shown: Shown) -> None:
    ours = [step for step in shown.steps() if str(step.get("uses", "")).startswith("quotalint/")]
    ids = "|".join(step["id"] for step in ours if "id" in step)
    wanted = set(re.findall(rf"steps\.(?:{ids})\.outputs\.([\w-]+)", shown.text)) if ids else set()
    assert ([name for step in ours for name in _given(step) - {*ACTION["inputs"]}], wanted - {*ACTION["outputs"]}) == (
        [],
        set(),
    )


def test_no_command_that_is_shown_holds_what_others_say() -> None:
    # An expression is text that is put into the script before a shell reads it. Names of branches are others' words.
    mixed = [step["run"] for shown in SHOWN for step in shown.steps() if "${{" in step.get("run", "")]
    assert mixed == []
