#!/usr/bin/env python3
"""Writes the recurrent node tests of the installed onnx package to files, as Debian's
libonnx-testdata has those of ONNX 1.12: newer packages generate them instead of shipping them.

Usage: onnx_node_data.py FOLDER
Then:  RONDO_ONNX_NODE_DATA=FOLDER build/release/tests/conformance/conformance_tests \\
           --gtest_filter='*OnnxNode*'
"""

import pathlib
import re
import sys
import warnings

RECURRENT = re.compile(r"test_(simple_rnn|rnn|lstm|gru)_")


def node_tests():
    import onnx.backend.test.case.node as node

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the cases warn of their own numbers
        for case in node.collect_testcases(None):
            if RECURRENT.match(case.name):
                yield case


def write_tensors(folder, kind, tensors):
    import onnx

    for number, tensor in enumerate(tensors):
        message = onnx.numpy_helper.from_array(tensor)
        (folder / f"{kind}_{number}.pb").write_bytes(message.SerializeToString())


def write_case(folder, case):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(case.model.SerializeToString())
    for number, (inputs, outputs) in enumerate(case.data_sets):
        data = folder / f"test_data_set_{number}"
        data.mkdir(exist_ok=True)
        write_tensors(data, "input", inputs)
        write_tensors(data, "output", outputs)


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 0 if sys.argv[1:] == ["--help"] else 1
    names = []
    for case in node_tests():
        write_case(pathlib.Path(sys.argv[1]) / case.name, case)
        names.append(case.name)
    import onnx

    print(f"{len(names)} node tests of onnx {onnx.__version__}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
