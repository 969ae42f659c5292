#!/usr/bin/env python3
"""Mutation testing: breaks lines of the planner, the passes and the readers, one at a time, and runs
the tests that reach them.

Usage: mutate.py write [--seed N] [--count N] [--source DIR] [--cmake OPTION]... WORK
       mutate.py build WORK
       mutate.py trace [--models DIR] WORK
       mutate.py run   [--models DIR] [--first N | --survivors | --only N,N] WORK
       mutate.py table [--markdown FILE] WORK
       mutate.py tests WORK
WORK gets a copy of the source tree in which all mutants are compiled, each with a switch: the
variable MUTATION_ACTIVE holds the number of the one that a process runs. `trace` runs each test once
without a mutant, and records which mutants it reaches; `run` takes for each mutant the tests that
reach it, the quickest first, until one fails, crashes or hangs. `run` goes on where it was stopped.
`tests` copies the tests once more, to build, trace and run the survivors against new ones.
Needs Debian's python3-clang-14 (or PyPI's libclang) and clang-14.
Exit code: 0 if 85 % of the mutants that ran are caught, else 1.
"""

import argparse
import dataclasses
import json
import pathlib
import sys
import time

from mutation_lib import choosing, ctests, judging, report, tracing, tree
from mutation_lib.rewriting import Mutant

GOAL = 0.85


class Work:
    """The folder in which all of it is kept."""

    def __init__(self, folder):
        self.folder = folder.resolve()
        self.tree = self.folder / "tree"

    def keep(self, name, content):
        kept = self.folder / f"{name}.json"
        fresh = kept.with_suffix(".new")
        fresh.write_text(json.dumps(content, indent=1, default=dataclasses.asdict))
        fresh.replace(kept)

    def load(self, name, default=None):
        kept = self.folder / f"{name}.json"
        return json.loads(kept.read_text()) if kept.exists() else default

    def mutants(self):
        return [Mutant(**one) for one in self.load("mutants")["mutants"]]

    def traces(self):
        return {name: tracing.Trace(**one) for name, one in self.load("traces").items()}

    def verdicts(self):
        return {one["number"]: judging.Verdict(**one) for one in self.load("verdicts", [])}


def write(work, options):
    tree.copy(options.source, work.tree)
    tree.write_switch(work.tree, options.count)
    tree.configure(work.tree, options.cmake)
    flags = choosing.all_flags(work.tree, work.tree / "build" / "release")
    flags = {name: one for name, one in flags.items() if choosing.in_scope(name)}
    flags = choosing.precompiled_flags(work.tree, flags, work.folder)
    mutants = choosing.choose(work.tree, flags, options.seed, options.count, options.jobs)
    tree.write_mutants(work.tree, options.source, mutants)
    work.keep("mutants", {"seed": options.seed, "source": str(options.source), "mutants": mutants})
    print(f"{len(mutants)} mutants in {len({one.file for one in mutants})} files")


def build(work, _):
    tree.build(work.tree, "--", "-k", "0")


def trace(work, options):
    start = time.monotonic()
    tests = ctests.find(work.tree)
    traces = tracing.trace_all(tests, len(work.mutants()), options.models, options.jobs)
    work.keep("traces", traces)
    note_seconds(work, time.monotonic() - start)
    unusable = [name for name, one in traces.items() if not one.usable]
    print(f"{len(traces)} tests; {len(unusable)} fail without any mutant: {', '.join(unusable)}")


def note_seconds(work, seconds):
    work.keep("seconds", work.load("seconds", 0) + seconds)


def chosen_numbers(options, mutants, verdicts):
    if options.only:
        return [int(number) for number in options.only.split(",")]
    if options.survivors:
        return sorted(one.number for one in verdicts.values() if not one.caught_by)
    return [one.number for one in mutants[:options.first] if one.number not in verdicts]


def run(work, options):
    start = time.monotonic()
    mutants, verdicts = work.mutants(), work.verdicts()
    judge = judging.Judge(ctests.find(work.tree), work.traces(), options.models)

    def note(verdict):
        verdicts[verdict.number] = verdict
        work.keep("verdicts", list(verdicts.values()))
        one = mutants[verdict.number - 1]
        print(f"{one.number} {one.file}:{one.line} {one.what}: {report.outcome(verdict)}", flush=True)

    judging.judge_all(judge, chosen_numbers(options, mutants, verdicts), options.jobs, note)
    note_seconds(work, time.monotonic() - start)
    return summarise(work)


def summarise(work):
    mutants, verdicts = work.mutants(), work.verdicts()
    print(report.summary(mutants, verdicts, work.load("mutants")["seed"], work.load("seconds", 0)))
    count = report.counts(mutants, verdicts)
    return 0 if count["caught"] >= GOAL * count["judged"] else 1


def table(work, options):
    lines = report.table(work.mutants(), work.verdicts())
    if options.markdown:
        options.markdown.write_text("\n".join(lines) + "\n")
    else:
        print("\n".join(lines))
    return summarise(work)


def tests(work, _):
    tree.copy(pathlib.Path(work.load("mutants")["source"]), work.tree, "tests")


COMMANDS = {"write": write, "build": build, "trace": trace, "run": run, "table": table,
            "tests": tests}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--source", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--cmake", action="append", default=[])
    parser.add_argument("--models", default="")
    parser.add_argument("--first", type=int)
    parser.add_argument("--survivors", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--markdown", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    return COMMANDS[options.command](Work(options.work), options)


if __name__ == "__main__":
    sys.exit(main())
