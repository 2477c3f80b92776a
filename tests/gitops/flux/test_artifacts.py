"""What Flux takes from an artifact that something else makes: that nothing says of what is said once."""

from __future__ import annotations

from deployer_objects import flux_kustomization
from manifests import quota, web
from workspace import Workspace

URL = "oci://ghcr.io/acme/fleet"
SOURCE = (
    "apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\n"
    f"metadata: {{name: fleet, namespace: flux-system}}\nspec: {{url: '{URL}'}}\n"
)


def flux(name: str) -> str:
    return flux_kustomization(f"./{name}", "targetNamespace: team-a", name=name, source="OCIRepository/fleet")


FILES = {
    "apps/quota.yaml": quota(),
    "apps/web.yaml": web(9),
    "limits.yaml": quota("team-a"),
    "flux/apps.yaml": flux("apps"),
    "flux/more.yaml": flux("more"),
}


def test_what_several_take_from_an_artifact_is_one_finding(workspace: Workspace) -> None:
    workspace.put(FILES)
    (finding,) = workspace.report("check", "--select", "QL003")["findings"]
    assert finding["message"].startswith("2 sources are artifacts, and nothing says what they are made of (fleet);")
    assert "write `sources: {<their URL>: .}` into .quotalint.yaml" in finding["help"]


def test_what_settles_it_does(workspace: Workspace) -> None:
    workspace.put({**FILES, "flux/source.yaml": SOURCE, "more/web.yaml": web(1, name="more")})
    assert URL in workspace.report("check", "--select", "QL003")["findings"][0]["message"]
    workspace.put({"limits.yaml": "", ".quotalint.yaml": f"sources: {{'{URL}': .}}\n"})
    (finding,) = workspace.report("check")["findings"]
    assert finding["message"] == "team-a asks for pods 10; quota base allows 8"
