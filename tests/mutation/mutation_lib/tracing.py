"""Which tests reach which mutants: each test once, with all mutants off."""

import concurrent.futures
import dataclasses
import pathlib
import tempfile

from . import ctests

LIMIT = 600  # seconds


@dataclasses.dataclass
class Trace:
    seconds: float
    reached: list  # numbers of mutants
    needs_models: bool = False
    usable: bool = True  # it passes while no mutant is on


def traced(test, count, environment):
    with tempfile.NamedTemporaryFile() as record:
        record.write(bytes(count + 1))
        record.flush()
        outcome = ctests.run(test, {"MUTATION_TRACE": record.name, **environment}, LIMIT)
        reached = [i for i, byte in enumerate(pathlib.Path(record.name).read_bytes()) if byte]
    return outcome, Trace(outcome.seconds, reached, usable=outcome.passed)


def trace_one(test, count, models):
    """Tests that skip without real models run a second time, with them."""
    outcome, trace = traced(test, count, {"RONDO_MODELS": ""})
    if outcome.skipped and models:
        outcome, trace = traced(test, count, {"RONDO_MODELS": models})
        trace.needs_models = True
    return trace


def trace_all(tests, count, models, jobs):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        traces = pool.map(lambda test: trace_one(test, count, models), tests)
        return {test.name: trace for test, trace in zip(tests, traces)}
