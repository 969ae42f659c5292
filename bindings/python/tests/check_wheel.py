#!/usr/bin/env python3
"""Checks a finished wheel: what it holds, and that it runs where no package of the system helps.

Usage: check_wheel.py WHEEL FOLDER. A new virtual environment is made in FOLDER with this Python.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
DIGITS = ROOT / "docs/samples/digits/digits_lstm.onnx"
TESTS = ROOT / "bindings/python/tests"
BUNDLED = ("libpugixml", "libtbb", "libprotobuf-lite")
# The newest C library that the wheel may ask for: Debian 12's.
MOST_GLIBC = (2, 36)
MOST_MEGABYTES = 6
# What the environment of a login would add is left out.
BARE = {"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1", "HOME": "/nonexistent"}


def fail(text):
    sys.exit(f"check_wheel: {text}")


def check_name(wheel):
    tag = re.search(r"manylinux_(\d+)_(\d+)_x86_64", wheel.name)
    if not tag:
        fail(f"{wheel.name} has no manylinux tag")
    if (int(tag[1]), int(tag[2])) > MOST_GLIBC:
        fail(f"{wheel.name} needs a C library newer than {'.'.join(map(str, MOST_GLIBC))}")


def check_contents(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    for pattern in (r"rondo/_rondo\..*so", r"rondo/lib/librondo\.so\.\d+", r"rondo/bin/rondo",
                    r"rondo/py\.typed", r"rondo/__init__\.pyi", r".*dist-info/.*/NOTICE",
                    r".*dist-info/.*/LICENSE", r".*dist-info/entry_points\.txt",
                    r".*\.data/data/share/bash-completion/completions/rondo",
                    r".*\.data/data/share/zsh/site-functions/_rondo",
                    *(rf"rondo_runtime\.libs/{name}-.*" for name in BUNDLED)):
        if not any(re.fullmatch(pattern, name) for name in names):
            fail(f"{wheel.name} holds nothing like {pattern}:\n" + "\n".join(names))
    megabytes = wheel.stat().st_size / 1e6
    if megabytes > MOST_MEGABYTES:
        fail(f"{wheel.name} has {megabytes:.1f} MB; expected {MOST_MEGABYTES} at most")
    print(f"{wheel.name}: {megabytes:.1f} MB, {len(names)} files")


def run(*command, **variables):
    result = subprocess.run([str(word) for word in command], env={**BARE, **variables}, cwd="/",
                            capture_output=True, text=True, timeout=300, check=False)
    if result.returncode != 0:
        fail(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result


def loaded_libraries(*command):
    """Paths of the libraries that a program loads, by what the loader says of itself."""
    log = run(*command, LD_DEBUG="libs").stderr
    return set(re.findall(r"calling init: (\S+)", log))


def check_libraries(environment, *command):
    loaded = loaded_libraries(*command)
    for name in BUNDLED:
        those = [path for path in loaded if pathlib.Path(path).name.startswith(name)]
        if not those:
            fail(f"{command[0]} doesn't load {name}: {sorted(loaded)}")
        for path in those:
            if environment not in pathlib.Path(path).resolve().parents:
                fail(f"{command[0]} loads {path}, which is not the wheel's")
    others = sorted(pathlib.Path(path).name for path in loaded if "cpython" not in path and
                    environment not in pathlib.Path(path).resolve().parents)
    print(f"from the system: {' '.join(others)}")


def main(wheel, folder):
    wheel, folder = pathlib.Path(wheel), pathlib.Path(folder).resolve()
    check_name(wheel)
    check_contents(wheel)
    shutil.rmtree(folder, ignore_errors=True)
    os.environ.pop("PYTHONPATH", None)
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python, rondo = folder / "bin/python", folder / "bin/rondo"
    subprocess.run([folder / "bin/pip", "install", "-q", wheel], check=True)
    print(run(rondo, "--version").stdout.rstrip())
    infer = f"import rondo; print(rondo.compile_model({str(DIGITS)!r}))"
    check_libraries(folder, python, "-c", infer)
    report = run(rondo, "benchmark", "-m", DIGITS, "-data_shape", "pixels[1,8,8]", "-t", "1")
    print("\n".join(line for line in report.stdout.splitlines() if "Median" in line))
    (program,) = folder.glob("lib/python*/site-packages/rondo/bin/rondo")
    check_libraries(folder, program, "info", DIGITS)
    for test in ("infer_test.py", "package_test.py", "tensor_test.py", "snippets_test.py"):
        run(python, TESTS / test)
    print(f"works with {run(python, '--version').stdout.strip()}")


if __name__ == "__main__":
    main(*sys.argv[1:])
