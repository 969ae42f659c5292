"""The real Triton server of the package nvidia-pytriton, repositories for it, and fast clients."""

import contextlib
import json
import os
import pathlib
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

SKIPPED = 77
ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = pathlib.Path(os.environ.get("RONDO_MODELS", ROOT / "../shared/models")).resolve()
VAD = MODELS / "silero_vad_v6/model.onnx"
CHUNK = 576  # samples that the model sees a step
STREAMS = {"stateful": "state:stateN"}


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


try:
    import numpy
    import pytriton
except ImportError as missing:
    skip(f"{missing.name} isn't installed")
SERVER = pathlib.Path(pytriton.__file__).parent / "tritonserver"
if not VAD.exists():
    skip(f"there is no {VAD}")


def backend_folder():
    """The folder of the installed backend, the only argument."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} FOLDER; `cmake --install build --component triton "
                 "--prefix FOLDER` makes it")
    return pathlib.Path(sys.argv[1])


def config_text(parameters, others=""):
    entries = "".join(f'parameters {{ key: "{name}" value {{ string_value: "{value}" }} }}\n'
                      for name, value in parameters.items())
    return f'backend: "rondo"\n{others}\n{entries}'


class Repository:
    """A folder of models. The backend lies in the folder of each, as in a server's stock image."""

    def __init__(self, folder, backend):
        self.folder, self.backend = pathlib.Path(folder), backend
        self.folder.mkdir(exist_ok=True)

    def add(self, name, config, files):
        """`files`: {name in the version's folder: path}."""
        place = self.folder / name
        (place / "1").mkdir(parents=True)
        if config is not None:
            (place / "config.pbtxt").write_text(config)
        for target, source in files.items():
            (place / "1" / target).symlink_to(source)
        for library in self.backend.iterdir() if self.backend else []:
            shutil.copy(library, place)
        return place


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


