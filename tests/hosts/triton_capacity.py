#!/usr/bin/env python3
"""How many live sequences of Silero VAD the real Triton server holds with Rondo's backend, and how
many with its Python backend and onnxruntime, which keeps the states in a dictionary.

A sequence sends a chunk each 32 ms, evenly spread. The server holds so many if 99 % of the answers
come within 32 ms of the time at which the chunk was due. Clients and server share the machine, so that
the clients are a program in C++ (triton_load.cpp), the same for both. Both backends make batches, and
may wait 1 ms for them. What they hold is looked for in several rounds, in which their trials take
turns, so that other work on the machine slows down both; the test asks for the median of the rounds'
ratios.

Usage: triton_capacity.py FOLDER (of the installed backend) LOAD (the program triton_load)
"""

import json
import os
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import numpy

import triton_lib as lib

PERIOD = 0.032
SECONDS = 3
ROUNDS = 3
FIRST = {"rondo": 360, "python": 120}  # the first trials; a server that loses answers is worn out
FACTOR = 1.25  # between trials, until one fails
LOAD = sys.argv[-1]
LEAST_RATIO = 2.5  # the median was 3.3 (docs/measurements); other programs may run
PYTHON_MODEL = '''
import numpy, onnxruntime
import triton_python_backend_utils as utils

class TritonPythonModel:
    def initialize(self, args):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        path = args["model_repository"] + "/" + args["model_version"] + "/vad.onnx"
        self.session = onnxruntime.InferenceSession(path, options,
                                                    providers=["CPUExecutionProvider"])
        self.states = {}

    def run(self, requests):
        """All steps of a batch at once, as Rondo's pool does."""
        chunks, states = [], []
        for request in requests:
            start = utils.get_input_tensor_by_name(request, "START").as_numpy().flat[0]
            sequence = int(utils.get_input_tensor_by_name(request, "CORRID").as_numpy().flat[0])
            if start or sequence not in self.states:
                self.states[sequence] = numpy.zeros((2, 1, 128), numpy.float32)
            states.append((sequence, self.states[sequence]))
            chunks.append(utils.get_input_tensor_by_name(request, "input").as_numpy())
        outputs, after = self.session.run(None, {
            "input": numpy.concatenate(chunks), "sr": numpy.array(16000, numpy.int64),
            "state": numpy.concatenate([state for _, state in states], axis=1)})
        for row, (sequence, _) in enumerate(states):
            self.states[sequence] = after[:, row:row + 1]
        return outputs

    def execute(self, requests):
        outputs = self.run(requests)
        return [utils.InferenceResponse([utils.Tensor("output", outputs[row:row + 1])])
                for row in range(len(requests))]
'''
PYTHON_CONFIG = '''backend: "python"
max_batch_size: 64
input [ { name: "input" data_type: TYPE_FP32 dims: [-1] },
        { name: "sr" data_type: TYPE_INT64 dims: [1] } ]
output [ { name: "output" data_type: TYPE_FP32 dims: [1] } ]
instance_group [ { kind: KIND_CPU count: 1 } ]
sequence_batching {
    max_sequence_idle_microseconds: 60000000
    oldest { max_candidate_sequences: 4096 max_queue_delay_microseconds: 1000 }
    control_input [
        { name: "START" control [ { kind: CONTROL_SEQUENCE_START int32_false_true: [0, 1] } ] },
        { name: "CORRID" control [ { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_UINT64 } ] } ]
}
'''


def requests_of(model, sequences):
    """What triton_load reads: START and a step of each sequence."""
    chunk = lib.sound(1, 1)[0]
    first = 1 + int(time.monotonic() * 1000) % 100000 * 10000
    requests = (lib.vad_request(model, first + number, chunk, start=start)
                for number in range(sequences) for start in (True, False))
    return b"".join(struct.pack("=I", len(one)) + one for one in requests)


def run_trial(server, model, sequences):
    """What triton_load says of so many sequences in some seconds."""
    command = [LOAD, str(server.http), str(SECONDS), str(PERIOD)]
    done = subprocess.run(command, input=requests_of(model, sequences), stdout=subprocess.PIPE,
                          check=True)
    return json.loads(done.stdout)


