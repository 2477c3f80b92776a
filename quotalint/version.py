"""The version, as a literal, so that `--version` imports nothing."""

__version__ = "1.0.0"
