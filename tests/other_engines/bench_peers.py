#!/usr/bin/env python3
"""Recurrent layers and real models: Rondo against onnxruntime, OpenVINO and PyTorch, in one process
and round by round, with the machine's limits beside them. docs/performance.md describes the method.

Examples (PY is a Python with numpy and the peers; peers that are missing are left out):
  PY tests/other_engines/bench_peers.py --rondo build/release/python --quick
  PY tests/other_engines/bench_peers.py --rondo build/release/python --cells lstm --hidden 128,256 --batch 1
  PY tests/other_engines/bench_peers.py --rondo build/release/python --json r.json  # may be stopped
  PY tests/other_engines/bench_peers.py --json r.json --report --markdown r.md --svg r.svg
Exit code: 0 ok, 1 for a mistake in arguments or files, 2 if Rondo's numbers differ from the peers'.
"""

import argparse
import dataclasses
import gc
import os
import platform
import subprocess
import sys

from bench_peers_lib import (calibrator, cases, marks, plot, problem, report, results, rounds, rows,
                             sessions, tables)

QUICK = {"hidden": (32, 128, 256), "batch": (1, 16), "rounds": 3, "burst_ms": 2.0}
MARKS = ("<!-- bench_peers: results -->\n", "<!-- bench_peers: end -->\n")


def list_of(kind, known=None):
    """An argparse type for "a,b"."""
    def parse(text):
        try:
            items = tuple(kind(item) for item in text.split(","))
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"'{text}': expected numbers, as 1,2") from error
        for item in items:
            if known and item not in known:
                raise argparse.ArgumentTypeError(
                    f"'{item}' is not known; there are {', '.join(map(str, known))}")
            if kind is int and item < 1:
                raise argparse.ArgumentTypeError(f"'{item}': expected numbers above 0")
        return items
    return parse


class Parser(argparse.ArgumentParser):
    """Exits with 1 for a mistake of the user's, as the project's other commands do."""

    def error(self, message):
        raise results.ResultsError(message + "; --help lists the arguments")


def make_parser():
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    axes = parser.add_argument_group("what is measured (lists: a,b)").add_argument
    axes("--groups", type=list_of(str, cases.GROUPS), help="; ".join(cases.GROUPS))
    axes("--cells", type=list_of(str, cases.CELLS), help="lstm; gru: lbr=1; gru0: lbr=0")
    axes("--hidden", type=list_of(int), metavar="H", help="H = I")
    axes("--batch", type=list_of(int), metavar="N")
    axes("--time", type=list_of(int), metavar="T")
    axes("--directions", type=list_of(int, (1, 2)), metavar="D")
    axes("--threads", type=list_of(int))
    axes("--peers", type=list_of(str, cases.PEERS), help="; ".join(cases.PEERS))
    add("--quick", action="store_true", help="a few sizes, short rounds: a look, not a result")
    add("--list", action="store_true", help="the cases, unmeasured")
    pace = rounds.Pace()
    add("--rounds", type=int, help=f"of each case (default {pace.rounds})")
    add("--burst-ms", type=float,
        help=f"of one contestant in one round (default {pace.burst_ms:g})")
    add("--rondo", metavar="DIR", help="the folder that holds the package rondo")
    add("--calibrate", metavar="PROGRAM", help="rondo_calibrate (default: that of the same build)")
    add("--models", metavar="DIR", default=os.environ.get("RONDO_MODELS", "../shared/models"))
    add("--json", metavar="FILE", help="results; a run that was interrupted goes on")
    add("--fresh", action="store_true", help="measures again what FILE holds")
    add("--report", action="store_true", help="measures nothing: reports what FILE holds")
    add("--markdown", metavar="FILE", help="the report; between its marks, where FILE has them")
    add("--svg", metavar="FILE", help="the picture")
    return parser


def read_selection(options):
    chosen = {field.name: getattr(options, field.name)
              for field in dataclasses.fields(cases.Selection)
              if getattr(options, field.name) is not None}
    if options.quick:
        chosen = {"hidden": QUICK["hidden"], "batch": QUICK["batch"], **chosen}
    return cases.Selection(**chosen)


def read_pace(options):
    changes = {"rounds": QUICK["rounds"], "burst_ms": QUICK["burst_ms"]} if options.quick else {}
    for name in ("rounds", "burst_ms"):
        if getattr(options, name) is not None:
            changes[name] = getattr(options, name)
    pace = rounds.Pace(**changes)
    if pace.rounds < 1 or pace.burst_ms <= 0:
        raise results.ResultsError("--rounds and --burst-ms must be above 0")
    return pace


