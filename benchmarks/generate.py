"""Writes a repository of N manifests in a mix like that of real GitOps repositories: `python generate.py FOLDER [N]`.

Each application is a folder with a Deployment (some with init containers and sidecars), a Service, a ConfigMap with a
few kilobytes of text, a ServiceAccount, an Ingress and now and then a StatefulSet, CronJob, HorizontalPodAutoscaler,
Secret or custom resource. Ten applications share a namespace with two quotas and a LimitRange. Everything fits.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

APPS_PER_NAMESPACE = 10


def main() -> None:
    folder = Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
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
    extra = INIT if number % 4 == 0 else ""
    deployment = DEPLOYMENT.format(name=name, replicas=1 + number % 4, extra=extra)
    yield "deployment", _object("apps/v1", "Deployment", name, namespace, deployment)
    yield "service", _object("v1", "Service", name, namespace, SERVICE.format(name=name))
    yield "configmap", _object("v1", "ConfigMap", name, namespace, CONFIG)
    yield "serviceaccount", _object("v1", "ServiceAccount", name, namespace, "")
    yield "ingress", _object("networking.k8s.io/v1", "Ingress", name, namespace, INGRESS.format(name=name))
    if number % 2 == 0:
        body = AUTOSCALER.format(name=name)
        yield "hpa", _object("autoscaling/v2", "HorizontalPodAutoscaler", name, namespace, body)
    if number % 3 == 0:
        yield "secret", _object("v1", "Secret", name, namespace, "stringData:\n  token: not-a-secret\n")
    if number % 5 == 0:
        body = STATEFUL_SET.format(name=name)
        yield "statefulset", _object("apps/v1", "StatefulSet", f"{name}-db", namespace, body)
    if number % 7 == 0:
        yield "cronjob", _object("batch/v1", "CronJob", f"{name}-nightly", namespace, CRON_JOB)
    if number % 6 == 0:
        yield (
            "monitor",
            _object("monitoring.coreos.com/v1", "ServiceMonitor", name, namespace, MONITOR.format(name=name)),
        )


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
DEPLOYMENT = """spec:
  replicas: {replicas}
  selector:
    matchLabels: &labels
      app.kubernetes.io/name: {name}
  strategy:
    type: RollingUpdate
    rollingUpdate: {{maxSurge: 1, maxUnavailable: 0}}
  template:
    metadata:
      labels: *labels
      annotations:
        prometheus.io/scrape: "true"
        prometheus.io/port: "9090"
    spec:
      serviceAccountName: {name}
      securityContext:
        runAsNonRoot: true
        seccompProfile: {{type: RuntimeDefault}}
{extra}      containers:
      - name: app
        image: registry.example.com/team/{name}:v1.2.3
        args: ["--listen", ":8080", "--log-format=json"]
        ports:
        - {{name: http, containerPort: 8080}}
        - {{name: metrics, containerPort: 9090}}
        env:
        - name: LOG_LEVEL
          value: info
        - name: POD_NAME
          valueFrom: {{fieldRef: {{fieldPath: metadata.name}}}}
        resources:
          requests: {{cpu: 100m, memory: 128Mi}}
          limits: {{memory: 256Mi}}
        readinessProbe:
          httpGet: {{path: /readyz, port: http}}
          periodSeconds: 5
        livenessProbe:
          httpGet: {{path: /healthz, port: http}}
        volumeMounts:
        - {{name: config, mountPath: /etc/app, readOnly: true}}
      volumes:
      - name: config
        configMap: {{name: {name}}}
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
CONFIG = "data:\n  app.yaml: |\n" + "    key: a line of configuration that nobody reads twice\n" * 25
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
MONITOR = """spec:
  selector:
    matchLabels:
      app.kubernetes.io/name: {name}
  endpoints:
  - port: metrics
    interval: 30s
"""

if __name__ == "__main__":
    main()
