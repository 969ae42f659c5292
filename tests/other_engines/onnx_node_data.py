#!/usr/bin/env python3
"""Writes the node tests of the installed onnx package to files, as Debian's libonnx-testdata has
those of ONNX 1.12: newer packages generate them instead of shipping them.

Usage: onnx_node_data.py [--recurrent] FOLDER
  --recurrent  those of LSTM, GRU and RNN alone
Then:  RONDO_ONNX_NODE_DATA=FOLDER build/release/tests/conformance/conformance_tests \\
           --gtest_filter='*OnnxNode*'
Tests of values that aren't tensors, or whose type NumPy and ml_dtypes don't have, are left out.
"""

import argparse
import pathlib
import re
import sys
import warnings

RECURRENT = re.compile(r"test_(simple_rnn|rnn|lstm|gru)_")


def node_tests(recurrent):
    import onnx.backend.test.case.node as node

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the cases warn of their own numbers
        for case in node.collect_testcases(None):
            if not recurrent or RECURRENT.match(case.name):
                yield case


def tensor_messages(values):
    """The values as TensorProto; those that are none stay out, with the whole test."""
    import numpy
    import onnx

    for value in values:
        if isinstance(value, onnx.TensorProto):
            yield value
        else:
            if isinstance(value, (list, dict)) or value is None:
                raise TypeError("not a tensor")
            yield onnx.numpy_helper.from_array(numpy.asarray(value))


def write_case(folder, case):
    messages = [
        (list(tensor_messages(inputs)), list(tensor_messages(outputs)))
        for inputs, outputs in case.data_sets]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(case.model.SerializeToString())
    for number, sets in enumerate(messages):
        data = folder / f"test_data_set_{number}"
        data.mkdir(exist_ok=True)
        for kind, tensors in zip(("input", "output"), sets):
            for position, message in enumerate(tensors):
                (data / f"{kind}_{position}.pb").write_bytes(message.SerializeToString())


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recurrent", action="store_true", help="LSTM, GRU and RNN alone")
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    written, left_out = 0, 0
    for case in node_tests(options.recurrent):
        try:
            write_case(options.folder / case.name, case)
            written += 1
        except (TypeError, ValueError):
            left_out += 1
    import onnx

    print(f"{written} node tests of onnx {onnx.__version__}, {left_out} left out")
    return 0


if __name__ == "__main__":
    sys.exit(main())
