"""The files that lint reads, and what it leaves out."""

import fnmatch
import functools
import pathlib

TOPS = ("core", "frontend", "transformations", "plugins", "bindings", "tools", "tests", "docs")
CODE = (".c", ".cpp", ".hpp", ".h")
HERE = "tools/lint"


class Tree:
    """A source tree. Names are paths relative to its root, with slashes."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.not_yet = [tuple(line.split()) for line in self.table("not_yet.txt")]

    def table(self, name):
        """The lines of a table of lint's, without comments; none where the file is missing."""
        path = self.root / HERE / name
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [line for line in lines if line.strip() and not line.startswith("#")]

    @functools.cached_property
    def names(self):
        found = [path for top in TOPS for path in sorted((self.root / top).rglob("*"))
                 if path.is_file() and "__pycache__" not in path.parts]
        found += sorted(path for path in self.root.glob("*") if path.is_file())
        return [path.relative_to(self.root).as_posix() for path in found]

    def sources(self, *endings):
        """The names with one of these endings, in the folders and at the root."""
        return [name for name in self.names if name.endswith(endings)]

    @functools.cache
    def lines(self, name):
        return (self.root / name).read_text(encoding="utf-8").splitlines()

    def has(self, name):
        return (self.root / name).is_file()

    def allows(self, rule, name):
        """Whether the file says so itself, or not_yet.txt has it."""
        return (any(f"lint: allow({rule})" in line for line in self.lines(name))
                or any(rule == one and fnmatch.fnmatchcase(name, pattern)
                       for one, pattern in self.not_yet))


def parent(name):
    """The folder of a file or folder; "" for the root."""
    return name.rpartition("/")[0]


def stem(name):
    """The name without its ending."""
    return name.rpartition(".")[0]
