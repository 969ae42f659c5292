"""Runs one inference: hello_python.py ../samples/digits/digits_lstm.onnx pixels 1,8,8"""

import sys

import numpy
import rondo


def main(path, name, shape):
    core = rondo.Core()
    model = core.read_model(path)
    model.reshape({name: shape})
    compiled = core.compile_model(model, "CPU")
    x = numpy.full(compiled.input(name).shape, 0.5, numpy.float32)
    result = compiled({name: x})
    for port, array in result.items():
        print(port.any_name, array.shape, array.ravel()[:4])


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: hello_python.py MODEL INPUT SHAPE")
    try:
        main(*sys.argv[1:])
    except rondo.Error as error:
        sys.exit(f"hello: {error}")
