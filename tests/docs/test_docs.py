"""What the README and the pages of docs/ say and show is so."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from docs_pages import LEFT_OUT, LISTING, ROOT, Block, Section, all_sections, missing

from quotalint.catalogue import rule_ids
from quotalint.cli import COMMANDS, run
from quotalint.cli.commands import command_of, main
from quotalint.runtime.data import load_schema
from quotalint.settings import Options, Settings
from quotalint.settings.loading import NAME, load_settings

SECTIONS = all_sections()
OF_OTHERS = {"--again", "--param-file", "--sample", "--strict", "--tests"}
"""Options of programs that pages speak of."""
KEYS: Any = load_schema("config")["properties"]


def _configurations(section: Section) -> Iterator[str]:
    """What stands on a page for a `.quotalint.yaml` or a part of one, and is no manifest and no job."""
    for block in section.blocks:
        if block.title == NAME or (block.language == "yaml" and not block.title and _has_keys(block.text)):
            yield block.text
    for text in re.findall(r"`([a-z]\w+: [^`]+)`", section.text):
        if _has_keys(text):
            yield text


def _has_keys(text: str) -> bool:
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        return False
    return isinstance(value, dict) and not value.keys().isdisjoint(KEYS) and "apiVersion" not in value


SHOWING = [
    section
    for section in SECTIONS
    # The recipes of CONTRIBUTING.md change the project itself: test_recipes.py follows them. Remote sources need a
    # server: vendoring/test_page.py has one.
    if section.page.name not in ("CONTRIBUTING.md", "remote-sources.md")
    and any(list(block.commands()) for block in section.blocks)
]


def _name(section: Section) -> str:
    return section.name


@pytest.mark.parametrize("section", SHOWING, ids=_name)
def test_what_is_shown_is_what_is_printed(
    section: Section,
    tmp_path: Path,
    only_git: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    scratch = any(block.title for block in section.blocks) or section.repository
    if section.repository:
        shutil.copytree(ROOT / section.repository, tmp_path, dirs_exist_ok=True, symlinks=True)
    monkeypatch.chdir(tmp_path if scratch else ROOT)
    monkeypatch.setenv("PATH", only_git)
    for block in section.blocks:
        if block.title:
            _put(block, section)
        for command, shown in block.commands():
            printed = _printed(command, tmp_path, capsys)
            if request.config.getoption("--update-golden") and LEFT_OUT not in shown.splitlines():
                _update(section.page, command, shown, printed)
            else:
                assert missing(shown, printed) == "", printed


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        pytest.param("a\nb\nc\n", "", id="everything"),
        pytest.param("a\n…\nc\n", "", id="something left out"),
        pytest.param("…\nb\n…\n", "", id="both ends left out"),
        pytest.param("", "", id="nothing shown"),
        pytest.param("b\nc\n", "b\nc", id="the beginning is missing"),
        pytest.param("a\nb\n", "(the end)", id="the end is missing"),
        pytest.param("a\nc\n", "a\nc", id="something is missing between"),
        pytest.param("a\n…\nB\n…\n", "B", id="something else"),
        pytest.param("…\nc\n…\nb\n…\n", "b", id="another order"),
    ],
)
def test_what_is_shown_and_not_printed_is_noticed(shown: str, expected: str) -> None:
    assert missing(shown, "a\nb\nc\n") == expected


@pytest.fixture(scope="module")
def only_git(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PATH with git, and nothing that renders: what is shown does not depend on who looks."""
    folder = tmp_path_factory.mktemp("bin")
    for name in ("git", "bash", "grep"):
        program = shutil.which(name)
        if program is not None:
            (folder / name).symlink_to(program)
    return str(folder)


def _put(block: Block, section: Section) -> None:
    """A file of the repository: written, or compared where the repository is a copy."""
    file = Path(block.title)
    if block.title == LISTING:
        listed = [line.split()[0] for line in block.text.splitlines() if line.strip()]
        assert [name for name in listed if not Path(name).exists()] == []
    elif section.repository and file.exists():
        assert missing(block.text, file.read_text(encoding="utf-8")) == ""
    else:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block.text, encoding="utf-8")


