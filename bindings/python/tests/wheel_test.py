"""Builds the wheel as `pip install .` does and uses it in a clean virtual environment.

Usage: wheel_test.py PREFIX SCRATCH. To save building the library again, the module is linked with
the one installed at PREFIX, whose command the wheel gets too; the rest of pyproject.toml holds. Exits
with 77, skipped, where no Python with scikit-build-core is at hand and none can be had from an index.
tools/wheel.sh builds everything.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
TESTS = ROOT / "bindings/python/tests"
DIGITS = ROOT / "docs/samples/digits/digits_lstm.onnx"
DETECTOR = ROOT / "docs/examples/streaming/detector.xml"
SKIPPED = 77
BUNDLED = re.compile(r"rondo/lib/lib(protobuf|pugixml|tbb)[-a-z]*\.so\.\d+$")
# The libraries that run are the wheel's, though the system may have others.
LOADED = """
import pathlib, re, rondo
maps = pathlib.Path("/proc/self/maps").read_text()
for path in set(re.findall(r"/.*/lib(?:protobuf|pugixml|tbb).*", maps)):
    if pathlib.Path(path).parent != pathlib.Path(rondo.__file__).parent / "lib":
        raise SystemExit(f"{path} is not of the wheel")
"""
NEEDS = "import numpy, pip, venv, scikit_build_core, pybind11, sys; sys.exit(sys.version_info < (3, 9))"


def succeeds(*command):
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def clean_environment(folder, python):
    """A new virtual environment's Python; what the build folder offers is out of its sight."""
    os.environ.pop("PYTHONPATH", None)
    shutil.rmtree(folder, ignore_errors=True)
    if not succeeds(python, "-m", "venv", folder):
        skip(f"{python} can't make virtual environments")
    return str(folder / "bin/python")


def builder(scratch):
    """A Python that can build the wheel."""
    found = [path for path in (sys.executable, shutil.which("python3")) if path]
    for python in found:
        if succeeds(python, "-c", NEEDS):
            return python
    python = clean_environment(scratch / "builder", found[0])
    needed = ["scikit-build-core>=0.10", "pybind11>=2.12", "numpy"]
    if not succeeds(python, "-m", "pip", "install", "-q", *needed):
        skip("scikit-build-core is not here and can't be installed")
    return python


def build(python, prefix, scratch):
    (package,) = pathlib.Path(prefix).glob("lib*/**/cmake/rondo")
    wheels = scratch / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    settings = {"cmake.source-dir": "bindings/python", "build.targets": "rondo_python;rondo_python_files",
                "cmake.define.rondo_DIR": package,
                "cmake.define.CMAKE_CXX_FLAGS_RELEASE": "-O1"}
    # Debian's pip doesn't know the short -C.
    options = [f"--config-settings={key}={value}" for key, value in settings.items()]
    subprocess.run([python, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation",
                    "-w", wheels, *options, ROOT], check=True)
    (wheel,) = wheels.glob("*.whl")
    return wheel


def check_contents(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    package = {name for name in names if ".dist-info/" not in name}
    (module,) = (name for name in package if name.endswith(".so"))
    (library,) = (name for name in package if name.startswith("rondo/lib/librondo.so."))
    expected = {f"rondo/{path.relative_to(folder).as_posix()}"
                for folder in (ROOT / "bindings/python/rondo", ROOT / "bindings/openvino/python")
                for path in folder.rglob("*")
                if path.is_file() and path.suffix in (".py", ".typed")} | {"rondo/__init__.pyi"}
    bundled = {name for name in package if BUNDLED.match(name)}
    if package - {module, library, "rondo/bin/rondo"} - bundled != expected:
        sys.exit(f"the wheel holds {sorted(package)}; expected the module, the library, the command "
                 f"and {sorted(expected)}")
    if {BUNDLED.match(name).group(1) for name in bundled} != {"protobuf", "pugixml", "tbb"}:
        sys.exit(f"of other libraries the wheel holds {sorted(bundled)}")
    if not wheel.name.startswith("rondo_runtime-"):
        sys.exit(f"the wheel is called {wheel.name}")


def main(prefix, scratch):
    scratch = pathlib.Path(scratch)
    scratch.mkdir(parents=True, exist_ok=True)
    python = builder(scratch)
    wheel = build(python, prefix, scratch)
    check_contents(wheel)
    clean = clean_environment(scratch / "clean", python)
    subprocess.run([clean, "-m", "pip", "install", "-q", "--no-deps", wheel], check=True)
    if not succeeds(clean, "-m", "pip", "install", "-q", "numpy"):
        skip("the wheel can be built, but NumPy can't be installed to run it")
    subprocess.run([scratch / "clean/bin/rondo", "info", DIGITS], check=True, cwd=scratch)
    read = f"import rondo; print(rondo.Core().read_model({str(DIGITS)!r}))"
    subprocess.run([clean, "-c", read], check=True, cwd=scratch)
    subprocess.run([clean, "-c", LOADED], check=True, cwd=scratch)
    example = ROOT / "docs/examples/hello_python.py"
    subprocess.run([clean, example, DIGITS, "pixels", "1,8,8"], check=True, cwd=scratch)
    for example in ("streaming_python.py", "async_python.py"):
        subprocess.run([clean, ROOT / "docs/examples" / example, DETECTOR], check=True,
                       cwd=scratch)
    for test in ("async_test.py", "infer_test.py", "package_test.py", "tensor_test.py"):
        subprocess.run([clean, TESTS / test], check=True, cwd=scratch)


if __name__ == "__main__":
    main(*sys.argv[1:])
