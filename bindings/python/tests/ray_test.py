"""rondo.ray without Ray: replicas are objects of this process, which a fake handle calls.

tests/hosts has the same with Ray itself.
"""

import asyncio
import importlib.util
import io
import pathlib
import pickle
import sys
import time
import types
import unittest
import zipfile

import numpy as np
import rondo
import support

# x [?,?,3] -> LSTM that keeps h and c [?,1,4] -> y [?,?,4], as OpenVINO wrote it.
STATEFUL = pathlib.Path(__file__).parents[3] / "tests/data/ir/openvino_stateful.xml"


class RayActorError(Exception):
    """What Ray raises if the replica that was called has ended."""


class Deployment:
    """What ray.serve.deployment(**settings) makes of a class."""

    def __init__(self, **settings):
        self.settings = settings

    def __call__(self, replica):
        self.replica = replica
        return self

    def bind(self, *arguments):
        self.arguments = arguments
        return self


class Response:
    """Starlette's."""

    def __init__(self, content=b"", status_code=200):
        self.content, self.status_code = content, status_code


def fake_ray():
    modules = {name: types.ModuleType(name) for name in
               ("ray", "ray.exceptions", "ray.serve", "ray.serve.config", "starlette",
                "starlette.responses")}
    modules["starlette.responses"].Response = Response
    modules["ray.exceptions"].RayActorError = RayActorError
    modules["ray.serve"].deployment = Deployment
    modules["ray.serve.config"].RequestRouterConfig = dict
    return modules


sys.modules.update(fake_ray())
import rondo.ray  # noqa: E402


class Handle:
    """Sends each session to the replica of its number; those that have ended are noticed late."""

    def __init__(self, application, count):
        self._application = application
        self.replicas = []
        self.ended = {}  # replica: how many calls still reach it
        self.failures = 0
        self.is_waiting = False  # as Ray is while there is no replica
        for _ in range(count):
            self.add()

    def add(self):
        self.replicas.append(self._application.replica(*self._application.arguments))

    def end(self, index, late_calls=3):
        self.ended[self.replicas[index]] = late_calls

    def options(self, session_id):
        return Routed(self, session_id)

    def replica_of(self, session):
        replica = self.replicas[sum(session.encode()) % len(self.replicas)]
        if replica not in self.ended:
            return replica
        self.failures += 1
        self.ended[replica] -= 1
        if self.ended[replica] == 0:
            self.replicas.remove(replica)
        raise RayActorError(session)


class Routed:
    def __init__(self, handle, session):
        self._handle, self._session = handle, session

    def __getattr__(self, method):
        return Method(self._handle, self._session, method)


class Method:
    def __init__(self, *route):
        self._route = route

    def remote(self, *arguments):
        return Call(*self._route, pickle.dumps(arguments))


class Call:
    def __init__(self, handle, session, method, arguments):
        self._call = handle, session, method, arguments

    def result(self, timeout_s):
        return asyncio.run(asyncio.wait_for(self._run(), timeout_s))

    def __await__(self):
        return self._run().__await__()

    async def _run(self):
        handle, session, method, arguments = self._call
        while handle.is_waiting:
            await asyncio.sleep(0.01)
        answer = await getattr(handle.replica_of(session), method)(*pickle.loads(arguments))
        return pickle.loads(pickle.dumps(answer))


def chunks(session, count):
    random = np.random.default_rng(session)
    return [random.standard_normal((1, random.integers(1, 4), 3)).astype(np.float32)
            for _ in range(count)]


def alone(some):
    stream = rondo.compile_model(STATEFUL).create_stream_pool().open()
    return [stream.infer(chunk)["y"] for chunk in some]


