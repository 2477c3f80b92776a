"""What git, links and what lies around the repository have otherwise than the files that were looked at."""

from __future__ import annotations

import os
from collections.abc import Mapping

from git_repositories import deployment, quota
from written_files import Link

from known_edits.rows import Edit, Files, Swap, application, service

LAYOUT: Files = {
    ".gitignore": "*.tmp\n",
    "README.md": "What this is.\n",
    "a/quota.yaml": quota("pods: 9, requests.cpu: 9"),
    "a/web.yaml": deployment(2),
    "d/quota.yaml": quota("pods: two", namespace="team-d"),
    "d/web.yaml": deployment(5, "web", "team-d"),
    "data/web.txt": deployment(30, "linked"),
}
HIDDEN: Edit = {"hidden.yaml": quota("pods: 1", "hidden")}
REPLICAS: Edit = {"a/web.yaml": Swap("replicas: 2", "replicas: 4")}
COMMIT = "commit -qam more"
Step = Edit | str | tuple[str, ...]
"""An edit, what git is told, or what quotalint is asked besides."""
STEPS: Mapping[str, tuple[Step, ...]] = {
    "what was ignored is tracked": (
        {".gitignore": "hidden.yaml\n"},
        HIDDEN,
        "add -f hidden.yaml",
        COMMIT,
        "rm -q --cached hidden.yaml",
    ),
    "a mode": ("update-index --chmod=+x a/web.yaml", "commit -qm mode", "checkout -q -- ."),
    "other ends of lines": ({"a/web.yaml": deployment(2).replace("\n", "\r\n")}, "checkout -q -- ."),
    "something of the same length": ({"a/web.yaml": deployment(8)}, "checkout -q -- ."),
    "something left over": ({"left.tmp": "", "a/left.tmp": ""}, "clean -qfdx"),
    "what is staged": (REPLICAS, "add -A", {"a/web.yaml": Swap("replicas: 4", "replicas: 20")}, COMMIT),
    "a state before": (REPLICAS, COMMIT, "reset -q --hard HEAD~2", "reset -q --hard ORIG_HEAD"),
    "a baseline": (("check", "--write-baseline"), REPLICAS, "add -A", COMMIT, {"d/quota.yaml": None}),
    "what lies above": (
        {"../.quotalint.yaml": "ignore: [{rules: [QL1]}]\n"},
        {"../.quotalint.yaml": "failOn: never\n"},
        {"../.quotalint.yaml": None},
    ),
    "what the repository is called elsewhere": (
        {"app.yaml": application("d", "d", "", "team-x").replace("here.git", "it.git")},
        "remote add origin https://example.com/it.git",
        "remote set-url origin https://example.com/other.git",
    ),
    "links": (
        {"a/link.yaml": Link("../d/web.yaml")},
        {"a/link.yaml": Link("../data/web.txt")},
        {"data/web.txt": service("two", "team-a")},
        "add -A",
        COMMIT,
        {"data/web.txt": None},
        {"a/link.yaml": Link("../.git/web.yaml"), ".git/web.yaml": deployment(3, "linked")},
    ),
    "links that lead out and back": (
        {"../beside": Link("repo"), "a/link.yaml": Link("../../beside/data/web.txt")},
        "add -A",
        COMMIT,
        {"a/link.yaml": Link("{top}/data/web.txt")},
        {"data/web.txt": service("two", "team-a")},
    ),
    "a folder behind a link": (
        {"b": Link("d"), "d/more/more.yaml": deployment(1, "more", "team-d")},
        {"a/more": Link("../d/more")},
        "add -A",
        COMMIT,
        {"d/more/more.yaml": None, "d/more/other.yaml": deployment(9, "other", "team-d")},
    ),
    "names that are shown otherwise": (
        {"a/x\ny.yaml": quota("pods: 1", "more"), os.fsdecode(b"a/\xff.yaml"): quota("pods: 2", "most")},
        REPLICAS,
    ),
    "a folder that is moved": ("mv a z", COMMIT, "mv d/web.yaml z/api.yaml", COMMIT),
    "nothing": ("commit -q --allow-empty -m nothing", {"README.md": "What this was.\n"}, COMMIT),
    "patterns of git": ({".gitattributes": "*.yaml text eol=crlf\n"}, "add -A", COMMIT, "checkout -q -- ."),
    "a clone that ignores more": ({".git/info/exclude": "d/\n"}, HIDDEN, {".git/info/exclude": "hidden.yaml\n"}),
}
