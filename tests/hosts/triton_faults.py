#!/usr/bin/env python3
"""What goes wrong with clients and models of the real Triton server: clients that are killed,
sequences without END, a model that is unloaded under load, 10,000 idle sequences. Nothing is lost
that shouldn't be, and nothing leaks.

Usage: triton_faults.py FOLDER (of the installed backend)
"""

import multiprocessing
import os
import signal
import tempfile
import threading
import time

import triton_lib as lib

STEPS = 40
IDLE = 10000


def answers_of(server, sequence, sound, pause=0.0):
    """The answers to a sequence that sends END."""
    connection = lib.Connection(server.http)
    answers = []
    for i, chunk in enumerate(sound):
        answers.append(lib.output_bytes(connection.ask(lib.vad_request(
            "vad", sequence, chunk, start=i == 0, end=i == len(sound) - 1))))
        time.sleep(pause)
    connection.close()
    return answers


def endless_client(port, first):
    """Has 50 sequences, each with a request under way at any time, and never ends them."""
    clients = lib.Clients(port, 50)
    chunk = lib.sound(first, 1)[0]
    for number, connection in enumerate(clients.connections):
        connection.send(lib.vad_request("vad", first + number, chunk, start=True))
    while True:
        for number, _ in clients.answers(60):
            clients.connections[number].send(lib.vad_request("vad", first + number, chunk))


def endless_grpc_client(port, first):
    """The same in one stream of gRPC, as pipelines of sound have it."""
    import numpy
    import tritonclient.grpc as grpc
    client = grpc.InferenceServerClient(f"127.0.0.1:{port}")
    client.start_stream(lambda result, error: None)
    rate = grpc.InferInput("sr", [1, 1], "INT64")
    rate.set_data_from_numpy(numpy.full((1, 1), 16000, numpy.int64))
    sound = grpc.InferInput("input", [1, lib.CHUNK], "FP32")
    sound.set_data_from_numpy(lib.sound(first, 1))
    for step in range(1 << 30):
        for number in range(20):
            client.async_stream_infer("vad", [sound, rate], sequence_id=first + number,
                                      sequence_start=step == 0)
        time.sleep(0.02)


def check_killed_clients(server, sound, expected):
    """Sequences beside those of clients that are killed have their bits; the others' end."""
    for round_ in range(4):
        killed = [multiprocessing.Process(target=target, args=(port, 10000 * (round_ + 1) + first))
                  for target, port, first in ((endless_client, server.http, 1),
                                              (endless_client, server.http, 1001),
                                              (endless_grpc_client, server.grpc, 2001))]
        for one in killed:
            one.start()
        assert server.wait_for(lambda: server.metric("rondo_streams") >= 100), "clients start"
        assert answers_of(server, 7, sound, 0.01) == expected
        for one in killed:
            os.kill(one.pid, signal.SIGKILL)
            one.join()
        assert answers_of(server, 7, sound) == expected
    assert server.wait_for(lambda: server.metric("rondo_streams") == 0), "streams end"
    print(f"12 clients were killed with 480 sequences; {int(server.metric('rondo_steps_total'))} "
          "steps, those beside them have their bits", flush=True)


def check_missing_ends(server, sound, expected):
    """Sequences that are never ended go by their idle_timeout, and an id may start again."""
    connection = lib.Connection(server.http)
    for sequence in range(1, 501):
        for start in (True, False):
            lib.output_bytes(connection.ask(
                lib.vad_request("vad", sequence, sound[0], start=start)))
    assert answers_of(server, 3, sound) == expected  # START while it is open
    assert server.wait_for(lambda: server.metric("rondo_streams") == 499), "streams are open"
    assert server.wait_for(lambda: server.metric("rondo_streams") == 0), "streams end"
    status, _, body = connection.ask(lib.vad_request("vad", 5, sound[0]))
    assert status == 404 and b"sequence 5 isn't open" in body, (status, body)
    connection.close()
    print("500 sequences without END: closed when idle", flush=True)