def cpu_seconds(server):
    """Of the server and of the processes in which its Python backend runs models."""
    own = pathlib.Path("/proc", str(server.process.pid))
    children = " ".join(task.read_text() for task in own.glob("task/*/children")).split()
    seconds = 0.0
    for process in (own, *(pathlib.Path("/proc", child) for child in children)):
        fields = (process / "stat").read_text().rpartition(")")[2].split()
        seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return seconds


def holds(server, model, sequences):
    """Whether the server holds so many; the better of two trials, since others use the machine."""
    for _ in range(2):
        used = cpu_seconds(server)
        got = run_trial(server, model, sequences)
        used = cpu_seconds(server) - used
        print(f"  {model}: {sequences} sequences, {got['chunks']} chunks, p50 "
              f"{got['p50'] * 1e3:.2f} ms, p99 {got['p99'] * 1e3:.2f} ms, server "
              f"{used / SECONDS:.2f} cores, clients {got['cores']:.2f}", flush=True)
        if got["p99"] <= PERIOD:
            return True
    return False


class Search:
    """Looks for the largest number of sequences that a model holds, within 6 %, trial by trial."""

    def __init__(self, server, model, first):
        self.server, self.model, self.trial = server, model, first
        self.good, self.bad = 0, None

    def is_over(self):
        return self.bad is not None and self.bad - self.good <= max(2, self.good // 16)

    def step(self):
        if holds(self.server, self.model, self.trial):
            self.good = self.trial
        else:
            self.bad = self.trial
        if self.bad is None:
            self.trial = int(self.good * FACTOR) + 1
        elif self.good == 0:
            self.trial = int(self.bad / FACTOR)
        else:
            self.trial = (self.good + self.bad) // 2


def held_in_turns(server, first):
    """{model: the sequences that it holds}; the searches begin with `first` of each."""
    searches = [Search(server, model, count) for model, count in first.items()]
    while not all(search.is_over() for search in searches):
        for search in searches:
            if not search.is_over():
                search.step()
    return {search.model: search.good for search in searches}


def main():
    sys.argv.pop()
    backend = lib.backend_folder()
    with tempfile.TemporaryDirectory() as folder:
        repository = lib.Repository(folder + "/models", backend)
        repository.add("rondo", lib.config_text({**lib.STREAMS, "max_delay": "1ms"}),
                       {"model.onnx": lib.VAD})
        script = pathlib.Path(folder) / "model.py"
        script.write_text(PYTHON_MODEL)
        lib.Repository(folder + "/models", None).add(
            "python", PYTHON_CONFIG, {"model.py": script, "vad.onnx": lib.VAD})
        rounds = []
        while len(rounds) < ROUNDS:
            # Its HTTP threads lose answers if more than about 250 wait for one of them, as they do
            # in trials of too many sequences; it then waits for those connections.
            with lib.Server(repository, "--http-thread-count=64", ends_well=False) as server:
                check_equal(server)
                rounds.append(held_in_turns(server, FIRST))
    for model, name in (("rondo", "Rondo"), ("python", "Python with onnxruntime")):
        counts = sorted(held[model] for held in rounds)
        print(f"{name} holds {statistics.median(counts)} sequences ({counts[0]} to {counts[-1]})")
    ratios = sorted(held["rondo"] / max(1, held["python"]) for held in rounds)
    print(f"{statistics.median(ratios):.1f} times as many ({ratios[0]:.1f} to {ratios[-1]:.1f} in "
          f"{ROUNDS} rounds)", flush=True)
    assert statistics.median(ratios) >= LEAST_RATIO, ratios


def check_equal(server):
    """Both models give the same numbers, as near as the order of sums allows."""
    connection = lib.Connection(server.http)
    for i, chunk in enumerate(lib.sound(3, 5)):
        one, other = (numpy.frombuffer(lib.output_bytes(connection.ask(lib.vad_request(
            model, 9, chunk, start=i == 0, end=i == 4))), "f4")[0] for model in ("rondo", "python"))
        assert abs(one - other) < 1e-4, (one, other)
    connection.close()


if __name__ == "__main__":
    main()
