"""Models on their way from OpenVINO to Rondo, and from Rondo to OpenVINO."""

import dataclasses

from openvino_interchange_lib import models, rondo_side, worker


@dataclasses.dataclass
class Outcome:
    """`verdict`: equal; wrong (both answer, and differ); refused (the reader fails, or Rondo doesn't
    write); for openvino (OpenVINO needs that option: it refuses the opset rondo1, loses the name of an
    input, or ignores lengths); theirs (OpenVINO doesn't convert the
    model, is wrong on the original or fails on its own file); nothing (of that kind to write)."""

    case: str
    verdict: str
    why: str = ""


def first_difference(actual, expected):
    for run, (one, other) in enumerate(zip(actual, expected)):
        text = models.close(one, other)
        if text:
            return f"run {run}: {text}"
    return ""


def without(runs, names):
    return [{name: array for name, array in feeds.items() if name not in names} for feeds in runs]


def from_openvino(case, kind, folder, peer, rondo):
    """OpenVINO converts and saves; Rondo and OpenVINO run the same file."""
    target = str(folder / f"{case.name}_{kind}.xml")
    try:
        peer.call("write", str(case.path), kind, target, case.pairs)
    except worker.Refused as error:
        is_nothing = str(error).startswith("nothing to") or str(error) == "no sequence"
        return Outcome(case.name, "nothing" if is_nothing else "theirs", str(error))
    runs = without(case.runs, case.pairs) if kind == "stateful" else case.runs
    if kind in ("stateful", "low_latency"):
        runs = runs[:1] * 3  # states keep their shape
    return same_file(case, target, runs, peer, rondo)


def stateful(case, options, folder, peer, rondo):
    """Rondo compiles with states as variables; Rondo and OpenVINO run that file for three steps."""
    target = folder / f"{case.name}_stateful_by_rondo.xml"
    asked = ",".join(f"{name}:{out}" for name, out in case.pairs.items()) or "auto"
    try:
        rondo.compile(case.path, target, "--stateful", asked, *options)
    except rondo_side.Failed as error:
        return Outcome(case.name, "refused" if case.pairs else "nothing", str(error))
    states = set(case.runs[0]) - set(rondo.input_names(target))
    return same_file(case, str(target), without(case.runs, states)[:1] * 3, peer, rondo)


def again(case, options, folder, peer, rondo):
    """Rondo compiles, OpenVINO reads that and writes it with states in place of what goes from one
    step to the next; Rondo and OpenVINO run that file."""
    first, target = folder / f"{case.name}_first.xml", str(folder / f"{case.name}_again.xml")
    try:
        rondo.compile(case.path, first, *options)
        peer.call("write", str(first), "low_latency", target)
    except rondo_side.Failed as error:
        return Outcome(case.name, "refused", str(error))
    except worker.Refused as error:
        is_nothing = str(error).startswith("nothing to")
        return Outcome(case.name, "nothing" if is_nothing else "theirs", str(error))
    return same_file(case, target, case.runs[:1] * 3, peer, rondo)


def same_file(case, path, runs, peer, rondo):
    expected, reason = None, ""
    try:
        expected, _ = peer.call("run", path, runs)
    except worker.Refused as error:
        reason = str(error)
    try:
        actual = rondo.run(path, runs)
    except rondo_side.Failed as error:
        is_theirs = expected is None or is_wrong_itself(case, peer, rondo)
        return Outcome(case.name, "theirs" if is_theirs else "refused", str(error))
    if expected is None:
        return Outcome(case.name, "theirs", f"OpenVINO fails on its own file: {reason}")
    if is_empty(expected) and not is_empty(actual):
        return Outcome(case.name, "theirs", "OpenVINO's results are empty")
    difference = first_difference(actual, expected)
    if difference and (is_wrong_itself(case, peer, rondo) or
                       is_nearer(case, runs, actual, expected, rondo)):
        return Outcome(case.name, "theirs", difference)
    return Outcome(case.name, "wrong" if difference else "equal", difference)


def is_nearer(case, runs, actual, expected, rondo):
    """Whether Rondo's results of rounded weights are much nearer to those of the original than
    OpenVINO's."""
    if runs is not case.runs:
        return False
    right = rondo.run(case.path, runs, "REFERENCE")
    return 3 * models.distance(actual, right) < models.distance(expected, right)


def is_empty(results):
    return any(array.size == 0 for array in results[0])


def is_wrong_itself(case, peer, rondo):
    """Whether OpenVINO computes the original otherwise than Rondo's reference."""
    try:
        answers, _ = peer.call("run", str(case.path), case.runs)
    except worker.Refused:
        return True
    return bool(first_difference(answers, rondo.run(case.path, case.runs, "REFERENCE")))


def why_refused(message, options, case, peer, rondo):
    is_own = "unsupported opset: rondo1" in message or "lost input names" in message
    if is_own and "openvino" not in options:
        return "for openvino"
    # CPU devices of OpenVINO run no tensor of open rank.
    is_open = "rank().is_dynamic()" in message and is_wrong_itself(case, peer, rondo)
    return "theirs" if is_open else "refused"


def to_openvino(case, options, folder, peer, rondo):
    """Rondo compiles; OpenVINO runs that file, Rondo's reference the original."""
    target = folder / f"{case.name}_rondo{''.join(options).replace('--', '_')}.xml"
    try:
        rondo.compile(case.path, target, *options)
    except rondo_side.Failed as error:
        return Outcome(case.name, "refused", f"not written: {error}")
    is_narrow = "f16" in options
    expected = rondo.run(target if is_narrow else case.path, case.runs,
                         "CPU" if is_narrow else "REFERENCE")
    try:
        actual, names = peer.call("run", str(target), case.runs)
    except worker.Refused as error:
        verdict = why_refused(str(error), options, case, peer, rondo)
        return Outcome(case.name, verdict, str(error))
    difference = first_difference(actual, expected) or lost_names(names, case, rondo)
    if difference and is_wrong_itself(case, peer, rondo):
        return Outcome(case.name, "theirs", difference)
    if difference and "lengths" in case.runs[0] and "openvino" not in options:
        return Outcome(case.name, "for openvino", difference)  # its CPU plugin ignores lengths
    return Outcome(case.name, "wrong" if difference else "equal", difference)


def lost_names(names, case, rondo):
    for found, wanted in zip(names, rondo.output_names(case.path)):
        if not set(wanted) <= set(found):
            return f"the output {wanted} is called {found}"
    return ""