class RayTest(unittest.TestCase):
    def handle(self, count=2, **options):
        return Handle(rondo.ray.streams(str(STATEFUL), **options), count)

    def test_the_deployment_is_sticky(self):
        app = rondo.ray.streams("model.xml", threads=3, num_replicas=4, config={"PERF_COUNT": "YES"},
                                options={"max_batch": 8}, max_ongoing_requests=7)
        self.assertEqual(app.settings["num_replicas"], 4)
        self.assertEqual(app.settings["max_ongoing_requests"], 7)
        self.assertEqual(app.settings["ray_actor_options"], {"num_cpus": 3})
        router = app.settings["request_router_config"]
        self.assertRegex(router["request_router_class"], "ConsistentHashRouter$")
        self.assertEqual(router["request_router_kwargs"], {"num_fallback_replicas": 0})
        self.assertEqual(app.arguments, ("model.xml",
                                         {"INFERENCE_NUM_THREADS": 3, "PERF_COUNT": "YES"},
                                         {"idle_timeout": 600, "max_batch": 8}))

    def test_outputs_are_those_of_the_stream_alone_whatever_happens(self):
        for save_every in (1, 5, 100):
            handle, count = self.handle(), 20
            sessions = [rondo.ray.Session(handle, str(i), save_every) for i in range(count)]
            inputs = [chunks(i, 20) for i in range(count)]
            outputs = [[] for _ in range(count)]
            for step in range(20):
                if step == 7:
                    handle.end(0)
                if step == 12:
                    handle.add()
                for session, some, results in zip(sessions, inputs, outputs):
                    results.append(session.infer(some[step])["y"])
            self.assertEqual((len(handle.replicas), handle.failures), (2, 3))
            for some, results in zip(inputs, outputs):
                for result, expected in zip(results, alone(some)):
                    np.testing.assert_array_equal(result, expected)

    def test_sessions_share_batches_in_asyncio(self):
        async def run(handle):
            async def one(i):
                session = rondo.ray.Session(handle, str(i), 4)
                return [(await session.infer_async(chunk))["y"] for chunk in chunks(i, 9)]

            return await asyncio.gather(*map(one, range(30)))

        for i, results in enumerate(asyncio.run(run(self.handle()))):
            for result, expected in zip(results, alone(chunks(i, 9))):
                np.testing.assert_array_equal(result, expected)

    def test_the_caller_may_use_its_arrays_again(self):
        handle = self.handle(1)
        session = rondo.ray.Session(handle, save_every=100)
        expected = alone(chunks(1, 6))
        x = np.empty((1, 1, 3), np.float32)
        some = [np.ascontiguousarray(chunk[:, :1]) for chunk in chunks(1, 6)]
        expected = alone(some)
        for step, chunk in enumerate(some):
            x[:] = chunk
            if step == 4:
                handle.add()
                handle.end(0, 1)
            np.testing.assert_array_equal(session.infer({"x": x})["y"], expected[step])

    def test_a_stream_that_was_idle_comes_back(self):
        session = rondo.ray.Session(self.handle(1, options={"idle_timeout": 0.05}), save_every=2)
        some = chunks(2, 4)
        for step, expected in enumerate(alone(some)):
            time.sleep(0.2 if step == 3 else 0)
            np.testing.assert_array_equal(session.infer(some[step])["y"], expected)

    def test_an_input_that_is_wrong_does_not_end_the_stream(self):
        session = rondo.ray.Session(self.handle(1), save_every=3)
        some = chunks(4, 4)
        for step, expected in enumerate(alone(some)):
            with self.assertRaisesRegex(rondo.ModelError, "'x'"):
                session.infer(np.ones((1, 1, 7), np.float32))
            np.testing.assert_array_equal(session.infer(some[step])["y"], expected)

    def test_a_call_that_was_cancelled_may_be_made_again(self):
        handle = self.handle(1)
        session, some = rondo.ray.Session(handle, save_every=3), chunks(5, 6)

        async def run():
            results = []
            for chunk in some:
                call = asyncio.ensure_future(session.infer_async(chunk))
                await asyncio.sleep(0)
                call.cancel()
                await asyncio.gather(call, return_exceptions=True)
                results.append((await session.infer_async(chunk))["y"])
            return results

        for result, expected in zip(asyncio.run(run()), alone(some)):
            np.testing.assert_array_equal(result, expected)

    def test_closing(self):
        handle = self.handle(1)
        session = rondo.ray.Session(handle)
        session.infer(chunks(1, 1)[0])
        info = asyncio.run(handle.replicas[0].info())
        self.assertEqual((info["streams"], info["threads"]), (1, 1))
        asyncio.run(handle.replicas[0].close(session.id))
        asyncio.run(handle.replicas[0].close(session.id))  # twice is nothing
        self.assertEqual(asyncio.run(handle.replicas[0].info())["streams"], 0)

    def test_a_replica_does_not_keep_streams_that_were_idle(self):
        handle = self.handle(1, options={"idle_timeout": 0.01})
        for i in range(150):
            rondo.ray.Session(handle).infer(chunks(i, 1)[0])
        time.sleep(0.1)
        rondo.ray.Session(handle).infer(chunks(1, 1)[0])
        self.assertLess(asyncio.run(handle.replicas[0].info())["streams"], 110)

    def test_without_a_replica_it_ends(self):
        handle = self.handle(1)
        handle.end(0, 1000)
        with self.assertRaisesRegex(TimeoutError, "session 'a': no answer in 0.3 s"):
            rondo.ray.Session(handle, "a", timeout=0.3).infer(chunks(1, 1)[0])
        handle = self.handle(1)
        session, some = rondo.ray.Session(handle, "b", timeout=0.3), chunks(1, 2)
        session.infer(some[0])
        handle.is_waiting = True
        for call in (session.infer, lambda inputs: asyncio.run(session.infer_async(inputs))):
            with self.assertRaisesRegex(TimeoutError, "session 'b': no answer in 0.3 s"):
                call(some[1])
        handle.is_waiting = False
        np.testing.assert_array_equal(session.infer(some[1])["y"], alone(some)[1])

    def test_a_state_of_another_model_is_refused(self):
        handle = self.handle(1)
        session = rondo.ray.Session(handle, save_every=1)
        session.infer(chunks(1, 1)[0])
        handle._application.arguments = (support.running_sum(), {}, {})
        handle.add()
        handle.end(0, 1)
        with self.assertRaises(rondo.ModelError):
            session.infer(chunks(1, 1)[0])


