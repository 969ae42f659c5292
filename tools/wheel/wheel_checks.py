"""What is checked of each finished wheel: its name, its files, and that its symbols are its own."""

import re
import subprocess
import sys
import zipfile

import hide_symbols

BUNDLED = ("libpugixml", "libtbb", "libprotobuf-lite")
# The newest C library that a wheel may ask for: Debian 12's.
MOST_GLIBC = (2, 36)
MOST_MEGABYTES = 6
# A name of each library, and what all their names have in them.
ONE_OF_EACH = ("_ZN4pugi12xml_documentC1Ev", "_ZN3tbb6detail2r16createERNS0_2d114global_controlE",
               "_ZTVN6google8protobuf11MessageLiteE")
THEIRS = re.compile(r"4pugi|3tbb|6google8protobuf|TBB_|__RML_|scalable_")


def fail(text):
    sys.exit(f"check_wheel: {text}")


def check_name(wheel):
    tag = re.search(r"manylinux_(\d+)_(\d+)_x86_64", wheel.name)
    if not tag:
        fail(f"{wheel.name} has no manylinux tag")
    if (int(tag[1]), int(tag[2])) > MOST_GLIBC:
        fail(f"{wheel.name} needs a C library newer than {'.'.join(map(str, MOST_GLIBC))}")


def check_contents(wheel, package, *patterns):
    """The wheel holds a file for each pattern, and the libraries in `package`.libs."""
    names = zipfile.ZipFile(wheel).namelist()
    for pattern in (*patterns, *(rf"{package}\.libs/{name}-.*" for name in BUNDLED)):
        if not any(re.fullmatch(pattern, name) for name in names):
            fail(f"{wheel.name} holds nothing like {pattern}:\n" + "\n".join(names))
    megabytes = wheel.stat().st_size / 1e6
    if megabytes > MOST_MEGABYTES:
        fail(f"{wheel.name} has {megabytes:.1f} MB; expected {MOST_MEGABYTES} at most")
    print(f"{wheel.name}: {megabytes:.1f} MB, {len(names)} files")


def package_files(package):
    """The libraries of an installed package."""
    (bundled,) = package.parent.glob("*rondo*.libs")
    return hide_symbols.binaries(package) + hide_symbols.binaries(bundled)


def hidden_names(files):
    """The names that hide_symbols.py has changed in these, as they were before."""
    hidden = set()
    for path in files:
        for name in hide_symbols.dynamic_symbols(path):
            if name.startswith(hide_symbols.PREFIX):
                hidden.add(name[len(hide_symbols.PREFIX):])
            elif THEIRS.search(name):
                fail(f"{path.name} shows the symbol {name}")
    for name in ONE_OF_EACH:
        if name not in hidden:
            fail(f"no file uses {hide_symbols.PREFIX}{name}")
    return hidden


def hostile_library(files, folder):
    """A library that defines each name hidden in these files as before; all end the program.

    With it in LD_PRELOAD a program is like one that links other versions of the bundled libraries.
    """
    source, library = folder / "hostile.c", folder / "hostile.so"
    traps = "".join(f"TRAP({name})\n" for name in sorted(hidden_names(files)))
    source.write_text("#include <stdio.h>\n#include <stdlib.h>\n"
                      "#define TRAP(name) void name(void) { fputs(\"the host's \" #name \" was "
                      "called\\n\", stderr); abort(); }\n" + traps)
    subprocess.run(["cc", "-shared", "-fPIC", "-w", "-o", library, source], check=True)
    return library


# Python code: the library above is in the program, before all others.
IS_HOSTILE = f"import ctypes; [getattr(ctypes.CDLL(None), name) for name in {ONE_OF_EACH}]\n"
