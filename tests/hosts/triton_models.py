#!/usr/bin/env python3
"""Models in the real Triton server: files of each kind, configurations that are completed, dynamic
batching, errors, and what the server shows of them.

Usage: triton_models.py FOLDER EXPORT (the installed backend's folder, and the program triton_export)
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy

import triton_lib as lib

DIGITS = lib.ROOT / "docs/samples/digits/digits_lstm.onnx"
DETECTOR = lib.ROOT / "docs/examples/streaming/detector.xml"


def infer(connection, model, inputs, **parameters):
    head, data = lib.body_of(inputs, parameters)
    return connection.ask(lib.http_request(model, head, data))


def check_digits(server):
    """Requests of several rows at once give the bits of each alone."""
    config = server.get("/v2/models/digits/config")
    assert config["max_batch_size"] == 64 and "dynamic_batching" in config, config
    assert config["input"][0]["dims"] == [8, 8] and config["instance_group"][0]["count"] == 1
    assert config["instance_group"][0]["kind"] == "KIND_CPU", config
    random = numpy.random.default_rng(1)
    images = [random.random((1 + i % 4, 8, 8), dtype=numpy.float32) for i in range(64)]
    connection = lib.Connection(server.http)
    alone = [lib.output_bytes(infer(connection, "digits", {"pixels": (one, "FP32")}))
             for one in images]
    clients = lib.Clients(server.http, len(images))
    for _ in range(10):
        for client, image in zip(clients.connections, images):
            client.send(lib.http_request("digits", *lib.body_of({"pixels": (image, "FP32")}, {})))
        left = len(images)
        while left > 0:
            for number, answer in clients.answers(60):
                assert lib.output_bytes(answer) == alone[number]
                left -= 1
    clients.close()
    stats = server.get("/v2/models/digits/stats")["model_stats"][0]
    print(f"digits: {stats['inference_count']} rows in {stats['execution_count']} inferences")
    assert stats["execution_count"] < stats["inference_count"]
    status, _, body = infer(connection, "digits", {"pixels": (images[0][:, :4], "FP32")})
    assert status == 400, (status, body)
    connection.close()


def check_streams(server, model):
    """A sequence of the detector, which the server completes from an IR and from `model.rondo`."""
    connection = lib.Connection(server.http)
    sound = numpy.ones((1, 4, 16), numpy.float32)

    def step(chunk, **parameters):
        return infer(connection, model, {"audio": (chunk, "FP32")}, **parameters)

    whole = lib.output_bytes(step(sound))
    parts = [lib.output_bytes(step(sound[:, i:i + 1], sequence_id=5, sequence_start=i == 0,
                                   sequence_end=i == 3)) for i in range(4)]
    assert b"".join(parts) == whole
    example = subprocess.run([sys.executable, lib.ROOT / "docs/examples/triton_client.py",
                              f"localhost:{server.grpc}", model], capture_output=True, text=True)
    assert example.returncode == 0 and example.stdout.count("[") == 10, example.stderr
    status, _, body = step(sound, sequence_id=5)
    assert status == 404 and b"sequence 5 isn't open" in body, (status, body)
    status, _, body = step(sound[:, :, :8], sequence_id=5, sequence_start=True)
    assert status == 400, (status, body)
    connection.close()


def check_deadline(server):
    """The timeout of a request is its sequence's deadline."""
    connection = lib.Connection(server.http)
    before = server.metric("rondo_steps_late_total", "ir")
    for i in range(10):
        lib.output_bytes(infer(connection, "ir", {"audio": (numpy.ones((1, 4, 16), "f4"), "FP32")},
                               sequence_id=6, sequence_start=i == 0, sequence_end=i == 9,
                               timeout=1, priority=1))
    assert server.wait_for(lambda: server.metric("rondo_steps_late_total", "ir") == before + 10)
    connection.close()


def check_errors(server, repository):
    """A model that can't be loaded says why."""
    for name, parameters, text in (
            ("unknown", {"max_bach": "8"}, "did you mean 'max_batch'?"),
            ("value", {"overflow": "wait"}, "expected reject, block or drop_oldest"),
            ("pairs", {"stateful": "h:nothing"}, "nothing")):
        repository.add(name, lib.config_text(parameters), ir_files())
        status, answer = server.post(f"/v2/repository/models/{name}/load")
        assert status != 200 and text in answer["error"], (status, answer)
    repository.add("states", lib.config_text({}, """sequence_batching { state [{
        input_name: "h" output_name: "h_out" data_type: TYPE_FP32 dims: [1, 1, 24] }] }"""),
        ir_files())
    status, answer = server.post("/v2/repository/models/states/load")
    assert status != 200 and "keeps the states" in answer["error"], (status, answer)


def check_copies(server, names):
    """Each model runs with the backend of its own folder."""
    maps = pathlib.Path(f"/proc/{server.process.pid}/maps").read_text()
    assert all(f"/{name}/libtriton_rondo.so" in maps for name in names), maps
    assert "librondo.so" not in maps


def ir_files():
    return {"model.xml": DETECTOR, "model.bin": DETECTOR.with_suffix(".bin")}


def main():
    export = sys.argv.pop()
    backend = lib.backend_folder()
    with tempfile.TemporaryDirectory() as folder:
        repository = lib.Repository(folder + "/models", backend)
        repository.add("digits", lib.config_text({}), {"model.onnx": DIGITS})
        repository.add("ir", lib.config_text({"stateful": "auto"}), ir_files())
        file = pathlib.Path(folder) / "exported"
        subprocess.run([export, DETECTOR, file], check=True)
        repository.add("detector.rondo", None, {"model.rondo": file})  # no config at all
        names = ["digits", "ir", "detector.rondo"]
        loads = [f"--load-model={name}" for name in names]
        with lib.Server(repository, "--model-control-mode=explicit", *loads) as server:
            check_digits(server)
            for name in names[1:]:
                check_streams(server, name)
                print(f"{name}: a sequence in parts is the whole")
            check_copies(server, names)
            check_deadline(server)
            check_errors(server, repository)
            print("errors: all are the backend's own")


if __name__ == "__main__":
    main()
