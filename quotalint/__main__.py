"""The console script. `--version` answers before anything is imported."""

import sys


def main() -> None:
    """Run the command line; the process exits with its status."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from quotalint.version import __version__

        sys.stdout.write(f"quotalint {__version__}\n")
        sys.exit(0)
    import gc

    # A run is short, and what it keeps has no cycles: looking for some takes a fifth of its time.
    gc.disable()
    from quotalint.cli import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
