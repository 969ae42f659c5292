"""Stream pools: streams and their states, options, threads, and what keeps them alive."""

import gc
import pathlib
import threading
import unittest
import weakref
from datetime import timedelta

import numpy as np
import rondo
import support

# x [?,?,3] -> LSTM that keeps h and c [?,1,4] -> y [?,?,4], as OpenVINO wrote it.
STATEFUL = pathlib.Path(__file__).parents[3] / "tests/data/ir/openvino_stateful.xml"
SUM = support.running_sum()
SLOW = support.slow_chain()
EYE = np.eye(200, dtype=np.float32)


def row(a, b):
    return np.float32([[a, b]])


def pool_of(model=SUM, **options):
    return rondo.compile_model(model).create_stream_pool(**options)


class StreamTest(unittest.TestCase):
    def setUp(self):
        self.pool = pool_of()
        self.stream = self.pool.open()

    def test_inputs_by_name_place_or_alone(self):
        for inputs in ({"x": row(1, 2)}, {0: row(1, 2)}, [row(1, 2)], row(1, 2), [[[1, 2]]],
                       row(1, 2).astype(np.float64), rondo.Tensor(row(1, 2)),
                       np.int32([[1, 9, 2, 9]])[:, ::2]):
            self.stream.push(inputs)
        results = self.stream.infer(row(0, 0))
        self.assertIsInstance(results, rondo.OVDict)
        self.assertEqual(results["y"].tolist(), [[8, 16]])
        self.assertEqual(results[0].tolist(), [[8, 16]])

    def test_inputs_that_do_not_fit(self):
        for call in (self.stream.push, self.stream.infer):
            with self.assertRaisesRegex(rondo.ModelError, r"input 'x' f32\[\?,2\] was not given"):
                call({})
            with self.assertRaisesRegex(rondo.ModelError, "'z'"):
                call({"z": row(1, 2)})
            with self.assertRaisesRegex(rondo.ModelError, "an array of shape"):
                call(np.ones((1, 3)))
            with self.assertRaisesRegex(rondo.ModelError, "an extent of 1 along the batch"):
                call(np.ones((2, 2)))
            with self.assertRaises(TypeError):
                call()
        self.assertEqual(self.stream.infer(row(1, 1))[0].tolist(), [[1, 1]])

    def test_inputs_are_copied_and_outputs_stay(self):
        x = row(1, 1)
        steps = []
        for _ in range(20):
            steps.append(self.stream.push(x))
            x += 1
        results = [step.result()[0] for step in steps]
        self.stream.infer(x)
        sums = np.cumsum(np.arange(1, 21)).tolist()
        self.assertEqual([result[0, 0] for result in results], sums)

    def test_many_streams_have_a_state_each(self):
        streams = [self.pool.open() for _ in range(200)]
        for count in range(1, 6):
            steps = [stream.push(row(i, 1)) for i, stream in enumerate(streams)]
            for i, step in enumerate(steps):
                self.assertEqual(step.result()["y"].tolist(), [[count * i, count]])
        stats = self.pool.stats()
        self.assertEqual((stats.steps, stats.streams, stats.failed), (1000, 201, 0))
        self.assertEqual(sum(n * count for n, count in enumerate(stats.batch_counts)), 1000)

    def test_the_same_bits_alone_and_among_others(self):
        x = np.random.default_rng(3).standard_normal((40, 6, 1, 2, 3)).astype(np.float32)
        compiled = rondo.compile_model(STATEFUL)
        with compiled.create_stream_pool(max_batch=16) as pool:
            streams = [pool.open() for _ in x]
            steps = [[stream.push(chunk) for chunk in x[i]] for i, stream in enumerate(streams)]
            together = [np.concatenate([step.result()["y"] for step in row], 1) for row in steps]
        for chunks, expected in zip(x, together):
            request = compiled.create_infer_request()
            alone = np.concatenate([request.infer(chunk)["y"] for chunk in chunks], 1)
            np.testing.assert_array_equal(alone, expected)

    def test_state_is_read_set_reset_and_forked(self):
        self.assertEqual(self.stream.state()["sum"].tolist(), [[0, 0]])
        for _ in range(5):
            self.stream.push(row(1, 2))
        state = self.stream.state()
        self.assertEqual({name: value.tolist() for name, value in state.items()},
                         {"sum": [[5, 10]]})
        other = self.stream.fork()
        self.stream.set_state({"sum": row(7, 7)})
        self.assertEqual(self.stream.infer(row(1, 1))[0].tolist(), [[8, 8]])
        self.assertEqual(other.infer(row(1, 1))[0].tolist(), [[6, 11]])
        self.stream.set_state({"sum": rondo.Tensor(row(1, 0))})
        self.assertEqual(self.stream.infer(row(1, 1))[0].tolist(), [[2, 1]])
        self.stream.reset()
        self.assertEqual(self.stream.infer(row(1, 1))[0].tolist(), [[1, 1]])
        other.set_state(state)
        self.assertEqual(other.state()["sum"].tolist(), [[5, 10]])

    def test_states_that_do_not_fit(self):
        with self.assertRaisesRegex(rondo.ModelError, "there are: 'sum'"):
            self.stream.set_state({"s": row(1, 1)})
        with self.assertRaisesRegex(rondo.ModelError, r"got f64\[1,2\]; expected f32"):
            self.stream.set_state({"sum": np.ones((1, 2))})
        self.stream.infer(row(1, 1))  # how many rows a state has is known from now on
        with self.assertRaisesRegex(rondo.ModelError, "the state of one stream"):
            self.stream.set_state({"sum": np.ones((2, 2), np.float32)})
        for wrong in ([row(1, 1)], {0: row(1, 1)}):
            with self.assertRaises(TypeError):
                self.stream.set_state(wrong)

    def test_a_model_of_several_inputs_and_outputs(self):
        with pool_of(support.two_in_two_out((-1, 4))) as pool:
            stream = pool.open()
            a, b = np.float32([[1, 2, 3, 4]]), np.float32([[1, 1, 1, 1]])
            results = stream.push({"b": b, "a": a}).result()
            self.assertEqual(results["difference"].tolist(), [[0, 1, 2, 3]])
            self.assertEqual(stream.infer([b, a])["difference"].tolist(), [[0, -1, -2, -3]])
            self.assertEqual(stream.state(), {})
            with self.assertRaisesRegex(rondo.ModelError, "input 'b' .* was not given"):
                stream.push([a])

    def test_an_error_is_of_its_own_stream(self):
        with pool_of(support.two_in_two_out((-1, -1))) as pool:
            a = np.ones((1, 4), np.float32)
            streams = [pool.open() for _ in range(8)]
            steps = [stream.push([a, np.ones((1, 3 if i == 5 else 4), np.float32)])
                     for i, stream in enumerate(streams)]
            for i, step in enumerate(steps):
                if i == 5:
                    with self.assertRaisesRegex(rondo.ModelError, r"\[1,3\]"):
                        step.result()
                    self.assertIsInstance(step.exception(), rondo.ModelError)
                else:
                    self.assertEqual(step.result()["sum"].tolist(), [[2, 2, 2, 2]])
                    self.assertIsNone(step.exception())
            self.assertEqual(pool.stats().failed, 1)
            streams[5].infer([a, a])

    def test_closing(self):
        step = self.stream.push(row(1, 1))
        with self.stream as same:
            self.assertIs(same, self.stream)
            self.assertTrue(same.is_open)
        self.assertFalse(self.stream.is_open)
        self.assertEqual(repr(self.stream), "<Stream: closed>")
        self.assertEqual(step.result()[0].tolist(), [[1, 1]])
        for call in (lambda: self.stream.push(row(1, 1)), self.stream.state, self.stream.fork,
                     self.stream.reset):
            with self.assertRaisesRegex(rondo.ModelError, "closed"):
                call()
        self.stream.close()
        with self.pool as pool:
            self.assertIs(pool, self.pool)
            other = pool.open()
        with self.assertRaisesRegex(rondo.ModelError, "the stream pool is closed"):
            self.pool.open()
        with self.assertRaisesRegex(rondo.ModelError, "the stream pool is closed"):
            other.push(row(1, 1))
        self.pool.close()


