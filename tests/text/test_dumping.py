"""Values as YAML, with and without libyaml."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import yaml

from quotalint.text.dumping import dump_yaml

VALUES: list[dict[str, Any]] = [
    {"metadata": {"name": "a", "labels": {"on": "off", "size": "1e3", "empty": ""}}, "spec": {"hard": {"pods": 1}}},
    {"data": {"script": "set -e\n  echo \u00fc\n", "long": "word " * 100, "bell": "\x07", "runner": "##[group]"}},
]


def test_a_python_without_libyaml_dumps_the_same() -> None:
    program = (
        "import sys; sys.modules['yaml._yaml'] = None\n"
        "from quotalint.text.dumping import dump_yaml\n"
        f"sys.stdout.buffer.write(dump_yaml({VALUES!r}).encode())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.decode() == dump_yaml(VALUES)
    assert [*yaml.safe_load_all(done.stdout.decode())] == VALUES
