"""What users call to describe steps; PrePostProcessor.build() writes them into the model."""

from rondo._openvino.layout import layout_from
from rondo._rondo import PartialShape, Type, UnsupportedError
from rondo.preprocess import _build


class _Info:
    def __init__(self):
        self.tensor_type = None
        self.tensor_layout = None
        self.tensor_shape = None
        self.model_layout = None
        self.steps = []

    def __str__(self):
        """What was set: "tensor_type=u8, steps=[arithmetic Subtract 0.5]"."""
        steps = ", ".join(" ".join(map(str, (step, *arguments))) for step, arguments in self.steps)
        facts = {**vars(self), "steps": f"[{steps}]" if steps else None}
        return ", ".join(f"{name}={value}" for name, value in facts.items() if value is not None)


class _Part:
    """A view of one input's or output's settings."""

    # Steps for images: what users call, in OpenVINO, that Rondo has no ops for.
    _REFUSED: "tuple[str, ...]" = ()

    def __init__(self, info):
        self._info = info

    def __getattr__(self, name):
        if name in self._REFUSED:
            raise UnsupportedError(f"preprocess: '{name}' belongs to images, which Rondo doesn't "
                                   "prepare; do it before the call")
        raise AttributeError(f"'{type(self).__name__}' has no attribute '{name}'")


class OutputTensorInfo(_Part):
    """What the program gets."""

    def set_element_type(self, type):
        """The type of the tensor; where the model's is another one, the elements are converted."""
        self._info.tensor_type = Type(type)
        return self

    def set_layout(self, layout):
        """The layout of the tensor; where the model's is another one, it is transposed."""
        self._info.tensor_layout = layout_from(layout)
        return self


class InputTensorInfo(OutputTensorInfo):
    """What the program passes."""

    _REFUSED = ("set_color_format", "set_spatial_static_shape", "set_spatial_dynamic_shape",
                "set_memory_type")

    def set_shape(self, shape):
        """The shape of the tensor."""
        self._info.tensor_shape = PartialShape(shape)
        return self

    def set_from(self, runtime_tensor):
        """The type and shape of a tensor."""
        self._info.tensor_type = runtime_tensor.element_type
        self._info.tensor_shape = PartialShape(list(runtime_tensor.shape))
        return self


class InputModelInfo(_Part):
    """What the model takes."""

    def set_layout(self, layout):
        """The layout of the model's input."""
        self._info.model_layout = layout_from(layout)
        return self


class PreProcessSteps(_Part):
    """Steps between the tensor and the model, in the order of the calls."""

    _REFUSED = ("resize", "convert_color", "reverse_channels", "crop", "pad", "custom")

    def _add(self, step, *arguments):
        self._info.steps.append((step, arguments))
        return self

    def convert_element_type(self, type=Type.f32):
        """Converts to another type; f32 without an argument."""
        return self._add("convert_type", Type(type))

    def convert_layout(self, dst_layout):
        """Transposes: to a Layout, or by a list of axes."""
        if isinstance(dst_layout, (list, tuple)):
            return self._add("transpose", dst_layout)
        return self._add("convert_layout", layout_from(dst_layout))

    def mean(self, value):
        """Subtracts a number, or a list with one a channel (axis C of the layout)."""
        return self._add("arithmetic", "Subtract", value)

    def scale(self, value):
        """Divides by a number, or by a list with one a channel (axis C of the layout)."""
        return self._add("arithmetic", "Divide", value)


class OutputModelInfo(InputModelInfo):
    """What the model gives."""


class PostProcessSteps(_Part):
    """Steps between the model and the tensor, in the order of the calls."""

    _REFUSED = ("custom",)
    _add = PreProcessSteps._add
    convert_element_type = PreProcessSteps.convert_element_type
    convert_layout = PreProcessSteps.convert_layout


class _PortInfo:
    def __init__(self, tensor, model):
        self._info = _Info()
        self._tensor = tensor
        self._model = model

    def tensor(self):
        """What the program passes or gets."""
        return self._tensor(self._info)

    def model(self):
        """What the model takes or gives."""
        return self._model(self._info)


class InputInfo(_PortInfo):
    """The settings of one input."""

    def __init__(self):
        super().__init__(InputTensorInfo, InputModelInfo)

    def preprocess(self):
        """Steps between them."""
        return PreProcessSteps(self._info)


class OutputInfo(_PortInfo):
    """The settings of one output."""

    def __init__(self):
        super().__init__(OutputTensorInfo, OutputModelInfo)

    def postprocess(self):
        """Steps between them."""
        return PostProcessSteps(self._info)


class PrePostProcessor:
    """Collects steps before and after a model; build() makes them part of it.

    input() and output() take a name or an index, or nothing if there is one.
    """

    def __init__(self, model):
        self._model = model
        self._inputs = {}
        self._outputs = {}

    def input(self, key=None):
        """The settings of an input. Raises ModelError where there is no such one."""
        port = self._model.input() if key is None else self._model.input(key)
        return self._inputs.setdefault(port.index, InputInfo())

    def output(self, key=None):
        """The settings of an output. Raises ModelError where there is no such one."""
        port = self._model.output() if key is None else self._model.output(key)
        return self._outputs.setdefault(port.index, OutputInfo())

    def build(self):
        """Changes the model and returns it. On an error it stays as it is."""
        _build.build(self._model, {index: one._info for index, one in self._inputs.items()},
                     {index: one._info for index, one in self._outputs.items()})
        return self._model

    def __repr__(self):
        lines = [f"\n{kind} {index}: {one._info}" for kind, ports in
                 (("input", self._inputs), ("output", self._outputs)) for index, one in ports.items()]
        return f"<PrePostProcessor: '{self._model.friendly_name}'{''.join(lines)}>"
