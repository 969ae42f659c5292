"""Runs an ONNX model in onnxruntime with Rondo's plugin, by each way in.

Usage: onnxruntime_python.py MODEL [SHAPE]   (of its first input: 1,8,8)
"""

import os
import sys
import tempfile

import numpy as np

import onnxruntime as ort
import onnxruntime_ep_rondo as plugin


def by_name(path):
    """onnxruntime 1.25 and newer."""
    session = ort.InferenceSession(path, providers=[(plugin.get_ep_name(), {"num_threads": "2"})])
    return session


def by_device(path):
    device = next(one for one in ort.get_ep_devices() if one.ep_name == plugin.get_ep_name())
    options = ort.SessionOptions()
    options.add_provider_for_devices([device], {"num_threads": "2"})
    session = ort.InferenceSession(path, sess_options=options)
    return session


def as_custom_operators(path):
    options = ort.SessionOptions()
    options.register_custom_ops_library(plugin.get_library_path())
    session = ort.InferenceSession(path, sess_options=options)
    return session


def from_compiled_model(path):
    with tempfile.TemporaryDirectory() as folder:
        compiled = os.path.join(folder, "model_ctx.onnx")
        write_compiled_model(path, compiled)
        return by_device(compiled)


def write_compiled_model(path, compiled):
    device = next(one for one in ort.get_ep_devices() if one.ep_name == plugin.get_ep_name())
    options = ort.SessionOptions()
    options.add_session_config_entry("ep.context_enable", "1")
    options.add_session_config_entry("ep.context_file_path", compiled)  # model_ctx.onnx, if it isn't said
    options.add_provider_for_devices([device], {"num_threads": "2"})
    ort.InferenceSession(path, sess_options=options)


def main():
    path = sys.argv[1]
    shape = [int(extent) for extent in sys.argv[2].split(",")] if len(sys.argv) > 2 else [1, 8, 8]
    ort.register_execution_provider_library("rondo", plugin.get_library_path())
    ways = [by_device, as_custom_operators, from_compiled_model]
    if tuple(int(part) for part in ort.__version__.split(".")[:2]) >= (1, 25):
        ways.append(by_name)
    for way in ways:
        session = way(path)
        x = np.full(shape, 0.5, np.float32)
        y = session.run(None, {session.get_inputs()[0].name: x})[0]
        print(way.__name__, session.get_providers()[0], y.shape, np.round(y.ravel()[:4], 4))


if __name__ == "__main__":
    main()
