"""Scores a sound that arrives over HTTP, on two replicas, one of which is killed on the way:
ray_http.py streaming/detector.xml [PORT]. The client needs neither Ray nor Rondo.
"""

import io
import os
import signal
import sys
import time
import urllib.error
import urllib.request

import numpy as np


class Client:
    """A stream. It has the state after each chunk, and sends it if the replica lacks the stream."""

    def __init__(self, url, session):
        self.url, self.session, self.step, self.state = url, session, 0, None

    def infer(self, **inputs):
        for _ in range(100):
            try:
                return self.post(inputs)
            except urllib.error.HTTPError as error:
                if error.code == 400:  # an input is wrong
                    raise
            inputs = {**inputs, **({} if self.state is None else {"rondo.state": self.state})}
            time.sleep(0.1)
        raise TimeoutError(self.url)

    def post(self, arrays):
        body = io.BytesIO()
        np.savez(body, **arrays)
        headers = {"x-session-id": self.session, "x-step": str(self.step), "x-save": "yes"}
        request = urllib.request.Request(self.url, body.getvalue(), headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            outputs = dict(np.load(io.BytesIO(answer.read())))
        self.state = outputs.pop("rondo.state")
        self.step += 1
        return outputs

    def close(self):
        request = urllib.request.Request(self.url, headers={"x-session-id": self.session},
                                         method="DELETE")
        urllib.request.urlopen(request, timeout=60).close()


def sound():
    """Chunks of 10 frames of 16 samples."""
    return np.random.default_rng(1).uniform(-1, 1, (10, 1, 10, 16)).astype(np.float32)


def main(path, port):
    import ray
    import rondo
    import rondo.ray
    from ray import serve

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    serve.start(http_options={"port": port}, logging_config={"enable_access_log": False})
    stateful = os.path.abspath("detector_stateful.xml")
    rondo.save_model(rondo.make_stateful(path), stateful)
    application = rondo.ray.streams(stateful, num_replicas=2, threads=1)
    handle = serve.run(application, route_prefix="/detector")

    client, scores = Client(f"http://127.0.0.1:{port}/detector", "caller 1"), []
    for number, chunk in enumerate(sound()):
        if number == 5:  # its replica ends, as a machine may
            info = handle.options(session_id="caller 1").info.remote().result()
            os.kill(info["pid"], signal.SIGKILL)
        scores.append(client.infer(audio=chunk)["score"])
    client.close()

    stream = rondo.compile_model(stateful).create_stream_pool().open()
    expected = [stream.infer({"audio": chunk})["score"] for chunk in sound()]
    differing = sum(not np.array_equal(*pair) for pair in zip(scores, expected))
    print(f"{len(scores)} chunks over HTTP, a replica killed: {differing} differ from a stream alone")
    serve.shutdown()
    return 1 if differing else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: ray_http.py MODEL [PORT]")
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 8000))