def cpu_name():
    """What the processor calls itself."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else platform.machine()


def load_rondo_and_peers(options, chosen):
    """The modules by name; their versions go into the setup."""
    if options.rondo:
        if not os.path.isdir(os.path.join(options.rondo, "rondo")):
            raise results.ResultsError(f"--rondo {options.rondo}: holds no package rondo")
        sys.path.insert(0, os.path.abspath(options.rondo))
    found, missing = sessions.load_peers(("rondo", *chosen.peers))
    if "rondo" not in found:
        raise results.ResultsError(
            f"no Rondo for this Python ({missing['rondo']}); --rondo build/release/python has one "
            f"for Debian's and any other {platform.python_version_tuple()[0]}."
            f"{platform.python_version_tuple()[1]}, `pip install .` makes one")
    for name, reason in missing.items():
        print(f"without {name}: {reason}", file=sys.stderr)
    return found


class Run:
    """Measures cases one after another and notes them in the results."""

    def __init__(self, options, chosen):
        self.pace, self.models_folder = read_pace(options), options.models
        self.peers = load_rondo_and_peers(options, chosen)
        setup = {"versions": {name: peer.version() for name, peer in self.peers.items()},
                 "pace": dataclasses.asdict(self.pace), "cpu": cpu_name(),
                 "isa": os.environ.get("RONDO_ISA", "best")}
        self.results = results.Results.open(options.json, setup, options.fresh)
        program = options.calibrate or calibrator.find_program(
            os.path.dirname(os.path.dirname(self.peers["rondo"].package_file())))
        if program is None:
            print("no rondo_calibrate (RONDO_BENCH=ON builds it): no limits", file=sys.stderr)
        self.calibrator = calibrator.Calibrator(
            program, {1, 2, *chosen.threads}, self.results.calibrations, options.quick)
        self.wrong = []

    def measure(self, case):
        problems = {contestant.subject: problem.make_problem(contestant.subject,
                                                             self.models_folder)
                    for contestant in case.contestants}
        calibration = self.calibrator.current()
        ready, outputs, refused = sessions.open_sessions(case, problems, self.peers)
        differing = sessions.check_outputs(case, outputs, problems)
        del outputs
        self.wrong += [f"{case.key}: {label} {reason}" for label, reason in differing.items()
                       if label.startswith("rondo")]
        ready = {label: one for label, one in ready.items() if label not in differing}
        gc.collect()
        gc.disable()
        times = rounds.measure(ready, self.pace)
        gc.enable()
        self.results.add(case, times, {**refused, **differing}, calibration)

    def measure_all(self, todo):
        progress = rounds.Progress(len(todo))
        for done, case in enumerate(todo):
            if not self.results.has(case):
                progress.show(done, case.key)
                self.measure(case)
        progress.finish()


def write_markdown(path, text):
    """Between the marks of an existing file, or as the whole file."""
    if os.path.exists(path) and marks.parts(path, MARKS):
        marks.put_between(path, MARKS, text)
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def write_outputs(options, data):
    shown = rows.read_rows(data)
    if options.markdown:
        folder = os.path.dirname(options.markdown) or "."
        picture = os.path.relpath(options.svg, folder) if options.svg else None
        write_markdown(options.markdown, report.markdown(data, picture))
    if options.svg:
        with open(options.svg, "w", encoding="utf-8") as file:
            file.write(plot.draw(shown))
    if shown:
        print(tables.text_table(shown), flush=True)


def run(options):
    if options.report:
        if not options.json:
            raise results.ResultsError("--report needs --json FILE")
        write_outputs(options, results.Results.read(options.json).data)
        return 0
    chosen = read_selection(options)
    todo = cases.all_cases(chosen, problem.find_models(options.models))
    if not todo:
        raise results.ResultsError(f"there is no such case (models are looked for in "
                                   f"{options.models})")
    if options.list:
        print("\n".join(case.key for case in todo))
        return 0
    runner = Run(options, chosen)
    try:
        runner.measure_all(todo)
    except KeyboardInterrupt:
        again = "; the same command goes on" if options.json else ""
        print(f"\nstopped after {len(runner.results.records)} cases{again}", file=sys.stderr)
    write_outputs(options, runner.results.data)
    for line in runner.wrong:
        print(f"wrong numbers: {line}", file=sys.stderr)
    return 2 if runner.wrong else 0


def main():
    try:
        return run(make_parser().parse_args())
    except BrokenPipeError:  # `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (results.ResultsError, OSError, subprocess.SubprocessError) as error:
        print(f"bench_peers.py: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
