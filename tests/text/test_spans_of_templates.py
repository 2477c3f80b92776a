"""Lines of fields in a template, which is no YAML before it is rendered."""

from __future__ import annotations

import pytest

from quotalint.text.place import Path, Place
from quotalint.text.spans import locate

TEMPLATE = b"""\
{{- if .Values.enabled }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  template:
    spec:
      containers:
        - name: web
          {{- with .Values.resources }}
          resources: {{- toYaml . | nindent 12 }}
          {{- end }}
        - name: side
          image: side
{{- end }}
"""
CONTAINERS: Path = ("spec", "template", "spec", "containers")


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ((*CONTAINERS, 0, "resources"), 12),
        ((*CONTAINERS, 1, "resources"), 14),
        ((*CONTAINERS, 2), 9),
        (("metadata", "name"), 5),
        ((), 2),
    ],
)
def test_actions_are_skipped(path: Path, line: int) -> None:
    place = Place("web.yaml", 0, path)
    assert locate(TEMPLATE, [place])[place].line == line


def test_what_is_no_yaml_without_actions_either_is_its_first_line() -> None:
    place = Place("web.yaml", 0, ("spec",))
    assert locate(b'{{ include "a" . }}\nspec: {\n', [place])[place].line == 1
