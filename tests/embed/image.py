#!/usr/bin/env python3
"""Makes the root file system of the image that Dockerfile builds, and runs the command in it.

Usage: image.py BUILD FOLDER MODEL
Exits with 77 and says why where no program may get a root of its own.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "packaging/image_root.sh"
MOST = 60e6  # bytes
SKIPPED = 77

expect = unittest.TestCase()


def in_root(folder, *command):
    own_user = [] if os.geteuid() == 0 else ["unshare", "--map-root-user"]
    return subprocess.run([*own_user, "chroot", folder, *command], capture_output=True, text=True)


def main():
    build, folder, model = (pathlib.Path(one) for one in sys.argv[1:])
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([SCRIPT, build, folder], check=True, stdout=subprocess.DEVNULL)
    size = sum(one.stat().st_size for one in folder.rglob("*") if one.is_file() and not one.is_symlink())
    expect.assertLess(size, MOST)
    expect.assertTrue((folder / "usr/share/doc/rondo/NOTICE").is_file())
    expect.assertTrue((folder / "usr/share/doc/libtbb12/copyright").is_file())

    version = in_root(folder, "/usr/bin/rondo", "--version")
    if version.returncode != 0 and "Operation not permitted" in version.stderr:
        print("skipped: this user may not change the root:", version.stderr)
        return SKIPPED
    expect.assertEqual(version.returncode, 0, version.stderr)
    shutil.copy(model, folder / "models" / model.name)
    shutil.copy(model.with_suffix(".bin"), folder / "models")
    ran = in_root(folder, "/usr/bin/rondo", "benchmark", "-m", f"/models/{model.name}",
                  "-niter", "10", "-data_shape", "[1,2,3]")
    expect.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
    expect.assertIn("Throughput", ran.stdout)
    print(f"{size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
