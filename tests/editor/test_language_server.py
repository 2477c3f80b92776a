"""The language server, driven by a real client over pipes."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from manifests import web
from pygls.lsp.client import LanguageClient
from written_files import write

from quotalint.cli import run

PATIENCE = 60  # seconds that an answer may take on a busy machine


class Editor:
    """An editor with a folder open."""

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client, self.folder = client, folder
        self.shown: dict[str, list[lsp.Diagnostic]] = {}
        self.published: list[str] = []
        self.told = asyncio.Event()
        self.versions: dict[str, int] = {}

        @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.shown[params.uri.rpartition("/")[2]] = list(params.diagnostics)
            self.published.append(params.uri.rpartition("/")[2])
            self.told.set()

        @client.feature(lsp.WINDOW_LOG_MESSAGE)  # type: ignore[untyped-decorator]
        def logged(params: lsp.LogMessageParams) -> None:
            self.log = params.message
            self.told.set()

        self.log = ""

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str | None = None) -> None:
        """Open a file, with what it holds or another text."""
        text = (self.folder / name).read_text() if text is None else text
        item = lsp.TextDocumentItem(self.uri(name), "yaml", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def type(self, name: str, text: str) -> None:
        """Replace everything in a buffer."""
        self.versions[name] = self.versions.get(name, 1) + 1
        document = lsp.VersionedTextDocumentIdentifier(self.versions[name], self.uri(name))
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait for the editor to show something."""
        while not holds():
            self.told.clear()
            await asyncio.wait_for(self.told.wait(), PATIENCE)

    def rules(self, name: str) -> list[str]:
        return [str(diagnostic.code) for diagnostic in self.shown.get(name, ())]

    async def hover(self, name: str, line: int) -> str:
        at = lsp.HoverParams(lsp.TextDocumentIdentifier(self.uri(name)), lsp.Position(line - 1, 4))
        answer = await self.client.text_document_hover_async(at)
        return answer.contents.value if answer is not None and isinstance(answer.contents, lsp.MarkupContent) else ""

    async def lenses(self, name: str) -> list[tuple[int, str]]:
        asked = lsp.CodeLensParams(lsp.TextDocumentIdentifier(self.uri(name)))
        code_lens = await self.client.text_document_code_lens_async(asked) or []
        return [(lens.range.start.line + 1, lens.command.title if lens.command else "") for lens in code_lens]

    async def definitions(self, name: str, line: int) -> list[str]:
        asked = lsp.DefinitionParams(lsp.TextDocumentIdentifier(self.uri(name)), lsp.Position(line - 1, 4))
        result: Any = await self.client.text_document_definition_async(asked) or []
        return [f"{item.uri.rpartition('/')[2]}:{item.range.start.line + 1}" for item in result]

    async def actions(self, name: str, line: int) -> list[lsp.CodeAction]:
        where = lsp.Range(lsp.Position(line - 1, 0), lsp.Position(line - 1, 0))
        asked = lsp.CodeActionParams(lsp.TextDocumentIdentifier(self.uri(name)), where, lsp.CodeActionContext([]))
        result = await self.client.text_document_code_action_async(asked) or []
        return [item for item in result if isinstance(item, lsp.CodeAction)]


async def _whole(what: Callable[[Editor], Awaitable[None]], editor: Editor) -> None:
    await what(editor)


def edit(folder: Path, files: dict[str, str], what: Callable[[Editor], Awaitable[None]], *options: str) -> None:
    """Open a folder in an editor whose server has these options, and do something there."""
    write(folder, files)

    async def session() -> None:
        client = LanguageClient("test", "1")
        await client.start_io(sys.executable, "-m", "quotalint", "lsp", "--stdio", *options)
        folders = [lsp.WorkspaceFolder(folder.as_uri(), "repo")]
        params = lsp.InitializeParams(lsp.ClientCapabilities(), workspace_folders=folders)
        try:
            await client.initialize_async(params)
            client.initialized(lsp.InitializedParams())
            await asyncio.wait_for(_whole(what, Editor(client, folder)), 2 * PATIENCE)
            await client.shutdown_async(None)
        finally:
            client.exit(None)
            await client.stop()  # type: ignore[no-untyped-call]

    asyncio.run(session())


SHORT = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: base, namespace: a}\nspec:\n  hard:\n    pods: '2'\n"
FILES = {"quota.yaml": SHORT, "web.yaml": web(1, "a", cpu="1")}


