"""Evaluates a root module with its variables, locals and local modules, into what its resources declare."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence

from quotalint.named_tuples import NamedTuple
from quotalint.runtime import budget
from quotalint.terraform.expressions import Scope, evaluate, origin_of, value_of
from quotalint.terraform.hcl import Attribute, Block, Body, Node, inner_nodes, name_of, without_parentheses
from quotalint.terraform.values import TOO_MUCH, RefusedError, Unknown, as_number, as_text, item_of
from quotalint.text.digits import whole_number
from quotalint.text.place import Mixed, Origin, Place
from quotalint.text.tree import Tree, join_path, relative_path

_DEEPEST = 20
"""The most modules that call each other; deeper ones call themselves."""
_META = frozenset(("count", "depends_on", "for_each", "provider", "providers", "source", "version"))
_NAMESPACE_INPUTS = ("namespace", "kubernetes_namespace", "k8s_namespace", "namespaces", "create_namespace")


class Declared(NamedTuple):
    """One instance of a resource."""

    type: str
    address: str
    values: Mapping[str, object]
    """Its arguments; each block is an item of a list."""
    origin: Origin
    place: Place
    via: tuple[Place, ...] = ()
    """The calls that lead to its module, the outermost first."""


class Undeclared(NamedTuple):
    """A resource or module with an unknown number of instances, or a module that is not in view."""

    type: str
    """`module` for a module."""
    address: str
    place: Place
    causes: tuple[str, ...]
    source: str = ""
    """The address of a module that is elsewhere."""
    namespace: object = None
    """The namespace that such a module is given."""


class Modules(NamedTuple):
    """The modules of a repository, by folder."""

    tree: Tree
    bodies: Callable[[str], Body]
    """The content of all files of a folder. Raises HclError."""
    read: Callable[[str], None]
    """Called with the name of each other file that is read."""


class Module:
    """A module with its inputs. A class because values are evaluated when they are needed, each once."""

    def __init__(
        self,
        modules: Modules,
        folder: str,
        inputs: Mapping[str, Callable[[], object]],
        address: str = "",
        via: tuple[Place, ...] = (),
        root: str | None = None,
    ) -> None:
        budget.spend(10, TOO_MUCH)
        if len(via) > _DEEPEST:
            raise RefusedError("modules call each other without end")
        self._modules, self._folder, self._inputs = modules, folder, inputs
        self._address, self._via = address, via
        self._root = folder if root is None else root
        body = modules.bodies(folder)
        self._resources = _by_labels(body.of("resource"), 2)
        self._data = _by_labels(body.of("data"), 2)
        self._calls = _by_labels(body.of("module"), 1)
        self._variables = {block.labels[0]: block.body for block in body.of("variable") if block.labels}
        self._outputs = {block.labels[0]: block.body for block in body.of("output") if block.labels}
        self._locals = {name: value for block in body.of("locals") for name, value in block.body.attributes.items()}
        self._known: dict[tuple[str, ...], object] = {}
        self._pending: set[tuple[str, ...]] = set()

    def declared(self) -> Iterator[Declared | Undeclared]:
        """The instances of all resources, with those of the modules that it calls."""
        for (kind, name), block in self._resources.items():
            address = f"{self._address}{kind}.{name}"
            instances = self._instances(block)
            if isinstance(instances, Unknown):
                yield Undeclared(kind, address, block.place, instances.causes)
                continue
            for key, names in instances.items():
                scope = self._scope(block).naming(names)
                values, origin = body_values(block.body, scope, block.place)
                yield Declared(kind, _at(address, key), values, origin, block.place, self._via)
        for (name,), block in self._calls.items():
            yield from self._declared_by_call(name, block)

    def _declared_by_call(self, name: str, block: Block) -> Iterator[Declared | Undeclared]:
        address = f"{self._address}module.{name}"
        instances = self._instances(block)
        if isinstance(instances, Unknown):
            yield Undeclared("module", address, block.place, instances.causes)
            return
        for key in instances:
            try:
                called = self._called(name, key)
            except RefusedError as failure:
                yield Undeclared("module", address, block.place, (str(failure),))
                continue
            if isinstance(called, Module):
                yield from called.declared()
            else:
                attributes = block.body.attributes
                given = next((attributes[name] for name in _NAMESPACE_INPUTS if name in attributes), None)
                if given is not None:  # else it is hardly for Kubernetes
                    namespace = value_of(given, self._scope(block).naming(instances[key]))
                    yield Undeclared("module", address, block.place, (), called, namespace)

    def _called(self, name: str, key: object) -> Module | str:
        """An instance of a called module; the address of one that is elsewhere."""

        def call() -> Module | str:
            block = self._calls[(name,)]
            scope = self._scope(block)
            source = block.body.attributes.get("source")
            path = value_of(source, scope) if source is not None else ""
            if not isinstance(path, str) or not path.startswith(("./", "../")):
                return path if isinstance(path, str) else "an unknown address"
            folder = join_path(self._folder, path)
            if not self._modules.tree.is_folder(folder):
                return path
            instances = self._instances(block)
            own = scope.naming(instances.get(key, {}) if isinstance(instances, dict) else {})
            inputs = {
                given: lambda attribute=attribute: value_of(attribute, own)
                for given, attribute in block.body.attributes.items()
                if given not in _META
            }
            address = f"{_at(f'{self._address}module.{name}', key)}."
            return Module(self._modules, folder, inputs, address, (*self._via, block.place), self._root)

        called = self._once(("module", name, repr(key)), call)
        assert isinstance(called, (Module, str))
        return called

    def _once(self, key: tuple[str, ...], make: Callable[[], object]) -> object:
        if key not in self._known:
            if key in self._pending:
                raise RefusedError(f"{'.'.join(key[:2])} refers to itself")
            self._pending.add(key)
            try:
                self._known[key] = make()
            finally:
                self._pending.discard(key)
        return self._known[key]

    def _scope(self, of: Attribute | Block) -> Scope:
        return Scope(of.file, self._find, self._read)

    def _read(self, path: str) -> str | None:
        name = join_path(self._root, path)
        data = None if posixpath.isabs(path) else self._modules.tree.data(name)
        if data is not None:
            self._modules.read(name)
        return None if data is None else data.decode("utf-8", "replace")

    def _find(self, first: str, steps: Sequence[object]) -> tuple[object, int]:
        """The value of a name, and how many of the steps lead to it. Raises RefusedError."""
        names = [as_text(step) if isinstance(step, (str, int)) else "" for step in steps[:2]]
        name = names[0] if names else ""
        if first == "var":
            return self._once(("var", name), lambda: self._variable(name)), 1
        if first == "local":
            return self._once(("local", name), lambda: self._local(name)), 1
        if first == "path":
            return relative_path(self._folder if name == "module" else self._root, self._root), 1
        if first == "terraform":
            return Unknown("", (f"terraform.{name}",)), 1
        if first == "module":
            return self._output(name, steps[1:])
        if first == "data":
            return self._resource(self._data, tuple(names), steps[2:], 2)
        return self._resource(self._resources, (first, name), steps[1:], 1)

    def _resource(
        self, blocks: Mapping[tuple[str, ...], Block], labels: tuple[str, ...], steps: Sequence[object], used: int
    ) -> tuple[object, int]:
        """The arguments of a resource's instance, or those of all its instances."""
        if labels not in blocks:
            raise RefusedError(f"there is no {'.'.join(labels)}")
        block = blocks[labels]
        instances = self._instances(block)
        if isinstance(instances, Unknown):
            return instances, used

        def config(key: object) -> object:
            values, _ = body_values(block.body, self._scope(block).naming(instances[key]), block.place)
            return {"id": _id_of(labels[0], values), **values}

        def once(key: object) -> object:
            return self._once(("data" if blocks is self._data else "resource", *labels, repr(key)), lambda: config(key))

        if None in instances:
            return once(None), used
        if steps and (key := _key_among(instances, steps[0])) is not None:
            return once(key), used + 1
        all_values = {key: once(key) for key in instances}
        is_map = "for_each" in block.body.attributes
        return ({as_text(key): value for key, value in all_values.items()} if is_map else [*all_values.values()]), used

    def _output(self, name: str, steps: Sequence[object]) -> tuple[object, int]:
        block = self._calls.get((name,))
        instances = {} if block is None else self._instances(block)
        if isinstance(instances, Unknown):
            return instances, 1
        used, key = 1, None
        if None not in instances:
            found = _key_among(instances, steps[0]) if steps else None
            if found is None:
                raise RefusedError(f"module.{name} has several instances")
            used, key, steps = 2, found, steps[1:]
        called = self._called(name, key)
        output = as_text(steps[0]) if steps and isinstance(steps[0], (str, int)) else ""
        if not isinstance(called, Module):
            return Unknown("", (f"module.{name}.{output}",)), used + 1
        return called.output(output), used + 1

    def output(self, name: str) -> object:
        """The value of an output. Raises RefusedError."""
        attribute = self._outputs[name].attributes.get("value") if name in self._outputs else None
        if attribute is None:
            raise RefusedError(f"the module has no output {name}")
        return self._once(("output", name), lambda: evaluate(attribute.value, self._scope(attribute)))

    def _local(self, name: str) -> object:
        if name not in self._locals:
            raise RefusedError(f"there is no local.{name}")
        return evaluate(self._locals[name].value, self._scope(self._locals[name]))

    def _variable(self, name: str) -> object:
        if name not in self._variables:
            raise RefusedError(f"there is no var.{name}")
        attributes = self._variables[name].attributes
        value: object = Unknown("", (f"var.{name}",))
        if name in self._inputs:
            value = self._inputs[name]()
        elif "default" in attributes:
            value = value_of(attributes["default"], self._scope(attributes["default"]))
        if "type" not in attributes:
            return value
        return converted(attributes["type"].value, value, self._scope(attributes["type"]))

    def _instances(self, block: Block) -> dict[object, Mapping[str, object]] | Unknown:
        """The names that differ among the instances, by key; the key None without `count` and `for_each`."""
        attributes, scope = block.body.attributes, self._scope(block)
        if "for_each" in attributes:
            return instances_of(value_of(attributes["for_each"], scope), "each")
        if "count" not in attributes:
            return {None: {}}
        number = value_of(attributes["count"], scope)
        if isinstance(number, Unknown):
            return number
        try:
            most = int(as_number(number))
        except RefusedError as failure:
            return Unknown("", (f"count: {failure}",))
        budget.spend(most, TOO_MUCH)
        return {index: {"count": {"index": index}} for index in range(most)}