class OptionsTest(unittest.TestCase):
    def test_options_that_make_no_sense(self):
        for name, value in (("max_batch", 0), ("max_batch", -1), ("threads", -1),
                            ("queue_limit", -1), ("max_streams", -2), ("max_delay", -0.001),
                            ("max_delay", float("nan")), ("max_delay", "1"),
                            ("max_delay", 1e300), ("idle_timeout", 0),
                            ("idle_timeout", timedelta(seconds=-1)), ("overflow", "wait")):
            with self.assertRaisesRegex(rondo.ModelError, f"option '{name}' of a stream pool: got",
                                        msg=(name, value)):
                pool_of(**{name: value})
        for deadline in (-1, 1e9, None):
            with self.assertRaisesRegex(rondo.ModelError, "option 'deadline' of a stream"):
                pool_of().open(deadline=deadline)

    def test_times_are_numbers_or_timedeltas(self):
        for delay in (0, 1e-9, 0.002, np.float32(0.001), timedelta(milliseconds=1)):
            with pool_of(max_delay=delay, idle_timeout=timedelta(days=1 << 20)) as pool:
                stream = pool.open(priority=3, deadline=delay)
                self.assertEqual(stream.infer(row(1, 2))[0].tolist(), [[1, 2]])

    def test_a_limit_of_streams(self):
        with pool_of(max_streams=2) as pool:
            streams = [pool.open(), pool.open()]
            with self.assertRaisesRegex(rondo.QueueFullError, "max_streams is 2"):
                pool.open()
            with self.assertRaisesRegex(rondo.QueueFullError, "max_streams is 2"):
                streams[0].fork()
            self.assertTrue(issubclass(rondo.QueueFullError, rondo.Error))

    def test_idle_streams_are_closed(self):
        with pool_of(idle_timeout=0.01) as pool:
            stream = pool.open()
            self.assertTrue(support.wait_until(lambda: not stream.is_open))
            with self.assertRaisesRegex(rondo.ModelError, "closed"):
                stream.infer(row(1, 1))

    def test_warming_up_changes_no_stream(self):
        with pool_of() as pool:
            stream = pool.open()
            stream.infer(row(1, 2))
            pool.warm_up({"x": row(5, 5)})
            self.assertEqual(stream.infer(row(1, 2))[0].tolist(), [[2, 4]])
            self.assertEqual(pool.stats().steps, 2)
            with self.assertRaisesRegex(rondo.ModelError, "an array of shape"):
                pool.warm_up(np.ones(3))

    def test_statistics(self):
        with pool_of(max_batch=4) as pool:
            stream = pool.open()
            for _ in range(10):
                stream.infer(row(1, 1))
            stats = pool.stats()
            self.assertEqual((stats.steps, stats.failed, stats.dropped, stats.rejected,
                              stats.waiting), (10, 0, 0, 0, 0))
            self.assertEqual(stats.batch_counts, [0, 10, 0, 0, 0])
            self.assertEqual(stats.why_not_batched, "")
            self.assertTrue(0 < stats.latency_p50 <= stats.latency_p90 <= stats.latency_p99
                            <= stats.latency_max < 10)
            self.assertTrue(0 < stats.occupancy <= 1)
            self.assertGreaterEqual(stats.late, 0)
            self.assertRegex(repr(stats), "<StreamPoolStats: 1 streams, 10 steps in 10 batches, "
                                          "0 waiting, p50 .* ms, p99 .* ms, max .* ms>")
            self.assertEqual(repr(pool), "<StreamPool: 1 streams>")
        with pool_of(max_batch=1) as pool:
            self.assertIn("max_batch", pool.stats().why_not_batched)


