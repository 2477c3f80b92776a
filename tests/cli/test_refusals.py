"""What the command line refuses, and in which words; streams that cannot be read or written."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from quotalint.cli import run


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--with", "missing.yaml"], "quotalint: --with missing.yaml: No such file or directory\n"),
        (["--with", "."], "quotalint: --with .: not a file\n"),
        (
            ["usage", "--with", "broken.yaml"],
            "quotalint: --with broken.yaml: line 1: did not find expected node content, while parsing a flow node\n",
        ),
        (["render", "--root", "nowhere"], "quotalint: --root nowhere: this folder has no kustomization\n"),
        (
            ["render", "--root", ""],
            "quotalint: --root is empty; for the working directory, write --root .\n",
        ),
        (["check", ""], "quotalint: no such file or folder: ''\n"),
        (
            ["--diff", "--format", "json"],
            "quotalint: --diff and a report as json: only one of them can go to standard output\n",
        ),
        (
            ["check", "--baseline", "b.yaml"],
            "quotalint: b.yaml: the baseline cannot be read: No such file or directory; "
            "`quotalint --write-baseline` writes it\n",
        ),
        (
            ["--baseline", "broken.yaml"],
            "quotalint: broken.yaml:1: did not find expected node content, while parsing a flow node\n",
        ),
        (
            ["missing.yaml", "also"],
            "quotalint: no such file or folder: missing.yaml\nquotalint: no such file or folder: also\n",
        ),
        (["usgae"], "quotalint: no such file or folder: usgae; did you mean the command usage?\n"),
        (
            ["-f", "json", "usage"],
            "quotalint: no such file or folder: usage; write the command first: quotalint usage ...\n",
        ),
        (["--exit-zero"], "quotalint: no such option: --exit-zero; --fail-on never does it\n"),
        (["usage", "--output-format=json"], "quotalint: no such option: --output-format; --format does it\n"),
        (["--config", "bad.yaml"], "quotalint: bad.yaml:2: `failon` is not a known key; did you mean `failOn`?\n"),
        (["--config", "hostile.yaml"], "quotalint: hostile.yaml:1: `\\x1b]0;x\\x07` is not a known key\n"),
        (["explain", "quota-exceded"], "quotalint: there is no rule 'quota-exceded'; did you mean quota-exceeded?\n"),
        (["explain", "QL999"], "quotalint: there is no rule 'QL999'; `quotalint rules` lists them\n"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_refusals_are_one_line_each(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.yaml").write_text("exclude: []\nfailon: warning\n")
    Path("hostile.yaml").write_text('"\\e]0;x\\a": 1\n')
    Path("broken.yaml").write_text("items: [\n")
    status = run(arguments)
    assert (status, *capsys.readouterr()) == (2, "", message)


@pytest.mark.parametrize(
    ("redirection", "status", "message"),
    [
        pytest.param(
            "> /dev/full",
            2,
            "quotalint: standard output cannot be written: No space left on device\n",
            marks=pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux"),
        ),
        (">&-", 0, ""),
        ("2>&-", 0, ""),
        ("- <&-", 0, "quotalint: nothing to check: standard input has no Kubernetes object\n"),
    ],
    ids=["disk full", "no standard output", "no standard error", "no standard input"],
)
def test_streams_that_are_closed_or_full(redirection: str, status: int, message: str, tmp_path: Path) -> None:
    (tmp_path / "quota.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n")
    command = ["bash", "-c", f'"$0" -m quotalint check {redirection}', sys.executable]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (status, message)


@pytest.mark.parametrize("text", ["", "hello\n", "# nothing\n---\n"])
def test_an_empty_standard_input_is_said_to_be_empty(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    message = "quotalint: nothing to check: standard input has no Kubernetes object\n"
    assert (run(["-"]), capsys.readouterr().err) == (0, message)


@pytest.mark.parametrize(
    ("overlays", "choice"),
    [(("dev", "prod"), "there are dev, prod"), ((), "there is only one here, without a name")],
    ids=["several", "one"],
)
def test_a_snapshot_of_an_environment_that_is_none(
    overlays: tuple[str, ...],
    choice: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("base", *(f"overlays/{overlay}" for overlay in overlays)):
        (tmp_path / name).mkdir(parents=True)
        what = "web.yaml" if name == "base" else "../../base"
        (tmp_path / name / "kustomization.yaml").write_text(f"resources: [{what}]\n")
    (tmp_path / "base/web.yaml").write_text("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: a, namespace: b}\n")
    (tmp_path / "cluster.yaml").write_text("apiVersion: v1\nkind: List\nitems: []\n")
    message = f"quotalint: --with pord=cluster.yaml: there is no environment pord; {choice}\n"
    assert (run([".", "--with", "pord=cluster.yaml"]), capsys.readouterr().err) == (2, message)
