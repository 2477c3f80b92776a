"""Runs out/test/in-editor.js inside VS Code, with the program of QUOTALINT.

Usage: run_in_editor.py SERVER EXTENSION [PICTURE]

SERVER is the folder of VS Code's own server (out/server-main.js), EXTENSION that of the unpacked package. The workbench
is opened in headless Chromium, which starts an extension host with the extension, as VS Code does for its own tests.
"""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

HERE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE.parents[1] / "tests" / "helpers"))

from browser import Browser  # noqa: E402

PATIENCE = 600
QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: base, namespace: a}\nspec:\n  hard:\n    pods: 4\n"
WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: a}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web}]}
"""
LISTEN = "window.codeAutomationLog = () => {}; window.codeAutomationExit = code => { window.ended = code }"


def main(server: str, extension: str, picture: str = "") -> int:
    """The status of the tests."""
    with tempfile.TemporaryDirectory() as scratch:
        repository = Path(scratch, "repository")
        repository.mkdir()
        (repository / "quota.yaml").write_text(QUOTA)
        (repository / "web.yaml").write_text(WEB)
        # The login shell of VS Code has a PATH of its own.
        settings = Path(scratch, "server", "data", "Machine", "settings.json")
        settings.parent.mkdir(parents=True)
        settings.write_text(json.dumps({"quotalint.path": os.environ["QUOTALINT"]}))
        options = ["--host=127.0.0.1", "--port=0", "--without-connection-token", "--accept-server-license-terms"]
        folders = [f"--server-data-dir={scratch}/server", f"--extensions-dir={scratch}/extensions"]
        command = ["node", f"{server}/out/server-main.js", *options, *folders]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            try:
                assert process.stdout is not None
                port = next(found[1] for line in process.stdout if (found := re.search(r"listening on (\d+)", line)))
                return _run(Path(scratch), port, extension, picture)
            finally:
                process.terminate()


def _run(scratch: Path, port: str, extension: str, picture: str) -> int:
    remote = f"vscode-remote://127.0.0.1:{port}"
    payload = [
        ["extensionDevelopmentPath", f"{remote}{extension}"],
        ["extensionTestsPath", f"{remote}{HERE}/out/test/in-editor.js"],
        ["skipWelcome", "true"],
    ]
    browser = Browser(scratch / "profile")
    try:
        browser.look(1280)
        browser.send("Page.addScriptToEvaluateOnNewDocument", source=LISTEN)
        browser.open(f"http://127.0.0.1:{port}/?folder={scratch}/repository&payload={quote(json.dumps(payload))}")
        end = time.monotonic() + PATIENCE
        while (ended := browser.run("window.ended")) is None and time.monotonic() < end:
            time.sleep(1)
            if picture:
                Path(picture).write_bytes(base64.b64decode(browser.send("Page.captureScreenshot")["data"]))
        if ended != 0:
            print("\n".join(browser.seen().messages), file=sys.stderr)
        return 1 if ended is None else int(ended)
    finally:
        browser.close()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
