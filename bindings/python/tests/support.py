"""Small models as IR text, so that the tests need no other package, and a runner."""

import contextlib
import sys
import threading
import time
import unittest

# The exit code that ctest counts as "skipped".
SKIPPED = 77


class Failure(Exception):
    """What a callback raises."""


class Marked(dict):
    """Userdata of which a test sees when it is gone."""


def dims(shape):
    return "".join(f"<dim>{extent}</dim>" for extent in shape)


def text_of(shape):
    return ",".join("?" if extent == -1 else str(extent) for extent in shape)


def precision(element_type):
    """The name of a type in ports: FP32, I64, BOOL."""
    return {"boolean": "BOOL"}.get(element_type, element_type.upper().replace("F", "FP", 1)
                                   if element_type.startswith("f") else element_type.upper())


def port(number, shape, names=None, element_type="f32"):
    attribute = f' names="{names}"' if names else ""
    return (f'<port id="{number}" precision="{precision(element_type)}"{attribute}>'
            f"{dims(shape)}</port>")


def parameter(number, name, shape, element_type):
    return (f'<layer id="{number}" name="{name}" type="Parameter" version="opset1">'
            f'<data shape="{text_of(shape)}" element_type="{element_type}"/>'
            f'<output>{port(0, shape, name, element_type)}</output></layer>')


def layer(number, op, inputs, output, attributes=""):
    """A layer with ports 0.. for inputs and the next one for its output; Result has no output."""
    ports = "".join(port(i, shape) for i, shape in enumerate(inputs))
    made = f"<output>{port(len(inputs), *output)}</output>" if output else ""
    return (f'<layer id="{number}" name="{op}_{number}" type="{op}" version="opset1">{attributes}'
            f"<input>{ports}</input>{made}</layer>")


def net(layers, edges):
    lines = "".join(
        f'<edge from-layer="{a}" from-port="{p}" to-layer="{b}" to-port="{q}"/>'
        for a, p, b, q in edges)
    return (f'<?xml version="1.0"?><net name="test" version="11"><layers>{"".join(layers)}'
            f"</layers><edges>{lines}</edges></net>").encode()


def unary(op="ReLU", shape=(1, 8), element_type="f32"):
    """x -> y = op(x)."""
    return net([parameter(0, "x", shape, element_type), layer(1, op, [shape], (shape, "y")),
                layer(2, "Result", [shape], None)],
               [(0, 0, 1, 0), (1, 1, 2, 0)])


def passing(element_type, shape=(2, 3)):
    """x -> y = x, for any element type."""
    data = f'<data destination_type="{element_type}"/>'
    return net([parameter(0, "x", shape, element_type),
                layer(1, "Convert", [shape], (shape, "y"), data),
                layer(2, "Result", [shape], None)],
               [(0, 0, 1, 0), (1, 1, 2, 0)])


def two_in_two_out(shape=(1, 4)):
    """a, b -> sum = a + b, difference = a - b."""
    pair = [shape, shape]
    return net([parameter(0, "a", shape, "f32"), parameter(1, "b", shape, "f32"),
                layer(2, "Add", pair, (shape, "sum")),
                layer(3, "Subtract", pair, (shape, "difference")),
                layer(4, "Result", [shape], None), layer(5, "Result", [shape], None)],
               [(0, 0, 2, 0), (1, 0, 2, 1), (0, 0, 3, 0), (1, 0, 3, 1), (2, 2, 4, 0),
                (3, 2, 5, 0)])


def running_sum(shape=(-1, 2)):
    """x -> y = the sum of all x so far, which the variable "sum" keeps."""
    value = (f'<data variable_id="sum" variable_type="f32" variable_shape="{text_of(shape)}"/>')
    read = layer(1, "ReadValue", [], (shape,), value).replace("opset1", "opset6")
    keep = layer(3, "Assign", [shape], (shape,), '<data variable_id="sum"/>')
    return net([parameter(0, "x", shape, "f32"), read,
                layer(2, "Add", [shape, shape], (shape, "y")),
                keep.replace("opset1", "opset6"), layer(4, "Result", [shape], None)],
               [(0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0), (2, 2, 4, 0)])


def slow_chain(links=200, size=200):
    """x -> y = (x x x ... x), enough matrix products to take a while."""
    shape = (size, size)
    layers = [parameter(0, "x", shape, "f32")]
    edges = []
    source = (0, 0)
    for number in range(1, links + 1):
        layers.append(layer(number, "MatMul", [shape, shape], (shape, f"y{number}")))
        edges += [(*source, number, 0), (0, 0, number, 1)]
        source = (number, 2)
    layers.append(layer(links + 1, "Result", [shape], None))
    return net(layers, edges + [(*source, links + 1, 0)])


@contextlib.contextmanager
def frequent_switches():
    """Makes Python switch threads as often as possible, so that races show."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def run_in_threads(work, count):
    """Calls work(0), work(1), ... each in a thread of its own."""
    threads = [threading.Thread(target=work, args=(i,)) for i in range(count)]
    with frequent_switches():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def wait_until(holds, seconds=30):
    """Whether it holds within that time."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.001)
    return True


def main():
    """Runs the calling file's tests; skips the file where NumPy is missing."""
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("skipped: this Python has no NumPy")
        sys.exit(SKIPPED)
    unittest.main(module="__main__", verbosity=1)
