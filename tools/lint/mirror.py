"""Every product folder has tests: its mirror under tests/unit, or that of the folder above."""

from tree import parent

PRODUCT = ("core/", "frontend/", "transformations/", "plugins/", "bindings/", "tools/")
# Folders whose tests are elsewhere.
ELSEWHERE = {
    "bindings/python/src": "bindings/python/tests",
    "frontend": "tests/unit/frontend/onnx",
    "plugins": "tests/unit/plugins/reference",
    "plugins/cpu/kernels/cell": "tests/unit/plugins/cpu/jit",
}


def faults(tree):
    """(name, line, what) for each fault."""
    tested = {parent(name) for name in tree.names if is_test(name)}
    for folder, first in sorted(product_folders(tree).items()):
        mirror = mirror_of(folder)
        if not tested & {mirror, parent(mirror)} and not tree.allows("mirror", first):
            yield first, 1, f"its folder has no tests: neither {mirror} nor {parent(mirror)}"


def is_test(name):
    folder = parent(name)
    return (folder.startswith("tests/unit/") and name.endswith(("_test.cpp", "_test.py"))
            or folder == "bindings/python/tests")


def product_folders(tree):
    """Each folder with sources, and the first of them."""
    folders = {}
    for name in tree.sources(".cpp", ".hpp"):
        if name.startswith(PRODUCT) and "/include/" not in name:
            folders.setdefault(parent(name), name)
    return folders


def mirror_of(folder):
    """The tests of an op have those of its evaluator."""
    if folder.startswith("bindings/python/src/"):
        folder = "bindings/python/src"
    return ELSEWHERE.get(folder) or "tests/unit/" + folder.replace("core/ops/reference", "core/ops")
