"""Rondo through its Python package: inputs and outputs bound once, f32 unless asked otherwise."""

import hashlib
import os
import tempfile

import rondo

from bench_peers_lib.bound_session import BoundSession

NAME = "rondo"


def package_file():
    """Where the package was found; a build has the calibrator beside it."""
    return rondo.__file__


def library_files():
    """The extension module, and the library that it is linked with if that is a file of its own."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        paths = {line.split()[-1] for line in maps if "rondo" in line}
    return sorted(path for path in paths if ".so" in os.path.basename(path))


def version():
    """With a mark of the very build, so that results of two builds are not taken for one."""
    digest = hashlib.sha256()
    for path in library_files():
        with open(path, "rb") as file:
            digest.update(file.read())
    return f"{rondo.__version__} ({digest.hexdigest()[:8]})"


def read_half(core, model):
    """The model as `rondo compile --weights f16` would have written it."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "half.xml")
        rondo.save_model(core.read_model(model), path, compress_to_fp16=True)
        return core.read_model(path)


class Session(BoundSession):
    def __init__(self, problem, threads, weights):
        core = rondo.Core()
        read = read_half if weights == "f16" else rondo.Core.read_model
        compiled = core.compile_model(read(core, problem.model), "CPU", {
            "INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY"})
        super().__init__(compiled, problem.inputs, rondo.Tensor)