class Server:
    """A running tritonserver; a context. `ends_well`: it must end when it is asked to."""

    def __init__(self, repository, *arguments, ends_well=True):
        self.ends_well = ends_well
        self.http, self.grpc, self.metrics_port = free_ports(3)
        self.log_file = tempfile.NamedTemporaryFile(mode="w+", suffix=".log")
        stub = SERVER / f"python_backend_stubs/3.{sys.version_info.minor}"
        self.backends = tempfile.TemporaryDirectory()
        shutil.copytree(SERVER / "backends/python", pathlib.Path(self.backends.name) / "python")
        for file in stub.iterdir():
            shutil.copy(file, pathlib.Path(self.backends.name) / "python")
        command = [SERVER / "bin/tritonserver", f"--model-repository={repository.folder}",
                   f"--backend-directory={self.backends.name}",
                   f"--http-port={self.http}", f"--grpc-port={self.grpc}",
                   f"--metrics-port={self.metrics_port}", "--http-address=127.0.0.1",
                   "--grpc-address=127.0.0.1", "--metrics-address=127.0.0.1",
                   "--allow-gpu-metrics=false", "--exit-timeout-secs=10", *arguments]
        self.process = subprocess.Popen(command, stdout=self.log_file, stderr=subprocess.STDOUT,
                                        env=self.environment())

    def environment(self):
        libraries = pathlib.Path(pytriton.__file__).parents[1] / "nvidia_pytriton.libs"
        python = pathlib.Path(os.__file__).parents[1]
        return {**os.environ, "LD_LIBRARY_PATH": f"{libraries}:{python}",
                "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"}

    def __enter__(self):
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and self.process.poll() is None:
            with contextlib.suppress(OSError):
                with urllib.request.urlopen(self.url("/v2/health/ready"), timeout=5) as answer:
                    if answer.status == 200:
                        return self
            time.sleep(0.1)
        self.process.kill()
        raise RuntimeError(f"the server isn't ready:\n{self.log()[-6000:]}")

    def __exit__(self, failure, *_):
        self.process.send_signal(signal.SIGINT if self.ends_well else signal.SIGKILL)
        code = self.process.wait(timeout=120)
        self.backends.cleanup()
        if code != 0 and failure is None and self.ends_well:
            raise RuntimeError(f"the server ended with {code}:\n{self.log()[-6000:]}")

    def url(self, path, port=None):
        return f"http://127.0.0.1:{port or self.http}{path}"

    def log(self):
        return pathlib.Path(self.log_file.name).read_text(errors="replace")

    def post(self, path, body=None):
        """(status, answer) of a request in JSON."""
        request = urllib.request.Request(self.url(path), json.dumps(body or {}).encode())
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return answer.status, json.loads(answer.read() or "{}")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or "{}")

    def get(self, path):
        with urllib.request.urlopen(self.url(path), timeout=30) as answer:
            return json.loads(answer.read())

    def metric(self, name, model="vad"):
        """The value of one of the model's metrics; None if there is none."""
        with urllib.request.urlopen(self.url("/metrics", self.metrics_port), timeout=30) as answer:
            for line in answer.read().decode().splitlines():
                if line.startswith(name + "{") and f'model="{model}"' in line:
                    return float(line.rsplit(" ", 1)[1])
        return None

    def wait_for(self, holds, seconds=60):
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                return False
            time.sleep(0.2)
        return True

    def resident_kib(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(text.partition("VmRSS:")[2].split()[0])


def sound(seed, steps):
    """Chunks of a sequence, [steps,576] f32."""
    random = numpy.random.default_rng(seed)
    return (random.standard_normal((steps, CHUNK)) * 0.1).astype(numpy.float32)


def body_of(inputs, parameters):
    """The JSON and the bytes of an inference request with these arrays."""
    described = [{"name": name, "shape": list(array.shape), "datatype": datatype,
                  "parameters": {"binary_data_size": array.nbytes}}
                 for name, (array, datatype) in inputs.items()]
    head = json.dumps({"inputs": described,
                       "parameters": {**parameters, "binary_data_output": True}}).encode()
    return head, b"".join(array.tobytes() for array, _ in inputs.values())


def vad_request(model, sequence, chunk, start=False, end=False, rank=2):
    """A step's request as HTTP. `rank` is that of the sampling rate: it has a batch axis or not."""
    rate = numpy.full((1,) * rank, 16000, numpy.int64)
    parameters = {"sequence_id": sequence, "sequence_start": start, "sequence_end": end}
    head, data = body_of({"input": (chunk.reshape(1, CHUNK), "FP32"), "sr": (rate, "INT64")},
                         parameters)
    return http_request(model, head, data)


def http_request(model, head, data):
    return (f"POST /v2/models/{model}/infer HTTP/1.1\r\nHost: x\r\n"
            f"Inference-Header-Content-Length: {len(head)}\r\n"
            f"Content-Length: {len(head) + len(data)}\r\n\r\n").encode() + head + data


class Connection:
    """One HTTP connection, for requests one after another."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""

    def send(self, request):
        self.socket.sendall(request)

    def receive(self):
        """(status, headers, body), or None until all of the answer is there."""
        self.buffer += self.socket.recv(1 << 16) or self.fail()
        head, found, rest = self.buffer.partition(b"\r\n\r\n")
        if not found:
            return None
        lines = head.decode().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in
                   (line.partition(":") for line in lines[1:])}
        length = int(headers.get("content-length", 0))
        if len(rest) < length:
            return None
        self.buffer = rest[length:]
        return int(lines[0].split()[1]), headers, rest[:length]

    def fail(self):
        raise ConnectionError("the server has closed the connection")

    def ask(self, request):
        self.send(request)
        while True:
            if answer := self.receive():
                return answer

    def close(self):
        self.socket.close()


def output_bytes(answer):
    """The bytes of the only output; an error raises."""
    status, headers, body = answer
    if status != 200:
        raise RuntimeError(f"HTTP {status}: {body.decode(errors='replace')}")
    return body[int(headers["inference-header-content-length"]):]


class Clients:
    """Many connections that wait for their answers at once."""

    def __init__(self, port, count):
        self.connections = [Connection(port) for _ in range(count)]
        self.poll = select.epoll()
        self.by_file = {one.socket.fileno(): i for i, one in enumerate(self.connections)}
        for file in self.by_file:
            self.poll.register(file, select.EPOLLIN)

    def answers(self, timeout):
        """(number of the connection, answer) of those that are complete."""
        for file, _ in self.poll.poll(timeout):
            number = self.by_file[file]
            if answer := self.connections[number].receive():
                yield number, answer

    def close(self):
        self.poll.close()
        for one in self.connections:
            one.close()
