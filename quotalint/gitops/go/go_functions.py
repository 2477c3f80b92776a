"""All functions that templates have, by name."""

from __future__ import annotations

from collections.abc import Mapping

from quotalint.gitops.go import (
    builtins,
    collection_functions,
    encoding_functions,
    number_functions,
    path_functions,
    regexp_functions,
    text_functions,
    version_functions,
)
from quotalint.gitops.go.values import Implementation

Functions = Mapping[str, "tuple[str, Implementation]"]
"""By name: the kinds of the parameters (see `arguments.fitting`, `*` for any number of the last), and what it does."""

FUNCTIONS: Functions = {
    **builtins.FUNCTIONS,
    **text_functions.FUNCTIONS,
    **number_functions.FUNCTIONS,
    **path_functions.FUNCTIONS,
    **version_functions.FUNCTIONS,
    **encoding_functions.FUNCTIONS,
    **regexp_functions.FUNCTIONS,
    **collection_functions.FUNCTIONS,  # sprig's `slice` hides Go's
}