class Request:
    def __init__(self, method, headers, body):
        self.method, self.headers, self._body = method, headers, body

    async def body(self):
        return self._body


class HttpTest(unittest.TestCase):
    def setUp(self):
        self.handle = Handle(rondo.ray.streams(str(STATEFUL)), 1)

    def ask(self, arrays, step="0", method="POST", session="a", **headers):
        """(status, outputs by name or the text of an error)."""
        body = io.BytesIO()
        np.savez(body, **arrays) if isinstance(arrays, dict) else body.write(arrays)
        headers = {"x-session-id": session, "x-step": step,
                   **{name.replace("_", "-"): value for name, value in headers.items()}}
        request = Request(method, headers, body.getvalue())
        answer = asyncio.run(self.handle.replicas[0](request))
        if answer.status_code != 200:
            return answer.status_code, answer.content
        return 200, dict(np.load(io.BytesIO(answer.content)))

    def test_steps_go_on_where_the_state_is(self):
        some, state = chunks(1, 6), {}
        for step, expected in enumerate(alone(some)):
            if step == 3:  # another replica
                self.handle = Handle(rondo.ray.streams(str(STATEFUL)), 1)
                status, text = self.ask({"x": some[step]}, "3")
                self.assertEqual((status, text), (409, "session 'a' is not at step 3 here"))
                status, outputs = self.ask({"x": some[step], "rondo.state": state}, "3")
            else:
                status, outputs = self.ask({"x": some[step]}, str(step), x_save="yes")
                state = outputs.pop("rondo.state")
            self.assertEqual((status, list(outputs)), (200, ["y"]))
            np.testing.assert_array_equal(outputs["y"], expected)
        self.assertEqual(self.ask({}, method="DELETE")[0], 204)
        self.assertEqual(asyncio.run(self.handle.replicas[0].info())["streams"], 0)

    def test_what_is_wrong_is_status_400(self):
        x = chunks(1, 1)[0]
        for arrays, step, session, text in (
                ({"x": x}, "", "a", "x-step"), ({"x": x}, "-1", "a", "x-step"),
                ({"x": x}, "0", "", "x-session-id"), (b"no zip", "0", "a", "not a zip file"),
                ({"x": np.array([{}])}, "0", "a", "allow_pickle"),
                ({"x": x[:, :, :2]}, "0", "a", "'x'"), ({"z": x}, "0", "a", "'z'"),
                ({"x": x, "rondo.state": x}, "0", "a", "state")):
            status, answer = self.ask(arrays, step, session=session)
            self.assertEqual(status, 400, text)
            self.assertIn(text, answer)

    def test_a_stream_goes_on_after_status_400(self):
        some = chunks(1, 3)
        expected = alone(some)
        self.assertEqual(self.ask({"x": some[0]})[0], 200)
        for wrong in ({"z": some[1]}, {"x": some[1][..., :1]}):
            self.assertEqual(self.ask(wrong, "1")[0], 400)
        for step in (1, 2):
            status, outputs = self.ask({"x": some[step]}, str(step))
            self.assertEqual(status, 200)
            np.testing.assert_array_equal(outputs["y"], expected[step])

    def test_hostile_arrays_are_status_400(self):
        lie, packed = io.BytesIO(), io.BytesIO()
        with zipfile.ZipFile(lie, "w") as archive, archive.open("x.npy", "w") as member:
            np.lib.format.write_array_header_1_0(
                member, {"descr": "<f4", "fortran_order": False, "shape": (1, 10 ** 13)})
        np.savez_compressed(packed, x=np.zeros((1, 1, 3), np.float32))
        self.assertEqual(self.ask(lie.getvalue())[0], 400)
        status, text = self.ask(packed.getvalue())
        self.assertEqual((status, text[:23]), (400, "the arrays are compress"))

    def test_a_session_begins_again_in_a_full_pool(self):
        self.handle = Handle(rondo.ray.streams(str(STATEFUL), options={"max_streams": 1}), 1)
        some = chunks(1, 2)
        for _ in range(3):
            self.assertEqual(self.ask({"x": some[0]})[0], 200)
        self.assertEqual(self.ask({"x": some[0]}, session="b")[0], 503)
        self.assertEqual(self.ask({"x": some[1]}, "1")[0], 200)

    def test_full_pools_are_status_503(self):
        self.handle = Handle(rondo.ray.streams(str(STATEFUL), options={"max_streams": 1}), 1)
        x = chunks(1, 1)[0]
        self.assertEqual(self.ask({"x": x})[0], 200)
        status, text = self.ask({"x": x}, session="b")
        self.assertEqual(status, 503)
        self.assertIn("max_streams is 1", text)


