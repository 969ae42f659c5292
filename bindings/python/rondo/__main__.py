"""The command `rondo` of the wheel: `python -m rondo` runs it too."""

import os
import pathlib
import sys


def main():
    """Becomes the program that lies in the package, with this process's arguments."""
    program = pathlib.Path(__file__).with_name("bin") / "rondo"
    if not program.exists():
        sys.exit(f"rondo: {program} is missing: this package was built without the command "
                 "(RONDO_TOOLS=OFF)")
    os.execv(program, ["rondo", *sys.argv[1:]])


if __name__ == "__main__":
    main()
