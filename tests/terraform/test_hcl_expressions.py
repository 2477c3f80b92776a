"""What expressions of Terraform are worth, as far as the text says it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from quotalint.terraform.expressions import Scope, value_of
from quotalint.terraform.hcl import HclError, HclFile, read_hcl
from quotalint.terraform.values import RefusedError, Unknown

TABLE: dict[str, object] = {
    "team": "red",
    "sizes": {"red": {"cpu": "2", "pods": 4}},
    "list": [{"name": "a"}, {"name": "b"}],
    "none": None,
    "flag": False,
}


def value(expression: str) -> object:
    """The value of an expression, in which `var` has the table above and nothing else is known."""

    def find(first: str, steps: Sequence[object]) -> tuple[object, int]:
        if first == "var" and steps[0] in TABLE:
            return TABLE[str(steps[0])], 1
        if first == "var":
            return Unknown("", (f"var.{steps[0]}",)), 1
        raise RefusedError("there is nothing else")

    def read(path: str) -> str | None:
        return "pods: ${pods}\nteam: ${upper(team)}\n" if path == "quota.tftpl" else None

    body = read_hcl("a.tf", f"x = {expression}\n".encode())
    return value_of(body.attributes["x"], Scope(HclFile("a.tf", ""), find, read))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('"a\\n\\"b\\" $${c} ${var.team}"', 'a\n"b" ${c} red'),
        ('"${var.sizes}"', TABLE["sizes"]),
        ("1 + 2 * -3", -5),
        ("7 / 2", 3.5),
        ("1e3", 1000),
        ('"2" * 3', 6),
        ("!var.flag && 2 >= 2", True),
        ('var.team == "red" ? 1 : 2', 1),
        ('var.flag || var.team != "red"', False),
        ("var.sizes.red.cpu", "2"),
        ('var.sizes["red"].pods', 4),
        ("var.list[1].name", "b"),
        ("var.list.1.name", "b"),
        ("var.list[*].name", ["a", "b"]),
        ("var.list.*.name", ["a", "b"]),
        ("[for item in var.list : upper(item.name) if item.name != \"a\"]", ["B"]),
        ("{for key, size in var.sizes : key => size.pods}", {"red": 4}),
        ("{for item in var.list : \"all\" => item.name...}", {"all": ["a", "b"]}),
        ("merge({a = 1}, {\"b\" = 2, (var.team) = 3})", {"a": 1, "b": 2, "red": 3}),
        ("merge([{a = 1}, {a = 2}]...)", {"a": 2}),
        ("lookup(var.sizes, \"blue\", 7)", 7),
        ("try(var.sizes.blue.pods, var.sizes.red.pods)", 4),
        ("can(var.sizes.blue)", False),
        ("coalesce(var.none, \"\", \"x\")", "x"),
        ("toset([\"b\", \"a\", \"b\"])", ["a", "b"]),
        ("format(\"%s-%d\", var.team, 2)", "red-2"),
        ("join(\",\", [for n in range(3) : tostring(n)])", "0,1,2"),
        ("jsonencode({pods = 4})", '{"pods":4}'),
        ("yamldecode(\"a: [1, x]\")", {"a": [1, "x"]}),
        ("yamldecode(yamlencode({a = {b = true}}))", {"a": {"b": True}}),
        ("templatefile(\"quota.tftpl\", {pods = 4, team = var.team})", "pods: 4\nteam: RED\n"),
        ("<<-END\n    a: ${var.team}\n      b: \"${var.sizes[\"red\"].cpu}\"\n  END\n", 'a: red\n  b: "2"\n'),
        ("element([1, 2, 3], 4)", 2),
        ("null", None),
    ],
)  # fmt: skip
def test_what_is_written_is_known(expression: str, expected: object) -> None:
    assert value(expression) == expected


@pytest.mark.parametrize(
    ("expression", "text", "causes"),
    [
        ("var.cpu", "${var.cpu}", ("var.cpu",)),
        ('"team-${var.name}-${var.team}"', "team-${var.name}-red", ("var.name",)),
        ("var.cpu * 2", "${var.cpu * 2}", ("var.cpu",)),
        ("data.aws_ssm_parameter.cpu.value", None, ("data.aws_ssm_parameter.cpu.value",)),
        ('cidrsubnet("10.0.0.0/8", 8, 1)', None, ("the function cidrsubnet",)),
        ('file("elsewhere.yaml")', None, ("the file elsewhere.yaml",)),
        ("var.sizes.blue", None, ("an error in `var.sizes.blue` (there is no blue)",)),
        ("var.on ? 1 : 2", "${var.on ? 1 : 2}", ("var.on",)),
        ('"%{ if var.flag }a%{ endif }"', None, ("a template with directives",)),
        ("upper([var.cpu][0])", None, ("var.cpu",)),
        ("jsonencode({cpu = var.cpu})", '{"cpu":"${var.cpu}"}', ("var.cpu",)),
    ],
)
def test_what_is_not_written_is_unknown_by_name(expression: str, text: str | None, causes: tuple[str, ...]) -> None:
    unknown = value(expression)
    assert isinstance(unknown, Unknown)
    assert (unknown.text if text else None, unknown.causes) == (text, causes)


@pytest.mark.parametrize("expression", ["var.flag && var.on", "var.on ? 3 : 3", "length([var.on]) == 1"])
def test_what_is_unknown_may_not_matter(expression: str) -> None:
    assert not isinstance(value(expression), Unknown)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"a = 1\nb = [\n", 2),
        (b"x {\n", 1),
        (b"a = \xff\n", 1),
        (b'a = 1\nresource "x" "y"\n}\n', 3),
        (b"a = 'b'\n", 1),
    ],
)
def test_what_is_no_hcl_is_refused_at_its_line(text: bytes, line: int) -> None:
    with pytest.raises(HclError) as raised:
        read_hcl("a.tf", text)
    assert raised.value.line == line


def test_no_text_takes_long_to_pass_over() -> None:
    block = 'resource "aws_x" "y" {' + "\n \r" * 5000
    with pytest.raises(HclError):
        read_hcl("a.tf", (block + "x").encode())


def test_blocks_of_other_providers_are_passed_over() -> None:
    text = 'resource "aws_instance" "a" {\n  ami = <not even HCL>\n}\n\nlocals {\n  pods = 4\n}\n'
    (block,) = read_hcl("a.tf", text.encode()).blocks
    assert (block.type, block.place.path) == ("locals", (-4, 5, 1, 5, 2))
