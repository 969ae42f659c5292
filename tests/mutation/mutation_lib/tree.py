"""Makes the copy of the source tree in which all mutants are compiled, each with a switch."""

import collections
import pathlib
import shutil
import subprocess

from . import rewriting

GENERATED = "frontend/onnx/generated/rondo_onnx.pb.h"
SWITCH = pathlib.Path(__file__).with_name("switch.hpp.in")


def copy(source, tree, folder="."):
    """Copies what git knows and what is new; only files that differ are written."""
    names = subprocess.run(["git", "-C", str(source), "ls-files", "-z", "--cached", "--others",
                            "--exclude-standard", folder], check=True, capture_output=True).stdout
    for name in filter(None, names.decode().split("\0")):
        if (source / name).is_file():
            write(tree / name, (source / name).read_bytes())
            shutil.copymode(source / name, tree / name)


def write(path, content):
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def write_switch(tree, count):
    write(tree / rewriting.HEADER, SWITCH.read_text().replace("@SIZE@", str(count + 1)).encode())


def write_mutants(tree, source, mutants):
    by_file = collections.defaultdict(list)
    for mutant in mutants:
        by_file[mutant.file].append(mutant)
    for name, those in by_file.items():
        mutated = rewriting.with_mutants((source / name).read_bytes(), those)
        write(tree / name, rewriting.with_header(mutated))


def configure(tree, options):
    """Also writes the header that parsing needs."""
    subprocess.run(["cmake", "--preset", "release", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *options],
                   cwd=tree, check=True, stdout=subprocess.DEVNULL)


    build(tree, "--target", GENERATED)


def build(tree, *options):
    subprocess.run(["cmake", "--build", "--preset", "release", *options], cwd=tree, check=True)
