#!/usr/bin/env python3
"""The libraries beside libtriton_rondo.so have names and symbols of their own: the real Triton server
serves a model though libraries with the usual names are there first, as those of other backends may
be.

Usage: triton_names.py FOLDER (of the installed backend)
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import triton_lib as lib

sys.path.append(str(lib.ROOT / "tools/wheel"))
import hide_symbols
import wheel_checks

USUAL = ("libpugixml.so.1", "libtbb.so.12", "libprotobuf-lite.so.32")


def impostors(backend, folder):
    """Empty libraries of the usual names, and one that has each hidden symbol as a trap."""
    made = [wheel_checks.hostile_library(hide_symbols.binaries(backend), folder)]
    for name in USUAL:
        made.append(folder / name)
        subprocess.run(["cc", "-shared", "-nostdlib", "-x", "c", "/dev/null", "-o", made[-1],
                        f"-Wl,-soname,{name}"], check=True)
    return made


def main():
    backend = lib.backend_folder()
    names = [path.name for path in backend.iterdir()]
    if set(USUAL) & set(names):
        lib.skip("the backend was installed without patchelf 0.17 or newer")
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        os.environ["LD_PRELOAD"] = ":".join(map(str, impostors(backend, place)))
        repository = lib.Repository(place / "models", backend)
        repository.add("vad", lib.config_text(lib.STREAMS), {"model.onnx": lib.VAD})
        with lib.Server(repository) as server:
            maps = pathlib.Path(f"/proc/{server.process.pid}/maps").read_text()
            assert all(str(place / name) in maps for name in USUAL), maps
            connection = lib.Connection(server.http)
            for i, chunk in enumerate(lib.sound(1, 4)):
                lib.output_bytes(connection.ask(lib.vad_request(
                    "vad", 1, chunk, start=i == 0, end=i == 3)))
            connection.close()
    print("4 steps beside libraries of the same names and symbols; beside the backend lie",
          ", ".join(sorted(names)))


if __name__ == "__main__":
    main()
