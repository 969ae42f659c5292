"""Rondo compiles recurrent networks and runs them on CPUs.

The names are those of OpenVINO's Python API, so that `import rondo as ov` runs common programs.
NumPy is imported with this package, onnx only when something needs it.
"""

from __future__ import annotations as _annotations

import importlib as _importlib
from collections.abc import Mapping as _Mapping

from rondo import _interpreter

_interpreter.check_main()

from rondo._rondo import *  # noqa: E402, F403
from rondo._rondo import _version  # noqa: E402

_interpreter.check_gil()  # the extension module enables the lock if it may

# They need the classes above.
from rondo import _drawing, _pickling  # noqa: E402, F401
from rondo._openvino import absent as _absent, members as _members  # noqa: E402, F401
from rondo._openvino.convert import convert_model, set_batch  # noqa: E402, F401
from rondo._openvino.layout import Layout  # noqa: E402, F401
from rondo._openvino.ops import OPSETS as _OPSETS  # noqa: E402
from rondo._openvino.types import DiscreteTypeInfo, Input  # noqa: E402, F401

__version__ = _version

_Mapping.register(OVDict)
Model._repr_html_ = _drawing.to_html
Model._repr_svg_ = _drawing.to_svg
_absent.explain_all()


def compile_model(model: _Model, device_name: str | None = "AUTO",
                  config: _Config | None = None) -> CompiledModel:  # noqa: F405
    """Reads and compiles a model with a Core of its own: Core.compile_model()."""
    return Core().compile_model(model, device_name, config)


def make_stateful(model: _Model, pairs: _Pairs | None = None) -> Model:
    """Returns a copy of the model that keeps its states; a path or bytes are read first.

    pairs: {input: output} or a list of pairs of an input and the output that is its next value.
    None finds them, or else the layers that start from zeros.
    """
    model = model.clone() if isinstance(model, Model) else Core().read_model(model)
    model.make_stateful(pairs)
    return model


__all__ = sorted(name for name in globals() if not name.startswith("_"))
_explain = _absent.explainer(__name__, _absent.OF_RONDO)


def __getattr__(name):
    if name in ("backend", "preprocess", "properties", "ray", "spark", "trace"):
        return _importlib.import_module(f"rondo.{name}")
    return _OPSETS[name] if name in _OPSETS else _explain(name)