def test_findings_appear_and_go_as_somebody_types(tmp_path: Path) -> None:
    async def typing(editor: Editor) -> None:
        editor.open("web.yaml")
        editor.type("web.yaml", web(5, "a", cpu="1"))
        await editor.until(lambda: "QL301" in editor.rules("quota.yaml"))
        diagnostic = next(diagnostic for diagnostic in editor.shown["quota.yaml"] if diagnostic.code == "QL301")
        assert (diagnostic.range.start.line, diagnostic.severity) == (5, lsp.DiagnosticSeverity.Error)
        assert diagnostic.related_information and diagnostic.related_information[0].location.uri == editor.uri(
            "web.yaml"
        )
        # Nothing was saved.
        assert (tmp_path / "web.yaml").read_text() == FILES["web.yaml"]
        editor.type("web.yaml", web(1, "a", cpu="1"))
        await editor.until(lambda: "QL301" not in editor.rules("quota.yaml"))

    edit(tmp_path, FILES, typing)


def test_only_files_of_which_something_else_is_said_are_told_of_again(tmp_path: Path) -> None:
    other = {"other.yaml": SHORT.replace("namespace: a", "namespace: b"), "more.yaml": web(5, "b", cpu="1")}

    async def typing(editor: Editor) -> None:
        editor.open("quota.yaml")
        await editor.until(lambda: "QL301" in editor.rules("other.yaml"))
        editor.published.clear()
        editor.type("quota.yaml", SHORT.replace("'2'", "'0'"))
        await editor.until(lambda: "QL301" in editor.rules("quota.yaml"))
        assert editor.published[0] == "quota.yaml"
        assert "other.yaml" not in editor.published

    edit(tmp_path, {**FILES, **other}, typing)


def test_half_a_line_takes_away_nothing_but_itself(tmp_path: Path) -> None:
    broken = web(5, "a", cpu="1") + "  - {\n"

    async def typing(editor: Editor) -> None:
        editor.open("web.yaml", web(5, "a", cpu="1"))
        await editor.until(lambda: "QL301" in editor.rules("quota.yaml"))
        editor.type("web.yaml", broken)
        await editor.until(lambda: "QL001" in editor.rules("web.yaml"))
        assert editor.rules("quota.yaml") == ["QL301"]
        assert await editor.lenses("quota.yaml") == [(6, "pods 5 of 2")]
        assert await editor.hover("web.yaml", 1) == ""
        # What is saved is what there is.
        editor.client.text_document_did_save(
            lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(editor.uri("web.yaml")))
        )
        await editor.until(lambda: editor.rules("quota.yaml") == [])
        editor.type("web.yaml", web(5, "a", cpu="1"))
        await editor.until(lambda: editor.rules("web.yaml") == editor.rules("quota.yaml") == ["QL301"])

    edit(tmp_path, FILES, typing)


def test_what_is_shown_at_a_quota_and_a_workload(tmp_path: Path) -> None:
    async def looking(editor: Editor) -> None:
        editor.open("quota.yaml")
        assert await editor.lenses("quota.yaml") == [(6, "pods 1 of 2")]
        shown = await editor.hover("quota.yaml", 6)
        assert all(part in shown for part in ("**`pods`** 1 of 2", "50 %", "surge 2", "peak 2", "Deployment `web` 1"))
        shown = await editor.hover("web.yaml", 1)
        assert all(part in shown for part in ("Deployment `web`", "`pods` | 1 | 1 | 2", "1 more fit, 0 with room"))
        assert await editor.hover("web.yaml", 9) == shown
        assert "`pods` | 1 | 2 | 50 %" in await editor.hover("quota.yaml", 2)
        assert await editor.definitions("quota.yaml", 6) == ["web.yaml:1"]
        assert await editor.definitions("web.yaml", 1) == ["quota.yaml:1"]
        # The lens follows the buffer at once.
        editor.type("quota.yaml", SHORT.replace("'2'", "'7'"))
        assert await editor.lenses("quota.yaml") == [(6, "pods 1 of 7")]

    edit(tmp_path, FILES, looking)


def test_a_status_bar_asks_for_the_tightest_quota_of_a_file(tmp_path: Path) -> None:
    async def asking(editor: Editor) -> None:
        editor.open("web.yaml", web(3, "a"))
        found = await editor.client.protocol.send_request_async("quotalint/tightest", {"uri": editor.uri("web.yaml")})
        assert (found.text, found.percent, found.location.uri) == ("pods 3 of 2 (150 %)", 150, editor.uri("quota.yaml"))
        assert found.location.range.start.line == 5
        assert "`pods`" in found.tooltip
        meaningless: tuple[object, ...] = ({"uri": editor.uri("none.yaml")}, {"uri": 5}, {}, None, [])
        for params in meaningless:
            assert await editor.client.protocol.send_request_async("quotalint/tightest", params) is None

    edit(tmp_path, FILES, asking)


