"""`quotalint check --staged`: checks the index, not the working tree."""

from __future__ import annotations

import os
from contextlib import ExitStack, closing

from quotalint.cli.actions import deliver_check, exit_status, known_baseline, tell_of_programs
from quotalint.cli.comparing import git_answer, paths_within
from quotalint.cli.decisions import baselines_of_states, decide_settings
from quotalint.cli.given_files import given_snapshots, refuse_unknown
from quotalint.cli.printing import tell
from quotalint.cli.progress_line import Progress
from quotalint.cli.request import CannotRun, Request
from quotalint.cli.states import Run, check_state
from quotalint.cli.vendored_states import add_vendored
from quotalint.diff import git
from quotalint.diff.git import Git
from quotalint.diff.trees import sides
from quotalint.pipeline import Result
from quotalint.programs import distrust_folders
from quotalint.reports.check_verdict import holds_unknown
from quotalint.runtime.recall import Memory
from quotalint.runtime.scratch import scratch_folder
from quotalint.text.reading import processors


def check_staged(request: Request) -> int:
    """Print the findings of the index; the exit status."""
    with scratch_folder() as folder, ExitStack() as stack:
        here, home = os.path.realpath("."), os.path.join(folder, "home")
        os.mkdir(home)
        of = git_answer(git.git(here, home))
        with distrust_folders(of.root, folder):
            tell_of_programs(of.root)
            result = _check_index(request, of, here, folder, stack)
        if not result.environments[0].repository.files:
            tell("quotalint: nothing to check: no YAML or JSON file is staged here")
        deliver_check(request, result)
        return exit_status(result) or int(request.fails_on_unknown and holds_unknown(result.environments))


def _check_index(request: Request, of: Git, here: str, folder: str, stack: ExitStack) -> Result:
    paths = paths_within(request.paths or (".",), here, of.root)
    with Progress(wanted=not request.quiet) as progress:
        progress("reading what git has")
        states = git_answer(sides(of, None, None, folder, here, staged=True))
        stack.enter_context(closing(states.blobs))
        index = states.head
        missing = [path for path in paths if not index.holds_path(path, here)]
        if missing:
            raise CannotRun("\n".join(f"no such file or folder in what is staged: {path}" for path in missing))
        snapshots = given_snapshots(request.snapshots)
        by = decide_settings(request.options, paths, of, index, index, here, trusts_head=True)
        add_vendored(index, by.now, index, by.now, here)
        _, baseline = baselines_of_states(by, of, index, index, here)
        if request.baseline:
            baseline = known_baseline(request.baseline, needed=True)
        common = Run(of, here, paths, request.jobs or processors(), snapshots, Memory(looks_often=False))
        result = check_state(common, index, by.now, progress, baseline).result
    stack.enter_context(index.laid_out())
    refuse_unknown(snapshots, [facts.environment for facts in result.environments], by.now.environment_aliases)
    return result
