#!/usr/bin/env python3
"""How many live sequences of Silero VAD the real Triton server holds with Rondo's backend, and how
many with its Python backend and onnxruntime, which keeps the states in a dictionary.

A sequence sends a chunk each 32 ms, evenly spread. The server holds so many if 99 % of the answers
come within 32 ms of the time at which the chunk was due. Clients and server share the machine. Both
backends make batches, and may wait 1 ms for them.

Usage: triton_capacity.py FOLDER (of the installed backend)
"""

import heapq
import pathlib
import tempfile
import time

import numpy

import triton_lib as lib

PERIOD = 0.032
SECONDS = 6
LEAST_RATIO = 3
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
                    self.clients.connections[number].send(self.steps[number])
            pause = max(0.0, min(due[0][0], end + 2) - time.monotonic()) if now < end else 0.1
            self.collect(pause, waiting, late)
        self.latencies += [10.0] * (len(waiting) + sum(map(len, late.values())))
        self.clients.close()
        return sorted(self.latencies)

    def collect(self, pause, waiting, late):
        for number, answer in self.clients.answers(pause):
            lib.output_bytes(answer)
            self.latencies.append(time.monotonic() - waiting.pop(number))
            if late.get(number):
                waiting[number] = late[number].pop(0)
                self.clients.connections[number].send(self.steps[number])


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


def most(server, model):
    """The largest number of sequences, within 6 %."""
    good, bad = 0, None
    trial = 16
    while bad is None or bad - good > max(2, good // 16):
        if holds(server, model, trial):
            good = trial
        else:
            bad = trial
        trial = good * 2 if bad is None else (good + bad) // 2
        if trial == 0:
            break
    return good


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
        with lib.Server(repository, "--http-thread-count=32", ends_well=False) as server:
            check_equal(server)
            held = {model: most(server, model) for model in ("rondo", "python")}
    ratio = held["rondo"] / max(1, held["python"])
    print(f"sequences held: Rondo {held['rondo']}, Python with onnxruntime {held['python']}: "
          f"{ratio:.1f} times", flush=True)
    assert ratio >= LEAST_RATIO, ratio


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
