"""Why OpenVINO 2026.4 computes a written file otherwise, as docs/interchange.md has it."""

from xml.etree import ElementTree

import random_models

NO_ITERATION = "outputs that a loop of no iteration joins"
OPEN_IF = "an If whose outputs have open extents, right the second time"
SIXTEEN_BITS = "no rounding to 16 bits between ops"
UNSIGNED = "unsigned integers that don't wrap around in Abs, Divide and Mod"
EQUAL = "TopK of equal values"
TIE = "a quotient that lies at a tie when it is quantised"
APPEARANCE = "Unique in the order of appearance"
STEP = random_models.HALF_TOLERANCE  # of a quantised number in a body, at most
TOLERANCES = {"FP16": random_models.HALF_TOLERANCE, "BF16": 8 * random_models.HALF_TOLERANCE}


class Layers:
    """Those of a file, and of the bodies in it."""

    def __init__(self, file):
        self.root = ElementTree.parse(file).getroot()
        self.layers = list(self.root.iter("layer"))

    def of(self, *kinds):
        return [layer for layer in self.layers if layer.get("type") in kinds]

    @staticmethod
    def precisions(layer, sides=("input", "output")):
        return {port.get("precision") for side in sides for port in layer.findall(f"{side}/port")}

    def rounds_in_bodies(self):
        """Whether it rounds where the numbers that are rounded can't be seen."""
        outer = self.root.findall("layers/layer")
        return len(self.of("Round")) > sum(layer.get("type") == "Round" for layer in outer)

    def joins(self):
        return any(port.get("axis") for loop in self.of("Loop", "TensorIterator")
                   for port in loop.findall("port_map/output"))

    def has_open_if(self):
        return any(dim.text == "-1" for choice in self.of("If")
                   for dim in choice.findall("output/port/dim"))

    def tolerance(self):
        """The rounding of the least precise type that nodes other than constants make; 0: none."""
        found = {one for layer in self.layers if layer.get("type") != "Const"
                 for one in self.precisions(layer, ("output",))}
        return max((value for one, value in TOLERANCES.items() if one in found), default=0)

    def has_small_unsigned(self):
        return any(self.precisions(layer) & {"U8", "U16", "U64"}
                   for layer in self.of("Abs", "Divide", "Mod"))

    def has_appearance(self):
        return any(layer.find("data").get("sorted") == "false" and
                   len(layer.findall("input/port")) == 1 for layer in self.of("Unique"))


def wrong_outputs(values, case, tolerance):
    return [name for (name, right), value in zip(case.right.items(), values)
            if random_models.difference(value, right, tolerance)]


def inputs_of(file, feeds, kind):
    """(node, what its first input holds) for each op of that kind in the graph itself."""
    import numpy
    import openvino

    core = openvino.Core()
    model = core.read_model(str(file))
    nodes = [node for node in model.get_ops() if node.get_type_name() == kind]
    if not nodes:
        return
    data = [model.add_outputs(node.input_value(0))[0] for node in nodes]
    compiled = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32",
                                                 "INFERENCE_NUM_THREADS": 2})
    request = compiled.create_infer_request()
    request.infer(feeds)
    first = len(compiled.outputs) - len(data)
    for number, node in enumerate(nodes):
        yield node, numpy.array(request.get_output_tensor(first + number).data)


def has_equal_values(file, feeds):
    """Whether the data of a TopK has an element twice along its axis."""
    import numpy

    for node, values in inputs_of(file, feeds, "TopK"):
        axis = node.get_axis()
        if numpy.any(numpy.diff(numpy.sort(values, axis=axis), axis=axis) == 0):
            return True
    return False


def rounds_ties(file, feeds):
    """Whether a Round gets a number half-way between two integers, or nearly so."""
    import numpy

    for _, values in inputs_of(file, feeds, "Round"):
        distance = numpy.abs(values - numpy.floor(values) - 0.5)
        if numpy.any(distance < 1e-5 * numpy.maximum(1, numpy.abs(values))):
            return True
    return False


def known_way(peer, case, tolerance):
    """Why a run differs; None where no reason is known."""
    layers = Layers(peer.file)
    wrong = wrong_outputs(peer.run(case.feeds), case, tolerance)
    again = peer.run(case.feeds, 2)
    if layers.joins() and any(case.right[name].size == 0 for name in wrong):
        return NO_ITERATION
    if layers.has_open_if() and not wrong_outputs(again, case, tolerance):
        return OPEN_IF
    rounding = layers.tolerance()
    if rounding and not wrong_outputs(again, case, rounding):
        return SIXTEEN_BITS
    if layers.has_small_unsigned():
        return UNSIGNED
    if layers.has_appearance():
        return APPEARANCE
    if has_equal_values(peer.file, case.feeds):
        return EQUAL
    is_step = layers.rounds_in_bodies() and not wrong_outputs(again, case, STEP)
    return TIE if is_step or rounds_ties(peer.file, case.feeds) else None