def _by_labels(blocks: tuple[Block, ...], number: int) -> dict[tuple[str, ...], Block]:
    return {block.labels: block for block in blocks if len(block.labels) == number}


def instances_of(collection: object, name: str) -> dict[object, Mapping[str, object]] | Unknown:
    """The names that differ among the instances of a `for_each`, by key."""
    if isinstance(collection, Unknown):
        return collection
    items = collection.items() if isinstance(collection, dict) else None
    if isinstance(collection, list):
        hidden = [item for item in collection if isinstance(item, Unknown)]
        if hidden:
            return hidden[0]
        items = {
            as_text(item) if not isinstance(item, (dict, list)) else str(at): item for at, item in enumerate(collection)
        }.items()
    if items is None:
        return Unknown("", ("for_each is no map or set",))
    budget.spend(len(items), TOO_MUCH)
    return {key: {name: {"key": key, "value": value}} for key, value in items}


def body_values(body: Body, scope: Scope, place: Place) -> tuple[dict[str, object], Origin]:
    """The arguments of a block, and where each is written. Each block in it is an item of a list."""
    values: dict[str, object] = {}
    origins: dict[str | int, Origin] = {}
    for name, attribute in body.attributes.items():
        if name not in ("for_each", "count", "depends_on", "provider"):
            values[name] = value_of(attribute, scope)
            origins[name] = origin_of(attribute, values[name], scope)
    listed: dict[str, list[tuple[object, Origin]]] = {}
    for block in body.blocks:
        for kind, value, origin in _block_values(block, scope):
            listed.setdefault(kind, []).append((value, origin))
    for kind, pairs in listed.items():
        hidden = next((value for value, _ in pairs if isinstance(value, Unknown)), None)
        values[kind] = [value for value, _ in pairs] if hidden is None else hidden
        origins[kind] = Mixed(place, {at: origin for at, (_, origin) in enumerate(pairs)})
    return values, Mixed(place, origins)


