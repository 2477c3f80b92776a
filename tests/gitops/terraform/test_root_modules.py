"""What root modules of Terraform declare, where it counts, and what is unknown of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import Case, expected, outcome, params

QUOTA = """\
resource "kubernetes_resource_quota_v1" "base" {
  metadata {
    name      = "base"
    namespace = NAMESPACE
  }
  spec {
    hard = {
      pods = PODS
    }
  }
}
"""
WEB = """\
resource "kubernetes_deployment_v1" "web" {
  metadata {
    name      = "web"
    namespace = "team-a"
  }
  spec {
    replicas = "2"
    selector {
      match_labels = { app = "web" }
    }
    template {
      metadata {
        labels = { app = "web" }
      }
      spec {
        container {
          name  = "web"
          image = "web:1"
        }
      }
    }
  }
}
"""


def quota(pods: str = '"8"', namespace: str = '"team-a"') -> str:
    """A file with a quota."""
    return QUOTA.replace("PODS", pods).replace("NAMESPACE", namespace)


CASES = [
    Case(
        "a workload of Terraform",
        {"main.tf": quota() + WEB},
        ("team-a/base pods 2/8 exact",),
    ),
    Case(
        "each instance of a local module",
        {
            "main.tf": 'module "team" {\n  source   = "./modules/team"\n  for_each = { a = 8, b = 9 }\n'
            '  name     = "team-${each.key}"\n  pods     = each.value\n}\n',
            "modules/team/main.tf": 'variable "name" {}\nvariable "pods" {}\n' + quota("var.pods", "var.name"),
        },
        ("team-a/base pods ?/8 unknown", "team-b/base pods ?/9 unknown"),
    ),
    Case(
        "an output of a module",
        {
            "main.tf": 'module "ns" {\n  source = "./ns"\n}\n' + quota(namespace="module.ns.name") + WEB,
            "ns/main.tf": 'resource "kubernetes_namespace" "ns" {\n  metadata {\n    name = "team-a"\n  }\n}\n'
            'output "name" {\n  value = kubernetes_namespace.ns.metadata[0].name\n}\n',
        },
        ("team-a/base pods 2/8 exact",),
    ),
    Case(
        "a module that nothing here calls is for others",
        {"modules/team/main.tf": 'variable "name" {}\n' + quota(namespace="var.name")},
        (),
    ),
    Case(
        "an unknown namespace",
        {"main.tf": 'provider "kubernetes" {}\nvariable "name" {}\n' + quota(namespace="var.name") + WEB},
        (),
        ("main.tf:3:1 QL003 warning",),
    ),
    Case(
        "an unknown number of quotas",
        {"main.tf": quota().replace("  metadata", "  for_each = data.aws_x.teams.names\n  metadata", 1)},
        (),
        ("main.tf:1:1 QL003 warning",),
    ),
    Case(
        "none of a resource",
        {"main.tf": quota().replace("  metadata", "  count = 0\n  metadata", 1)},
        (),
    ),
    Case(
        "values for each environment",
        {
            "main.tf": 'variable "pods" {}\n' + quota("var.pods") + WEB,
            "dev.tfvars": "pods = 1\n",
            "prod.tfvars": "pods = 8\n",
        },
        ("dev: team-a/base pods 2/1 exact", "prod: team-a/base pods 2/8 exact"),
        ("main.tf:9:7 QL301 error in dev",),
    ),
    Case(
        "a file that is no HCL",
        {"main.tf": quota(), "web.tf": WEB + "}\n"},
        ("team-a/base pods ?/8 unknown",),
        ("web.tf:24:1 QL001 error",),
    ),
    Case(
        "a number of instances that nobody can mean",
        {"main.tf": quota().replace("  metadata", "  count = 1000000000\n  metadata", 1)},
        (),
        ("main.tf:1:1 QL009 error",),
    ),
    Case(
        "blocks without their labels",
        {"main.tf": quota() + 'resource "kubernetes_pod" {\n}\nmodule {\n}\ndata {\n}\n'},
        ("team-a/base pods ?/8 unknown",),
    ),
    Case(
        "a text that takes long to parse",
        {"main.tf": quota() + "locals {\n  a = <<END\n" + "\n" * 40_000 + "x\nEND\n}\n"},
        (),
        ("main.tf:1:1 QL009 error",),
    ),
    Case(
        "modules that call each other",
        {
            "main.tf": 'module "a" {\n  source = "./a"\n}\n' + quota(),
            "a/main.tf": 'module "b" {\n  source = "../b"\n}\n',
            "b/main.tf": 'module "a" {\n  source = "../a"\n}\n',
        },
        ("team-a/base pods ?/8 unknown",),
        ("b/main.tf:1:1 QL003 warning",),
    ),
    Case(
        "a local value of itself",
        {"main.tf": "locals {\n  pods = local.pods\n}\n" + quota("local.pods")},
        (),
        ("main.tf:4:1 QL003 warning",),
    ),
    Case(
        "a value that a file outside of the repository has",
        {"main.tf": quota('file("/etc/hostname")')},
        ("team-a/base pods ?/? unknown",),
        ("main.tf:8:7 QL003 warning",),
    ),
    Case(
        "a manifest in a text",
        {
            "main.tf": 'resource "kubernetes_manifest" "base" {\n  manifest = yamldecode(<<-END\n    apiVersion: v1\n'
            "    kind: ResourceQuota\n    metadata: {name: base, namespace: team-a}\n    spec:\n      hard:\n"
            "        pods: 1\n  END\n  )\n}\n" + WEB
        },
        ("team-a/base pods 2/1 exact",),
        ("main.tf:8:9 QL301 error",),
    ),
    Case(
        "blocks that are repeated",
        {
            "main.tf": quota('"8"\n      "requests.cpu" = 5') + WEB,
            "limits.tf": 'resource "kubernetes_limit_range" "max" {\n  metadata {\n    name      = "max"\n'
            '    namespace = "team-a"\n  }\n  spec {\n    dynamic "limit" {\n      for_each = ["Container"]\n'
            '      content {\n        type    = limit.value\n        default = { cpu = "3" }\n      }\n    }\n  }\n}\n',
        },
        ("team-a/base pods 2/8 exact", "team-a/base requests.cpu 6/5 exact"),
        ("main.tf:9:7 QL301 error",),
    ),
    Case(
        "OpenTofu reads its own files first",
        {"main.tf": quota('"1"'), "main.tofu": quota() + WEB},
        ("team-a/base pods 2/8 exact",),
    ),
    Case(
        "a module of a registry",
        {"main.tf": quota() + 'module "app" {\n  source    = "acme/app/kubernetes"\n  namespace = "team-a"\n}\n' + WEB},
        ("team-a/base pods 2/8 at-least",),
        ("main.tf:12:1 QL003 warning",),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_what_terraform_declares_counts(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