@unittest.skipUnless(importlib.util.find_spec("onnx"), "this Python has no onnx")
class PredictorTest(unittest.TestCase):
    def test_columns_of_rows(self):
        import row_models

        predict = rondo.ray.Predictor(row_models.lstm(False))
        batch = {"x": np.stack(row_models.rows([3] * 5)), "id": np.arange(5)}
        result = predict(batch)
        self.assertEqual((result["y"].shape, result["h"].shape), ((5, 3, 4), (5, 4)))
        np.testing.assert_array_equal(result["id"], np.arange(5))

    def test_ragged_rows_are_the_rows_alone(self):
        import row_models

        lengths = [3, 1, 7, 3, 2, 7, 7]
        some = row_models.rows(lengths)
        column = np.empty(len(some), object)
        column[:] = some
        expected = [rondo.compile_model(row_models.lstm(False))(row[None]) for row in some]
        for predict in (rondo.ray.Predictor(row_models.lstm(False)),
                        rondo.ray.Predictor(row_models.lstm(True), lengths="steps")):
            result = predict({"x": column})
            self.assertEqual(result["h"].shape, (7, 4))
            for i, outputs in enumerate(expected):
                np.testing.assert_array_equal(result["y"][i], outputs["y"][0])
                np.testing.assert_array_equal(result["h"][i], outputs["h"][0])

    def test_what_is_wrong_is_named(self):
        import row_models

        with self.assertRaisesRegex(rondo.ModelError, "no input 'n'; there are x, steps"):
            rondo.ray.Predictor(row_models.lstm(True), lengths="n")
        predict = rondo.ray.Predictor(row_models.lstm(False))
        with self.assertRaisesRegex(rondo.ModelError, "no column 'x'; there are z"):
            predict({"z": np.zeros((2, 3, 4))})
        with self.assertRaisesRegex(rondo.ModelError, r"a row of shape \[7\]; expected \[-1, 4\]"):
            predict({"x": np.zeros((2, 7))})


if __name__ == "__main__":
    support.main()
