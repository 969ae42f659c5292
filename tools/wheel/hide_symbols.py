#!/usr/bin/env python3
"""Gives bundled libraries and their symbols names that no other program has.

Usage: hide_symbols.py FOLDER [LIBRARY]. FOLDER is an unpacked wheel that auditwheel has repaired, or it
holds our LIBRARY and those that it needs. patchelf 0.17 or newer must be on the PATH. Where a symbol is
needed, the dynamic loader takes the first of that name in the whole program: if a host links protobuf,
TBB or pugixml too, our libraries would run the host's code, which may be of another version. So each
name gets a prefix, in the library that defines it and in all that use it. For the same reason each
library's own name gets a hash: the loader opens no second one of a name.
"""

import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile

PREFIX = "in_rondo_"
# TBB doesn't define these: the host's tbbmalloc, tbbbind or irml may, and TBB then uses them.
LOOKED_FOR_BY_TBB = re.compile(r"__TBB_|__RML_|scalable_")


def dynamic_symbols(path):
    """The names of a library's dynamic symbols, without versions: {name: is it defined there?}"""
    lines = subprocess.run(["nm", "-D", path], capture_output=True, text=True, check=True).stdout
    fields = (line.split() for line in lines.splitlines())
    return {words[-1].partition("@")[0]: len(words) == 3 for words in fields}


def binaries(folder):
    """All libraries and programs in the folder."""
    files = (path for path in sorted(pathlib.Path(folder).rglob("*")) if path.is_file())
    return [path for path in files if path.read_bytes()[:4] == b"\x7fELF"]


def bundled_libraries(folder, own=None):
    """All but our own and those that were renamed before; or those that auditwheel has added."""
    if own:
        return [path for path in binaries(folder)
                if path.name != own and not re.search(r"-[0-9a-f]{8}\.", path.name)]
    return [path for path in binaries(folder) if path.parent.name.endswith(".libs")]


def symbols_to_rename(libraries):
    return sorted({name for path in libraries for name, defined in dynamic_symbols(path).items()
                   if defined or LOOKED_FOR_BY_TBB.match(name)})


def new_name(library, symbols):
    """A file name with another hash than auditwheel's: other projects may hold the unchanged
    library."""
    digest = hashlib.sha256("\n".join([library.name, PREFIX, *symbols]).encode()).hexdigest()[:8]
    return re.sub(r"(-[0-9a-f]{8})?\.", f"-{digest}.", library.name, count=1)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = sys.argv[1]
    libraries = bundled_libraries(*sys.argv[1:])
    if not libraries:
        sys.exit(f"hide_symbols: {folder} has no bundled libraries")
    symbols = symbols_to_rename(libraries)
    names = {library: new_name(library, symbols) for library in libraries}
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as renames:
        renames.writelines(f"{name} {PREFIX}{name}\n" for name in symbols)
        renames.flush()
        options = ["--rename-dynamic-symbols", renames.name]
        for library, name in names.items():
            options += ["--replace-needed", library.name, name]
        for path in binaries(folder):
            own_name = ["--set-soname", names[path]] if path in names else []
            subprocess.run(["patchelf", *options, *own_name, path], check=True)
    for library, name in names.items():
        library.rename(library.with_name(name))
    print(f"{len(symbols)} symbols have the prefix {PREFIX}")


if __name__ == "__main__":
    main()
