#!/usr/bin/env python3
"""1,000 live sequences of Silero VAD in the real Triton server, over HTTP and gRPC, in each of the
four configurations of batching: every step has the bits that its sequence gives alone.

Usage: triton_sequences.py FOLDER (of the installed backend)
"""

import asyncio
import collections
import tempfile
import time

import triton_lib as lib

try:
    import numpy
    import tritonclient.grpc.aio as grpc
except ImportError as missing:
    lib.skip(f"{missing.name} isn't installed")

SEQUENCES = 1000
STEPS = 6
CONNECTIONS = 150  # of HTTP
SOUNDS = 25  # sequence i has sound i % SOUNDS
IDLE = "max_sequence_idle_microseconds: 60000000"
DIRECT = f"max_batch_size: {SEQUENCES}\nsequence_batching {{ {IDLE} direct {{}} }}"
CONFIGURATIONS = {
    "none": "",
    "dynamic": "dynamic_batching { max_queue_delay_microseconds: 500 }",
    "oldest": f"sequence_batching {{ {IDLE} oldest {{ max_candidate_sequences: {SEQUENCES} }} }}",
    "direct": DIRECT,
}


def alone(server, model, sounds):
    """The answers to each step of each sound, one sequence at a time."""
    connection = lib.Connection(server.http)
    answers = []
    for number, sound in enumerate(sounds):
        answers.append([
            lib.output_bytes(connection.ask(lib.vad_request(
                model, 1 << 40 | number, chunk, start=i == 0, end=i == STEPS - 1)))
            for i, chunk in enumerate(sound)])
    connection.close()
    return answers


def over_http(server, model, sounds):
    """{sequence: its answers}. All sequences are open, and as many requests are under way as there
    are connections: Triton loses answers if more than about 250 wait for one of its threads."""
    clients = lib.Clients(server.http, CONNECTIONS)
    got = {number: [] for number in range(SEQUENCES)}
    ready, under_way = collections.deque(range(SEQUENCES)), {}

    def send(connection):
        number = under_way[connection] = ready.popleft()
        step = len(got[number])
        clients.connections[connection].send(lib.vad_request(
            model, 1 + number, sounds[number % SOUNDS][step], start=step == 0,
            end=step == STEPS - 1))

    for connection in range(CONNECTIONS):
        send(connection)
    while under_way:
        for connection, answer in clients.answers(60):
            number = under_way.pop(connection)
            got[number].append(lib.output_bytes(answer))
            if len(got[number]) < STEPS:
                ready.append(number)
            if ready:
                send(connection)
    clients.close()
    return got


def over_grpc(server, model, sounds):
    return asyncio.run(gather_grpc(server, model, sounds))


async def gather_grpc(server, model, sounds):
    """Odd sequences have texts as ids."""
    async with grpc.InferenceServerClient(f"127.0.0.1:{server.grpc}") as client:
        rate = grpc.InferInput("sr", [1, 1], "INT64")
        rate.set_data_from_numpy(numpy.full((1, 1), 16000, numpy.int64))

        async def run(number):
            answers = []
            sequence = f"client {number}" if number % 2 else 1 + number
            for i, chunk in enumerate(sounds[number % SOUNDS]):
                sound = grpc.InferInput("input", [1, lib.CHUNK], "FP32")
                sound.set_data_from_numpy(chunk.reshape(1, -1))
                answer = await client.infer(model, [sound, rate], sequence_id=sequence,
                                            sequence_start=i == 0, sequence_end=i == STEPS - 1)
                answers.append(answer.as_numpy("output").tobytes())
            return number, answers

        return dict(await asyncio.gather(*map(run, range(SEQUENCES))))


def check_reference(sounds, answers):
    """The answers are onnxruntime's, as near as another order of sums allows."""
    import onnxruntime
    session = onnxruntime.InferenceSession(str(lib.VAD), providers=["CPUExecutionProvider"])
    worst = 0.0
    for sound, mine in zip(sounds, answers):
        state = numpy.zeros((2, 1, 128), numpy.float32)
        for chunk, answer in zip(sound, mine):
            output, state = session.run(None, {"input": chunk.reshape(1, -1), "state": state,
                                               "sr": numpy.array(16000, numpy.int64)})
            worst = max(worst, abs(float(output[0, 0]) - numpy.frombuffer(answer, "f4")[0]))
    print(f"largest difference from onnxruntime: {worst:.1e}", flush=True)
    assert worst < 1e-4


def main():
    backend = lib.backend_folder()
    sounds = [lib.sound(seed, STEPS) for seed in range(SOUNDS)]
    with tempfile.TemporaryDirectory() as folder:
        repository = lib.Repository(folder + "/models", backend)
        for name, batching in CONFIGURATIONS.items():
            repository.add(name, lib.config_text(lib.STREAMS, batching), {"model.onnx": lib.VAD})
        with lib.Server(repository) as server:
            expected = alone(server, "none", sounds)
            check_reference(sounds, expected)
            for name in CONFIGURATIONS:
                for protocol, run in (("HTTP", over_http), ("gRPC", over_grpc)):
                    begin = time.monotonic()
                    got = run(server, name, sounds)
                    seconds = time.monotonic() - begin
                    wrong = sum(answers != expected[number % SOUNDS]
                                for number, answers in got.items())
                    rate = SEQUENCES * STEPS / seconds
                    print(f"{name:8} {protocol}: {len(got)} sequences, {rate:.0f} steps a second, "
                          f"{wrong} differ", flush=True)
                    assert wrong == 0 and len(got) == SEQUENCES
                assert server.wait_for(lambda: server.metric("rondo_streams", name) == 0), name
                stats = server.get(f"/v2/models/{name}/stats")["model_stats"][0]
                print(f"{name:8} {stats['inference_count']} steps in {stats['execution_count']} "
                      "inferences", flush=True)


if __name__ == "__main__":
    main()