def _printed(command: str, home: Path, capsys: pytest.CaptureFixture[str]) -> str:
    words = shlex.split(command, comments=True)
    if words[0] == "quotalint":
        run(words[1:])
        return "".join(capsys.readouterr())
    if shutil.which(words[0]) is None:
        pytest.skip(f"{words[0]} is not on PATH")
    who = {f"GIT_{who}_{what}": "me@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", **who}
    done = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _update(page: Path, command: str, shown: str, printed: str) -> None:
    text = page.read_text(encoding="utf-8")
    after = "\n" if shown.endswith("\n\n") else ""
    places = [text.find(f"$ {command}\n{shown}{end}") for end in ("```", "$ ")]
    at = min(place for place in places if place >= 0) + len(f"$ {command}\n")
    page.write_text(f"{text[:at]}{printed.rstrip()}\n{after}{text[at + len(shown) :]}", encoding="utf-8")


CONFIGURATIONS = [
    pytest.param(text, id=f"{section.name} {at}")
    for section in SECTIONS
    for at, text in enumerate(_configurations(section))
]


@pytest.mark.parametrize("text", CONFIGURATIONS)
def test_configurations_are_valid(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / NAME).write_text(text, encoding="utf-8")
    (tmp_path / "policies").mkdir()  # which some of them name
    (tmp_path / "policies/a.yaml").write_text("{id: QLC1, message: m, expression: a}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    loaded = load_settings(["."], Options(), frozenset(rule_ids()))
    assert isinstance(loaded, Settings), loaded


def test_links_lead_somewhere() -> None:
    links = [(section, link) for section in SECTIONS for link in re.findall(r"\]\(([^)]*)\)", _prose(section))]
    broken = [f"{section.name}: {link}" for section, link in links if not _leads(section.page, link)]
    assert (len(links) > 30, broken) == (True, [])


def test_options_and_commands_that_pages_name_exist() -> None:
    options_by_command = {command: _options(command_of(command)) for command in COMMANDS}
    anywhere = _options(main).union(*options_by_command.values())
    wrong = []
    for section in SECTIONS:
        code = [*(block.text for block in section.blocks), *re.findall(r"`([^`]+)`", section.text)]
        for line in (line for text in code for line in text.splitlines()):
            for command, rest in re.findall(r"\bquotalint (\S+)([^|&>;#']*)", line):
                given = {option.partition("=")[0] for option in re.findall(r"(?<=\s)--?[a-z][^\s`]*", rest)}
                wrong += [
                    f"{section.name}: {line}"
                    for _ in given - options_by_command.get(command, options_by_command["check"])
                ]
        for text in re.findall(r"`(--[a-z][a-z-]*)[^`]*`", section.text):
            wrong += [f"{section.name}: {text}"] if text not in anywhere | OF_OTHERS else []
    assert wrong == []


def test_rules_that_pages_name_exist() -> None:
    named = {(section.name, rule_id) for section in SECTIONS for rule_id in re.findall(r"\bQL\d{3}\b", section.text)}
    assert [item for item in named if item[1] not in rule_ids()] == []


def _options(command: click.Command) -> set[str]:
    return {"--help", "-h", *(name for param in command.params for name in (*param.opts, *param.secondary_opts))}


def _prose(section: Section) -> str:
    """Without what is in backticks."""
    return re.sub(r"(?<!\[)`[^`]+`", "", section.text)


def _leads(page: Path, link: str) -> bool:
    if "://" in link:
        return True
    target, _, anchor = link.partition("#")
    file = (page.parent / target).resolve() if target else page
    return file.exists() and (not anchor or anchor in _anchors(file))


def _anchors(page: Path) -> set[str]:
    """The headings of a page, as GitHub and the site make anchors of them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
