#!/usr/bin/env python3
"""Runs the ONNX project's own backend tests against Rondo and prints how many pass.

Usage: onnx_backend_scoreboard.py [--all] [--filter REGEX] [--verbose] [--json] [--markdown FILE]
Examples:
  PYTHONPATH=build/release/python tools/onnx_backend_scoreboard.py            # LSTM, GRU, RNN
  PYTHONPATH=build/release/python tools/onnx_backend_scoreboard.py --all --filter gather -v
  PYTHONPATH=build/release/python tools/onnx_backend_scoreboard.py --markdown docs/measurements/README.md

A test is `unsupported` where Rondo refuses the model with UnsupportedError, `broken` where its own
data are wrong or no one else's (a list in here), and `failed` for any other error or a wrong number.
Exit code: 0 if none failed, 1 otherwise.
"""

import argparse
import collections
import json
import re
import sys
import unittest
import warnings

import scoreboard_table

# Tests that no right answer passes, by their names and, if newer data are right, onnx's version.
CASTS = "the model's input 'like' is bf16[3,4], the data holds u16[1]"
RANDOM = "the data are random numbers of onnx's own generator"
ROUNDED = "the data were computed in fewer bits and are off by more than the test allows"
BROKEN = {
    ("1.12", "test_castlike_FLOAT_to_BFLOAT16_cpu"): CASTS,
    ("1.12", "test_castlike_FLOAT_to_BFLOAT16_expanded_cpu"): CASTS,
    ("", "test_attention_4d_causal_fp16_expanded_cpu"): ROUNDED,
    ("", "test_dft_inverse_cpu"): ROUNDED,
    ("", "test_dft_inverse_opset19_cpu"): ROUNDED,
    **{("", f"test_bernoulli{kind}{form}_cpu"): RANDOM
       for kind in ("", "_double", "_seed") for form in ("", "_expanded")},
}
RECURRENT = re.compile(r"test_(simple_rnn|rnn|lstm|gru)_")


def load_backend_tests():
    """The onnx package's test cases, a unittest class a category, run by Rondo."""
    import numpy

    if "object" not in vars(numpy):
        numpy.object = object  # onnx 1.12 asks NumPy for a name that NumPy 1.24 dropped
    import onnx.backend.test
    import rondo.backend

    class Recorded(rondo.backend.RondoBackend):
        """Refuses by exception, so that the reason is seen."""

        @classmethod
        def is_compatible(cls, model, device="CPU", **kwargs):
            return True

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the cases warn of their own numbers
        return onnx.backend.test.BackendTest(Recorded, __name__).test_cases


class Scoreboard(unittest.TestResult):
    """Sorts outcomes by Rondo's errors."""

    def __init__(self, onnx_version=""):
        super().__init__()
        self.onnx_version = onnx_version.rsplit(".", 1)[0]  # without the patch
        self.outcomes = {}  # test name -> (outcome, reason)

    def note(self, test, outcome, reason=""):
        self.outcomes[name_of(test)] = (outcome, reason)

    def broken_by(self, test):
        name = name_of(test)
        return BROKEN.get((self.onnx_version, name), BROKEN.get(("", name)))

    def addSuccess(self, test):
        self.note(test, "passed")

    def addFailure(self, test, err):
        reason = self.broken_by(test)
        self.note(test, "broken" if reason else "failed", reason or one_line(err[1]))

    def addError(self, test, err):
        import rondo

        reason = self.broken_by(test)
        if isinstance(err[1], rondo.ModelError) and reason:
            return self.note(test, "broken", reason)
        refused = isinstance(err[1], rondo.UnsupportedError)
        return self.note(test, "unsupported" if refused else "failed", one_line(err[1]))

    def addSkip(self, test, reason):
        self.note(test, "skipped", reason)


def name_of(test):
    return test.id().rsplit(".", 1)[-1]


def one_line(error):
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:300]}"


def wanted(name, everything, pattern):
    if not name.endswith("_cpu"):
        return False
    if pattern:
        return re.search(pattern, name) is not None
    return everything or RECURRENT.match(name) is not None


def run(everything, pattern):
    """Test name -> (outcome, reason), in the order of the names."""
    cases = load_backend_tests()
    import onnx

    board = Scoreboard(onnx.__version__)
    for category, case in sorted(cases.items()):
        if "Real" in category:
            continue  # downloads models
        for name in unittest.TestLoader().getTestCaseNames(case):
            if wanted(name, everything, pattern):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    case(name).run(board)
    return dict(sorted(board.outcomes.items()))


def print_board(outcomes, verbose):
    for name, (outcome, reason) in outcomes.items():
        if verbose or outcome == "failed":
            print(f"{outcome:<12} {name}" + (f"  {reason}" if reason else ""))
    counts = collections.Counter(outcome for outcome, _ in outcomes.values())
    kinds = ["passed", "unsupported", "failed"] + ["broken"] * (counts["broken"] > 0)
    print(", ".join(f"{counts[kind]} {kind}" for kind in kinds))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="not LSTM, GRU and RNN alone")
    parser.add_argument("--filter", metavar="REGEX", help="tests whose name has this")
    parser.add_argument("-v", "--verbose", action="store_true", help="a line a test")
    parser.add_argument("--json", action="store_true", help="for machines")
    parser.add_argument("--markdown", metavar="FILE", help="runs all, and writes FILE's table")
    options = parser.parse_args()
    outcomes = run(options.all or bool(options.markdown), options.filter)
    if not outcomes:
        print("no test has such a name", file=sys.stderr)
        return 1
    if options.markdown:
        import onnx

        scoreboard_table.write(options.markdown, outcomes, onnx.__version__)
    if options.json:
        print(json.dumps(outcomes, indent=1))
    else:
        print_board(outcomes, options.verbose)
    return 1 if any(outcome == "failed" for outcome, _ in outcomes.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
