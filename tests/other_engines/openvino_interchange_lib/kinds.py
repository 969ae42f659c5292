"""The ways in which OpenVINO writes a model: types of weights, and states as variables."""

import numpy
import openvino
import openvino._offline_transformations as offline
import openvino.opset13 as ops

KINDS = ("f32", "f16", "unfolded", "i8", "u8", "i4", "u4", "nf4", "stateful", "low_latency", "loops")
NARROW = {"u8": (0, 255), "i8": (-128, 127), "u4": (0, 15), "i4": (-8, 7)}
LEAST_EXTENT = 2  # other constants than matrices stay as they are


def integer_weights(kind, values):
    """Constant -> Convert -> Subtract -> Multiply, a scale for each row."""
    low, high = NARROW[kind]
    rows = values.reshape(-1, values.shape[-1])
    least, most = rows.min(1), rows.max(1)
    scale = numpy.maximum((most - least) / (high - low), 1e-6).astype("f4")
    zero = numpy.clip(numpy.round(low - least / scale), low, high)
    codes = numpy.clip(numpy.round(rows / scale[:, None] + zero[:, None]), low, high)
    column = (*values.shape[:-1], 1)
    kept = constant_of(kind, codes.reshape(values.shape))
    offset = constant_of(kind, zero.reshape(column))
    wide = ops.subtract(ops.convert(kept, "f32"), ops.convert(offset, "f32"))
    return ops.multiply(wide, ops.constant(scale.reshape(column)))


def constant_of(kind, values):
    element = getattr(openvino.Type, kind)
    if kind in ("u8", "i8"):
        return ops.constant(values.astype("u1" if kind == "u8" else "i1"))
    return openvino.op.Constant(element, openvino.Shape(values.shape),
                                values.astype("i4").flatten().tolist())


def nf4_weights(values):
    """Constant of nf4 -> Convert -> Multiply, a scale for each row."""
    rows = values.reshape(-1, values.shape[-1])
    scale = numpy.maximum(numpy.abs(rows).max(1), 1e-6).astype("f4")
    unit = (rows / scale[:, None]).astype("f4")
    kept = openvino.op.Constant(openvino.Type.nf4, openvino.Shape(values.shape),
                                unit.flatten().tolist())
    return ops.multiply(ops.convert(kept, "f32"),
                        ops.constant(scale.reshape((*values.shape[:-1], 1))))


def compress(model, kind):
    """Returns whether there was anything to compress."""
    found = False
    for node in model.get_ordered_ops():
        if node.get_type_name() != "Constant" or node.get_element_type() != openvino.Type.f32:
            continue
        values = numpy.array(node.data)
        if values.ndim < 2 or min(values.shape[-2:]) < LEAST_EXTENT:
            continue
        made = nf4_weights(values) if kind == "nf4" else integer_weights(kind, values)
        made.set_friendly_name(node.get_friendly_name() + "/narrow")
        for consumer in node.output(0).get_target_inputs():
            consumer.replace_source_output(made.output(0))
        found = True
    return found


def low_latency(model):
    offline.apply_low_latency_transformation(model, True)
    if not model.get_sinks():
        raise ValueError("nothing to keep")


def as_loops(model):
    """Sequences become TensorIterators over cells."""
    offline.convert_sequence_to_tensor_iterator_transformation(model)
    if all(node.get_type_name() != "TensorIterator" for node in model.get_ops()):
        raise ValueError("no sequence")


def write(path, kind, target, pairs=None):
    """`path`: an ONNX model or an IR. `kind`: one of KINDS; unfolded: without the passes that
    OpenVINO's converter runs. Raises ValueError where the model has nothing of that kind."""
    is_read = kind == "unfolded" or path.endswith(".xml")
    model = openvino.Core().read_model(path) if is_read else openvino.convert_model(path)
    if kind in NARROW or kind == "nf4":
        if not compress(model, kind):
            raise ValueError("nothing to compress")
    elif kind == "stateful":
        if not pairs:
            raise ValueError("nothing to keep")
        offline.apply_make_stateful_transformation(model, pairs)
    elif kind == "low_latency":
        low_latency(model)
    elif kind == "loops":
        as_loops(model)
    if kind == "f16":
        openvino.save_model(model, target, compress_to_fp16=True)
    else:
        openvino.serialize(model, target)
