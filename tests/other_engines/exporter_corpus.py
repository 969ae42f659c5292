#!/usr/bin/env python3
"""Writes recurrent models in the forms of today's exporters, and checks Rondo against onnxruntime
on each.

Usage: exporter_corpus.py write [--quick] [--makers torch,keras] FOLDER
       exporter_corpus.py check [--rondo DIR] [--markdown FILE] [--verbose] FOLDER
       exporter_corpus.py keep --models NAME,NAME --to DIR FOLDER
`write` needs torch (with onnxscript), or tensorflow, keras and tf2onnx; a maker whose packages are
missing is left out. `check` needs numpy and onnxruntime; --rondo is the folder that holds the package
rondo, as build/release/python. --quick writes each model with one opset of each exporter.
`keep` makes fixtures for the tests (tests/data/exporters); it needs onnx and onnxruntime.
Exit code: 0 if every model is read and right, else 1.
"""

import argparse
import collections
import importlib
import pathlib
import sys

BEGIN, END = "<!-- exporters: begin -->", "<!-- exporters: end -->"
MAKERS = {"torch": "torch_exporters", "keras": "keras_models"}


def write(options):
    counts = collections.Counter()

    def note(name, reason):
        counts["refused" if reason else "written"] += 1
        if reason:
            print(f"{name}: {reason[:150]}", flush=True)

    options.folder.mkdir(parents=True, exist_ok=True)
    for maker in options.makers.split(","):
        try:
            module = importlib.import_module(f"exporter_corpus_lib.{MAKERS[maker]}")
            module.write(options.folder, options.quick, note)
        except ImportError as error:
            print(f"without {maker}: {error}", file=sys.stderr)
    print(f"{counts['written']} models; the exporters refuse {counts['refused']}")
    return 0


def check(options):
    from exporter_corpus_lib import case, check as judge

    if options.rondo:
        sys.path.insert(0, str(options.rondo.resolve()))
    import rondo

    core = rondo.Core()
    verdicts = []
    for one in case.find_cases(options.folder):
        verdict = judge.judge(one, core)
        verdicts.append(verdict)
        if verdict.kind in ("wrong", "refused"):
            print(f"{one.name}: {verdict.kind}: {verdict.why[:300]}", flush=True)
        elif options.verbose:
            print(f"{one.name}: {verdict.kind} {dict(verdict.ops)}", flush=True)
    lines = table(verdicts)
    print("\n".join(lines))
    if options.markdown:
        write_table(options.markdown, lines)
    return 0 if all(verdict.kind in ("right", "unknown") for verdict in verdicts) else 1


def write_table(path, lines):
    """Replaces the text between the marks of a page, or writes a new file."""
    page = path.read_text(encoding="utf-8") if path.exists() else f"{BEGIN}\n{END}\n"
    before, found, rest = page.partition(BEGIN)
    _, closed, after = rest.partition(END)
    if not (found and closed):
        sys.exit(f"{path} lacks the marks '{BEGIN}' and '{END}'")
    path.write_text("\n".join([before + BEGIN, *lines, END + after]), encoding="utf-8")


def keep(options):
    from exporter_corpus_lib import case, keep as keeper

    known = {one.name: one for one in case.find_cases(options.folder)}
    for name in options.models.split(","):
        if name not in known:
            print(f"{options.folder} has no model {name}", file=sys.stderr)
            return 1
        print(f"{name}: {keeper.keep(known[name], options.to)} bytes")
    return 0


def table(verdicts):
    families = collections.defaultdict(list)
    for verdict in verdicts:
        families[verdict.case.family].append(verdict)
    lines = ["| spelling | models | right | wrong | refused | sequences | loops | moves nothing "
             "| left for layout |",
             "|---|---:|---:|---:|---:|---:|---:|---:|---|"]
    for family, members in sorted(families.items()):
        kinds = collections.Counter(verdict.kind for verdict in members)
        left = sum((collections.Counter(verdict.layout) for verdict in members),
                   collections.Counter())
        sequences = sum(verdict.has_sequence for verdict in members)
        loops = sum(verdict.has_loop for verdict in members)
        still = sum(verdict.moves_nothing for verdict in members)
        words = ", ".join(f"{name} {count}" for name, count in left.most_common(5))
        lines.append(f"| {family} | {len(members)} | {kinds['right']} | {kinds['wrong']} | "
                     f"{kinds['refused']} | {sequences} | {loops} | {still} | {words} |")
    return lines


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    writer = commands.add_parser("write")
    writer.add_argument("--quick", action="store_true")
    writer.add_argument("--makers", default=",".join(MAKERS))
    writer.set_defaults(run=write)
    checker = commands.add_parser("check")
    checker.add_argument("--rondo", type=pathlib.Path)
    checker.add_argument("--markdown", type=pathlib.Path)
    checker.add_argument("--verbose", action="store_true")
    checker.set_defaults(run=check)
    keeper = commands.add_parser("keep")
    keeper.add_argument("--models", required=True)
    keeper.add_argument("--to", type=pathlib.Path, required=True)
    keeper.set_defaults(run=keep)
    for command in (writer, checker, keeper):
        command.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main())
