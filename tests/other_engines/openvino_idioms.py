#!/usr/bin/env python3
"""Runs the C++ idioms of bindings/openvino/README.md that are the same with OpenVINO's own headers.

Usage: openvino_idioms.py. Needs the Python package openvino (its wheel has headers and libraries)
and a C++ compiler, $CXX or c++.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings/openvino/tests"))
import cpp_idioms  # noqa: E402


def run_idioms(package):
    """The exit code of the program; `package` is the folder of the Python package openvino."""
    chosen = [row for row in cpp_idioms.rows() if row[2] == "same"]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "idioms.cpp"
        program = pathlib.Path(folder) / "idioms"
        source.write_text(cpp_idioms.source(chosen, "openvino"))
        libraries = package / "libs"
        subprocess.run([os.environ.get("CXX", "c++"), "-std=c++17", str(source), "-o", str(program),
                        f"-I{package / 'include'}", *map(str, libraries.glob("libopenvino.so.*")),
                        f"-Wl,-rpath,{libraries}"], check=True)
        return subprocess.run([str(program), str(ROOT / "tests/data/ir"), folder + "/scratch"],
                              check=False).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0],
                                     epilog="Needs the Python package openvino and a C++ compiler, "
                                            "$CXX or c++.")
    parser.parse_args()
    try:
        import openvino
    except ImportError:
        parser.error("the Python package openvino isn't here: pip install openvino")
    return run_idioms(pathlib.Path(openvino.__file__).parent)


if __name__ == "__main__":
    sys.exit(main())
