#!/usr/bin/env python3
"""Carries models from OpenVINO to Rondo and back, and compares what both compute.

Usage: openvino_interchange.py [--models DIR] [--random N] [--seed S] [--kinds LIST]
                               [--markdown FILE] [--keep FOLDER] BUILD
BUILD is a build folder with bin/rondo and python/rondo (-DRONDO_PYTHON=ON). DIR holds real models, as
DIR/<name>/ref/manifest.json with inputs beside it. Needs numpy, onnx and openvino.

From OpenVINO: converted, and saved in f32, f16, with weights of 4 and 8 bits, with states as
variables, with loops in place of sequences. Rondo and OpenVINO run the same file. To OpenVINO:
`rondo compile`; OpenVINO runs the file, Rondo's reference the original. Files are also damaged.
"for openvino": OpenVINO needs that option, because it refuses the opset rondo1, loses an input's name
or ignores lengths.
"theirs": OpenVINO doesn't convert the model, computes the original wrong as well, or fails on its own
file. "nothing": the model has nothing of that kind.
Exit code: 0 where nothing is wrong or refused that should not be, 77 where a package is missing.
"""

import argparse
import collections
import pathlib
import sys
import tempfile

VERDICTS = ("equal", "wrong", "refused", "for openvino", "theirs", "nothing")
WAYS = {"as it is": (), "f16 weights": ("--weights", "f16"),
        "for openvino": ("--for", "openvino"),
        "for openvino, f16 weights": ("--for", "openvino", "--weights", "f16")}


class Table:
    def __init__(self):
        self.rows = []
        self.faults = []

    def add(self, title, outcomes):
        counts = collections.Counter(outcome.verdict for outcome in outcomes)
        self.rows.append((title, counts))
        print(f"{title}: " + ", ".join(f"{counts[name]} {name}" for name in VERDICTS), flush=True)
        groups = collections.defaultdict(list)
        for outcome in outcomes:
            if outcome.verdict in ("wrong", "refused"):
                groups[outcome.verdict, outcome.why[:220]].append(outcome.case)
        for (verdict, why), cases in sorted(groups.items()):
            print(f"  {verdict}, {len(cases)} ({', '.join(cases[:3])}): {why}", flush=True)
            self.faults.append(f"{title}: {cases[0]}: {verdict}")

    def markdown(self):
        lines = ["| models | " + " | ".join(VERDICTS) + " |", "|---|" + "---:|" * len(VERDICTS)]
        for title, counts in self.rows:
            lines.append(f"| {title} | " + " | ".join(str(counts[v]) for v in VERDICTS) + " |")
        return "\n".join(lines) + "\n"


def travel(cases, title, folder, peer, rondo, table, kinds):
    from openvino_interchange_lib import directions

    for kind in kinds:
        table.add(f"{title}, from OpenVINO, {kind}",
                  [directions.from_openvino(case, kind, folder, peer, rondo) for case in cases])
    for name, options in WAYS.items():
        table.add(f"{title}, to OpenVINO, {name}",
                  [directions.to_openvino(case, options, folder, peer, rondo) for case in cases])
    table.add(f"{title}, to OpenVINO, stateful",
              [directions.stateful(case, WAYS["for openvino"], folder, peer, rondo)
               for case in cases])
    table.add(f"{title}, to OpenVINO and back with LowLatency2",
              [directions.again(case, WAYS["for openvino"], folder, peer, rondo)
               for case in cases])


def check_damage(folder, rondo, table):
    from openvino_interchange_lib import damage

    faults = []
    files = sorted(folder.glob("*_f32.xml"))[::10] + sorted(folder.glob("*_rondo.xml"))[::10]
    for xml in files:
        faults += damage.check(xml, folder, rondo)
    print(f"damaged: {len(files)} files in {len(damage.DAMAGES)} ways, {len(faults)} faults")
    for fault in faults:
        print(f"  {fault}")
    table.faults += faults


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--models", type=pathlib.Path)
    parser.add_argument("--random", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", help="what OpenVINO writes: f32,f16 ...; all by default, or none")
    parser.add_argument("--markdown", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the files")
    options = parser.parse_args()
    sys.path.insert(0, str(options.build.resolve() / "python"))
    try:
        import onnx  # noqa: F401
        import openvino
        import rondo  # noqa: F401
        from openvino_interchange_lib import kinds, models, rondo_side, worker
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    wanted = kinds.KINDS
    if options.kinds is not None:
        wanted = [kind for kind in kinds.KINDS if kind in options.kinds.split(",")]
    rondo_peer = rondo_side.Rondo(str(options.build.resolve() / "bin" / "rondo"))
    peer = worker.Worker()
    table = Table()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if options.models:
            travel(models.real_cases(options.models), "real", folder, peer, rondo_peer, table,
                   wanted)
        travel(models.random_cases(options.random, options.seed, folder), "random", folder, peer,
               rondo_peer, table, wanted)
        check_damage(folder, rondo_peer, table)
    peer.stop()
    print(f"Rondo {rondo_peer.version}, OpenVINO {openvino.__version__}, "
          f"{len(table.faults)} faults")
    if options.markdown:
        options.markdown.write_text(table.markdown())
    return 1 if table.faults else 0


if __name__ == "__main__":
    sys.exit(main())