def _block_values(block: Block, scope: Scope) -> Iterator[tuple[str, object, Origin]]:
    if block.type != "dynamic":
        yield (block.type, *body_values(block.body, scope, block.place))
        return
    kind = block.labels[0] if block.labels else ""
    each, content = block.body.attributes.get("for_each"), next(iter(block.body.of("content")), None)
    if each is None or content is None:
        return
    iterator = block.body.attributes.get("iterator")
    name = kind if iterator is None else iterator.file.source(iterator.value)
    instances = instances_of(value_of(each, scope), name)
    if isinstance(instances, Unknown):
        yield kind, Unknown(f"${{{each.file.source(each.value)}}}", instances.causes), block.place
        return
    for names in instances.values():
        yield (kind, *body_values(content.body, scope.naming(names), content.place))


def converted(kind: Node, value: object, scope: Scope) -> object:
    """A value of a variable as its type demands: with defaults of optional attributes, numbers as strings."""
    kind = without_parentheses(kind)
    if value is None or isinstance(value, Unknown):
        return value
    if kind.data == "identifier":
        return as_text(value) if name_of(kind) == "string" and not isinstance(value, (dict, list)) else value
    if kind.data != "function_call":
        return value
    budget.spend(1 / budget.VALUES, TOO_MUCH)
    name_node, *rest = inner_nodes(kind)
    name, given = name_of(name_node), inner_nodes(rest[0]) if rest else []
    if name == "object" and isinstance(value, dict) and given:
        return _converted_object(given[0], value, scope)
    if name in ("map", "list", "set", "optional") and given:
        if name == "map" and isinstance(value, dict):
            return {key: converted(given[0], inner, scope) for key, inner in value.items()}
        if name in ("list", "set") and isinstance(value, list):
            return [converted(given[0], inner, scope) for inner in value]
        if name == "optional":
            return converted(given[0], value, scope)
    return value


