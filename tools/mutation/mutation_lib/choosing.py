"""Chooses lines by a seed, and one mutant a line that compiles."""

import collections
import concurrent.futures
import json
import os
import random
import shlex

SCOPE = ("transformations/", "plugins/cpu/plugin/", "plugins/cpu/passes/", "plugins/cpu/nodes/",
         "core/ir/", "frontend/onnx/")
LEFT_OUT = ("frontend/onnx/writer/",)


def in_scope(name):
    return name.endswith(".cpp") and name.startswith(SCOPE) and not name.startswith(LEFT_OUT)


def shuffled_lines(sizes, seed):
    """All (file, line) in an order that the seed alone decides; sizes: lines a file."""
    lines = [(name, line) for name in sorted(sizes) for line in range(1, sizes[name] + 1)]
    random.Random(seed).shuffle(lines)
    return lines


def shuffled_mutants(mutants, line, seed):
    """The mutants that start in a line, in an order that the seed alone decides."""
    of_line = sorted((one for one in mutants if one.line == line),
                     key=lambda one: (one.start, one.end, one.what))
    random.Random(f"{seed}:{line}").shuffle(of_line)
    return of_line


def flags_of(command):
    """The options of a compile command that a parser needs."""
    words = shlex.split(command)
    flags = []
    for i, word in enumerate(words):
        if word.startswith(("-I", "-D", "-std=", "-m")):
            flags.append(word)
        elif word in ("-isystem", "-include"):
            flags += words[i:i + 2]
    return flags


def all_flags(tree, build):
    """The flags of each file, by its name in the tree."""
    entries = json.loads((build / "compile_commands.json").read_text())
    return {os.path.relpath(entry["file"], tree): flags_of(entry["command"]) for entry in entries}


def first_that_compile(tree, name, flags, lines, seed):
    """Of each line of a file: a mutant, or None."""
    from . import places

    parser = places.Parser(tree, name, flags)
    chosen = {}
    for line in lines:
        candidates = shuffled_mutants(parser.mutants, line, seed)
        chosen[(name, line)] = next((one for one in candidates if parser.compiles(one)), None)
    return chosen


def choose(tree, flags, seed, count, jobs):
    """`count` mutants of lines in the seed's order; fewer where there aren't so many."""
    from . import places

    sizes = {name: (tree / name).read_bytes().count(b"\n") for name in flags if in_scope(name)}
    order = shuffled_lines(sizes, seed)
    common = [*extra_flags(places.resource_folder()), "-include", str(tree / "mutation_switch.hpp")]
    chosen = []
    while order and len(chosen) < count:
        batch, order = order[:2 * count], order[2 * count:]
        by_file = collections.defaultdict(list)
        for name, line in batch:
            by_file[name].append(line)
        found = {}
        with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
            tasks = [pool.submit(first_that_compile, tree, name, flags[name] + common, lines, seed)
                     for name, lines in by_file.items()]
            for task in concurrent.futures.as_completed(tasks):
                found.update(task.result())
        add_apart(chosen, (found[place] for place in batch), count)
    return chosen


def extra_flags(resources):
    return ["-resource-dir", resources, "-Wno-everything"]


def add_apart(chosen, candidates, count):
    """Appends those candidates that overlap none before them, and numbers them from 1."""
    for one in candidates:
        if len(chosen) == count:
            return
        if one is not None and not any(one.overlaps(other) for other in chosen):
            one.number = len(chosen) + 1
            chosen.append(one)
