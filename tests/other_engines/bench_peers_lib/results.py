"""The results file: written after each case, so that an interrupted run goes on where it was."""

import dataclasses
import json
import os

from bench_peers_lib import cases

FORMAT = 1


class ResultsError(Exception):
    """The user's file can't be used; the message says why and what to do."""


def subject_record(subject):
    return {"kind": type(subject).__name__, **dataclasses.asdict(subject)}


def read_subject(record):
    fields = {name: value for name, value in record.items() if name != "kind"}
    kinds = {"Layer": cases.Layer, "Loop": cases.Loop, "RealModel": cases.RealModel}
    return kinds[record["kind"]](**fields)


class Results:
    """`setup`: what must be the same for two runs in one table."""

    def __init__(self, path, setup):
        self.path = path
        self.data = {"format": FORMAT, "setup": setup, "calibrations": [], "cases": {}}

    @property
    def calibrations(self):
        return self.data["calibrations"]

    @property
    def records(self):
        return self.data["cases"]

    def has(self, case):
        return case.key in self.records

    def add(self, case, times, refused, calibration):
        self.records[case.key] = {
            "group": case.group, "threads": case.threads, "subject": subject_record(case.subject),
            "times": times, "refused": refused, "calibration": calibration}
        self.save()

    def save(self):
        """Whole or not at all."""
        if self.path is None:
            return
        with open(self.path + ".part", "w", encoding="utf-8") as file:
            json.dump(self.data, file, indent=1)
        os.replace(self.path + ".part", self.path)

    @classmethod
    def read(cls, path):
        try:
            with open(path, encoding="utf-8") as file:
                data = json.load(file)
            if data["format"] != FORMAT:
                raise ResultsError(f"{path}: format {data['format']}; expected {FORMAT}")
            results = cls(path, data["setup"])
            if not isinstance(data["cases"], dict):
                raise ResultsError(f"{path}: not a results file of bench_peers.py")
        except (ValueError, KeyError, TypeError) as error:
            raise ResultsError(f"{path}: not a results file of bench_peers.py") from error
        results.data = data
        return results

    @classmethod
    def open(cls, path, setup, fresh):
        """Goes on with the file at `path` unless `fresh`; refuses one of another setup."""
        if path is None or fresh or not os.path.exists(path):
            return cls(path, setup)
        results = cls.read(path)
        other = results.data["setup"]
        changed = sorted(name for name in set(setup) | set(other)
                         if setup.get(name) != other.get(name))
        if changed:
            name = changed[0]
            raise ResultsError(f"{path}: measured with {name} {other.get(name)!r}, now it is "
                               f"{setup.get(name)!r}; give --fresh to measure again")
        return results
