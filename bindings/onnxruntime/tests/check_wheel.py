#!/usr/bin/env python3
"""Checks a finished wheel of the plugin: what it holds, and that the newest onnxruntime runs it.

Usage: check_wheel.py WHEEL FOLDER. A new virtual environment is made in FOLDER with this Python; pip
fetches onnxruntime.
"""

import pathlib
import re
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
DIGITS = ROOT / "docs/samples/digits/digits_lstm.onnx"
BUNDLED = ("libpugixml", "libtbb", "libprotobuf-lite")
MOST_MEGABYTES = 6

PROGRAM = """
import numpy as np
import onnxruntime as ort
import onnxruntime_ep_rondo as plugin

assert plugin.get_ep_names() == [plugin.get_ep_name()] == ["RondoExecutionProvider"]
ort.register_execution_provider_library("rondo", plugin.get_library_path())
session = ort.InferenceSession({model!r}, providers=[plugin.get_ep_name()])
assert session.get_providers()[0] == plugin.get_ep_name(), session.get_providers()
x = np.random.default_rng(1).random((1, 8, 8), np.float32)
plain = ort.InferenceSession({model!r}, providers=["CPUExecutionProvider"])
got, expected = (one.run(None, {{"pixels": x}})[0] for one in (session, plain))
assert np.abs(got - expected).max() < 1e-4, (got, expected)
print("onnxruntime", ort.__version__, "runs the plugin")
"""


def fail(text):
    sys.exit(f"check_wheel: {text}")


def check_contents(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    for pattern in (r"onnxruntime_ep_rondo/__init__\.py", r"onnxruntime_ep_rondo/py\.typed",
                    r"onnxruntime_ep_rondo/librondo_onnxruntime_ep\.so",
                    r"onnxruntime_ep_rondo/LICENSE", r"onnxruntime_ep_rondo/NOTICE",
                    *(rf"onnxruntime_ep_rondo\.libs/{name}-.*" for name in BUNDLED)):
        if not any(re.fullmatch(pattern, name) for name in names):
            fail(f"{wheel.name} holds nothing like {pattern}:\n" + "\n".join(names))
    if not re.search(r"-py3-none-manylinux_\d+_\d+_", wheel.name):
        fail(f"{wheel.name} isn't for every Python")
    megabytes = wheel.stat().st_size / 1e6
    if megabytes > MOST_MEGABYTES:
        fail(f"{wheel.name} has {megabytes:.1f} MB; expected {MOST_MEGABYTES} at most")
    print(f"{wheel.name}: {megabytes:.1f} MB, {len(names)} files")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    wheel, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    check_contents(wheel)
    subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
    subprocess.run([folder / "bin/pip", "install", "-q", "onnxruntime>=1.25", wheel], check=True)
    subprocess.run([folder / "bin/python", "-c", PROGRAM.format(model=str(DIGITS))], check=True)


if __name__ == "__main__":
    main()
