"""Makes the steps of inputs and outputs nodes of a model."""

import numpy

from rondo._openvino.members import rebuild
from rondo._openvino.ops import OPSETS
from rondo._rondo import ModelError, Type, _move_readers

_ops = OPSETS["opset13"]


def _inverse(order):
    """The order that turns axes back."""
    return sorted(range(len(order)), key=order.__getitem__)


class Axes:
    """The axes of a tensor and their layout, which steps turn. `order` says what each was at first."""

    def __init__(self, where, rank, layout):
        self.where = where
        self.layout = layout
        self.order = list(range(rank))

    def check(self, order):
        """The order as a list. Raises ModelError where it is none of these axes."""
        order = list(order)
        if sorted(order) != list(range(len(self.order))):
            raise ModelError(f"{self.where}: {order} is not an order of {len(self.order)} axes")
        return order

    def transpose(self, order):
        order = self.check(order)
        self.order = [self.order[axis] for axis in order]
        if self.layout is not None:
            self.layout = self.layout.turned(order)

    def convert_layout(self, layout):
        if self.layout is None:
            raise ModelError(f"{self.where}: its layout isn't known; set it by tensor().set_layout()")
        self.transpose(self.layout.order_to(layout))

    def end_with(self, layout):
        """Turns the axes to the layout where both are known."""
        if layout is not None and self.layout not in (None, layout):
            self.convert_layout(layout)


class Chain(Axes):
    """An output of a node and its layout, which each step replaces."""

    def __init__(self, where, value, layout):
        super().__init__(where, len(value.partial_shape), layout)
        self.value = value

    def _step(self, name, op, *arguments):
        self.value = op(self.value, *arguments, name=f"{self.where}/{name}").output(0)

    def convert_type(self, element_type):
        if Type(element_type) != self.value.element_type:
            self._step("convert", _ops.convert, Type(element_type))

    def transpose(self, order):
        super().transpose(order)
        order = list(order)
        if order != sorted(order):
            axes = _ops.constant(order, numpy.int64, name=f"{self.where}/order")
            self._step("transpose", _ops.transpose, axes)

    def arithmetic(self, kind, values):
        """Subtract or Divide by a number, or by one a channel."""
        if not self.value.element_type.is_real():
            raise ModelError(f"{self.where}: mean and scale need a floating type, not "
                             f"{self.value.element_type}; convert_element_type() comes first")
        array = numpy.asarray(values, self.value.element_type.to_dtype())
        if array.ndim == 1:
            array = array.reshape(self._along_channels(array.size))
        elif array.ndim != 0:
            raise ModelError(f"{self.where}: expected a number, or one a channel")
        name = kind.lower()
        constant = _ops.constant(array, name=f"{self.where}/{name}/value")
        self._step(name, getattr(_ops, name), constant)

    def _along_channels(self, count):
        if self.layout is None or not self.layout.has_name("C"):
            raise ModelError(f"{self.where}: a number a channel needs a layout with an axis C")
        axis = self.layout.get_index_by_name("C")
        extent = str(self.value.partial_shape[axis])
        if extent.isdigit() and int(extent) != count:
            raise ModelError(f"{self.where}: got {count} numbers for {extent} channels")
        shape = [1] * len(self.value.partial_shape)
        shape[axis] = count
        return shape


def _layout_of_tensor(info, axes):
    """The layout of the new input: as given, or the model's before lists of axes have turned it."""
    layout = info.tensor_layout
    if layout is not None or info.model_layout is None:
        return layout
    layout = info.model_layout
    for step, arguments in reversed(info.steps):
        if step == "transpose":
            layout = layout.turned(_inverse(axes.check(*arguments)))
    return layout


def _shape_of_tensor(info, port, axes):
    """The shape of the new input: as given, or the model's before steps have turned its axes."""
    if info.tensor_shape is not None:
        return list(info.tensor_shape)
    for step, arguments in info.steps:
        if step in ("transpose", "convert_layout"):
            getattr(axes, step)(*arguments)
    axes.end_with(info.model_layout)
    shape = list(port.partial_shape)
    return [shape[axis] for axis in _inverse(axes.order)]


def _build_input(info, port):
    """The Parameter in place of an input, and what the model reads then."""
    where = f"input '{port.any_name}'"
    for layout in (info.tensor_layout, info.model_layout):
        if layout is not None and len(layout) != len(port.partial_shape):
            raise ModelError(f"{where}: layout {layout} has {len(layout)} axes; the input's shape "
                             f"is {port.partial_shape}")
    axes = Axes(where, len(port.partial_shape), None)
    layout = axes.layout = _layout_of_tensor(info, axes)
    name = port.node.friendly_name
    parameter = _ops.parameter(_shape_of_tensor(info, port, axes),
                               info.tensor_type or port.element_type, name=name)
    parameter.output(0).set_names(port.names)
    chain = Chain(name, parameter.output(0), layout)
    for step, arguments in info.steps:
        getattr(chain, step)(*arguments)
    chain.end_with(info.model_layout)
    chain.convert_type(port.element_type)
    return parameter, chain.value


def _build_output(info, port):
    """The Result in place of an output, which keeps its tensor names."""
    value = port.node.input_value(0)
    chain = Chain(port.any_name, value, info.model_layout)
    for step, arguments in info.steps:
        getattr(chain, step)(*arguments)
    chain.end_with(info.tensor_layout)
    if info.tensor_type is not None:
        chain.convert_type(info.tensor_type)
    if chain.value == value:
        return port.node
    value.set_names(set())
    chain.value.set_names(port.names)
    return _ops.result(chain.value, name=port.node.friendly_name)


def build(model, inputs, outputs):
    """Puts steps after inputs and before outputs. On an error the model stays as it is.

    inputs, outputs: {number: what is set of it}
    """
    graph = model.clone()
    made = {index: _build_input(info, graph.inputs[index]) for index, info in inputs.items()}
    shapes = {index: value.partial_shape for index, (_, value) in made.items()
              if value.partial_shape != graph.inputs[index].partial_shape}
    if shapes:
        graph.reshape(shapes)
    parameters, ports = graph.get_parameters(), graph.outputs
    results = [port.node for port in ports]
    for index, (parameter, value) in made.items():
        _move_readers(parameters[index].output(0), value)
        parameters[index] = parameter
    for index, info in outputs.items():
        results[index] = _build_output(info, ports[index])
    rebuild(graph, results, parameters)
    model._assign(graph)
