"""Writes docs/measurements/conformance.md from test runs."""

import collections
import datetime
import pathlib
import textwrap

from conformance_lib import reasons, runtimes

VERDICTS = ("yes", "inexact", "WRONG", "refused", "crashed")
NAMES = {"onnxruntime": "onnxruntime", "openvino": "OpenVINO"}

MAX_COLUMNS = 140
INTRO = """# Conformance: what ONNX specifies, and what libraries do

Written by `tests/other_engines/conformance.py --markdown` from test runs; don't edit. Rondo {rondo}, onnxruntime {onnxruntime},
OpenVINO {openvino} (CPU, with f32 set, since bf16 is its default where the processor has it), {date}.

Each row is one attribute or situation, on an otherwise plain node of LSTM, GRU and RNN each. The right answer comes from a
double-precision evaluator written from ONNX's text alone (`tests/conformance/onnx_recurrent_reference.cpp`).

- **yes**: within 2e-6 * sqrt(T) of it (double 1e-13; 16-bit types one unit in the last place).
- **inexact**: off by at most 2e-4 (double 2e-5, float16 0.03, bfloat16 0.2): correct, but less exact than the type.
- **WRONG**: other numbers or shapes, and no error. **refused**: an error. **crashed**: the process ended.

Rondo's column holds for its devices CPU and REFERENCE; a test compares it with their results (`ConformanceDoc` of `conformance_tests`).
"""

DEALING = """
## How alphas and betas are dealt out

`activation_alpha` and `activation_beta` are lists for all functions of a node: "The values are consumed in the order of activation
functions". The rule, which onnxruntime has too:

- The functions are gone through in order, those of the first direction, then those of the second. One that has an alpha (Affine, LeakyRelu,
  ThresholdedRelu, ScaledTanh, HardSigmoid, Elu) takes the next entry of `activation_alpha`; one that has a beta (Affine, ScaledTanh,
  HardSigmoid) the next of `activation_beta`. Sigmoid, Tanh, Relu, Softsign and Softplus take none.
- Past the end of a list the defaults of the ONNX operators hold. Entries that are left over say nothing: exporters write zeros or other
  numbers for sigmoid and tanh, also where `activations` is absent.
- So `[0.2, 0, 0]` with HardSigmoid, Tanh, Tanh gives 0.2 to HardSigmoid; with Tanh, HardSigmoid, Tanh it is 0.2, too. With two
  HardSigmoids the second one's alpha is 0, in any position.

OpenVINO's ops number the entries by function, but run sigmoid, tanh and relu alone, which take none. The same rule holds for the
attributes `activations_alpha` and `activations_beta` of an IR.
"""

RANDOM = """
## Random nodes

{count} random nodes, each with many of these attributes and situations, seeds {first} to {last}. Rondo: all agree on both devices, on the
CPU with each instruction set in turn (`Differential`). Peers refuse many of these nodes, since each combines many things.
"""

REASONS = """
## Why

The table refers to these numbers. In brackets: for how many of the random nodes the reason was the first to apply.
"""


def numbered(features, seeds):
    """Index in reasons.REASONS -> number, of those that explain anything."""
    used = {result.reason for each in (features, seeds) for results in each.values()
            for result in results} - {None}
    return {index: number for number, index in enumerate(sorted(used), 1)}


def cell(results, numbers):
    """One word where all operators agree, else a word an operator; with the numbers of the reasons."""
    verdicts = [result.verdict for result in results]
    if len(set(verdicts)) == 1:
        text = verdicts[0]
    else:
        text = ", ".join(f"{result.case.op}: {result.verdict}" for result in results)
    shown = sorted({numbers[result.reason] for result in results if result.reason is not None})
    return text + "".join(f" [{number}]" for number in shown)


def feature_table(features, numbers):
    peers = list(features)
    rows = collections.defaultdict(lambda: collections.defaultdict(list))
    for peer in peers:
        for result in features[peer]:
            rows[result.case.row or 0][peer].append(result)
    lines = ["", "| | Rondo | " + " | ".join(NAMES[peer] for peer in peers) + " |",
             "|---|---|" + "---|" * len(peers)]
    for _, row in sorted(rows.items()):
        about = row[peers[0]][0].case.about
        cells = [about["feature"], about["rondo"]] + [
            cell(row[peer], numbers) for peer in peers]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def random_table(seeds):
    lines = ["| peer | " + " | ".join(VERDICTS) + " |", "|---|" + "---:|" * len(VERDICTS)]
    for peer, results in seeds.items():
        counts = collections.Counter(result.verdict for result in results)
        cells = [NAMES[peer]] + [str(counts[verdict]) for verdict in VERDICTS]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def reason_lines(number, text, count):
    """An item of the list, broken as documents are."""
    return textwrap.wrap(f"{number}{text} ({count})", MAX_COLUMNS,
                         subsequent_indent=" " * len(number), break_long_words=False,
                         break_on_hyphens=False)


def reason_list(seeds, numbers):
    counts = collections.Counter(result.reason for results in seeds.values() for result in results)
    lines = [""]
    for index, number in numbers.items():
        reason = reasons.REASONS[index]
        lines += reason_lines(f"{number}. ", f"{NAMES[reason.peer]}: {reason.text}", counts[index])
    return lines


def rondo_version():
    """As CMakeLists.txt has it."""
    text = (pathlib.Path(__file__).parents[3] / "CMakeLists.txt").read_text()
    return text.split("VERSION", 2)[2].split()[0]


def write(path, features, seeds):
    versions = {peer: runtimes.version(peer) for peer in features}
    text = INTRO.format(rondo=rondo_version(), date=datetime.date.today().isoformat(), **versions)
    numbers = numbered(features, seeds)
    lines = feature_table(features, numbers)
    lines += DEALING.rstrip().split("\n")
    if seeds:
        drawn = [result.case.seed for result in next(iter(seeds.values()))]
        lines += RANDOM.format(count=len(drawn), first=min(drawn),
                               last=max(drawn)).split("\n") + random_table(seeds)
    lines += REASONS.rstrip().split("\n") + reason_list(seeds, numbers)
    pathlib.Path(path).write_text(text.rstrip() + "\n" + "\n".join(lines) + "\n")
