"""What a peer makes of a model that Rondo has written."""

import dataclasses
import json
import os
import re
import sys

import random_models
from written_models_lib import runs


@dataclasses.dataclass
class Verdict:
    """`kind`: "same"; "refused" (Rondo doesn't write it); "invalid" (onnx.checker says so);
    "lacking" (the peer has no such operator); "known" (the peer is known to fail so, and `text` is
    the reason); "not run" or "differs" (a fault)."""

    kind: str
    text: str = ""


class NotWritten(Exception):
    """Rondo refuses to write the model."""


class Invalid(Exception):
    """What Rondo has written breaks the format's rules."""


def one_line(error):
    """Of a long message, the place and the end, which says what is wrong."""
    text = " ".join(str(error).split())
    return text if len(text) <= 500 else f"{text[:150]} ... {text[-350:]}"


def tolerance_of(folder):
    """Models that compute in 8 or 16 bits say how far apart right answers may be."""
    manifest = folder / "ref" / "manifest.json"
    text = manifest.read_text() if manifest.exists() else ""
    found = re.search(r'"loose_atol": ([0-9.e-]+)', text)
    return float(found[1]) if found else random_models.TOLERANCE


def compare(peer, session, folder, note):
    """The first difference, or what is known of it. Runs without elements, which may end the
    process, come last: note() says so."""
    known = None
    tolerance = tolerance_of(folder)
    cases = list(runs.recorded(folder).cases(session.inputs, session.outputs))
    for case in sorted(cases, key=lambda case: case.is_empty):
        if case.is_empty:
            note(Verdict("known", random_models.EMPTY))
        try:
            actual = session.run(case.feeds)
        except Exception as error:  # whatever the peer throws
            kind, text = "not run", f"{case.name}: {one_line(error)}"
        else:
            texts = [f"{case.name}, output '{name}' {text}"
                     for (name, expected), value in zip(case.right.items(), actual)
                     if (text := random_models.difference(value, expected, tolerance))]
            if not texts:
                continue
            kind, text = "differs", texts[0]
        why = peer.known(kind, text, folder, case)
        if not why:
            return Verdict(kind, text)
        known = Verdict("known", why)
    return known or (Verdict("same") if cases else Verdict("not run", "there are no inputs"))


def judge(peer, folder, note):
    try:
        session = peer.open(folder / "model.onnx")
    except NotWritten as error:
        why = peer.known("refused", one_line(error), folder)
        return Verdict("known", why) if why else Verdict("refused", one_line(error))
    except Invalid as error:
        return Verdict("invalid", one_line(error))
    except Exception as error:  # whatever the peer throws
        why = peer.known("not run", one_line(error), folder)
        if why:
            return Verdict("known", why)
        return Verdict("lacking" if peer.lacks(str(error)) else "not run", one_line(error))
    return compare(peer, session, folder, note)


def in_own_process(work):
    """work(note=) of a process of its own: where that ends, the last verdict that it has noted."""
    reader, writer = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        with os.fdopen(writer, "w") as stream:
            def note(verdict):
                stream.write(json.dumps(dataclasses.asdict(verdict)) + "\n")
                stream.flush()

            try:
                note(work(note=note))
            except Exception as error:  # else it would unwind to main(), which removes the folder
                note(Verdict("not run", f"no right outputs: {one_line(error)}"))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as stream:
        lines = stream.read().splitlines()
    os.waitpid(child, 0)
    return Verdict(**json.loads(lines[-1])) if lines else Verdict("not run", "the process ended")
