"""The language server: answers requests from standard input on standard output."""

from __future__ import annotations

import asyncio
import difflib
import gc
import os
import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlparse
from urllib.request import url2pathname

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from quotalint.editor import place_answers
from quotalint.editor.looking import Look, Workspace, by_file, import_for_findings, lines_of_text
from quotalint.editor.positions import Position, Range, range_of, utf16_length
from quotalint.fixes.fix import Fix
from quotalint.results.finding import Finding
from quotalint.snapshots.snapshot import Snapshot
from quotalint.text.place import Span
from quotalint.version import __version__

SETTLED = 2.0
"""Seconds after the last keystroke until files on disk are checked for changes."""

DELAY = 0.03
"""Seconds without a keystroke before a full check. If a check takes longer than keystrokes are apart, the delay is as
long as a check, up to a second, so that typing is not slowed."""

BETWEEN_KEYS = 0.1
"""Seconds between keystrokes of fast typing."""

_SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "info": lsp.DiagnosticSeverity.Information,
}
_OPEN = lsp.TextDocumentSyncKind.Incremental
_T = TypeVar("_T")


class Server(LanguageServer):
    """The open buffers and the last result. A class because the protocol has a state."""

    def __init__(self, snapshots: Sequence[Snapshot] = ()) -> None:
        super().__init__("quotalint", __version__, text_document_sync_kind=_OPEN)
        self.snapshots = snapshots
        self.of: Workspace | None = None
        self.seen = Look(None)
        self.waiting: asyncio.TimerHandle | None = None
        self.settling: asyncio.TimerHandle | None = None
        """The look at everything that follows when nothing is typed any more."""
        self.typed: set[str] = set()
        """The real paths of the buffers in which something was typed since the last look."""
        self.is_settled = False
        """Whether only open buffers have changed since the last look, as far as the editor has reported."""
        self.took = 0.0
        """Seconds of the last look."""
        self.told: dict[str, tuple[tuple[object, ...], ...]] = {}
        """The published diagnostics, by file."""

    def begin(self, root: str) -> None:
        """Start in a folder: names in reports are relative to it."""
        os.chdir(root)
        gc.disable()
        import_for_findings()
        self.of = Workspace(".", self.snapshots)

    def soon(self, typed: str = "") -> None:
        """Schedule a check after a pause in typing: `typed` is the path of the buffer, if nothing else has changed."""
        self.typed.add(typed)
        self.is_settled = self.is_settled and bool(typed)
        self._wait(DELAY if self.took < BETWEEN_KEYS else min(self.took, 1.0))

    def _wait(self, seconds: float) -> None:
        if self.waiting is not None:
            self.waiting.cancel()
        self.waiting = asyncio.get_running_loop().call_later(seconds, self.look)
        if self.settling is not None:
            self.settling.cancel()
            self.settling = None

    def look(self) -> None:
        """Check now and publish. A broken text gets only its syntax error until it is repaired or saved. Failures go to
        the editor's log, and the server continues."""
        if self.waiting is not None:
            self.waiting.cancel()
            self.waiting = None
        if self.of is None:
            return
        began = time.monotonic()
        try:
            glance = self.of.glance(self.typed) if self.is_settled else None
            if glance is not None:
                self.seen = glance
                self.took = time.monotonic() - began
                self._tell(self.typed)
                return
            typed, self.typed = (self.typed if self.is_settled else set()), set()
            self.is_settled = False
            self.seen = self.of.look(typed)
            self.took = time.monotonic() - began
            self.is_settled = True
            self._tell(typed)
            if not typed:
                tidy_up()
            else:
                self.settling = asyncio.get_running_loop().call_later(SETTLED, self.settle)
        except Exception as error:  # a bug of quotalint must not stop the server
            self.say(f"this is a bug in quotalint, please report it: {type(error).__name__}: {error}")
        if self.seen.problem:
            self.say(self.seen.problem)

    def settle(self) -> None:
        """Check again if anything on disk has changed, even without a notice."""
        self.settling = None
        tidy_up()
        if self.of is not None and not self.of.is_as_it_was():
            self.soon()

    def fresh(self) -> Look:
        """The result for the current buffers."""
        if self.waiting is not None:
            self.look()
        return self.seen

    def lines(self, name: str) -> list[str]:
        """The lines of a file by its name in reports."""
        return lines_of_text(self.of.content(self.seen, name)) if self.of else []

    def say(self, message: str) -> None:
        """A line in the editor's log."""
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, f"quotalint: {message}"))

    def _tell(self, typed: Collection[str]) -> None:
        """Publish the findings of files that were `typed` in, then those of files whose findings changed; of all files
        if anything may have changed."""
        findings = self.seen.result.findings if self.seen.result else ()
        numbers = by_file(self.seen)
        now = {name: tuple(map(_shown, map(findings.__getitem__, of_file))) for name, of_file in numbers.items()}
        first = {name_of(Path(path).as_uri()) for path in typed}
        for name in sorted(self.told.keys() | now.keys(), key=lambda name: (name not in first, name)):
            if typed and name not in first and self.told.get(name) == now.get(name):
                continue
            lines = self.lines(name)
            diagnostics = [self._diagnostic(findings[number], lines) for number in numbers.get(name, ())]
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri_of(name), diagnostics))
        self.told = now

    def _diagnostic(self, finding: Finding, lines: list[str]) -> lsp.Diagnostic:
        related = [
            lsp.DiagnosticRelatedInformation(
                lsp.Location(uri_of(place.file), _ranged(range_of(place.span, self.lines(place.file)))),
                f"{place.label}: {place.message}",
            )
            for place in finding.related[:10]
            if os.path.exists(place.file)
        ]
        return lsp.Diagnostic(
            range=_ranged(range_of(finding.span, lines)),
            message=f"{finding.message}\n{finding.help}".strip(),
            severity=_SEVERITIES.get(finding.severity),
            code=finding.rule.id,
            source="quotalint",
            related_information=related or None,
        )


