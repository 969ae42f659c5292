"""Opens the contestants of a case, checks that they agree, and says why one is left out."""

import importlib

import numpy as np

# OpenVINO first: Rondo shares its newer TBB then, which OpenVINO can't do with the system's.
MODULES = {"openvino": "openvino_peer", "onnxruntime": "onnxruntime_peer", "torch": "torch_peer",
           "rondo": "rondo_peer"}


def load_peers(names):
    """({name: module}, {name: why it can't be had}) of `names`."""
    found, missing = {}, {}
    for name, module in MODULES.items():
        if name in names:
            try:
                found[name] = importlib.import_module("bench_peers_lib." + module)
            except ImportError as error:
                missing[name] = str(error)
    return found, missing


def one_line(error):
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:160]}"


def open_sessions(case, problems, peers):
    """({label: session}, {label: its outputs}, {label: reason}) of a case.

    `problems`: subject -> Problem.
    """
    sessions, outputs, refused = {}, {}, {}
    for contestant in case.contestants:
        if contestant.peer not in peers:
            continue
        try:
            session = peers[contestant.peer].Session(
                problems[contestant.subject], contestant.threads, contestant.weights)
            outputs[contestant.label] = session.outputs()
            sessions[contestant.label] = session
        except Exception as error:  # a peer may refuse by any exception; the reason is kept
            refused[contestant.label] = one_line(error)
    return sessions, outputs, refused


def difference(outputs, others):
    """The greatest absolute difference; infinite where shapes differ or a value is no number."""
    worst = 0.0
    for a, b in zip(outputs, others):
        if a.shape != b.shape:
            return float("inf")
        if a.size:
            gap = np.max(np.abs(a.astype(np.float64) - b.astype(np.float64)))
            worst = max(worst, float("inf") if np.isnan(gap) else float(gap))
    return worst if len(outputs) == len(others) else float("inf")


def outliers(outputs, tolerance):
    """{label: difference} of those that most of the others contradict.

    One that agrees with at least half of the others is believed; of two that differ, neither is.
    """
    found = {}
    for label, mine in outputs.items():
        gaps = sorted(difference(mine, theirs) for other, theirs in outputs.items()
                      if other != label)
        if gaps and gaps[(len(gaps) - 1) // 2] > tolerance:
            found[label] = gaps[(len(gaps) - 1) // 2]
    return found


def check_outputs(case, outputs, problems):
    """{label: reason} of those whose numbers differ, subject by subject.

    f16 weights differ by what rounding the weights does; such a contestant is checked against f32
    ones with a tolerance for that, and contradicts no runtime.
    """
    by_subject, halves = {}, []
    for contestant in case.contestants:
        if contestant.label not in outputs:
            continue
        mine = outputs[contestant.label]
        if contestant.weights == "f32":
            by_subject.setdefault(contestant.subject, {})[contestant.label] = mine
        else:
            halves.append((contestant, mine))
    gaps = {}
    for subject, same in by_subject.items():
        gaps.update(outliers(same, problems[subject].tolerance))
    for contestant, mine in halves:
        others = by_subject.get(contestant.subject, {})
        gap = min((difference(mine, theirs) for theirs in others.values()), default=0.0)
        if gap > 100 * problems[contestant.subject].tolerance:
            gaps[contestant.label] = gap
    return {label: f"differs from the others by {gap:.2g}" for label, gap in gaps.items()}
