"""`quotalint check --staged`: what the next commit will hold, whatever else lies in the working tree."""

from __future__ import annotations

import os
import sys
import tempfile

from quotalint.cli.actions import CannotRun, Request, deliver, given_snapshot, refuse_unknown, status
from quotalint.cli.comparing import answer, paths_within
from quotalint.cli.formats import CHECK, report
from quotalint.cli.progress import Progress
from quotalint.cli.states import Run, bring, checked, is_there, settings_of
from quotalint.diff import git
from quotalint.diff.trees import sides
from quotalint.suppression import baseline_file
from quotalint.text.reading import processors


def check_staged(request: Request) -> int:
    """Print what is wrong with it; the exit status."""
    with tempfile.TemporaryDirectory(prefix="quotalint-", ignore_cleanup_errors=True) as made:
        folder = os.path.realpath(made)
        here, home = os.path.realpath("."), os.path.join(folder, "home")
        os.mkdir(home)
        of = answer(git.git(here, home))
        paths = paths_within(request.paths or (".",), here, of.root)
        with Progress(not request.quiet) as tell:
            tell("reading what git has")
            _, index = answer(sides(of, None, None, folder, here, staged=True))
            missing = [path for path in paths if not is_there(path, index, here)]
            if missing:
                raise CannotRun("\n".join(f"no such file or folder in what is staged: {path}" for path in missing))
            snapshots = tuple(map(given_snapshot, request.snapshots))
            _, settings = settings_of(request.options, paths, of, index, index, here)
            baseline = baseline_file(request.baseline, settings) if request.baseline else settings.baseline
            if request.baseline:
                if not os.path.lexists(baseline):
                    raise CannotRun(f"{baseline}: there is no such file")
                bring(os.path.abspath(baseline), of, index, also_ignored=True)
            common = Run(of, here, paths, request.jobs or processors(), snapshots)
            result, _ = checked(common, index, settings._replace(baseline=baseline), tell)
        refuse_unknown(request.snapshots, snapshots, [one.environment for one in result.environments])
        if not result.environments[0].repository.files:
            sys.stderr.write(f"quotalint: nothing to check: no YAML or JSON file is staged below {', '.join(paths)}\n")
        deliver(request, CHECK, report(result, request.quiet, request.verbose))
        return status(result)
