#!/usr/bin/env python3
"""How many live sequences of Silero VAD the real Triton server holds with Rondo's backend, and how
many with its Python backend and onnxruntime, which keeps the states in a dictionary.

A sequence sends a chunk each 32 ms, evenly spread. The server holds so many if 99 % of the answers
come within 32 ms of the time at which the chunk was due. A client that waits for half a second, since
Triton's HTTP server loses answers, begins again; what was due meanwhile is late. Clients and server
share the machine. Both backends make batches, and may wait 1 ms for them. What they hold is looked for in several rounds, in
which their trials take turns, so that other work on the machine slows down both; the test asks for
the median of the rounds' ratios.

Usage: triton_capacity.py FOLDER (of the installed backend)
"""

import heapq
import pathlib
import statistics
import tempfile
import time

import numpy

import triton_lib as lib

PERIOD = 0.032
PATIENCE = 0.5
LATE = 10.0  # seconds; of a chunk that has no answer
SECONDS = 4
ROUNDS = 3
LEAST_RATIO = 2  # it was 2.7 where clients took a third of two busy cores
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


class Trial:
    """So many sequences for some seconds, each on a connection of its own."""

    def __init__(self, server, model, sequences):
        self.clients = lib.Clients(server.http, sequences)
        chunk = lib.sound(1, 1)[0]
        ids = [1 + number + int(time.monotonic() * 1000) % 100000 * 10000
               for number in range(sequences)]
        self.starts = [lib.vad_request(model, one, chunk, start=True) for one in ids]
        self.steps = [lib.vad_request(model, one, chunk) for one in ids]
        self.latencies = []
        self.ended = set()  # sequences that have to begin again
        self.looked_at = 0.0  # when lost answers were looked for

    def run(self):
        """The latencies in seconds, of all chunks that were due."""
        count = len(self.steps)
        for number, request in enumerate(self.starts):
            lib.output_bytes(self.clients.connections[number].ask(request))
        begin = time.monotonic() + 0.05
        due = [(begin + PERIOD * number / count, number) for number in range(count)]
        heapq.heapify(due)
        waiting, late = {}, {}
        end = begin + SECONDS
        while due and (due[0][0] < end or waiting):
            now = time.monotonic()
            if now > end + 2:
                break
            while due and due[0][0] <= min(now, end):
                at, number = heapq.heappop(due)
                heapq.heappush(due, (at + PERIOD, number))
                if number in waiting:  # the chunk before isn't answered yet
                    late.setdefault(number, []).append(at)
                else:
                    waiting[number] = at
                    self.send(number)
            self.end_lost(waiting, late)
            pause = max(0.0, min(due[0][0], end + 2) - time.monotonic()) if now < end else 0.1
            self.collect(pause, waiting, late)
        self.latencies += [LATE] * (len(waiting) + sum(map(len, late.values())))
        self.clients.close()
        return sorted(self.latencies)

    def send(self, number):
        requests = self.starts if number in self.ended else self.steps
        self.ended.discard(number)
        self.clients.connections[number].send(requests[number])

    def end_lost(self, waiting, late):
        """The sequences that have waited for too long begin again with their next chunks."""
        now = time.monotonic()
        if now < self.looked_at + PATIENCE / 10:
            return
        self.looked_at = now
        for number in [one for one, at in waiting.items() if at < now - PATIENCE]:
            waiting.pop(number)
            self.latencies += [LATE] * (1 + len(late.pop(number, [])))
            self.clients.replace(number)
            self.ended.add(number)

    def collect(self, pause, waiting, late):
        for number, answer in self.clients.answers(pause):
            lib.output_bytes(answer)
            self.latencies.append(time.monotonic() - waiting.pop(number))
            if late.get(number):
                waiting[number] = late[number].pop(0)
                self.send(number)


def cpu_seconds(server):
    fields = pathlib.Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def holds(server, model, sequences):
    """Whether the server holds so many; the better of two trials, since others use the machine."""
    for _ in range(2):
        used = cpu_seconds(server)
        latencies = Trial(server, model, sequences).run()
        used = cpu_seconds(server) - used
        p99 = latencies[int(len(latencies) * 0.99)]
        print(f"  {model}: {sequences} sequences, {len(latencies)} chunks, p50 "
              f"{latencies[len(latencies) // 2] * 1e3:.2f} ms, p99 {p99 * 1e3:.2f} ms, server "
              f"{used / SECONDS:.2f} cores", flush=True)
        if p99 <= PERIOD:
            return True
    return False


class Search:
    """Looks for the largest number of sequences that a model holds, within 6 %, trial by trial."""

    def __init__(self, server, model, first, factor):
        self.server, self.model, self.trial, self.factor = server, model, first, factor
        self.good, self.bad = 0, None

    def is_over(self):
        return self.bad is not None and self.bad - self.good <= max(2, self.good // 16)

    def step(self):
        if holds(self.server, self.model, self.trial):
            self.good = self.trial
        else:
            self.bad = self.trial
        if self.bad is None:
            self.trial = int(self.good * self.factor) + 1
        elif self.good == 0:
            self.trial = int(self.bad / self.factor)
        else:
            self.trial = (self.good + self.bad) // 2


def held_in_turns(server, first, factor):
    """{model: the sequences that it holds}; the searches begin with `first` of each."""
    searches = [Search(server, model, count, factor) for model, count in first.items()]
    while not all(search.is_over() for search in searches):
        for search in searches:
            if not search.is_over():
                search.step()
    return {search.model: search.good for search in searches}


def main():
    backend = lib.backend_folder()
    with tempfile.TemporaryDirectory() as folder:
        repository = lib.Repository(folder + "/models", backend)
        repository.add("rondo", lib.config_text({**lib.STREAMS, "max_delay": "1ms"}),
                       {"model.onnx": lib.VAD})
        script = pathlib.Path(folder) / "model.py"
        script.write_text(PYTHON_MODEL)
        lib.Repository(folder + "/models", None).add(
            "python", PYTHON_CONFIG, {"model.py": script, "vad.onnx": lib.VAD})
        # Its HTTP threads lose answers if more than about 250 wait for one of them, as they do in
        # trials of too many sequences; it then waits for those connections.
        with lib.Server(repository, "--http-thread-count=64", ends_well=False) as server:
            check_equal(server)
            rounds = [held_in_turns(server, {"rondo": 128, "python": 128}, 2)]
            while len(rounds) < ROUNDS:
                rounds.append(held_in_turns(server, rounds[-1], 1.2))
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
