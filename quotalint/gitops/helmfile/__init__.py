"""What helmfile installs, read without helmfile (helmfile 1.x, and what of 0.x people still write).

Nothing of it is run: a template that asks for a program, for a secret or for a file outside of the repository is an
unknown of the releases that it is for.
"""

from __future__ import annotations


class HelmfileError(Exception):
    """Why helmfile refuses, or why it is not known what it makes; to be read after the name of the file."""
