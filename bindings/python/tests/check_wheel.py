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

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/wheel"))
import wheel_checks
from wheel_checks import fail

DIGITS = ROOT / "docs/samples/digits/digits_lstm.onnx"
TESTS = ROOT / "bindings/python/tests"
# What the environment of a login would add is left out.
BARE = {"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1", "HOME": "/nonexistent"}


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
    for name in wheel_checks.BUNDLED:
        those = [path for path in loaded if pathlib.Path(path).name.startswith(name)]
        if not those:
            fail(f"{command[0]} doesn't load {name}: {sorted(loaded)}")
        for path in those:
            if environment not in pathlib.Path(path).resolve().parents:
                fail(f"{command[0]} loads {path}, which is not the wheel's")
    others = sorted(pathlib.Path(path).name for path in loaded if "cpython" not in path and
                    environment not in pathlib.Path(path).resolve().parents)
    print(f"from the system: {' '.join(others)}")


def check_beside_others(python, program, package):
    """Other versions of the bundled libraries in the same program don't get in the way."""
    hostile = wheel_checks.hostile_library(wheel_checks.package_files(package), python.parents[1])
    infer = f"import rondo; rondo.compile_model({str(DIGITS)!r})"
    run(python, "-c", wheel_checks.IS_HOSTILE + infer, LD_PRELOAD=str(hostile))
    run(program, "benchmark", "-m", DIGITS, "-data_shape", "pixels[1,8,8]", "-t", "1",
        LD_PRELOAD=str(hostile))


def main(wheel, folder):
    wheel, folder = pathlib.Path(wheel), pathlib.Path(folder).resolve()
    wheel_checks.check_name(wheel)
    wheel_checks.check_contents(
        wheel, "rondo_runtime", r"rondo/_rondo\..*so", r"rondo/lib/librondo\.so\.\d+", r"rondo/bin/rondo",
        r"rondo/py\.typed", r"rondo/__init__\.pyi", r".*dist-info/.*/NOTICE", r".*dist-info/.*/LICENSE",
        r".*dist-info/entry_points\.txt", r".*\.data/data/share/bash-completion/completions/rondo",
        r".*\.data/data/share/zsh/site-functions/_rondo")
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
    (package,) = folder.glob("lib/python*/site-packages/rondo")
    program = package / "bin/rondo"
    check_libraries(folder, program, "info", DIGITS)
    check_beside_others(python, program, package)
    for test in ("infer_test.py", "package_test.py", "tensor_test.py", "snippets_test.py"):
        run(python, TESTS / test)
    print(f"works with {run(python, '--version').stdout.strip()}")


if __name__ == "__main__":
    main(*sys.argv[1:])
