"""Reads what helmfile installs, without running helmfile (helmfile 1.x, and common syntax of 0.x).

Nothing is executed: if a template needs a program, a secret or a file outside the repository, its releases are unknown.
"""

from __future__ import annotations


class HelmfileError(Exception):
    """helmfile refuses a file, or its result is unknown. The message follows the file's name."""
