"""Chooses lines by a seed, and one mutant a line that compiles."""

import collections
import concurrent.futures
import json
import os
import random
import re
import shlex

SCOPE = ("transformations/", "plugins/cpu/plugin/", "plugins/cpu/passes/", "plugins/cpu/nodes/",
         "core/ir/", "frontend/onnx/")
LEFT_OUT = ("frontend/onnx/writer/",)

# Lines without code of their own.
EMPTY = re.compile(r"\s*(//.*|#.*|namespace .*|using .*|[{}\]();,]*)")


def in_scope(name):
    return name.endswith(".cpp") and name.startswith(SCOPE) and not name.startswith(LEFT_OUT)


def shuffled_lines(texts, seed):
    """The (file, line) that hold code, in an order that the seed alone decides."""
    lines = [(name, number) for name in sorted(texts)
             for number, line in enumerate(texts[name].splitlines(), 1) if not EMPTY.fullmatch(line)]
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


def precompiled_flags(tree, flags, folder):
    """The flags of each file, with common headers compiled beforehand."""
    from . import places

    common = ["-resource-dir", places.resource_folder(), "-Wno-everything", "-ferror-limit=0"]
    kinds = sorted({tuple(one) for one in flags.values()})
    for i, kind in enumerate(kinds):
        places.precompile(tree, [*kind, *common], folder / f"common_{i}.pch")
    return {name: [*one, *common, "-include-pch", str(folder / f"common_{kinds.index(tuple(one))}.pch")]
            for name, one in flags.items()}


def choose(tree, flags, seed, count, jobs):
    """`count` mutants of lines in the seed's order; fewer where there aren't so many."""
    order = shuffled_lines({name: (tree / name).read_text() for name in flags}, seed)
    chosen = []
    while order and len(chosen) < count:
        size = 2 * (count - len(chosen)) + count // 4  # more than half of the lines can be broken
        batch, order = order[:size], order[size:]
        by_file = collections.defaultdict(list)
        for name, line in batch:
            by_file[name].append(line)
        found = {}
        with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
            tasks = [pool.submit(first_that_compile, tree, name, flags[name], lines, seed)
                     for name, lines in by_file.items()]
            for task in concurrent.futures.as_completed(tasks):
                found.update(task.result())
        add_apart(chosen, (found[place] for place in batch), count)
    return chosen


def add_apart(chosen, candidates, count):
    """Appends those candidates that overlap none before them, and numbers them from 1."""
    for one in candidates:
        if len(chosen) == count:
            return
        if one is not None and not any(one.overlaps(other) for other in chosen):
            one.number = len(chosen) + 1
            chosen.append(one)