def tidy_up() -> None:
    """Collect reference cycles during a pause in typing, and freeze what remains, so that a keystroke never waits for
    it."""
    gc.collect()
    gc.freeze()


def _shown(finding: Finding) -> tuple[object, ...]:
    """A finding as a diagnostic."""
    return finding.rule.id, finding.message, finding.help, finding.severity, finding.span, finding.related


def uri_of(name: str) -> str:
    """The address of a file by its name in reports."""
    return Path(os.path.abspath(name)).as_uri()


def path_of(uri: str) -> str:
    """The path of an address; empty if it is not a file."""
    try:
        parsed = urlparse(uri)
    except ValueError:  # no address at all
        return ""
    path = url2pathname(unquote(parsed.path)) if parsed.scheme == "file" else ""
    return path if "\0" not in path and not any("\ud800" <= character <= "\udfff" for character in path) else ""


def name_of(uri: str) -> str:
    """The name in reports of the file at an address."""
    path = path_of(uri)
    return os.path.relpath(os.path.realpath(path), os.path.realpath(".")).replace(os.sep, "/") if path else ""


def _ranged(of: Range) -> lsp.Range:
    return lsp.Range(lsp.Position(*of.start), lsp.Position(*of.end))


def _line(line: int) -> lsp.Range:
    return lsp.Range(lsp.Position(max(line - 1, 0), 0), lsp.Position(max(line - 1, 0), 0))


