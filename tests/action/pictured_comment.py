"""The comment in the README's picture: what the Action writes for an example."""

from __future__ import annotations

from pathlib import Path

from git_repositories import Repository
from github_runner import Runner, Server
from github_server import GitHub

QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata: {name: compute, namespace: shop}
spec:
  hard:
    requests.cpu: "8"
    limits.memory: 24Gi
"""
WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: web
        resources: {requests: {cpu: 500m}, limits: {memory: 2304Mi}}
"""


def commented(folder: Path, github: GitHub) -> str:
    """The body of the comment. Commits have the ids that stand here, since theirs differ from day to day."""
    server = Server(folder, {"quota.yaml": QUOTA, "web.yaml": WEB})
    event = server.pull({"web.yaml": WEB.replace("replicas: 4", "replicas: 12")})
    clone = server.clone()
    merge = Repository(clone).git("rev-parse", "HEAD")
    runner = Runner(folder, clone)
    runner.event("pull_request", event)
    runner.environment |= {"GITHUB_API_URL": github.url, "GITHUB_SHA": merge}
    runner.run({"comment": "true"})
    body = str(github.comments[-1]["body"]).replace(merge, "9fceb02d0ae598e95dc970b74767f19372d61af8")
    return body.replace(server.base[:9], "d670460b4")
