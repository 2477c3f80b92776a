"""Builds the documentation site: `python docs/_site [FOLDER]` writes it into FOLDER (default: site/), without network.

Pages are written first, then zensical makes HTML of them, then every link of the HTML is followed. Exits with 1, and
says where, if one leads nowhere.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from broken_links import broken_links, unlisted
from site_pages import ROOT, configured, listed_pages, write_pages

_COLORS = re.compile(r"\x1b\[[\d;]*m")


def main(to: Path) -> int:
    """Write the site; the exit status."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        write_pages(folder)
        command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", str(folder / "mkdocs.yml")]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        wrong = list(unlisted(folder / "pages", listed_pages(configured()["nav"])))
        if done.returncode == 0:
            wrong += [f"{broken_link}: leads nowhere" for broken_link in broken_links(folder / "site")]
        if done.returncode or wrong:
            messages = (done.stdout + done.stderr).partition("Traceback")[0]
            print(_COLORS.sub("", messages), *wrong, sep="\n", file=sys.stderr)
            return 1
        if to.exists():
            shutil.rmtree(to)
        shutil.move(folder / "site", to)
    return 0


def _target(arguments: list[str]) -> Path:
    """Where the site goes: a folder that is replaced only if it holds such a site, or nothing."""
    to = Path(arguments[0]) if arguments else ROOT / "site"
    if to.exists() and not (to / "search.json").exists() and any(to.iterdir()):
        raise SystemExit(f"{to}: there is something else; name a folder that can be replaced")
    return to


if __name__ == "__main__":
    raise SystemExit(main(_target(sys.argv[1:])))
