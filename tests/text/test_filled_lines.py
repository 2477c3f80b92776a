"""A file that only another program makes YAML of is a template: `envsubst` puts whole lines where a variable stands."""

from __future__ import annotations

import pytest

from quotalint.text.reading import File, read_all
from quotalint.text.sources import Source

_CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata:\n  config.py: |\n"


@pytest.mark.parametrize(
    ("written", "is_template"),
    [
        pytest.param(_CONFIG + "${WEB_CONFIG}\n---\n", True, id="lines of a text"),
        pytest.param(_CONFIG + "$WEB_CONFIG\n---\n", True, id="without braces"),
        pytest.param("kind: Ingress\napiVersion: v1\nspec:\n  ${TLS}\n  rules: []\n", True, id="entries of a mapping"),
        pytest.param(_CONFIG + "    ${RUN}\n    exit\nkind: [\n", False, id="a script, and a mistake elsewhere"),
        pytest.param(_CONFIG + "    ${RUN}\n", False, id="a script that is read"),
        pytest.param(_CONFIG + "    x\nspec: {a: ${TLS}\n", False, id="a value beside a mistake"),
    ],
)
def test_a_variable_that_stands_for_lines_makes_a_template(written: str, is_template: bool) -> None:
    (file,) = read_all([Source("<stdin>", "", explicit=True)], written.encode, 1)
    assert isinstance(file, File)
    assert file.templated is is_template
