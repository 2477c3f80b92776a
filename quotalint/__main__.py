"""The console script. `--version` answers before anything is imported."""

import sys


def main() -> None:
    """Run the command line; the process exits with its status."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from quotalint.version import __version__

        sys.stdout.write(f"quotalint {__version__}\n")
        sys.exit(0)
    import gc

    _import_nothing_from_here()
    # A run is short, and what it keeps has no cycles: looking for some takes a fifth of its time.
    gc.disable()
    from quotalint.answering import answer

    status = answer(sys.argv[1:])
    _end_at_once(status)
    sys.exit(status)


def _import_nothing_from_here() -> None:
    """Remove the working directory and PYTHONPATH from the import path. `python -m` searches them first, and a
    repository that is not trusted may have a `yaml.py` there."""
    import os.path

    here = os.path.realpath(".")
    own = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if own != here:
        sys.path[:] = [path for path in sys.path if os.path.isabs(path) and os.path.realpath(path) != here]


def _end_at_once(status: int) -> None:
    """End the process at once if nothing is left to do. Freeing all values one by one would take a tenth of a run. With
    a debugger, another thread or a failed output, the process ends in the usual way."""
    import atexit
    import os

    threading = sys.modules.get("threading")
    threads = threading.enumerate() if threading is not None else ()
    if sys.gettrace() or sys.getprofile() or sum(not thread.daemon for thread in threads) > 1:
        return
    atexit._run_exitfuncs()  # folders of copies go, and whatever else was promised for the end
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return
    os._exit(status)


if __name__ == "__main__":
    main()
