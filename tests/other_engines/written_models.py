#!/usr/bin/env python3
"""Checks models that Rondo has written: a peer reads and runs them, and what it gives is compared
with what the originals give.

Usage: written_models.py [--peer onnxruntime|openvino] [--external-data] RONDO FOLDER...
RONDO is the command; each FOLDER holds models as write_random_models writes them (model.onnx,
model.json, run_*/), or as exporter_corpus.py does, or folders with model.onnx and
ref/case*_{in,out}_*.npy, as tests/data/exporters has. Each model.onnx is compiled: for onnxruntime to
ONNX, which onnx.checker checks, too (with --external-data the larger constants lie in a file beside
it); for openvino to IR with --for openvino.
  ninja -C build/release rondo write_random_models
  build/release/tests/random/write_random_models models 0 400
  python3 tests/other_engines/written_models.py build/release/bin/rondo models
  python3 tests/other_engines/written_models.py --peer openvino build/release/bin/rondo models tests/data/exporters
Prints a line for each difference and for each model that Rondo or the peer refuses, and how many are
refused for each reason that is known. Exit code 1 if there is a difference or a refusal of another
reason, 77 where the peer, onnx or NumPy is not installed.
"""

import argparse
import collections
import functools
import importlib
import pathlib
import sys
import tempfile

from written_models_lib import judge, peers


def report(verdicts, folder_count):
    """Prints the counts; returns whether all is well."""
    counts = collections.Counter(one.kind for one in verdicts)
    for why, count in sorted(collections.Counter(
            one.text for one in verdicts if one.kind == "known").items()):
        print(f"{count} times {why}")
    print(f"{folder_count} models: " +
          ", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    return folder_count > 0 and not set(counts) - {"same", "refused", "lacking", "known"}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", choices=sorted(peers.PEERS), default="onnxruntime")
    parser.add_argument("--external-data", action="store_true")
    parser.add_argument("rondo")
    parser.add_argument("folders", type=pathlib.Path, nargs="+", metavar="FOLDER")
    options = parser.parse_args()
    try:
        for module in ("numpy", *peers.PEERS[options.peer].MODULES):
            importlib.import_module(module)
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    folders = [path.parent for folder in options.folders
               for path in sorted(folder.glob("*/model.onnx"))]
    verdicts = []
    with tempfile.TemporaryDirectory() as place:
        peer = peers.PEERS[options.peer](
            options.rondo, pathlib.Path(place),
            ["--external-data"] if options.external_data else [])
        for folder in folders:
            verdicts.append(judge.in_own_process(functools.partial(judge.judge, peer, folder)))
            if verdicts[-1].kind not in ("same", "known"):
                print(f"{folder.name}: {verdicts[-1].kind}: {verdicts[-1].text}", flush=True)
    return 0 if report(verdicts, len(folders)) else 1


if __name__ == "__main__":
    sys.exit(main())
