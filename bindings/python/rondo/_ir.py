"""A model as its IR in memory, whose inputs and outputs can be given more layers.

The bodies of loops and the weights that are there stay as they are; new constants go behind them.
"""

import pathlib
import re
import tempfile
from xml.etree import ElementTree

import numpy

from rondo._rondo import Core, ModelError, Type, save_model

_PRECISIONS = {"boolean": "BOOL", "f16": "FP16", "f32": "FP32", "f64": "FP64", "bf16": "BF16"}


def bytes_of(model):
    """The XML and the weights of a model."""
    with tempfile.TemporaryDirectory(prefix="rondo") as folder:
        path = pathlib.Path(folder) / "model.xml"
        save_model(model, path)
        return path.read_bytes(), path.with_suffix(".bin").read_bytes()


def precision_of(element_type):
    """The type as ports spell it."""
    name = str(Type(element_type))
    return _PRECISIONS.get(name, name.upper())


def split_names(text):
    """The tensor names in a port's attribute `names`, as core/ir/xml_elements.cpp reads them."""
    return [name.replace("\\,", ",") for name in re.split(r"(?<!\\),", text) if name]


def join_names(names):
    """The attribute `names` of these tensor names. Raises ModelError where the IR can't hold them."""
    escaped = [name.replace(",", "\\,") for name in sorted(set(names)) if name]
    for one, next_one in zip(escaped, escaped[1:]):
        if one.endswith("\\"):
            raise ModelError(f"tensor name '{next_one}' follows one that ends in a backslash, which "
                             "the IR can't hold")
    return ",".join(escaped)


def _parse(xml):
    """The root of an IR. Raises ModelError for a name with a character that XML has not."""
    try:
        return ElementTree.fromstring(xml)
    except ElementTree.ParseError as error:
        line, column = error.position
        text = xml.split(b"\n")[line - 1].decode("utf-8", "backslashreplace")
        value = text[:column].rpartition('"')[2] + text[column:].partition('"')[0]
        value = re.sub(r"&#(\d+);", lambda number: chr(int(number[1])), value)
        raise ModelError(f"the model's name {value!r} has a character that XML can't hold; rename it "
                         "by set_friendly_name() or set_names()") from None


def _text_of(shape):
    return ",".join(str(extent) for extent in shape)


def _add_port(parent, number, element_type, shape):
    port = ElementTree.SubElement(parent, "port", id=str(number),
                                  precision=precision_of(element_type))
    for extent in shape:
        text = str(extent)
        ElementTree.SubElement(port, "dim").text = text if text.isdigit() else "-1"
    return port


class Place:
    """An output of a layer, with its type and shape."""

    def __init__(self, layer, port, element_type, shape):
        self.layer = layer
        self.port = port
        self.element_type = Type(element_type)
        self.shape = list(shape)


class IrModel:
    """The IR of a model."""

    def __init__(self, model):
        self.model = model
        xml, weights = bytes_of(model)
        self.net = _parse(xml)
        self.net.attrib.pop("weights_digest", None)  # the weights are going to change
        self.weights = bytearray(weights)
        self.layers = self.net.find("layers")
        self.edges = self.net.find("edges")
        self._next = 1 + max((int(layer.get("id")) for layer in self.layers), default=-1)

    def apply(self):
        """Makes the model what this IR says. On an error the model stays as it is."""
        xml = ElementTree.tostring(self.net)
        self.model._assign(Core().read_model(xml, bytes(self.weights)))

    def of_type(self, *types):
        """The layers of these types, in the order of the file: that of inputs and outputs."""
        return [layer for layer in self.layers if layer.get("type") in types]

    def by_name(self, name):
        """The layer of that name; None where there is none."""
        return next((layer for layer in self.layers if layer.get("name") == name), None)

    def set_input_type(self, index, element_type, shape):
        """Gives a Parameter another type and shape; returns its place."""
        layer = self.of_type("Parameter")[index]
        data = layer.find("data")
        data.set("element_type", str(Type(element_type)))
        data.set("shape", _text_of(shape))
        output = layer.find("output")
        old = output.find("port")
        output.remove(old)
        port = _add_port(output, 0, element_type, shape)
        port.set("id", old.get("id"))
        if old.get("names"):
            port.set("names", old.get("names"))
        return Place(layer, port.get("id"), element_type, shape)

    def readers(self, place):
        """The edges that leave a place."""
        key = (place.layer.get("id"), place.port)
        return [edge for edge in self.edges
                if (edge.get("from-layer"), edge.get("from-port")) == key]

    def source_of(self, layer):
        """The one edge that enters a Result."""
        return next(edge for edge in self.edges if edge.get("to-layer") == layer.get("id"))

    def start_of(self, edge):
        """The layer and its port that an edge leaves."""
        layer = next(one for one in self.layers if one.get("id") == edge.get("from-layer"))
        return layer, next(port for port in layer.findall("output/port")
                           if port.get("id") == edge.get("from-port"))

    def connect(self, edges, place):
        """Lets edges start at a place."""
        for edge in edges:
            edge.set("from-layer", place.layer.get("id"))
            edge.set("from-port", place.port)

    def _new_layer(self, name, kind, version):
        taken = {layer.get("name") for layer in self.layers}
        unique, count = name, 1
        while unique in taken:
            count += 1
            unique = f"{name}_{count}"
        layer = ElementTree.SubElement(self.layers, "layer", id=str(self._next), name=unique,
                                       type=kind, version=version)
        self._next += 1
        return layer

    def constant(self, name, array):
        """A new constant."""
        array = numpy.ascontiguousarray(array)
        element_type = Type(array.dtype)
        self.weights.extend(b"\0" * (-len(self.weights) % 64))
        layer = self._new_layer(name, "Const", "opset1")
        ElementTree.SubElement(layer, "data", element_type=str(element_type),
                               shape=_text_of(array.shape), offset=str(len(self.weights)),
                               size=str(array.nbytes))
        self.weights.extend(array.tobytes())
        _add_port(ElementTree.SubElement(layer, "output"), 0, element_type, array.shape)
        return Place(layer, "0", element_type, array.shape)

    def op(self, name, kind, sources, element_type, shape, **attributes):
        """A new layer that reads these places; returns the place of its result."""
        layer = self._new_layer(name, kind, "opset1")
        if attributes:
            ElementTree.SubElement(layer, "data", **attributes)
        inputs = ElementTree.SubElement(layer, "input")
        for number, source in enumerate(sources):
            _add_port(inputs, number, source.element_type, source.shape)
            self._connect(source, layer, number)
        _add_port(ElementTree.SubElement(layer, "output"), len(sources), element_type, shape)
        return Place(layer, str(len(sources)), element_type, shape)

    def result(self, place):
        """A new output of the model."""
        layer = self._new_layer(f"{place.layer.get('name')}/result", "Result", "opset1")
        _add_port(ElementTree.SubElement(layer, "input"), 0, place.element_type, place.shape)
        self._connect(place, layer, 0)

    def _connect(self, place, layer, port):
        ElementTree.SubElement(self.edges, "edge", {
            "from-layer": place.layer.get("id"), "from-port": place.port,
            "to-layer": layer.get("id"), "to-port": str(port)})
