"""The version, as a literal, so that `--version` imports nothing."""

__version__ = "0.1.0"
