"""Writes a repository of N manifests in a mix like that of real GitOps repositories: `python generate.py FOLDER [N]`.

Each application is a folder with a Deployment of 80 to 110 lines, a Service, a ConfigMap with some kilobytes of text, a
ServiceAccount, an Ingress, three custom resources and now and then a StatefulSet, CronJob or HorizontalPodAutoscaler.
Four in five lines are also elsewhere, as in real repositories, where it is four to nine in ten. Ten applications share
a namespace with two quotas and a LimitRange. Everything fits.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

APPS_PER_NAMESPACE = 10


def main() -> None:
    folder = Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 9000
    print(f"{generate(folder, count)} manifests in {folder}")


def generate(folder: Path, count: int) -> int:
    """Write `count` manifests, one a file; the number that was written."""
    written = 0
    for name, text in _manifests():
        if written == count:
            break
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        written += 1
    return written


def _manifests() -> Iterator[tuple[str, str]]:
    app = 0
    while True:
        namespace = f"team-{app // APPS_PER_NAMESPACE:04d}"
        if app % APPS_PER_NAMESPACE == 0:
            yield f"{namespace}/namespace.yaml", _object("v1", "Namespace", namespace, "", "")
            yield f"{namespace}/quota.yaml", _object("v1", "ResourceQuota", "base", namespace, QUOTA)
            yield f"{namespace}/long-running.yaml", _object("v1", "ResourceQuota", "long-running", namespace, SCOPED)
            yield f"{namespace}/limits.yaml", _object("v1", "LimitRange", "defaults", namespace, LIMITS)
        for kind, text in _application(f"app-{app:05d}", namespace, app):
            yield f"{namespace}/app-{app:05d}/{kind}.yaml", text
        app += 1


def _application(name: str, namespace: str, number: int) -> Iterator[tuple[str, str]]:
    chosen = random.Random(number)

    def settings(indent: int, lines: int) -> str:
        return "".join(f"{' ' * indent}{_setting(chosen, line)}: {_value(chosen)}\n" for line in range(lines))

    def variable(place: int) -> str:
        written = SECRET_VARIABLE if place % 3 == 0 else VARIABLE
        return written.format(variable=_setting(chosen, place).upper(), name=name, value=_value(chosen))

    deployment = DEPLOYMENT.format(
        name=name,
        digest=f"{chosen.getrandbits(256):064x}",
        replicas=1 + number % 4,
        extra=INIT if number % 4 == 0 else "",
        variables="".join(map(variable, range(chosen.randint(2, 14)))),
    )
    yield "deployment", _object("apps/v1", "Deployment", name, namespace, deployment)
    yield "service", _object("v1", "Service", name, namespace, SERVICE.format(name=name))
    config = f"data:\n  application.yaml: |\n{settings(4, chosen.randint(40, 140))}{settings(2, 5)}"
    yield "configmap", _object("v1", "ConfigMap", name, namespace, config)
    yield "serviceaccount", _object("v1", "ServiceAccount", name, namespace, "")
    yield "ingress", _object("networking.k8s.io/v1", "Ingress", name, namespace, INGRESS.format(name=name))
    if number % 2 == 0:
        body = AUTOSCALER.format(name=name)
        yield "hpa", _object("autoscaling/v2", "HorizontalPodAutoscaler", name, namespace, body)
    if number % 5 == 0:
        body = STATEFUL_SET.format(name=name)
        yield "statefulset", _object("apps/v1", "StatefulSet", f"{name}-db", namespace, body)
    if number % 7 == 0:
        yield "cronjob", _object("batch/v1", "CronJob", f"{name}-nightly", namespace, CRON_JOB)
    for kind, version in CUSTOM:
        rules = "".join(f"  - name: rule-{rule}\n    rule:\n{settings(6, 5)}" for rule in range(chosen.randint(1, 3)))
        yield kind.lower(), _object(version, kind, name, namespace, f"spec:\n  rules:\n{rules}")


def _setting(chosen: random.Random, number: int) -> str:
    """The name of the setting with a number, of which the first 32 of a mapping are different."""
    return f"{WORDS[number % len(WORDS)]}_{chosen.choice(WORDS)}"


def _value(chosen: random.Random) -> str:
    """A word, or now and then four of them, which no other line has."""
    return "-".join(chosen.choices(WORDS, k=chosen.choice((1, 1, 1, 1, 1, 1, 4))))


def _object(version: str, kind: str, name: str, namespace: str, body: str) -> str:
    inside = f"  namespace: {namespace}\n" if namespace else ""
    labels = f"  labels:\n    app.kubernetes.io/name: {name}\n    app.kubernetes.io/managed-by: gitops\n"
    return f"apiVersion: {version}\nkind: {kind}\nmetadata:\n  name: {name}\n{inside}{labels}{body}"


QUOTA = """spec:
  hard:
    requests.cpu: "40"
    requests.memory: 80Gi
    limits.memory: 160Gi
    pods: "200"
    services: "50"
    persistentvolumeclaims: "40"
    requests.storage: 2Ti
    count/deployments.apps: "40"
