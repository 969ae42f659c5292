"""Members that OpenVINO's classes have, made of those of the library."""

# mypy: ignore-errors
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rondo._openvino.nodes import is_number
from rondo._rondo import (CompiledModel, Core, Dimension, Model, ModelError, Node, Output,
                          PartialShape, ProfilingInfo, UnsupportedError)
from rondo._openvino.types import DiscreteTypeInfo, Input

if TYPE_CHECKING:
    from typing import BinaryIO

    from rondo import Shape, Type, _Config


class RtInfo(dict):
    """A dict of texts and dicts. What sets values writes to the model; what removes them is refused."""

    def __init__(self, model, path=()):
        self._model, self._path = model, path
        values = model.get_rt_info(list(path)) if path else model.get_rt_info()
        super().__init__((name, RtInfo(model, (*path, name)) if isinstance(value, dict) else value)
                         for name, value in values.items())

    def __setitem__(self, name, value):
        path = (*self._path, name)
        self._model.set_rt_info(value, path)
        if not isinstance(value, Mapping):
            super().__setitem__(name, str(value))
        elif self._model.has_rt_info(path):
            super().__setitem__(name, RtInfo(self._model, path))

    def __ior__(self, other):
        self.update(other)
        return self

    def __delitem__(self, name):
        self._refuse()

    def update(self, other=(), /, **more):
        for name, value in dict(other, **more).items():
            self[name] = value

    def setdefault(self, name, default):
        if name not in self:
            self[name] = default
        return self[name]

    def pop(self, name, *default):
        if name in self:
            self._refuse()
        return super().pop(name, *default)

    def popitem(self):
        self._refuse()

    def clear(self):
        self._refuse()

    def _refuse(self):
        raise ModelError("values of rt_info can be set, but not removed")


class CoreMembers:
    """Those of Core."""

    def import_model(self, model_stream: bytes | BinaryIO, device_name: str = "CPU",
                     config: Mapping[str, Any] | None = None) -> CompiledModel:
        """Compiles what CompiledModel.export_model() gave: bytes or a binary file.

        config: properties that replace those that the model was compiled with. Raises ModelError
        where the bytes are no such model.
        """
        data = model_stream.read() if hasattr(model_stream, "read") else bytes(model_stream)
        return self._import_model(data, device_name, config)

    def query_model(self, model: Model, device_name: str = "CPU",
                    properties: _Config | None = None) -> dict[str, str]:
        """{node name: device} of all nodes if the device compiles the model, else {}.

        Rondo runs a model on one device. Why it can't, compile_model() says.
        """
        try:
            compiled = self.compile_model(model, device_name, properties)
        except UnsupportedError:
            return {}
        device = compiled.get_property("EXECUTION_DEVICES")[0]
        return {node.friendly_name: device for node in model.get_ops()}


class CompiledModelMembers:
    """Those of CompiledModel."""

    def export_model(self, model_stream: BinaryIO | None = None) -> bytes | None:
        """The compiled model as bytes, for Core.import_model(): the graph after the passes, its
        weights.

        Hints and switches are kept, but not numbers of threads and streams. model_stream: a binary
        file that the bytes are written to, instead of returning them; it is then at its start.
        """
        data = self._export_model()
        if model_stream is None:
            return data
        model_stream.write(data)
        model_stream.flush()
        model_stream.seek(0)
        return None


