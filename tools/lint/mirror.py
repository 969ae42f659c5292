"""Every product file has a test: its mirror under tests/unit, or one that covered_by.txt names."""

import fnmatch

from tree import HERE, stem

PRODUCT = ("core/", "frontend/", "transformations/", "plugins/", "bindings/", "tools/")
TABLE = f"{HERE}/covered_by.txt"


def faults(tree):
    """(name, line, what) for each fault."""
    table = [line.split() for line in tree.table("covered_by.txt")]
    used = set()
    for name in product_files(tree):
        if has_mirror(tree, name):
            continue
        rows = [row for row in table if fnmatch.fnmatchcase(name, row[0])]
        used.update(row[0] for row in rows)
        if not rows and not tree.allows("mirror", name):
            yield name, 1, f"has no test: neither {mirror_of(name)} nor a line in {TABLE}"
    for pattern, *tests in table:
        if pattern not in used:
            yield TABLE, 1, f"'{pattern}' matches no file that lacks a test of its own"
        if not tests:
            yield TABLE, 1, f"'{pattern}' names no test"
        for test in tests:
            if not fnmatch.filter(tree.names, test):
                yield TABLE, 1, f"there is no '{test}'"


def product_files(tree):
    """Sources and headers without a source."""
    for name in tree.sources(".cpp", ".hpp"):
        alone = name.endswith(".cpp") or not tree.has(stem(name) + ".cpp")
        if name.startswith(PRODUCT) and "/include/" not in name and alone:
            yield name


def mirror_of(name):
    return f"tests/unit/{stem(name)}_test.cpp"


def has_mirror(tree, name):
    """The tests of an op have those of its evaluator."""
    op = name.replace("core/ops/reference/", "core/ops/")
    return tree.has(mirror_of(name)) or tree.has(mirror_of(op))
