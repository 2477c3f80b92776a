"""What `diff` says where one line breaks many namespaces, and whether its proposal holds.

    python component.py [--teams N]

Writes a repository in which a Kustomize Component gives each of N teams (60) its quota, and lowers `limits.cpu` from 4
to 3 in a second commit. About half of the teams need more, and one of them grows in the same commit. Prints how long
the Markdown comment, the terminal's text and the HTML page are, then takes over what the comment suggests and says
whether that passes. Exits with 1 if a limit of `LIMITS` is exceeded or the proposal does not pass. The height of the
page needs a browser (`chromium` on PATH); without one it is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator

LIMITS = {"comment, bytes": 8192, "comment, visible lines": 60, "terminal, lines": 60, "HTML, pixels": 8000}
WIDTH = 1280  # pixels
GROWN = 9  # replicas of the team that grows

_COMPONENT = """\
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
resources:
  - quota.yaml
"""
_QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata:
  name: small
spec:
  hard:
    pods: "40"
    limits.cpu: "{cpu}"
"""
_TEAM = """\
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: {name}
resources:
  - web.yaml
components:
  - ../../components/quota-small
"""
_WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: {replicas}
  selector:
    matchLabels: {{app: web}}
  template:
    metadata:
      labels: {{app: web}}
    spec:
      containers:
        - name: web
          image: registry.example.org/web:1.0
          resources:
            limits:
              cpu: "1"
"""


def main() -> int:
    """Measure; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--teams", type=int, default=60, metavar="N")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write_history(folder, given.teams)
        measured = measure(folder)
        repaired = take_over(folder)
    for name, number in measured.items():
        print(f"{name}: {number} (at most {LIMITS[name]})")
    print("the proposal passes" if repaired else "the proposal does not pass")
    return int(not repaired or any(number > LIMITS[name] for name, number in measured.items()))


def write_history(folder: str, teams: int) -> None:
    """The two commits."""
    _git(folder, "init", "-q")
    _write(folder, "components/quota-small/kustomization.yaml", _COMPONENT)
    _write(folder, "components/quota-small/quota.yaml", _QUOTA.format(cpu=4))
    for number in range(1, teams + 1):
        home = f"teams/team-{number:02}"
        _write(folder, f"{home}/kustomization.yaml", _TEAM.format(name=f"team-{number:02}"))
        _write(folder, f"{home}/web.yaml", _WEB.format(replicas=replicas_of(number, teams)))
    _commit(folder, "before")
    _write(folder, "components/quota-small/quota.yaml", _QUOTA.format(cpu=3))
    _write(folder, "teams/team-02/web.yaml", _WEB.format(replicas=GROWN))
    _commit(folder, "after")


def replicas_of(number: int, teams: int) -> int:
    """How many pods of one core a team runs: a third of them four, which do not fit any more; a fifth three, of which
    none can be replaced any more; the others one or two."""
    if number <= teams * 19 // 60:
        return 4
    return 3 if number <= teams * 31 // 60 else 1 + number % 2


def measure(folder: str) -> dict[str, int]:
    """How long the reports are."""
    page = os.path.join(folder, ".git", "page.html")
    comment = _diff(folder, "markdown")
    text = _diff(folder, "text")
    with open(page, "w", encoding="utf-8") as file:
        file.write(_diff(folder, "html"))
    lengths = {
        "comment, bytes": len(comment.encode()),
        "comment, visible lines": len([line for line in visible_part(comment).splitlines() if line.strip()]),
        "terminal, lines": len(text.splitlines()),
    }
    height = _page_height(page)
    return {**lengths, "HTML, pixels": height} if height else lengths


def visible_part(comment: str) -> str:
    """The comment without what is folded away."""
    return re.sub(r"<details>.*?</details>", "", comment, flags=re.DOTALL)


def take_over(folder: str) -> bool:
    """Write each line that the comment suggests; whether no new error is left."""
    for file, line, new in suggestions(_diff(folder, "markdown")):
        path = os.path.join(folder, file)
        with open(path, encoding="utf-8") as stream:
            lines = stream.read().split("\n")
        lines[line - 1] = new
        with open(path, "w", encoding="utf-8") as stream:
            stream.write("\n".join(lines))
    _commit(folder, "repaired")
    found = json.loads(_diff(folder, "json"))["findings"]["new"]
    return not any(finding["severity"] == "error" for finding in found)


def suggestions(comment: str) -> Iterator[tuple[str, int, str]]:
    """The file, the line and the text of each suggestion."""
    place = r"(?:`|\[)(?P<file>[^`\]\n]+):(?P<line>\d+)(?:`|\]\([^)]*\))"
    for found in re.finditer(place + r"\n\n```suggestion\n(?P<new>.*)\n```", comment):
        yield found["file"], int(found["line"]), found["new"]


def _diff(folder: str, form: str) -> str:
    asked = [sys.executable, "-m", "quotalint", "diff", _first_commit(folder), "HEAD", "--format", form, "--no-cache"]
    return subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=False).stdout


def _page_height(page: str) -> int:
    """In pixels; 0 where there is no browser."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        return 0
    with open(page, encoding="utf-8") as file:
        text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", file.read())
    with open(page, "w", encoding="utf-8") as file:
        file.write(text + "<script>document.title=document.documentElement.scrollHeight</script>")
    asked = [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--window-size={WIDTH},800", "--dump-dom"]
    shown = subprocess.run([*asked, f"file://{page}"], capture_output=True, text=True, check=False).stdout
    title = re.search(r"<title>(\d+)</title>", shown)
    return int(title[1]) if title else 0


def _first_commit(folder: str) -> str:
    return _git(folder, "rev-list", "--max-parents=0", "HEAD").strip()


def _write(folder: str, name: str, text: str) -> None:
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def _commit(folder: str, message: str) -> None:
    _git(folder, "add", "-A")
    _git(folder, "-c", "user.name=component", "-c", "user.email=component@example.org", "commit", "-qm", message)


def _git(folder: str, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