class ModelMembers:
    """Those of Model."""

    def get_output_size(self) -> int:
        """The number of outputs."""
        return len(self.outputs)

    def get_output_op(self, index: int) -> Node:
        """The node Result of an output."""
        return self.output(index).node

    def get_output_element_type(self, index: int) -> Type:
        """The element type of an output."""
        return self.output(index).element_type

    def get_output_partial_shape(self, index: int) -> PartialShape:
        """The shape of an output, whose extents may be open."""
        return self.output(index).partial_shape

    def get_output_shape(self, index: int) -> Shape:
        """The shape of an output. Raises ModelError where extents are open."""
        return self.output(index).shape

    @property
    def rt_info(self) -> dict[str, Any]:
        """What the model says of itself, as get_rt_info() gives it; assigning sets values."""
        return RtInfo(self)

    @rt_info.setter
    def rt_info(self, values: dict[str, Any]):
        # What `model.rt_info |= values` assigns has been written.
        if not isinstance(values, RtInfo) or values._model is not self or values._path:
            raise ModelError("rt_info can't be replaced; rt_info.update() sets values")

    def get_result(self) -> Node:
        """The only node Result. Raises ModelError where there are several."""
        return self.output().node

    @property
    def result(self) -> Node:
        """The only node Result. Raises ModelError where there are several."""
        return self.get_result()

    def get_parameter_index(self, parameter: Node) -> int:
        """The place of a node Parameter among the inputs; -1 where it isn't the model's."""
        return _index_of(parameter, self.get_parameters())

    def get_result_index(self, value: Node | Output) -> int:
        """The place among the outputs of a node Result, or of what one reads; else -1."""
        results = self.get_results()
        if not isinstance(value, Output):
            return _index_of(value, results)
        place = _index_of(value.get_node(), results)
        return place if place >= 0 else _index_of(value, [r.input_value(0) for r in results])

    def add_parameters(self, parameters: Sequence[Node]) -> None:
        """Adds nodes Parameter, which become the last inputs."""
        rebuild(self, parameters=[*self.get_parameters(), *parameters])

    def add_results(self, results: Sequence[Node | Output]) -> None:
        """Adds nodes, or outputs of nodes, as the last outputs."""
        rebuild(self, results=[*self.get_results(), *results])

    def remove_parameter(self, parameter: Node) -> None:
        """Removes an input that nothing reads. Raises ModelError where something does."""
        rebuild(self, parameters=_without(parameter, self.get_parameters()))

    def remove_result(self, result: Node) -> None:
        """Removes an output. Raises ModelError where the node isn't a Result of the model."""
        rebuild(self, results=_without(result, self.get_results()))

    def add_outputs(self, outputs: Any) -> list[Output]:
        """Adds outputs; returns their ports. A tensor that is an output already stays the same one.

        outputs: one or a list of: the name of a tensor or a node, a Node or Output, or a pair of a
        node's name and the number of its output. Raises ModelError where there is no such one.
        """
        several = list(outputs) if isinstance(outputs, (list, set)) else [outputs]
        values = [_value_of(self, key) for key in several]
        results = [*self.get_results()]
        known = [result.input_value(0) for result in results]
        added = [value for value in dict.fromkeys(values) if value not in known]
        for value in added:
            if not value._own_names():
                name, index = value.node.friendly_name, value.node.outputs().index(value)
                value.set_names({f"{name}:{index}" if index else name})
        if added:
            rebuild(self, results=[*results, *added])
        return [self.outputs[(known + added).index(value)] for value in values]

    def get_rt_info(self, path: str | Sequence[str] | None = None) -> Any:
        """What the model says of itself: a dict of texts and dicts, or the value at a path.

        path: a name or a list of names. Raises ModelError where there is nothing.
        """
        found = _nested(self._rt_info())
        for name in _path_from(path or []):
            if not isinstance(found, dict) or name not in found:
                raise ModelError(f"the model's rt_info has no {path!r}")
            found = found[name]
        return found

    def has_rt_info(self, path: str | Sequence[str]) -> bool:
        """Whether rt_info has a value at a path."""
        try:
            self.get_rt_info(path)
        except ModelError:
            return False
        return True

    def set_rt_info(self, obj: Any, path: str | Sequence[str]) -> None:
        """Sets a value of rt_info, as text; save_model() writes it. path: a name or a list of names.

        A dict sets the values below the path; those that it doesn't name stay.
        """
        if isinstance(obj, Mapping):
            for name, value in obj.items():
                self.set_rt_info(value, [*_path_from(path), name])
            return
        self._set_rt_info("/".join(_path_from(path)), str(obj))


class NodeMembers:
    """Those of Node."""

    def input(self, index: int) -> Input:
        """One input. Raises ModelError where there is none of that number."""
        self.input_value(index)
        return Input(self, index)

    def inputs(self) -> list[Input]:
        """All inputs."""
        return [Input(self, index) for index in range(self.get_input_size())]

    def get_type_info(self) -> DiscreteTypeInfo:
        """The name and the opset of the op."""
        return DiscreteTypeInfo(self.type_name, self.opset)

    @property
    def type_info(self) -> DiscreteTypeInfo:
        """The name and the opset of the op."""
        return self.get_type_info()


