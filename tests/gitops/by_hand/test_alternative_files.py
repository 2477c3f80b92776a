"""Files of a folder that are alternatives to each other."""

from __future__ import annotations

from quotalint.gitops.by_hand.alternative_files import without_alternatives
from quotalint.gitops.rendering import Rendering
from quotalint.kube.objects import Object
from quotalint.text.place import Place


def rendering(**names_by_file: str) -> Rendering:
    """A folder; each file holds Deployments with these names."""
    objects = tuple(
        Object("apps", "v1", "Deployment", "shop", name, {}, Place(f"d/{file.replace('_', '-')}.yaml"))
        for file, names in names_by_file.items()
        for name in names
    )
    return Rendering(objects, files=frozenset(obj.place.source for obj in objects), folder="d")


def test_one_of_several_alternatives_is_counted_with_a_guess() -> None:
    left, skipped = without_alternatives(rendering(install="ab", install_local="abc", ha_install="ab", quota="q"))
    assert skipped == {"d/install-local.yaml": "d/install.yaml", "d/ha-install.yaml": "d/install.yaml"}
    assert left.files == {"d/install.yaml", "d/quota.yaml"}
    assert [(obj.name, bool(obj.guesses)) for obj in left.objects] == [("a", True), ("b", True), ("q", False)]


def test_what_repeats_little_or_has_another_name_is_no_alternative() -> None:
    for other in (
        rendering(install="ab", deploy="ab"),
        rendering(install="a", install_local="a"),
        rendering(install="abcde", install_local="abxyz"),
        rendering(install="ab", installer="ab"),
    ):
        assert without_alternatives(other) == (other, {})
