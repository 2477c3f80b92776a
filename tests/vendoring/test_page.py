"""The story of docs/remote-sources.md, with a server on the loopback address in place of the page's."""

from __future__ import annotations

import shlex

import pytest
from chart_servers import add_charts, server, web_chart
from docs_pages import ROOT, missing, sections
from workspace import Workspace

from quotalint.gitops.helm.library import is_installed

ADDRESS = "https://charts.example.com"
STORY = next(section for section in sections(ROOT / "docs/remote-sources.md") if section.heading == "An example")


@pytest.mark.skipif(not is_installed(), reason="Helm's library is not installed")
def test_the_story_is_true(workspace: Workspace) -> None:
    with server() as charts:
        add_charts(charts, {("web", "1.2.3"): web_chart(3)})
        for block in STORY.blocks:
            if block.title:
                workspace.put({block.title: block.text.replace(ADDRESS, charts.url)})
            for command, shown in block.commands():
                program, *arguments = shlex.split(command)
                if program == "quotalint":
                    _, said, told = workspace.text(*arguments)
                else:
                    assert program == "cat"
                    said, told = (workspace.folder / arguments[0]).read_text(), ""
                assert missing(shown, (said + told).replace(charts.url, ADDRESS)) == ""
