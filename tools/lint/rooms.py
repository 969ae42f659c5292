"""Includes go downhill in every folder: no circles, registries on top, `common` at the bottom."""

import collections
import re

from tree import CODE, stem

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
# Folders of families: their files are registries, which the families below may not include.
REGISTRIES = ("core/ops", "core/ops/reference", "frontend/onnx", "frontend/onnx/ops",
              "plugins/cpu/nodes")
ROOT = "."


def faults(tree):
    """(name, line, what) for each fault."""
    includes = list(find_includes(tree))
    units = collections.defaultdict(set)
    for name, _, other in includes:
        if stem(name) != stem(other) and not tree.allows("rooms", name):
            units[stem(name)].add(stem(other))
    for circle in circles(units):
        yield circle[0], 1, f"includes go in a circle: {', '.join(circle)}"
    yield from room_faults(tree, includes)


def find_includes(tree):
    """(file, line, file that it includes), within the product."""
    names = set(tree.names)
    for name in tree.sources(*CODE):
        if name.startswith("tests/"):
            continue
        for number, line in enumerate(tree.lines(name), 1):
            match = INCLUDE.match(line)
            if match and match.group(1) in names:
                yield name, number, match.group(1)


def room_faults(tree, includes):
    by_folder = collections.defaultdict(list)
    for name, number, other in includes:
        for folder in shared_folders(name, other):
            by_folder[folder].append((name, number, room(folder, name), room(folder, other)))
    for folder, some in sorted(by_folder.items()):
        some = [one for one in some if one[2] != one[3] and not tree.allows("rooms", one[0])]
        graph = collections.defaultdict(set)
        for _, _, start, end in some:
            graph[start].add(end)
        for circle in circles(graph):
            yield folder, 1, f"rooms include each other: {', '.join(circle)}"
        for name, number, start, end in some:
            if end == ROOT and folder in REGISTRIES:
                yield name, number, f"a family may not include a registry of {folder}"
            if start == "common" and folder in REGISTRIES:
                yield name, number, f"{folder}/common may not include a family"


def shared_folders(name, other):
    """The folders that hold both, from the deepest one up."""
    folder = name.rpartition("/")[0]
    while folder:
        if other.startswith(folder + "/"):
            yield folder
        folder = folder.rpartition("/")[0]


def room(folder, name):
    """The subfolder of `folder` that holds the file."""
    first, slash, _ = name.removeprefix(folder + "/").partition("/")
    return first if slash else ROOT


def circles(graph):
    """The sets of vertices, sorted, from each of which all others of the set can be reached."""
    reach = {start: reachable(graph, start) for start in graph}
    found = {tuple(sorted(end for end in ends if start in reach.get(end, ())))
             for start, ends in reach.items()}
    return sorted(circle for circle in found if len(circle) > 1)


def reachable(graph, start):
    seen, todo = set(), [start]
    while todo:
        for end in graph.get(todo.pop(), ()):
            if end not in seen:
                seen.add(end)
                todo.append(end)
    return seen
