"""More members that OpenVINO's classes have, made of those of the library."""

from collections.abc import Mapping

from rondo._rondo import (ConstOutput, Dimension, Model, ModelError, Node, Output, PartialShape,
                          ProfilingInfo, Type)
from rondo._types import DiscreteTypeInfo, Input

_QUANTIZED = ("i32", "i8", "u8", "i4", "f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1")


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

    def __ior__(self, other):  # type: ignore[misc]
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


class ModelMembers:
    """Those of Model."""

    def get_output_size(self):
        """The number of outputs."""
        return len(self.outputs)

    def get_output_op(self, index):
        """The node Result of an output."""
        return self.output(index).node

    def get_output_element_type(self, index):
        """The element type of an output."""
        return self.output(index).element_type

    def get_output_partial_shape(self, index):
        """The shape of an output, whose extents may be open."""
        return self.output(index).partial_shape

    def get_output_shape(self, index):
        """The shape of an output. Raises ModelError where extents are open."""
        return self.output(index).shape

    @property
    def rt_info(self):
        """What the model says of itself, as get_rt_info() gives it; assigning sets values."""
        return RtInfo(self)

    @rt_info.setter
    def rt_info(self, values):
        # What `model.rt_info |= values` assigns has been written.
        if not isinstance(values, RtInfo) or values._model is not self or values._path:
            raise ModelError("rt_info can't be replaced; rt_info.update() sets values")

    def get_result(self):
        """The only node Result. Raises ModelError where there are several."""
        return self.output().node

    @property
    def result(self):
        """The only node Result. Raises ModelError where there are several."""
        return self.get_result()

    def get_parameter_index(self, parameter):
        """The place of a node Parameter among the inputs; -1 where it isn't the model's."""
        return _index_of(parameter, self.get_parameters())

    def get_result_index(self, value):
        """The place among the outputs of a node Result, or of what one reads; else -1."""
        results = self.get_results()
        if not isinstance(value, Output):
            return _index_of(value, results)
        place = _index_of(value.get_node(), results)
        return place if place >= 0 else _index_of(value, [r.input_value(0) for r in results])

    def add_parameters(self, parameters):
        """Adds nodes Parameter, which become the last inputs."""
        _rebuild(self, parameters=[*self.get_parameters(), *parameters])

    def add_results(self, results):
        """Adds nodes, or outputs of nodes, as the last outputs."""
        _rebuild(self, results=[*self.get_results(), *results])

    def remove_parameter(self, parameter):
        """Removes an input that nothing reads. Raises ModelError where something does."""
        _rebuild(self, parameters=_without(parameter, self.get_parameters()))

    def remove_result(self, result):
        """Removes an output. Raises ModelError where the node isn't a Result of the model."""
        _rebuild(self, results=_without(result, self.get_results()))


class NodeMembers:
    """Those of Node."""

    def input(self, index):
        """One input. Raises ModelError where there is none of that number."""
        self.input_value(index)
        return Input(self, index)

    def inputs(self):
        """All inputs."""
        return [Input(self, index) for index in range(self.get_input_size())]

    def get_type_info(self):
        """The name and the opset of the op."""
        return DiscreteTypeInfo(self.type_name, self.opset)

    @property
    def type_info(self):
        """The name and the opset of the op."""
        return self.get_type_info()

    @property
    def element_type(self):
        """The element type of the only output. Raises ModelError where there are several."""
        return self.get_element_type()

    @property
    def partial_shape(self):
        """The shape of the only output. Raises ModelError where there are several."""
        return self.get_partial_shape()


class ConstOutputMembers:
    """Those of ConstOutput, which Output has too."""

    @property
    def tensor(self):
        """Itself: it has the names, the type and the shape."""
        return self.get_tensor()


class DimensionMembers:
    """Those of Dimension."""

    def compatible(self, dim):
        """Whether an extent could be both."""
        return max(self.min_length, dim.min_length) <= min(_most(self), _most(dim))

    def refines(self, dim):
        """Whether every extent of this one is one of the other."""
        return dim.min_length <= self.min_length and _most(self) <= _most(dim)

    def relaxes(self, dim):
        """Whether every extent of the other is one of this."""
        return dim.refines(self)

    def same_scheme(self, dim):
        """Whether both are the same number, or both are open."""
        return self == dim if self.is_static else dim.is_dynamic


class PartialShapeMembers:
    """Those of PartialShape."""

    @property
    def all_non_negative(self):
        """True: no extent is below 0."""
        return True

    def refines(self, shape):
        """Whether every shape of this one is one of the other."""
        return _each(self, shape, "refines", shape.rank.is_dynamic)

    def relaxes(self, shape):
        """Whether every shape of the other is one of this."""
        return shape.refines(self)

    def same_scheme(self, shape):
        """Whether both have the same known extents, and open ones in the same places."""
        return _each(self, shape, "same_scheme", self.rank.is_dynamic and shape.rank.is_dynamic)


class TypeMembers:
    """Those of Type."""

    def compatible(self, other):
        """Whether both are the same type, or one is dynamic."""
        return self == other or self.is_dynamic() or other.is_dynamic()

    def is_quantized(self):
        """Whether OpenVINO counts it among the types of quantised numbers."""
        return str(self) in _QUANTIZED

    @property
    def real(self):
        """Whether it is a floating type."""
        return self.is_real()

    @property
    def integral(self):
        """Whether it isn't a floating type."""
        return self.is_integral()

    @property
    def integral_number(self):
        """Whether it is an integer."""
        return self.is_integral_number()

    @property
    def signed(self):
        """Whether it has a sign."""
        return self.is_signed()

    @property
    def quantized(self):
        """Whether OpenVINO counts it among the types of quantised numbers."""
        return self.is_quantized()


def _index_of(node, nodes):
    return nodes.index(node) if node in nodes else -1


def _without(node, nodes):
    if node not in nodes:
        raise ModelError(f"the model has no such node: {node!r}")
    return [other for other in nodes if other != node]


def _rebuild(model, results=None, parameters=None):
    """Makes the model one of other results or parameters; on an error nothing changes."""
    results = model.get_results() if results is None else results
    parameters = model.get_parameters() if parameters is None else parameters
    made = Model(results, model.get_sinks(), parameters, model.friendly_name)
    for path, value in model._rt_info().items():
        made._set_rt_info(path, value)
    model._assign(made)


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


for _members, _owner in ((ModelMembers, Model), (NodeMembers, Node), (ConstOutputMembers, ConstOutput),
                         (DimensionMembers, Dimension), (PartialShapeMembers, PartialShape),
                         (TypeMembers, Type)):
    _add(_members, _owner)
for _name, _status in ProfilingInfo.Status.__members__.items():
    setattr(ProfilingInfo, _name, _status)
