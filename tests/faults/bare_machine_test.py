#!/usr/bin/env python3
"""Runs the command and tests of files as on a bare machine: no HOME or one that isn't there, no
~/.cache, and a small file system of its own on /tmp.

Usage: bare_machine_test.py FOLDER MODEL COMMAND [TESTS FILTER]...
FOLDER is emptied and filled, MODEL an ONNX file, COMMAND is rondo; TESTS are test programs, which run
what FILTER names. Exits with 77 and says why where no file system may be mounted.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest

SKIPPED = 77
SIZE = "64m"
INSIDE = "RONDO_BARE_MACHINE"

expect = unittest.TestCase()


def without_home():
    kept = {name: value for name, value in os.environ.items()
            if name not in ("HOME", "USER", "LOGNAME", "TMPDIR") and not name.startswith("XDG_")}
    return {**kept, INSIDE: "1"}


def own_namespace():
    """The command that runs others where mounts are seen by no one else; None where it isn't allowed."""
    for user in ([], ["--map-root-user"]):
        command = ["unshare", "--mount", *user]
        mount = [*command, "mount", "-t", "tmpfs", "none", "/tmp"]
        try:
            if subprocess.run(mount, capture_output=True, check=False).returncode == 0:
                return command
        except FileNotFoundError:
            return None
    return None


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          check=False, **options)
    expect.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}{done.stderr}")
    return done.stdout


def use_the_command(folder, model, rondo, environment):
    """Writes beside the model, in FOLDER, and to /tmp, which is another file system."""
    for place in (folder, pathlib.Path("/tmp")):
        for name in ("m.xml", "m.onnx"):
            run(rondo, "compile", model, "-o", place / name, env=environment)
            run(rondo, "compare", "-m", place / name, "--data_shape", "[2,8,8]", env=environment)
        for _ in range(2):  # made, then read
            run(rondo, "benchmark", "-m", place / "m.xml", "-niter", "2", "-cdir", place / "cache",
                "-data_shape", "[1,8,8]", "-json_stats", "-report_folder", place, env=environment)
        expect.assertTrue(any((place / "cache").iterdir()))
        if shutil.which("dot"):
            run(rondo, "info", place / "m.xml", "--graph", place / "m.svg", env=environment)


def inside(folder, model, rondo, tests):
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "none", "/tmp"], check=True)
    expect.assertNotEqual(os.stat("/tmp").st_dev, os.stat(folder).st_dev)
    for home in (None, "/nowhere/at/all"):
        environment = without_home() | ({"HOME": home} if home else {})
        use_the_command(folder, model, rondo, environment)
        for program, names in zip(tests[::2], tests[1::2]):
            print(run(program, f"--gtest_filter={names}", "--gtest_brief=1", env=environment))
    return 0


def main():
    folder, model, rondo = (pathlib.Path(part).resolve() for part in sys.argv[1:4])
    if INSIDE in os.environ:
        return inside(folder, model, rondo, sys.argv[4:])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if pathlib.Path("/tmp") in (*folder.parents, *model.parents, *rondo.parents):
        print("skipped: the build folder is itself in /tmp")
        return SKIPPED
    namespace = own_namespace()
    if namespace is None:
        print("skipped: this user may not mount a file system")
        return SKIPPED
    again = [*namespace, sys.executable, *sys.argv]
    return subprocess.run(again, env=without_home(), check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
