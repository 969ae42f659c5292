"""Scores 20 sounds that arrive at once, on two replicas, one of which is killed on the way:
ray_streams.py streaming/detector.xml. It runs on this machine; on a cluster only ray.init() differs.
"""

import asyncio
import os
import signal
import sys

import numpy as np
import ray
import rondo
import rondo.ray
from ray import serve

STREAMS, CHUNKS = 20, 10


def sound(number):
    """Chunks of 10 frames of 16 samples."""
    random = np.random.default_rng(number)
    return random.uniform(-1, 1, (CHUNKS, 1, 10, 16)).astype(np.float32)


async def score(handle, number):
    session = rondo.ray.Session(handle, f"caller {number}", save_every=4)
    scores = []
    for at, chunk in enumerate(sound(number)):
        if (number, at) == (0, 5):  # its replica ends, as a machine may
            info = await handle.options(session_id=session.id).info.remote()
            os.kill(info["pid"], signal.SIGKILL)
        outputs = await session.infer_async({"audio": chunk})
        scores.append(outputs["score"])
    session.close()
    return np.concatenate(scores, axis=1)


async def score_all(handle):
    return await asyncio.gather(*(score(handle, number) for number in range(STREAMS)))


def main(path):
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    serve.start(proxy_location="Disabled", logging_config={"enable_access_log": False})
    stateful = os.path.abspath("detector_stateful.xml")
    rondo.save_model(rondo.make_stateful(path), stateful)  # on each machine, or on a shared disk
    handle = serve.run(rondo.ray.streams(stateful, num_replicas=2, threads=1), route_prefix=None)
    results = asyncio.run(score_all(handle))

    alone = rondo.compile_model(stateful).create_stream_pool()
    differing = 0
    for number, scores in enumerate(results):
        stream = alone.open()
        expected = [stream.infer({"audio": chunk})["score"] for chunk in sound(number)]
        differing += not np.array_equal(scores, np.concatenate(expected, axis=1))
    print(f"{STREAMS} streams on 2 replicas, one killed: {differing} differ from a stream alone")
    serve.shutdown()
    return 1 if differing else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: ray_streams.py MODEL")
    sys.exit(main(sys.argv[1]))
