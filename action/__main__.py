"""`python -I FOLDER install`, `… vendor` and `… run`, the commands of action.yml, and `… comment`, which other CI
systems may run.

`-I` keeps the working directory, which is a repository that nobody vouches for, out of what Python imports.
"""

import os
import sys
import traceback

sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from action import elsewhere, installing, log, steps  # noqa: E402  # found by the line above

_FAILED = 2
_COMMANDS = {"install": installing.main, "run": steps.main, "vendor": steps.fetch_sources}


def main() -> int:
    """The exit status."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    command = _COMMANDS.get(" ".join(sys.argv[1:]))
    if command is None and sys.argv[1:2] == ["comment"]:
        return elsewhere.main(sys.argv[2:], os.environ)
    if command is None:
        log.error(f"{' or '.join((*_COMMANDS, 'comment'))} is what this does")
        return _FAILED
    try:
        return command(os.environ)
    # Python's own status of 1 would say that there are findings.
    except Exception:
        log.foreign(traceback.format_exc())
        log.error("this is a bug in the action of quotalint, please report it with what is above")
        return _FAILED


if __name__ == "__main__":
    sys.exit(main())