def test_a_snapshot_of_the_cluster_counts_in_the_editor(tmp_path: Path) -> None:
    (tmp_path / "cluster.txt").write_text(web(7, "a", name="api"))

    async def asking(editor: Editor) -> None:
        assert await editor.lenses("quota.yaml") == [(6, "pods 8 of 2")]
        editor.open("web.yaml", web(2, "a"))
        assert await editor.lenses("quota.yaml") == [(6, "pods 9 of 2")]

    edit(tmp_path, FILES, asking, "--with", str(tmp_path / "cluster.txt"))


def test_repairs_are_offered_for_the_buffer(tmp_path: Path) -> None:
    async def repairing(editor: Editor) -> None:
        text = "# ä😀\n" + SHORT.replace("pods", "pod")
        editor.open("quota.yaml", text)
        await editor.until(lambda: "QL102" in editor.rules("quota.yaml"))
        (action,) = await editor.actions("quota.yaml", 7)
        assert action.edit and action.edit.changes
        (edit_,) = action.edit.changes[editor.uri("quota.yaml")]
        assert (edit_.range.start.line, edit_.new_text) == (6, "    pods: '2'\n")
        assert await editor.actions("quota.yaml", 1) == []

    edit(tmp_path, FILES, repairing)


def test_a_finding_of_an_overlay_leads_to_the_base(tmp_path: Path) -> None:
    files = {
        "base/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n",
        "base/quota.yaml": SHORT,
        "base/web.yaml": web(1, "a"),
        "prod/kustomization.yaml": "resources: [../base]\nreplicas: [{name: web, count: 9}]\n",
    }

    async def following(editor: Editor) -> None:
        await editor.until(lambda: "QL301" in editor.rules("quota.yaml"))
        places = await editor.definitions("base/quota.yaml", 6)
        # The line of the overlay that sets the number, before all others.
        assert places[0] == "kustomization.yaml:2"

    edit(tmp_path, files, following)


BUFFERS = (
    "",
    "a: [",
    "\t- {",
    "---\n" * 50,
    "a: &a [*a]",
    "\ud83d".encode("utf-8", "replace").decode(),
    "{{ x }}",
    "x" * 9000,
    "%YAML 9",
)


def test_no_buffer_ends_the_server(tmp_path: Path) -> None:
    async def typing(editor: Editor) -> None:
        editor.open("quota.yaml")
        editor.open("web.yaml")
        for text in BUFFERS:
            for name in ("quota.yaml", "web.yaml"):
                editor.type(name, text)
                await editor.hover(name, 1)
                await editor.lenses(name)
                await editor.actions(name, 1)
                await editor.definitions(name, 99)
            await editor.until(lambda: "QL301" not in editor.rules("quota.yaml"))
            editor.type("quota.yaml", SHORT)
            editor.type("web.yaml", web(5, "a"))
            await editor.until(lambda: "QL301" in editor.rules("quota.yaml"))

    edit(tmp_path, FILES, typing)


def test_a_configuration_that_is_wrong_is_said_and_does_not_end_the_server(tmp_path: Path) -> None:
    async def mistaken(editor: Editor) -> None:
        await editor.until(lambda: "nodez" in editor.log)
        (tmp_path / ".quotalint.yaml").write_text("nodes: 3\n")
        editor.open("web.yaml", web(5, "a"))
        await editor.until(lambda: "QL301" in editor.rules("quota.yaml"))

    edit(tmp_path, {**FILES, ".quotalint.yaml": "nodez: 3\n"}, mistaken)


def test_without_pygls_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "quotalint.editor.server", None)
    assert run(["lsp"]) == 2
    assert "pip install 'quotalint[lsp]'" in capsys.readouterr().err


def test_quotas_of_several_environments_are_told_apart(tmp_path: Path) -> None:
    files = {
        "base/kustomization.yaml": "resources: [quota.yaml]\n",
        "base/quota.yaml": SHORT,
        **{f"{name}/kustomization.yaml": "resources: [../base, web.yaml]\n" for name in ("dev", "prod")},
        "dev/web.yaml": web(1, "a"),
        "prod/web.yaml": web(2, "a"),
    }

    async def looking(editor: Editor) -> None:
        assert await editor.lenses("base/quota.yaml") == [(6, "dev a: pods 1 of 2 · prod a: pods 2 of 2")]

    edit(tmp_path, files, looking)
