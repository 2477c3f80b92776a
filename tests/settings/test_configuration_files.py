"""Which file is the configuration, and what it is the root of."""

import os
from pathlib import Path

import pytest

from quotalint.settings import Options, Settings, describe_error
from quotalint.settings.loading import load_settings


@pytest.mark.parametrize(
    ("planted", "paths", "config", "expected"),
    [
        pytest.param(["r/.quotalint.yaml", "r/a/b/c.yaml"], ["r/a/b"], None, ("r", "r/.quotalint.yaml"), id="upwards"),
        pytest.param(
            ["r/.quotalint.yaml", "r/a/c.yaml"], ["r/a/c.yaml"], None, ("r", "r/.quotalint.yaml"), id="of a file"
        ),
        pytest.param(
            ["r/.quotalint.yaml", "r/a/.quotalint.yaml"], ["r/a"], None, ("r/a", "r/a/.quotalint.yaml"), id="nearest"
        ),
        pytest.param(["r/.quotalint.yml", "r/a.yaml"], ["r"], None, ("r", "r/.quotalint.yml"), id="yml"),
        pytest.param(["r/quotalint.yaml", "r/a.yaml"], ["r"], None, ("r", "r/quotalint.yaml"), id="not hidden"),
        pytest.param(["r/.quotalint.yaml"], ["r/no/such"], None, ("r", "r/.quotalint.yaml"), id="of a missing path"),
        pytest.param(["r/.quotalint.yaml/", "r/x"], ["r"], None, ("r", None), id="a folder of that name"),
        pytest.param(["x.yml", "r/.quotalint.yaml"], ["r"], "x.yml", (".", "x.yml"), id="named"),
        pytest.param(["r/.git/HEAD", "r/a/b.yaml"], ["r/a"], None, ("r", None), id="a repository"),
        pytest.param(["r/.git", "r/a/b.yaml"], ["r/a"], None, ("r", None), id="a further work tree"),
        pytest.param(["r/a/b.yaml"], ["r/a/b.yaml", "r"], None, ("r/a", None), id="no repository"),
        pytest.param([".quotalint.yaml"], ["-"], None, (".", ".quotalint.yaml"), id="standard input"),
        pytest.param([], [], None, (".", None), id="no path"),
    ],
)
def test_the_configuration_above_the_paths_is_the_root(
    folder: Path, planted: list[str], paths: list[str], config: str | None, expected: tuple[str, str | None]
) -> None:
    for name in planted:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).mkdir() if name.endswith("/") else (folder / name).touch()
    root, file = expected
    settings = load_settings(paths, Options(config=config))
    assert isinstance(settings, Settings)
    assert settings._replace(repository="") == Settings(os.path.normpath(folder / root), file)


@pytest.mark.parametrize(
    ("target", "repository", "expected"),
    [
        pytest.param(
            "../outside.yaml", "r/.git/HEAD", "it is a symbolic link that leads out", id="out of a repository"
        ),
        pytest.param("inside.yaml", "r/.git/HEAD", "", id="within it"),
        pytest.param("../outside.yaml", "r/x", "", id="where there is no repository"),
    ],
)
def test_a_configuration_that_is_a_link(folder: Path, target: str, repository: str, expected: str) -> None:
    """What nobody named must not show what somebody else's file says."""
    for name in (repository, "outside.yaml", "r/inside.yaml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("failOn: warning\n")
    (folder / "r/.quotalint.yaml").symlink_to(target)
    settings = load_settings(["r"], Options())
    given = load_settings(["r"], Options(config="r/.quotalint.yaml"))
    assert isinstance(given, Settings)
    assert given.fail_on == "warning"
    assert ("" if isinstance(settings, Settings) else settings[0].message)[: len(expected) or None] == expected


@pytest.mark.parametrize(
    ("planted", "path", "repository"),
    [
        pytest.param(["r/.git/HEAD", "r/a/b.yaml"], "r/a", "r", id="what git says"),
        pytest.param(["r/a/b.yaml"], "r/a", ".", id="where one stands"),
        pytest.param(["r/a/b.yaml"], "/r/a", "r/a", id="not the whole disk, where a path says nothing of it"),
        pytest.param(["r/.quotalint.yaml", "r/a/b.yaml"], "/r/a", "r", id="what the configuration is for"),
    ],
)
def test_the_repository_is_found_around_the_paths(folder: Path, planted: list[str], path: str, repository: str) -> None:
    for name in planted:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    settings = load_settings([f"{folder}{path}" if path.startswith("/") else path], Options())
    assert isinstance(settings, Settings)
    assert settings.repository == os.path.normpath(folder / repository)


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        pytest.param("none.yaml", "none.yaml: cannot be read: No such file or directory", id="missing"),
        pytest.param(".", ".: cannot be read: it is not a regular file", id="a folder"),
        pytest.param("pipe", "pipe: cannot be read: it is not a regular file", id="a pipe"),
        pytest.param("nul\0", "nul\0: cannot be read: no file can have this name", id="no path at all"),
    ],
)
def test_a_configuration_that_cannot_be_read_is_refused(folder: Path, config: str, expected: str) -> None:
    os.mkfifo("pipe")
    loaded = load_settings(["."], Options(config=config))
    assert not isinstance(loaded, Settings)
    assert [describe_error(error) for error in loaded] == [expected]