class DimensionMembers:
    """Those of Dimension."""

    def compatible(self, dim: Dimension) -> bool:
        """Whether an extent could be both."""
        return max(self.min_length, dim.min_length) <= min(_most(self), _most(dim))

    def refines(self, dim: Dimension) -> bool:
        """Whether every extent of this one is one of the other."""
        return dim.min_length <= self.min_length and _most(self) <= _most(dim)

    def relaxes(self, dim: Dimension) -> bool:
        """Whether every extent of the other is one of this."""
        return dim.refines(self)

    def same_scheme(self, dim: Dimension) -> bool:
        """Whether both are the same number, or both are open."""
        return self == dim if self.is_static else dim.is_dynamic


class PartialShapeMembers:
    """Those of PartialShape."""

    @property
    def all_non_negative(self) -> bool:
        """True: no extent is below 0."""
        return True

    def refines(self, shape: PartialShape) -> bool:
        """Whether every shape of this one is one of the other."""
        return _each(self, shape, "refines", shape.rank.is_dynamic)

    def relaxes(self, shape: PartialShape) -> bool:
        """Whether every shape of the other is one of this."""
        return shape.refines(self)

    def same_scheme(self, shape: PartialShape) -> bool:
        """Whether both have the same known extents, and open ones in the same places."""
        return _each(self, shape, "same_scheme", self.rank.is_dynamic and shape.rank.is_dynamic)


def _index_of(node, nodes):
    return nodes.index(node) if node in nodes else -1


def _without(node, nodes):
    if node not in nodes:
        raise ModelError(f"the model has no such node: {node!r}")
    return [other for other in nodes if other != node]


def rebuild(model, results=None, parameters=None):
    """Makes the model one of other results or parameters; on an error nothing changes."""
    results = model.get_results() if results is None else results
    parameters = model.get_parameters() if parameters is None else parameters
    made = Model(results, model.get_sinks(), parameters, model.friendly_name)
    for path, value in model._rt_info().items():
        made._set_rt_info(path, value)
    model._assign(made)


def _nested(facts):
    """{"a/b": value} as {"a": {"b": value}}; a value that has others below it is left out."""
    tree = {}
    for path, value in sorted(facts.items(), key=lambda fact: fact[0].split("/")):
        *parents, last = path.split("/")
        place = tree
        for name in parents:
            if not isinstance(place.get(name), dict):
                place[name] = {}
            place = place[name]
        place[last] = value
    return tree


def _path_from(path):
    return [path] if isinstance(path, str) else list(path)


def _value_of(model, key):
    """The output of a node that a text, a pair, a Node or an Output means."""
    if isinstance(key, Output):
        key = (key.node.friendly_name, key.node.outputs().index(key))
    if isinstance(key, Node):
        key = key.friendly_name
    nodes = model.get_ordered_ops()
    is_pair = isinstance(key, tuple) and len(key) == 2 and is_number(key[1])
    if not is_pair:
        for value in (value for node in nodes for value in node.outputs()):
            if key in value._own_names() and value.node.type_name != "Result":
                return value
    name, number = key if is_pair else (key, 0)
    for node in nodes:
        if node.friendly_name == name and node.type_name == "Result":
            return node.input_value(0)
        if node.friendly_name == name and 0 <= number < node.get_output_size():
            return node.output(number)
    raise ModelError(f"add_outputs: the model has no tensor or node {key!r}; get_ops() lists the "
                     "nodes")


def _most(dimension):
    return float("inf") if dimension.max_length == -1 else dimension.max_length


def _each(one, other, relation, without_rank):
    """Whether the relation holds for each extent, or what holds where a rank is open."""
    if one.rank.is_dynamic or other.rank.is_dynamic:
        return without_rank
    return len(one) == len(other) and all(getattr(a, relation)(b) for a, b in zip(one, other))


def _add(members, owner):
    for name, member in vars(members).items():
        if name.startswith("_"):
            continue
        function = member.fget if isinstance(member, property) else member
        function.__qualname__ = f"{owner.__name__}.{name}"
        setattr(owner, name, member)


for _members, _owner in ((CoreMembers, Core), (CompiledModelMembers, CompiledModel),
                         (ModelMembers, Model), (NodeMembers, Node), (DimensionMembers, Dimension),
                         (PartialShapeMembers, PartialShape)):
    _add(_members, _owner)
for _name, _status in ProfilingInfo.Status.__members__.items():
    setattr(ProfilingInfo, _name, _status)