def server(snapshots: Sequence[Snapshot] = ()) -> Server:
    """A server with all its answers."""
    language_server = Server(snapshots)

    @language_server.feature(lsp.INITIALIZE)
    def initialize(ls: Server, params: lsp.InitializeParams) -> None:
        folders = [path_of(folder.uri) for folder in params.workspace_folders or ()]
        root = next(iter(folders), "") or (path_of(params.root_uri) if params.root_uri else params.root_path or "")
        ls.begin(root if os.path.isdir(root) else ".")

    @language_server.feature(lsp.INITIALIZED)
    def initialized(ls: Server, params: lsp.InitializedParams) -> None:
        ls.soon()

    def changed(ls: Server, uri: str) -> None:
        path = path_of(uri)
        if ls.of is not None and path:
            text = ls.workspace.get_text_document(uri).source
            real = os.path.realpath(path)
            ls.of.buffers[real] = text.encode("utf-8", "surrogatepass")
            ls.soon(real)

    @language_server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
        changed(ls, params.text_document.uri)

    @language_server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
        changed(ls, params.text_document.uri)

    @language_server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def did_save(ls: Server, params: lsp.DidSaveTextDocumentParams) -> None:
        ls.soon()

    @language_server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
        if ls.of is not None:
            ls.of.buffers.pop(os.path.realpath(path_of(params.text_document.uri)), None)
            ls.soon()

    @language_server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_files(ls: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
        ls.soon()

    @language_server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
        line = params.position.line + 1
        text = _asked(
            ls, lambda look, name: place_answers.hover(look, name, line, ls.lines(name)), params.text_document.uri
        )
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text)) if text else None

    @language_server.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions())
    def code_lens(ls: Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        lenses = _asked(ls, place_answers.lenses, params.text_document.uri) or []
        return [lsp.CodeLens(_line(lens.line), lsp.Command(lens.text, "")) for lens in lenses]

    @language_server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(ls: Server, params: lsp.DefinitionParams) -> list[lsp.Location]:
        line = params.position.line + 1
        definitions = (
            _asked(ls, lambda look, name: place_answers.definition(look, name, line), params.text_document.uri) or []
        )
        return [lsp.Location(uri_of(name), _line(at)) for name, at in definitions if os.path.exists(name)]

    kinds = lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])

    @language_server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, kinds)
    def code_action(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        return _asked(ls, lambda look, name: _actions(ls, look, name, params.range), params.text_document.uri) or []

    @language_server.feature("quotalint/tightest")
    def tightest(ls: Server, params: object) -> dict[str, object] | None:
        uri = getattr(params, "uri", "")
        found = _asked(ls, place_answers.tightest, uri) if isinstance(uri, str) else None
        if found is None:
            return None
        location = lsp.Location(uri_of(found.file), _line(found.line))
        return {"text": found.text, "percent": found.percent, "tooltip": found.tooltip, "location": location}

    return language_server


def _asked(ls: Server, what: Callable[[Look, str], _T], uri: str) -> _T | None:
    """An answer about a document; empty if a bug of quotalint prevents it."""
    name = name_of(uri)
    try:
        look = ls.fresh()
        return what(look, name) if name and name not in look.broken else None
    except Exception as error:
        ls.say(f"this is a bug in quotalint, please report it: {type(error).__name__}: {error}")
        return None


def _actions(ls: Server, look: Look, name: str, within: lsp.Range) -> list[lsp.CodeAction]:
    actions = []
    for number in by_file(look).get(name, ()):
        finding = look.result.findings[number] if look.result else None
        if finding is None or not _touches(finding.span, within):
            continue
        for fix in dict.fromkeys(filter(None, (finding.fix, *finding.ways))):
            edits = _edits(ls, look, fix)
            if edits:
                diagnostic = ls._diagnostic(finding, ls.lines(name))
                actions.append(
                    lsp.CodeAction(
                        title=f"{finding.rule.id}: {fix.words}",
                        kind=lsp.CodeActionKind.QuickFix,
                        diagnostics=[diagnostic],
                        is_preferred=fix.safe,
                        edit=lsp.WorkspaceEdit(changes=edits),
                    )
                )
    return actions


def _touches(span: Span, within: lsp.Range) -> bool:
    return within.start.line <= span.end_line - 1 and span.line - 1 <= within.end.line


def _edits(ls: Server, look: Look, fix: Fix) -> dict[str, list[lsp.TextEdit]]:
    """The edits of a fix on its own; empty if it cannot be applied."""
    from quotalint.fixes.apply import apply_each

    if look.result is None or ls.of is None:
        return {}
    of = ls.of
    done = apply_each([fix], lambda name: of.content(look, name), look.result.refusal)[0]
    if done.reason:
        return {}
    return {uri_of(name): _text_edits(before, after) for name, before, after in done.files}


def _text_edits(before: bytes, after: bytes) -> list[lsp.TextEdit]:
    old, new = (data.decode("utf-8", "replace").splitlines(keepends=True) for data in (before, after))
    edits = []
    for tag, start, end, first, last in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            behind = Position(end, 0)
            if end == len(old) and old and not old[-1].endswith("\n"):
                behind = Position(end - 1, utf16_length(old[-1]))
            at = lsp.Range(lsp.Position(start, 0), lsp.Position(*behind))
            edits.append(lsp.TextEdit(at, "".join(new[first:last])))
    return edits