"""
SCOPED = """spec:
  hard:
    pods: "150"
    requests.cpu: "30"
  scopes: [NotTerminating]
"""
LIMITS = """spec:
  limits:
  - type: Container
    default: {cpu: 500m, memory: 512Mi}
    defaultRequest: {cpu: 100m, memory: 128Mi}
"""
WORDS = [
    f"{first}{second}"
    for first in ("cache", "queue", "event", "audit", "token", "region", "batch", "mail")
    for second in ("", "limit", "client", "retry")
]
CUSTOM = (
    ("ExternalSecret", "external-secrets.io/v1"),
    ("PrometheusRule", "monitoring.coreos.com/v1"),
    ("Certificate", "cert-manager.io/v1"),
)
VARIABLE = """        - name: {variable}
          value: {value}
"""
SECRET_VARIABLE = """        - name: {variable}
          valueFrom:
            secretKeyRef:
              name: {name}
              key: {variable}
"""
DEPLOYMENT = """spec:
  replicas: {replicas}
  revisionHistoryLimit: 3
  selector:
    matchLabels:
      app.kubernetes.io/name: {name}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  template:
    metadata:
      labels:
        app.kubernetes.io/name: {name}
      annotations:
        checksum/config: {digest}
    spec:
      serviceAccountName: {name}
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
{extra}      containers:
      - name: app
        image: registry.example.com/team/{name}@sha256:{digest}
        ports:
        - name: http
          containerPort: 8080
        - name: metrics
          containerPort: 9090
        env:
{variables}        resources:
          requests:
            cpu: 100m
            memory: 128Mi
          limits:
            memory: 256Mi
        readinessProbe:
          httpGet:
            path: /readyz
            port: http
          periodSeconds: 5
        livenessProbe:
          httpGet:
            path: /healthz
            port: http
          initialDelaySeconds: 30
        volumeMounts:
        - name: config
          mountPath: /etc/{name}
          readOnly: true
        - name: cache
          mountPath: /var/cache
      volumes:
      - name: config
        configMap:
          name: {name}
      - name: cache
        emptyDir:
          sizeLimit: 1Gi
"""
INIT = """      initContainers:
      - name: migrate
        image: registry.example.com/team/migrate:v4
        resources:
          requests: {cpu: 200m, memory: 256Mi}
      - name: proxy
        image: registry.example.com/mesh/proxy:v9
        restartPolicy: Always
        resources:
          requests: {cpu: 10m, memory: 32Mi}
"""
SERVICE = """spec:
  selector:
    app.kubernetes.io/name: {name}
  ports:
  - {{name: http, port: 80, targetPort: http}}
  - {{name: metrics, port: 9090, targetPort: metrics}}
"""
INGRESS = """spec:
  rules:
  - host: {name}.example.com
    http:
      paths:
      - path: /
        pathType: Prefix
        backend:
          service:
            name: {name}
            port: {{name: http}}
"""
AUTOSCALER = """spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: {name}}}
  minReplicas: 1
  maxReplicas: 6
  metrics:
  - type: Resource
    resource:
      name: cpu
      target: {{type: Utilization, averageUtilization: 70}}
"""
STATEFUL_SET = """spec:
  replicas: 2
  serviceName: {name}-db
  selector:
    matchLabels: {{app: {name}-db}}
  template:
    metadata:
      labels: {{app: {name}-db}}
    spec:
      containers:
      - name: db
        image: registry.example.com/db:16
        resources:
          requests: {{cpu: 200m, memory: 512Mi}}
          limits: {{memory: 1Gi}}
  volumeClaimTemplates:
  - metadata: {{name: data}}
    spec:
      accessModes: [ReadWriteOnce]
      resources:
        requests: {{storage: 10Gi}}
"""
CRON_JOB = """spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: OnFailure
          containers:
          - name: report
            image: registry.example.com/report:v2
            resources:
              requests: {cpu: 500m, memory: 256Mi}
              limits: {memory: 512Mi}
"""

if __name__ == "__main__":
    main()
