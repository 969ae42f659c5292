"""Every public name of OpenVINO's is there, or says what to do instead. Needs OpenVINO beside Rondo."""

import pathlib
import sys
import unittest

import numpy as np
import rondo
import support

try:
    import openvino
except ImportError:
    print("OpenVINO is not installed")
    sys.exit(support.SKIPPED)

MODEL = pathlib.Path(__file__).resolve().parents[3] / "tests/data/ir/lstm_model.xml"
# Parts of Python's enums, whose like are texts here; and a module's own version.
LEFT_OUT = ("name", "value", "get_version")


def things(ov, properties):
    """{what it is: one object of each class, and each module}"""
    model = ov.Core().read_model(MODEL)
    compiled = ov.compile_model(model, "CPU")
    request = compiled.create_infer_request()
    result = model.get_results()[0]
    pre = ov.preprocess.PrePostProcessor(model)
    found = [ov, ov.preprocess, ov.Core(), model, compiled, request, request.infer([np.zeros((1, 2, 3), "f")]),
             compiled.output(0), model.output(0), result, result.input(0), ov.Tensor(np.zeros(1)), ov.Type,
             ov.Type.f32, ov.PartialShape([1]), ov.Shape([1]), ov.Dimension(1), ov.Layout("NC"),
             ov.AsyncInferQueue(compiled, 1), ov.ProfilingInfo, pre, pre.input(), pre.output(0),
             pre.input().tensor(), pre.input().model(), pre.input().preprocess(), pre.output(0).tensor(),
             pre.output(0).model(), pre.output(0).postprocess(), ov.Core().get_versions("CPU")["CPU"]]
    modules = [properties, *(getattr(properties, name) for name in ("device", "hint", "intel_cpu", "log", "streams"))]
    return found + modules


def has_or_explains(owner, name):
    try:
        getattr(owner, name)
    except rondo.Error:
        return True  # it is there, but not for this model
    except AttributeError as error:
        return ": " in str(error)
    return True


class NamesTest(unittest.TestCase):
    def test_each_name_is_there_or_has_a_reason(self):
        theirs = things(openvino, openvino._pyopenvino.properties)
        for their, our in zip(theirs, things(rondo, rondo.properties)):
            lacking = [name for name in dir(their) if not name.startswith("_") and
                       name not in LEFT_OUT and not has_or_explains(our, name)]
            with self.subTest(repr(our)):
                self.assertEqual(lacking, [])


if __name__ == "__main__":
    support.main()
