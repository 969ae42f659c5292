"""Shared by the tests of bench_peers_lib: the path, a calibration, and measured rows."""

import importlib.util
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "tests" / "other_engines"))

from bench_peers_lib import cases, limits, results, rows  # noqa: E402  (the path comes first)


def need_numpy():
    if importlib.util.find_spec("numpy") is None:
        print("needs NumPy")
        sys.exit(77)


def calibration(peaks=(100, 200), l2=(80, 160)):
    """Round numbers: GFLOP/s and GB/s of one and two threads."""
    def entry(threads, peak, from_l2):
        rates = {"l1": 2 * from_l2, "l2": from_l2, "l3": from_l2 / 4, "memory": 10}
        return {"threads": threads, "gflops": {"best": peak, "median": peak},
                "read_gbps": {level: {"best": rate, "median": rate, "bytes_each": 1}
                              for level, rate in rates.items()}}

    return {"cpu": "A CPU", "isa": "avx512", "cpus": 2,
            "caches": {"l1": 32 << 10, "l2": 1 << 20, "l3": 32 << 20},
            "calibrations": [entry(1, peaks[0], l2[0]), entry(2, peaks[1], l2[1])]}


def times(**medians):
    """Label -> entry; the minimum is a tenth less. `_` in a name means a blank."""
    return {label: {"min_us": 0.9 * median, "median_us": median, "rounds": 3}
            for label, median in medians.items()}


def row(group="grid", threads=1, refused=None, machine="calibrated", subject=None, measured=None,
        **layer):
    known = limits.Machine(calibration()) if machine == "calibrated" else machine
    subject = subject or cases.Layer(**{"cell": "lstm", "hidden": 64, **layer})
    measured = times(rondo=10, onnxruntime=30, torch=25) if measured is None else measured
    return rows.Row(group, subject, threads, measured, refused or {}, known, known)


def results_data(some, calibrations):
    """The content of a results file with `some` rows, of the first calibration if there is one."""
    records = {}
    for one in some:
        key = f"{one.group} {cases.describe(one.subject)} threads={one.threads}"
        records[key] = {"group": one.group, "threads": one.threads, "times": one.times,
                        "subject": results.subject_record(one.subject), "refused": one.refused,
                        "calibration": 0 if calibrations else None}
    return {"format": results.FORMAT, "setup": {"versions": {"rondo": "1", "torch": "2"}},
            "calibrations": calibrations, "cases": records}


def main():
    unittest.main(verbosity=1)
