#!/usr/bin/env python3
"""Ray on this machine: sticky streams on two replicas, one of which is killed, and a dataset.

Usage: ray_test.py. Exits with 77 if this Python lacks Ray or onnx. What it measures is printed.
"""

import asyncio
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import numpy as np
    import onnx  # noqa: F401 (row_models writes with it)
    import ray
    from ray import serve
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import rondo
import rondo.ray

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES, DIGITS = ROOT / "docs/examples", ROOT / "docs/samples/digits"
MODELS = pathlib.Path(os.environ.get("RONDO_MODELS", ROOT / "../shared/models")).resolve()
VAD = MODELS / "silero_vad_v6/model.onnx"
STREAMS, STEPS, RATE = 200, 40, 16000
CHUNK = 576  # samples


def chunks(stream):
    random = np.random.default_rng(stream)
    sound = random.uniform(-0.3, 0.3, (STEPS, 1, CHUNK)).astype(np.float32)
    return [{"input": chunk, "sr": np.array(RATE)} for chunk in sound]


def setUpModule():
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))  # of the workers


class RayTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
        cls.addClassCleanup(ray.shutdown)


class StreamsTest(RayTest):
    def setUp(self):
        if not VAD.exists():
            self.skipTest(f"there is no {VAD}: set RONDO_MODELS")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.model = str(pathlib.Path(folder.name) / "vad.xml")
        rondo.save_model(rondo.make_stateful(str(VAD)), self.model)
        serve.start(proxy_location="Disabled", logging_config={"enable_access_log": False})
        self.addCleanup(serve.shutdown)

    def handle(self, replicas):
        return serve.run(rondo.ray.streams(self.model, num_replicas=replicas, threads=1),
                         name="app", route_prefix=None)

    def test_every_answer_is_that_of_the_stream_alone(self):
        handle = self.handle(2)
        outputs, killed = asyncio.run(self.run_all(handle))
        pool = rondo.compile_model(self.model).create_stream_pool()
        differing = 0
        for i, results in enumerate(outputs):
            stream = pool.open()
            for chunk, result in zip(chunks(i), results):
                differing += not np.array_equal(result["output"], stream.infer(chunk)["output"])
        print(f"{STREAMS} streams of {STEPS} steps, {killed['streams']} of which were on the "
              f"replica that was killed: {differing} answers differ")
        self.assertEqual(differing, 0)
        self.assertGreater(killed["streams"], STREAMS / 8)
        self.assertLess(killed["streams"], STREAMS)

    async def run_all(self, handle):
        sessions = [rondo.ray.Session(handle, f"stream {i}", save_every=8) for i in range(STREAMS)]
        inputs = [chunks(i) for i in range(STREAMS)]
        outputs = [[] for _ in range(STREAMS)]
        killed = None
        for step in range(STEPS):
            if step == STEPS // 2:
                killed = await handle.options(session_id="stream 0").info.remote()
                os.kill(killed["pid"], signal.SIGKILL)
            start = time.perf_counter()
            results = await asyncio.gather(*(session.infer_async(some[step])
                                             for session, some in zip(sessions, inputs)))
            seconds = time.perf_counter() - start
            if step in (1, STEPS // 2 - 1, STEPS // 2, STEPS - 1):
                print(f"step {step} of {STREAMS} streams: {seconds * 1e3:.0f} ms")
            for all_of_one, result in zip(outputs, results):
                all_of_one.append(result)
        return outputs, killed

    def test_threads_and_replicas_share_the_cores(self):
        handle = self.handle(2)
        infos = {}
        for i in range(50):
            info = handle.options(session_id=str(i)).info.remote().result()
            infos[info["pid"]] = info["threads"]
        self.assertEqual(sorted(infos.values()), [1, 1])
        self.assertLessEqual(sum(infos.values()), 2)

    def test_how_many_chunks_two_replicas_take(self):
        for replicas in (1, 2):
            handle = self.handle(replicas)

            async def run(count):
                async def one(i):
                    session = rondo.ray.Session(handle, str(i))
                    for chunk in chunks(i):
                        await session.infer_async(chunk)

                await asyncio.gather(*map(one, range(count)))

            asyncio.run(run(10))
            start = time.perf_counter()
            asyncio.run(run(100))
            rate = 100 * STEPS / (time.perf_counter() - start)
            print(f"{replicas} replicas: {rate:.0f} chunks a second from one client")


class DatasetTest(RayTest):
    def test_map_batches_gives_the_bits_of_this_process(self):
        import ray.data

        ray.data.DataContext.get_current().enable_progress_bars = False
        model = DIGITS / "digits_lstm.onnx"
        pixels = np.load(DIGITS / "test_pixels.npy").astype(np.float32)
        pixels = np.concatenate([pixels.reshape(-1, 8, 8)] * 20)
        dataset = ray.data.from_items([{"id": i, "pixels": row} for i, row in enumerate(pixels)])
        for actors in (1, 2):
            start = time.perf_counter()
            rows = dataset.map_batches(rondo.ray.Predictor, fn_constructor_args=(model.read_bytes(),),
                                       concurrency=actors, num_cpus=1, batch_size=64).take_all()
            print(f"{actors} actors: {len(rows)} rows in {time.perf_counter() - start:.1f} s")
            rows.sort(key=lambda row: row["id"])
            expected = rondo.compile_model(model)(pixels)["logits"]
            np.testing.assert_array_equal(np.stack([row["logits"] for row in rows]), expected)

    def test_ragged_rows(self):
        import ray.data

        sys.path.insert(0, str(ROOT / "bindings/python/tests"))
        import row_models

        some = row_models.rows([3, 1, 7, 3, 2, 7, 7] * 10)
        dataset = ray.data.from_items([{"id": i, "x": row} for i, row in enumerate(some)])
        rows = dataset.map_batches(rondo.ray.Predictor, concurrency=2, num_cpus=1, batch_size=16,
                                   fn_constructor_args=(row_models.lstm(False),)).take_all()
        model = rondo.compile_model(row_models.lstm(False))
        self.assertEqual(len(rows), len(some))
        for row in rows:
            expected = model(some[row["id"]][None])
            np.testing.assert_array_equal(row["y"], expected["y"][0])
            np.testing.assert_array_equal(row["h"], expected["h"][0])

    def test_actors_have_the_threads_of_their_cores(self):
        @ray.remote(num_cpus=1)
        def threads():
            model = rondo.compile_model(str(DIGITS / "digits_lstm.onnx"))
            return int(model.get_property("INFERENCE_NUM_THREADS"))

        self.assertEqual(ray.get(threads.remote()), 1)


class ExamplesTest(unittest.TestCase):
    """They start a Ray of their own."""

    def run_example(self, name, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run([sys.executable, EXAMPLES / name, *arguments], cwd=folder,
                                    capture_output=True, text=True, timeout=200, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def test_streams(self):
        self.assertIn("20 streams on 2 replicas, one killed: 0 differ",
                      self.run_example("ray_streams.py", EXAMPLES / "streaming/detector.xml"))

    def test_http(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        self.assertIn("10 chunks over HTTP, a replica killed: 0 differ",
                      self.run_example("ray_http.py", EXAMPLES / "streaming/detector.xml", port))

    def test_dataset(self):
        self.assertIn("digits: the bits of this process",
                      self.run_example("ray_dataset.py", DIGITS / "digits_lstm.onnx",
                                       DIGITS / "test_pixels.npy"))


if __name__ == "__main__":
    unittest.main()
