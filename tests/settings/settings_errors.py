"""What is wrong with the text of a configuration, as it is told."""

from pathlib import Path

from quotalint.settings import Options, Settings, describe_error
from quotalint.settings.loading import load_settings

KNOWN = frozenset({"QL001", "QL201", "QL202", "QL301", "QL305", "QL501"})


NO_OPTIONS = Options()


def errors(text: str, options: Options = NO_OPTIONS, known_rules: frozenset[str] | None = KNOWN) -> list[str]:
    Path(".quotalint.yaml").write_text(text)
    loaded = load_settings(["."], options, known_rules)
    return [] if isinstance(loaded, Settings) else [describe_error(error) for error in loaded]