def check_unload(server, sound, expected):
    """A model that is unloaded and loaded while clients send: each answer is right or an error."""
    counts = {"right": 0, "refused": 0, "wrong": 0}
    stop = threading.Event()

    def client(sequence):
        while not stop.is_set():
            try:
                is_right = answers_of(server, sequence, sound) == expected
                counts["right" if is_right else "wrong"] += 1
            except (RuntimeError, ConnectionError, KeyError):
                counts["refused"] += 1
                time.sleep(0.01)

    clients = [threading.Thread(target=client, args=(100 + i,)) for i in range(20)]
    for one in clients:
        one.start()
    for _ in range(10):
        time.sleep(0.5)
        assert server.post("/v2/repository/models/vad/unload")[0] == 200
        time.sleep(0.2)
        assert server.post("/v2/repository/models/vad/load")[0] == 200
    time.sleep(1)
    stop.set()
    for one in clients:
        one.join()
    assert counts["right"] > 20 and counts["refused"] > 0 and counts["wrong"] == 0, counts
    assert answers_of(server, 7, sound) == expected
    print(f"10 times unloaded under load: {counts['right']} sequences whole and right, "
          f"{counts['refused']} refused", flush=True)


def check_idle(server, sound):
    """10,000 sequences wait, and then each goes on with its bits."""
    expected = answers_of(server, 1, sound[:2])
    before = server.resident_kib()
    clients = lib.Clients(server.http, 50)

    def step_all(step, wanted):
        todo, got = list(range(1, IDLE + 1)), 0
        for connection in clients.connections:
            connection.send(lib.vad_request("idle", todo.pop(), sound[step], start=step == 0,
                                            end=step == 1))
        while got < IDLE:
            for number, answer in clients.answers(60):
                assert lib.output_bytes(answer) == wanted
                got += 1
                if todo:
                    clients.connections[number].send(lib.vad_request(
                        "idle", todo.pop(), sound[step], start=step == 0, end=step == 1))

    step_all(0, expected[0])
    assert server.wait_for(lambda: server.metric("rondo_streams", "idle") == IDLE)
    used = server.resident_kib() - before
    busy = server.metric("rondo_occupancy", "idle")
    time.sleep(3)
    step_all(1, expected[1])
    assert server.wait_for(lambda: server.metric("rondo_streams", "idle") == 0)
    clients.close()
    print(f"{IDLE} idle sequences: {used / IDLE:.2f} KiB each (with the server's own), occupancy "
          f"{busy:.3f}; all went on with their bits", flush=True)


def check_leaks(server, sound):
    """Memory doesn't grow with sequences, nor with loads."""
    def rounds(count):
        for _ in range(count):
            connection = lib.Connection(server.http)
            for sequence in range(1, 2001):
                lib.output_bytes(connection.ask(
                    lib.vad_request("vad", sequence, sound[0], start=True, end=sequence % 2 == 0)))
            connection.close()

    def loads(count):
        for _ in range(count):
            assert server.post("/v2/repository/models/vad/unload")[0] == 200
            assert server.post("/v2/repository/models/vad/load")[0] == 200

    for name, work, first, then in (("2,000 sequences", rounds, 4, 8), ("loads", loads, 10, 20)):
        work(first)
        before = server.resident_kib()
        work(then)
        grown = server.resident_kib() - before
        print(f"{then} times {name}: memory grew by {grown} KiB", flush=True)
        assert grown < 12000, grown


def main():
    backend = lib.backend_folder()
    sound = lib.sound(1, STEPS)
    with tempfile.TemporaryDirectory() as folder:
        repository = lib.Repository(folder + "/models", backend)
        repository.add("vad", lib.config_text({**lib.STREAMS, "idle_timeout": "2s"}),
                       {"model.onnx": lib.VAD})
        repository.add("idle", lib.config_text({**lib.STREAMS, "idle_timeout": "10min"}),
                       {"model.onnx": lib.VAD})
        arguments = ("--model-control-mode=explicit", "--load-model=vad", "--load-model=idle")
        # Triton 2.51 may keep answers for streams of gRPC whose client was killed, and with them
        # the model: it then waits for it when it ends.
        with lib.Server(repository, *arguments, ends_well=False) as server:
            expected = answers_of(server, 1, sound)
            check_killed_clients(server, sound, expected)
            assert server.process.poll() is None
        with lib.Server(repository, *arguments) as server:
            check_missing_ends(server, sound, expected)
            check_idle(server, sound)
            check_unload(server, sound, expected)
            check_leaks(server, sound)
            assert server.process.poll() is None
    print("the server ended well", flush=True)


if __name__ == "__main__":
    main()
