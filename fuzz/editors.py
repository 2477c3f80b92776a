"""Somebody types in an editor: `quotalint lsp` has to answer each request, and to end without a complaint."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fuzz.mutations import WORDS, mutated
from fuzz.seeds import Files

_PATIENCE = 120  # seconds of a whole conversation
Message = tuple[str, Any]


SESSION = "session.json"
"""The file with what was said, if it is kept."""
_HERE = "file:///@here@"


def session(files: Files, chance: random.Random) -> bytes:
    """What an editor says, from beginning to end."""
    messages: list[Message] = [("initialize", {"rootUri": _HERE, "capabilities": {}}), ("initialized", {})]
    messages += [*_typed(files, chance), ("shutdown", {}), ("exit", {})]
    return json.dumps(messages).encode()


def converse(said: bytes) -> str:
    """What is wrong with what a server answers in the working directory; empty where nothing is."""
    messages: list[Message] = json.loads(said.replace(_HERE.encode(), Path.cwd().as_uri().encode()))
    asked = {number for number, (method, _) in enumerate(messages) if not _is_notice(method)}
    command = [sys.executable, "-m", "quotalint", "lsp"]
    environment = {name: value for name, value in os.environ.items() if name != "QUOTALINT_DEBUG"}
    try:
        ended = subprocess.run(
            command, input=framed(messages), env=environment, capture_output=True, timeout=_PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return "lsp: no end"
    told = list(read_answers(ended.stdout))
    answered = {answer["id"] for answer in told if "result" in answer}
    if ended.returncode or ended.stderr:
        return f"lsp: status {ended.returncode}: {ended.stderr.decode('utf-8', 'replace')[-2000:]}"
    if asked - answered:
        return f"lsp: no answer to {[messages[number] for number in sorted(asked - answered)][:2]}: {told}"[:2000]
    return next((f"lsp: {answer}"[:2000] for answer in told if "bug in quotalint" in json.dumps(answer)), "")


def _typed(files: Files, chance: random.Random) -> Iterator[Message]:
    for name in chance.sample(sorted(files), min(len(files), 3)):
        document = {"uri": f"{_HERE}/{quote(name)}"}
        text = mutated({name: files[name]}, chance).get(name, b"")
        opened = {**document, "languageId": "yaml", "version": 1, "text": _decoded(text)}
        yield "textDocument/didOpen", {"textDocument": opened}
        lines = text.count(b"\n") + 2

        def place(lines: int = lines) -> dict[str, int]:
            return {"line": chance.randrange(lines), "character": chance.choice((0, 3, 10, 2**31 - 1))}

        for version in range(2, chance.randrange(3, 8)):
            change = {"range": {"start": place(), "end": place()}, "text": _decoded(chance.choice(WORDS))}
            edited = {"textDocument": {**document, "version": version}, "contentChanges": [change]}
            yield "textDocument/didChange", edited
            at = {"textDocument": document, "position": place()}
            within = {"range": {"start": place(), "end": place()}, "context": {"diagnostics": []}}
            yield chance.choice((("textDocument/hover", at), ("textDocument/definition", at)))
            yield "textDocument/codeLens", {"textDocument": document}
            yield "textDocument/codeAction", {"textDocument": document, **within}
        yield chance.choice(("textDocument/didSave", "textDocument/didClose")), {"textDocument": document}


def _decoded(data: bytes) -> str:
    return data[:20_000].decode("utf-8", "replace")


def framed(messages: Sequence[Message]) -> bytes:
    """Messages as a server reads them; the id of a request is its number."""
    sent = b""
    for number, (method, params) in enumerate(messages):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        body = json.dumps(message if _is_notice(method) else {**message, "id": number}).encode()
        sent += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    return sent


def _is_notice(method: str) -> bool:
    """Whether a message has no answer."""
    return method.startswith(("textDocument/did", "$/")) or method in ("initialized", "exit")


def read_answers(output: bytes) -> Iterator[dict[str, Any]]:
    """What a server says."""
    while output:
        head, _, output = output.partition(b"\r\n\r\n")
        length = next(int(line.split(b":")[1]) for line in head.splitlines() if line.startswith(b"Content-Length"))
        yield json.loads(output[:length])
        output = output[length:]
