"""Changes quotalint one expression at a time, and says which changes no test notices.

    python .ci/mutation quotalint/evaluators quotalint/quota --sample 200 --log mutants.jsonl

It needs nothing but what the tests need, and one process. Each line of the log is a change and what became of it. Those
in the log are not tried again, except survivors with `--again`: after tests were added for them.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from session import Session, look_around
from sites import Mutation, mutations

TESTS = (
    *(
        "tests/admission",
        "tests/checks",
        "tests/diff",
        "tests/evaluators",
        "tests/kube",
        "tests/quota",
        "tests/workloads",
    ),
    *("tests/cases", "tests/conformance", "tests/golden", "tests/live", "tests/rules", "tests/fixes", "tests/sizing"),
    *(
        "tests/suppression",
        "tests/settings",
        "tests/whatif",
        "tests/test_golden.py",
        "tests/test_catalogue.py",
        "tests/test_init_file.py",
    ),
)
"""What runs in one process and is about verdicts; what is printed where, and other programs, is left out."""


def main() -> None:
    """Choose, try, and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", help="files and folders of the package")
    parser.add_argument("--sample", type=int, help="so many changes of each path; without it, all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, default=Path("mutants.jsonl"))
    parser.add_argument(
        "--map",
        type=Path,
        default=Path("mutants-map.json"),
        help="which tests run which lines of the paths; made where missing",
    )
    parser.add_argument(
        "--seconds", type=float, default=20.0, help="of tests for each change, by how long they took once"
    )
    parser.add_argument("--tests", nargs="*", default=TESTS)
    parser.add_argument("--again", action="store_true", help="only what survived or was not covered, by the log")
    given = parser.parse_args()
    chosen = [mutation for path in given.paths for mutation in _sampled(path, given.sample, given.seed)]
    if given.map.exists() and not {mutation.file for mutation in chosen} <= _covered_files(given.map):
        parser.error(f"--map: {given.map} was made for other paths: name another file")
    print(f"{len(chosen)} changes", flush=True)

    def work(session: Session) -> None:
        files = sorted({str(file) for path in given.paths for file in _files(path)})
        for file in {mutation.file for mutation in chosen}:
            import_module(file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        tests = session.cover(files, given.map)
        print(f"{len(tests.seconds)} tests run them", flush=True)
        logged = _logged(given.log)
        look_around({mutation.file for mutation in chosen})
        with given.log.open("a") as log:
            for mutation in chosen:
                known = logged.get(_key(mutation))
                if known is None if not given.again else known in ("survived", "uncovered"):
                    outcome = session.outcome(mutation, tests, given.seconds)
                    log.write(json.dumps(mutation._asdict() | outcome._asdict()) + "\n")
                    log.flush()

    options = [
        "-o",
        "addopts=",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "--tb=no",
        "-o",
        "tmp_path_retention_policy=none",
        "--assert=plain",
        "-q",
    ]
    existing = [path for path in given.tests if Path(path).exists()]
    with TemporaryDirectory() as folder:  # other sessions of pytest clear away what is in the folder of all of them
        pytest.main([*options, f"--basetemp={folder}/pytest", *existing], plugins=[Session(work)])
    counted = Counter(_logged(given.log).values())
    print(" ".join(f"{name} {count}" for name, count in sorted(counted.items())))


def _covered_files(tests_map: Path) -> set[str]:
    """The files that a map was made for."""
    return set(json.loads(tests_map.read_text())["covering"])


def _files(path: str) -> list[Path]:
    return sorted(Path(path).rglob("*.py")) if Path(path).is_dir() else [Path(path)]


def _sampled(path: str, size: int | None, seed: int) -> list[Mutation]:
    every = [mutation for file in _files(path) for mutation in mutations(str(file), file.read_bytes())]
    if size is None or size >= len(every):
        return every
    return random.Random(seed).sample(every, size)  # in no order: what is there of a log is a sample too


def _key(mutation: Mutation) -> str:
    return json.dumps([mutation.file, mutation.start, mutation.end, mutation.before, mutation.after])


def _logged(log: Path) -> dict[str, str]:
    """The last outcome of each change."""
    lines = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    return {
        json.dumps([line[name] for name in ("file", "start", "end", "before", "after")]): line["outcome"]
        for line in lines
    }


if __name__ == "__main__":
    sys.path.insert(0, ".")
    main()