def _converted_object(kind: Node, value: Mapping[str, object], scope: Scope) -> object:
    kind = without_parentheses(kind)
    result: dict[str, object] = {}
    for element in inner_nodes(kind) if kind.data == "object" else ():
        key, of = inner_nodes(element)
        name = scope.file.source(key).strip('"')
        inner = value.get(name)
        of = without_parentheses(of)
        if inner is None and of.data == "function_call" and name_of(inner_nodes(of)[0]) == "optional":
            arguments = inner_nodes(inner_nodes(of)[1])
            inner = evaluate(arguments[1], scope) if len(arguments) > 1 else None
        result[name] = converted(of, inner, scope)
    return result


def _at(address: str, key: object) -> str:
    return address if key is None else f'{address}["{key}"]' if isinstance(key, str) else f"{address}[{key}]"


def _key_among(instances: Mapping[object, object], step: object) -> object:
    """The key of an instance that an index names; None if there is none."""
    if step in instances if isinstance(step, (str, int)) else False:
        return step
    number = whole_number(step) if isinstance(step, str) else None
    return number if number in instances else None


def _id_of(kind: str, values: Mapping[str, object]) -> object:
    """The id of a Kubernetes object: its name, after its namespace if it has one (structures.go, buildId)."""
    if not kind.startswith("kubernetes_"):
        return Unknown("", (f"{kind}.id",))
    try:
        metadata = item_of(values.get("metadata"), 0)
        name = item_of(metadata, "name")
        if kind.removesuffix("_v1") == "kubernetes_namespace" or isinstance(name, Unknown):
            return name
        namespace = metadata.get("namespace", "default") if isinstance(metadata, dict) else "default"
        return namespace if isinstance(namespace, Unknown) else f"{as_text(namespace)}/{as_text(name)}"
    except RefusedError:
        return Unknown("", (f"{kind}.id",))
