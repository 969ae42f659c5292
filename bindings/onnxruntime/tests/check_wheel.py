#!/usr/bin/env python3
"""Checks a finished wheel of the plugin: what it holds, that the newest onnxruntime runs it, and that
other libraries of the same program don't get in its way.

Usage: check_wheel.py WHEEL FOLDER. A new virtual environment is made in FOLDER with this Python; pip
fetches onnxruntime.
"""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/wheel"))
import wheel_checks
from wheel_checks import fail

DIGITS = ROOT / "docs/samples/digits/digits_lstm.onnx"
PACKAGE = "onnxruntime_ep_rondo"
CHECK_EXPORTS = ROOT / "tests/unit/bindings/onnxruntime/check_symbols.py"

PROGRAM = """
import numpy as np
import onnxruntime as ort
import onnxruntime_ep_rondo as plugin

assert plugin.get_ep_names() == [plugin.get_ep_name()] == ["RondoExecutionProvider"]
ort.register_execution_provider_library("rondo", plugin.get_library_path())
session = ort.InferenceSession({model!r}, providers=[(plugin.get_ep_name(), {{"num_threads": "2"}})])
assert session.get_providers()[0] == plugin.get_ep_name(), session.get_providers()
x = np.random.default_rng(1).random((1, 8, 8), np.float32)
plain = ort.InferenceSession({model!r}, providers=["CPUExecutionProvider"])
got, expected = (one.run(None, {{"pixels": x}})[0] for one in (session, plain))
assert np.abs(got - expected).max() < 1e-4, (got, expected)
print("onnxruntime", ort.__version__, "runs the plugin")
"""


def check_name(wheel):
    wheel_checks.check_name(wheel)
    if not re.search(r"-py3-none-manylinux_\d+_\d+_", wheel.name):
        fail(f"{wheel.name} isn't for every Python")


def run_program(folder, program, **variables):
    program = program.format(model=str(DIGITS))
    subprocess.run([folder / "bin/python", "-c", program], check=True,
                   env={**os.environ, **variables})


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    wheel, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    check_name(wheel)
    wheel_checks.check_contents(
        wheel, PACKAGE, rf"{PACKAGE}/__init__\.py", rf"{PACKAGE}/py\.typed",
        rf"{PACKAGE}/librondo_onnxruntime_ep\.so", rf"{PACKAGE}/LICENSE", rf"{PACKAGE}/NOTICE")
    os.environ.pop("PYTHONPATH", None)
    subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
    subprocess.run([folder / "bin/pip", "install", "-q", "onnxruntime>=1.25", wheel], check=True)
    run_program(folder, PROGRAM)
    (package,) = folder.glob(f"lib/python*/site-packages/{PACKAGE}")
    subprocess.run([sys.executable, CHECK_EXPORTS, package / "librondo_onnxruntime_ep.so"], check=True)
    hostile = wheel_checks.hostile_library(wheel_checks.package_files(package), folder)
    run_program(folder, wheel_checks.IS_HOSTILE + PROGRAM.replace(
        "runs the plugin", "runs it beside others' libraries"), LD_PRELOAD=str(hostile))


if __name__ == "__main__":
    main()
