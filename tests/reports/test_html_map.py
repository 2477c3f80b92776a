"""The map on top of the HTML report: a cell for each quota, which leads to it."""

from __future__ import annotations

import re

from workspace import Workspace

QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: base, namespace: {0}}}\nspec: {{hard: {{pods: {1}}}}}\n"
PODS = (
    "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{name: web, namespace: {0}}}\nspec:\n  replicas: {1}\n"
    "  selector: {{matchLabels: {{a: b}}}}\n  template: {{metadata: {{labels: {{a: b}}}}, "
    "spec: {{containers: [{{name: c, image: i}}]}}}}\n"
)


def page(workspace: Workspace, *arguments: str) -> str:
    """The HTML report, as far as the first section behind the map."""
    text = workspace.text("usage", "--format", "html", *arguments)[1]
    return text[text.index('id="map"') : text.index('id="quotas"')]


def cells(text: str) -> list[tuple[str, str, str]]:
    """The class, the target and the words of each cell."""
    return re.findall(r'<a href="#([\w-]+)" class="(cell [\w -]+)"[^>]*>([^<]+)</a>', text)


def test_a_tile_for_each_quota_the_fullest_first(workspace: Workspace) -> None:
    workspace.put(
        {"q.yaml": "---\n".join([*(QUOTA.format(name, 4) for name in "abcd"), *map(PODS.format, "abc", "264")])}
    )
    actual_cells = cells(page(workspace))
    assert [(kind, words.replace("\u00a0", " ")) for _, kind, words in actual_cells] == [
        ("cell over", "150 % ✗"),
        ("cell full", "100 %"),
        ("cell fits", "50 %"),
    ]
    whole = workspace.text("usage", "--format", "html")[1]
    assert all(f' id="{target}" class="body"' in whole for target, _, _ in actual_cells)
    assert "Not known (1)" in page(workspace)


def test_environments_are_columns(workspace: Workspace) -> None:
    workspace.put(
        {f"clusters/{name}/all.yaml": QUOTA.format("shop", 4) + "---\n" + PODS.format("shop", 3) for name in ("a", "b")}
    )
    text = page(workspace)
    assert re.findall(r'<th scope="col">([^<]+)</th>', text) == ["namespace", "a", "b"]
    assert [words.replace("\u00a0", " ") for _, _, words in cells(text)] == ["75 %", "75 %"]


def test_a_single_quota_needs_no_map(workspace: Workspace) -> None:
    workspace.put({"q.yaml": QUOTA.format("a", 4)})
    assert 'id="map"' not in workspace.text("usage", "--format", "html")[1]


def test_the_filter_offers_what_there_is(workspace: Workspace) -> None:
    workspace.put({f"clusters/{name}/all.yaml": QUOTA.format("shop", 4) for name in ("a", "b")})
    text = workspace.text("check", "--format", "html")[1]
    assert '<option value="b">b</option>' in text and '<option value="warning">' in text
    assert 'name="environment"' not in workspace.text("usage", "--format", "html", "clusters/a")[1]
