"""Runs each Python idiom of bindings/openvino/README.md and checks what the page says of it.

RONDO_OV=openvino runs the idioms that are said to be the same with OpenVINO itself, and compares what
they give there and here.
"""

import importlib
import importlib.util
import os
import pathlib
import re
import tempfile
import unittest

import numpy as np
import support
from plain_values import are_equal, values_of

NAME = os.environ.get("RONDO_OV", "rondo")
ov = importlib.import_module(NAME)
ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "bindings/openvino/README.md"
MODEL = str(ROOT / "tests/data/ir/lstm_model.xml")
ONNX = str(ROOT / "docs/samples/digits/digits_lstm.onnx")
ROW = re.compile(r"^\| `(.*?)` \| (\w+) \| (.*?) ?\|$", re.MULTILINE)
LEAST_ROWS = 60
# What depends on the machine and the moment: the same kind of value is enough.
VARYING = ("latency", "build_number", "OPTIMAL_NUMBER_OF_INFER_REQUESTS", "profiling")


def names(folder, name=NAME):
    ov = importlib.import_module(name)
    core = ov.Core()
    if name != "rondo":
        core.set_property("CPU", {"INFERENCE_PRECISION_HINT": "f32"})  # Rondo's numbers are f32
    model = core.read_model(MODEL)
    compiled = core.compile_model(model, "CPU")
    ops = importlib.import_module(f"{name}.opset15")
    return {"ov": ov, "np": np, "core": core, "model": model, "compiled": compiled,
            "request": compiled.create_infer_request(), "x": np.ones((1, 2, 3), np.float32),
            "xml": pathlib.Path(MODEL).read_bytes(),
            "bin": pathlib.Path(MODEL).with_suffix(".bin").read_bytes(),
            "hint": ov.properties.hint, "PrePostProcessor": ov.preprocess.PrePostProcessor,
            "ops": ops, "p": ops.parameter([1, 2], np.float32), "MODEL": MODEL, "ONNX": ONNX, "folder": folder}


def run(idiom):
    with tempfile.TemporaryDirectory() as folder:
        space = names(folder)
        if "torch" in idiom:
            try:
                space["torch"] = importlib.import_module("torch")
            except ImportError:
                return False
        exec(compile(idiom, idiom, "exec"), space)
    return True


class TableTest(unittest.TestCase):
    text = PAGE.read_text().partition("\n## C++\n")[0]
    rows = ROW.findall(text)

    def test_the_page_has_rows(self):
        lines = [line for line in self.text.splitlines() if line.startswith("| `")]
        self.assertEqual(len(self.rows), len(lines))
        self.assertGreaterEqual(len(self.rows), LEAST_ROWS)
        self.assertLessEqual({verdict for _, verdict, _ in self.rows},
                             {"same", "differs", "absent"})
        for idiom, verdict, note in self.rows:
            self.assertTrue(verdict == "same" or note, idiom)

    def test_the_page_counts_its_rows(self):
        texts = []
        for half in PAGE.read_text().split("\n## C++\n"):
            verdicts = [verdict for _, verdict, _ in ROW.findall(half)]
            runs = len(verdicts) - verdicts.count("absent")
            texts.append((f"{runs} of {len(verdicts)}", f", {verdicts.count('same')} of them without"))
        (python, same), (cpp, same_cpp) = texts
        self.assertIn(f"In Python {python} rows run{same} a difference; in C++ {cpp}{same_cpp} one.",
                      [line for line in self.text.splitlines() if line.startswith("In Python ")])

    def test_idioms_that_work(self):
        for idiom, verdict, _ in self.rows:
            if verdict == "same" or (verdict == "differs" and NAME == "rondo"):
                with self.subTest(idiom):
                    run(idiom)

    @unittest.skipUnless(NAME == "openvino" and importlib.util.find_spec("rondo"),
                         "needs OpenVINO and Rondo")
    def test_idioms_give_the_same_values(self):
        for idiom, verdict, _ in self.rows:
            if verdict == "same" and not any(one in idiom for one in VARYING):
                with self.subTest(idiom), tempfile.TemporaryDirectory() as folder:
                    here = values_of(idiom, names(folder, "rondo"))
                    there = values_of(idiom, names(folder, "openvino"))
                    self.assertTrue(are_equal(here, there), f"\nRondo:    {here}\nOpenVINO: {there}")

    @unittest.skipUnless(NAME == "rondo", "Rondo's own refusals")
    def test_idioms_that_are_refused(self):
        for idiom, verdict, note in self.rows:
            if verdict == "absent":
                with self.subTest(idiom):
                    with self.assertRaises((ov.Error, AttributeError)) as refused:
                        if not run(idiom):
                            raise ov.Error(note)  # what it needs isn't installed
                    self.assertIn(note.strip("`"), str(refused.exception))


if __name__ == "__main__":
    support.main()
