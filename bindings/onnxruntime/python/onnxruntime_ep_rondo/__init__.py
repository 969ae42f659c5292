"""The plugin with which onnxruntime runs models on Rondo.

    import onnxruntime as ort, onnxruntime_ep_rondo as plugin

    ort.register_execution_provider_library("rondo", plugin.get_library_path())
    session = ort.InferenceSession("model.onnx", providers=[plugin.get_ep_name()])

The names of these functions are those of onnxruntime's other plugins.
"""

import pathlib

__all__ = ["get_ep_name", "get_ep_names", "get_library_path"]


def get_library_path() -> str:
    """The library for register_execution_provider_library(), or register_custom_ops_library()."""
    return str(pathlib.Path(__file__).resolve().parent / "librondo_onnxruntime_ep.so")


def get_ep_name() -> str:
    """The name of the execution provider."""
    return "RondoExecutionProvider"


def get_ep_names() -> "list[str]":
    """The names of all execution providers of the library: one."""
    return [get_ep_name()]
