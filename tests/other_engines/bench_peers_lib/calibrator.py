"""Runs rondo_calibrate again and again while cases are measured: the machine changes with its
neighbours."""

import json
import pathlib
import subprocess
import time

REPEAT_SECONDS = 300


def find_program(rondo_folder):
    """Where a build has it: beside the folder `python` that holds the package; None elsewhere."""
    program = pathlib.Path(rondo_folder).parent / "tests" / "bench" / "rondo_calibrate"
    return str(program) if program.exists() else None


class Calibrator:
    """Appends to `calibrations` (a list of the results) what the program prints."""

    def __init__(self, program, threads, calibrations, quick=False):
        self.command = [program, "--json", "--threads", ",".join(map(str, sorted(threads)))]
        self.command += ["--quick"] if quick else []
        self.program, self.calibrations, self.last = program, calibrations, None

    def current(self):
        """The index of a calibration that is at most REPEAT_SECONDS old, or None."""
        if self.program is None:
            return None
        if self.last is None or time.monotonic() - self.last > REPEAT_SECONDS:
            done = subprocess.run(self.command, capture_output=True, text=True, check=True,
                                  timeout=300)
            self.calibrations.append(json.loads(done.stdout))
            self.last = time.monotonic()
        return len(self.calibrations) - 1
