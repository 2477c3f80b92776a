"""The command lines that are tried: every command, every format, and the options that take ways of their own."""

from __future__ import annotations

from quotalint.cli.formats import CHECK, USAGE

FORMATS, USAGE_FORMATS = tuple(CHECK), tuple(USAGE)

_OFTEN = (
    *(("check", "-f", name, ".") for name in FORMATS),
    *(("usage", "-f", name, ".") for name in USAGE_FORMATS),
    ("check", "--select", "QL", "--scenario", "peak", "-v", "."),
    ("check", "--fix", "--diff", "."),
    ("check", "--unsafe-fixes", "--diff", "."),
    ("render", "."),
    *(("diff", "HEAD", "-f", name) for name in FORMATS),
)
_SELDOM = (
    ("check", "--fix", "."),
    ("check", "--unsafe-fixes", "."),
    ("check", "--write-baseline", "."),
    ("check", "-f", "json", "-"),
    ("check", "--enforcement", "deferred", "--scenario", "surge", "--nodes", "3", "-f", "json", "."),
    ("check", "--kube-version", "1.21", "--fail-on", "info", "-q", "."),
    ("check", "--jobs", "2", "--with", "with.yaml", "-f", "json", "."),
    ("usage", "--exceeded", "--sort", "share", "."),
    ("usage", "--top", "2", "--with", "with.yaml", "-f", "json", "."),
    ("usage", "--all", "--sort", "namespace", "."),
    ("render", "--root", "."),
    ("diff", "--staged", "-f", "json"),
    ("diff", "HEAD", "--trust-head-config", "-v"),
    ("init", "--force", "."),
    ("explain", "QL301", "--all"),
    ("rules", "-f", "json"),
    ("schema",),
    ("snapshot", "--from", "with.yaml"),
    ("fleet", "fleet.yaml"),
    ("fleet", "fleet.yaml", "--usage", "-f", "json"),
    ("lsp",),
    ("cache", "info"),
    ("vendor", "--check"),
    ("suggest", "."),
    ("suggest", "-f", "json", "."),
    ("suggest", "--diff", "."),
    ("suggest", "--write", "out", "."),
    ("what-if", "web=12", "node-loss=1", "."),
    ("suggest", "--lower", "--headroom", "5%", "--with", "with.yaml", "."),
    ("what-if", "web=3", "-f", "json", "."),
    ("what-if", "web.max=9", "web.requests.cpu=1e3", "quota.a/q.pods=1", "+.@b", "."),
    ("check", "--quota", "with.yaml", "-f", "json", "."),
    ("check", "--config", "with.yaml", "--baseline", ".quotalint-baseline.yaml", "."),
    ("usage", "--history", "with.yaml", "-f", "html", "."),
)
COMMANDS: tuple[tuple[str, ...], ...] = (*_OFTEN, *_SELDOM)


def format_of(arguments: tuple[str, ...]) -> str:
    """What a command line prints: the name of a format, `yaml` or `patch`."""
    if "--diff" in arguments:
        return "patch"
    if "-f" in arguments:
        return arguments[arguments.index("-f") + 1]
    return "yaml" if arguments[0] in ("render", "suggest", "snapshot") else "text"