class ThreadsTest(unittest.TestCase):
    def test_a_stream_of_each_thread(self):
        wrong = []
        with pool_of(max_batch=8, threads=2) as pool:
            def work(thread):
                stream = pool.open()
                for i in range(1, 101):
                    if i % 3:
                        result = stream.push(row(thread, 1)).result()
                    else:
                        result = stream.infer(row(thread, 1))
                    if result[0].tolist() != [[thread * i, i]]:
                        wrong.append((thread, i))

            support.run_in_threads(work, 8)
            self.assertEqual(pool.stats().steps, 800)
        self.assertEqual(wrong, [])

    def test_one_stream_of_all_threads(self):
        seen = []
        with pool_of(queue_limit=4, overflow="block") as pool:
            stream = pool.open()

            def work(_):
                for _ in range(100):
                    stream.push(row(1, 2)).add_done_callback(
                        lambda step: seen.append(step.result()[0][0, 0].item()))

            support.run_in_threads(work, 4)
            self.assertEqual(stream.state()["sum"].tolist(), [[400, 800]])
            self.assertTrue(support.wait_until(lambda: len(seen) == 400))
        self.assertEqual(sorted(seen), list(range(1, 401)))

    def test_closing_while_others_push(self):
        for _ in range(20):
            pool = pool_of(threads=2)

            def work(thread, pool=pool):
                try:
                    stream = pool.open()
                    while thread:
                        stream.push(row(1, 1)).result()
                    pool.close()
                except (rondo.ModelError, rondo.CancelledError):
                    pass

            support.run_in_threads(work, 4)


class MemoryTest(unittest.TestCase):
    def test_a_step_that_is_not_asked_for(self):
        with pool_of(queue_limit=0) as pool:
            stream = pool.open()
            for _ in range(1000):
                stream.push(row(1, 1))
            self.assertEqual(stream.state()["sum"].tolist(), [[1000, 1000]])

    def test_streams_and_steps_keep_the_pool_alive(self):
        stream = pool_of().open()
        gc.collect()
        step = stream.push(row(3, 4))
        del stream
        gc.collect()
        self.assertEqual(step.result()[0].tolist(), [[3, 4]])

    def test_a_pool_that_is_dropped_finishes(self):
        pool = pool_of(SLOW, threads=1)
        steps = [pool.open().push(EYE) for _ in range(3)]
        del pool
        gc.collect()
        for step in steps:
            step.exception()

    def test_steps_end_without_any_handle(self):
        for _ in range(20):
            done = threading.Event()
            pool_of().open().push(row(3, 4)).add_done_callback(lambda _, end=done: end.set())
            gc.collect()
            self.assertTrue(done.wait(10))

    def test_callbacks_that_refer_to_their_step_are_collected(self):
        class Marked:
            pass

        marked = Marked()
        gone = weakref.ref(marked)
        pool = pool_of()
        step = pool.open().push(row(1, 1))
        step.add_done_callback(lambda _, held=(step, pool, marked): held)
        step.result()
        del step, pool, marked
        self.assertTrue(support.wait_until(lambda: gc.collect() >= 0 and gone() is None))


if __name__ == "__main__":
    support.main()
