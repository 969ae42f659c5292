#!/usr/bin/env python3
"""What models lose in fewer bits: the table of docs/measurements/README.md.

Runs each folder's model.onnx of RONDO_MODELS (default ../shared/models) on its reference inputs, in
f32 and in each format, and prints Markdown: the relative error of the output that loses most (root
mean square), and in brackets the part of rows whose largest element stays the same, of the output
where most change.

Example: PYTHONPATH=build/release/python tools/quantization_table.py
"""

import json
import os
import pathlib
import sys

import numpy as np
import rondo

FORMATS = ("w8r8", "w8r16", "w16r16", "bf16")


def compiled(core, model, layout):
    """The model with so many bits, how many layers have integers now, and what they are if none."""
    if layout == "bf16":
        return core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "bf16"}), None, ""
    copy = model.clone()
    layers = rondo.quantize(copy, layout)
    changed = sum(not layer.kept for layer in layers)
    before = any("quantised already" in layer.kept for layer in layers)
    return core.compile_model(copy, "CPU"), changed, "as it is" if before else "f32"


def results(model, case):
    request = model.create_infer_request()
    request.infer(case)
    return [np.array(request.get_output_tensor(i).data) for i in range(len(model.outputs))]


def loss(got, expected):
    """Relative error and the part of rows with the same choice, of all cases of an output."""
    noise = sum(float(((a - b).astype(np.float64) ** 2).sum()) for a, b in zip(got, expected))
    power = sum(float((b.astype(np.float64) ** 2).sum()) for b in expected)
    same = [np.mean(a.argmax(-1) == b.argmax(-1)) for a, b in zip(got, expected)
            if b.ndim and b.shape[-1] > 1 and b.size]
    return (noise / power) ** 0.5 if power else 0.0, np.mean(same) if same else None


def cells(folder):
    manifest = json.loads((folder / "ref/manifest.json").read_text())
    core = rondo.Core()
    model = core.read_model(folder / "model.onnx")
    cases = [{name: np.load(folder / "ref" / entry["file"])
              for name, entry in case["inputs"].items()} for case in manifest["cases"]]
    exact = core.compile_model(model, "CPU")
    expected = [results(exact, case) for case in cases]
    row = []
    for layout in FORMATS:
        narrow, layers, unchanged = compiled(core, model, layout)
        if layers == 0:
            row.append(unchanged)
            continue
        got = [results(narrow, case) for case in cases]
        losses = [loss([g[i] for g in got], [e[i] for e in expected])
                  for i, value in enumerate(expected[0]) if value.dtype.kind == "f"]
        same = [100 * part for _, part in losses if part is not None]
        row.append(f"{max(error for error, _ in losses):.1e}" +
                   (f" ({min(same):.1f} %)" if same else ""))
    return row


def main():
    root = pathlib.Path(os.environ.get("RONDO_MODELS", "../shared/models"))
    folders = sorted(path.parent for path in root.glob("*/model.onnx"))
    if not folders:
        print(f"no models in {root}; RONDO_MODELS names a folder of them", file=sys.stderr)
        return 77
    print("| model | " + " | ".join(f"`{name}`" for name in FORMATS) + " |")
    print("|---" * (len(FORMATS) + 1) + "|")
    for folder in folders:
        print(f"| {folder.name} | " + " | ".join(cells(folder)) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
