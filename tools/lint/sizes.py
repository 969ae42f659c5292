"""Sizes of files, Python functions and folders, and opening sentences."""

import ast
import collections

from tree import CODE, parent, stem

MAX_LINES = 600
MAX_COLUMNS = 100
MAX_FUNCTION = 60
MAX_FILES = 48


def faults(tree):
    """(name, line, what) for each fault."""
    for name in tree.sources(*CODE, ".py"):
        lines = tree.lines(name)
        if len(lines) > MAX_LINES and not tree.allows("size", name):
            yield name, len(lines), f"{len(lines)} lines; a file stays under {MAX_LINES}"
    for name in tree.sources(*CODE):
        yield from column_faults(tree, name)
    for name in tree.sources(".py"):
        yield from function_faults(tree, name)
    yield from folder_faults(tree)
    for name in tree.sources(".c", ".cpp"):
        if not is_introduced(tree, name) and not tree.allows("opening", name):
            yield name, 1, "a .cpp without a header of its own opens with a sentence"


def column_faults(tree, name):
    for number, line in enumerate(tree.lines(name), 1):
        if len(line) > MAX_COLUMNS and not tree.allows("size", name):
            yield name, number, f"{len(line)} columns; code has at most {MAX_COLUMNS}"


def function_faults(tree, name):
    for node in ast.walk(ast.parse("\n".join(tree.lines(name)))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            length = node.end_lineno - node.lineno + 1
            if length > MAX_FUNCTION and not tree.allows("size", name):
                yield (name, node.lineno,
                       f"{node.name} has {length} lines; a function has at most {MAX_FUNCTION}")


def folder_faults(tree):
    counts = collections.Counter(parent(name) for name in tree.names)
    for folder, count in sorted(counts.items()):
        if count > MAX_FILES and not folder.startswith("tests/data"):
            yield folder, 1, f"{count} files; a folder has at most {MAX_FILES}"


def is_introduced(tree, name):
    """Whether a comment or a header says what the file holds: one of the same name, or the header
    of its folder that it includes first.

    A test is introduced by the file that it tests.
    """
    if tree.lines(name)[:1] and tree.lines(name)[0].startswith(("//", "/*")):
        return True
    path = stem(name)
    if path.startswith("tests/unit/") and path.endswith("_test"):
        path = path.removeprefix("tests/unit/").removesuffix("_test")
        return any(tree.has(top + path + ending) for top in ("", "tests/")
                   for ending in (".cpp", ".hpp"))
    installed = f"core/include/rondo/{path.rpartition('/')[2]}.hpp"
    opening = tree.lines(name)[:1] or [""]
    first = f'#include "{parent(name)}/'
    return (tree.has(path + ".hpp") or (path.startswith("core/") and tree.has(installed))
            or opening[0].startswith(first))
