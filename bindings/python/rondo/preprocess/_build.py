"""Writes the steps of one input or output into the IR of a model."""

import numpy

from rondo._ir import Place, join_names
from rondo._rondo import ModelError, Type


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
    """A place and its layout, which each step replaces."""

    def __init__(self, ir, where, place, layout):
        super().__init__(where, len(place.shape), layout)
        self.ir = ir
        self.place = place

    def convert_type(self, element_type):
        element_type = Type(element_type)
        if element_type != self.place.element_type:
            self.place = self.ir.op(f"{self.where}/convert", "Convert", [self.place], element_type,
                                    self.place.shape, destination_type=str(element_type))

    def transpose(self, order):
        super().transpose(order)
        order = list(order)
        if order != sorted(order):
            axes = self.ir.constant(f"{self.where}/order", numpy.array(order, numpy.int64))
            shape = [self.place.shape[axis] for axis in order]
            self.place = self.ir.op(f"{self.where}/transpose", "Transpose", [self.place, axes],
                                    self.place.element_type, shape)

    def arithmetic(self, kind, values):
        """Subtract or Divide by a number, or by one a channel."""
        if not self.place.element_type.is_real():
            raise ModelError(f"{self.where}: mean and scale need a floating type, not "
                             f"{self.place.element_type}; convert_element_type() comes first")
        array = numpy.asarray(values, self.place.element_type.to_dtype())
        if array.ndim == 1:
            array = array.reshape(self._along_channels(array.size))
        elif array.ndim != 0:
            raise ModelError(f"{self.where}: expected a number, or one a channel")
        constant = self.ir.constant(f"{self.where}/{kind.lower()}/value", array)
        self.place = self.ir.op(f"{self.where}/{kind.lower()}", kind, [self.place, constant],
                                self.place.element_type, self.place.shape, auto_broadcast="numpy")

    def _along_channels(self, count):
        if self.layout is None or not self.layout.has_name("C"):
            raise ModelError(f"{self.where}: a number a channel needs a layout with an axis C")
        axis = self.layout.get_index_by_name("C")
        extent = str(self.place.shape[axis])
        if extent.isdigit() and int(extent) != count:
            raise ModelError(f"{self.where}: got {count} numbers for {extent} channels")
        shape = [1] * len(self.place.shape)
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


def build_input(ir, info, port):
    """Puts steps behind an input."""
    where = f"input '{port.any_name}'"
    for layout in (info.tensor_layout, info.model_layout):
        if layout is not None and len(layout) != len(port.partial_shape):
            raise ModelError(f"{where}: layout {layout} has {len(layout)} axes; the input's shape "
                             f"is {port.partial_shape}")
    element_type = info.tensor_type or port.element_type
    parameter = ir.of_type("Parameter")[port.index]
    old = Place(parameter, parameter.find("output/port").get("id"), port.element_type,
                port.partial_shape)
    readers = ir.readers(old)
    axes = Axes(where, len(port.partial_shape), None)
    layout = axes.layout = _layout_of_tensor(info, axes)
    place = ir.set_input_type(port.index, element_type, _shape_of_tensor(info, port, axes))
    chain = Chain(ir, parameter.get("name"), place, layout)
    for step, arguments in info.steps:
        getattr(chain, step)(*arguments)
    chain.end_with(info.model_layout)
    chain.convert_type(port.element_type)
    ir.connect(readers, chain.place)


def build_output(ir, info, port):
    """Puts steps before an output, which keeps its tensor names."""
    result = ir.of_type("Result")[port.index]
    edge = ir.source_of(result)
    layer, old = ir.start_of(edge)
    place = Place(layer, old.get("id"), port.element_type, port.partial_shape)
    chain = Chain(ir, port.any_name, place, info.model_layout)
    for step, arguments in info.steps:
        getattr(chain, step)(*arguments)
    chain.end_with(info.tensor_layout)
    if info.tensor_type is not None:
        chain.convert_type(info.tensor_type)
    if chain.place is place:
        return
    names = old.attrib.pop("names", None)
    chain.place.layer.find("output/port").set("names", names or join_names([port.any_name]))
    ir.connect([edge], chain.place)
