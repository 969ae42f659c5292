"""Steps of streams as futures: waiting, cancelling, full queues, callbacks."""

import asyncio
import concurrent.futures
import threading
import unittest
from datetime import timedelta

import numpy as np
import rondo
import support

SUM = support.running_sum()
SLOW = support.slow_chain()
EYE = np.eye(200, dtype=np.float32)


def row(a, b):
    return np.float32([[a, b]])


def pool_of(model=SUM, **options):
    return rondo.compile_model(model).create_stream_pool(**options)


class StepTest(unittest.TestCase):
    """Steps of a pool with one thread, which a step of 40 ms keeps busy."""

    def slow_pool(self, **options):
        pool = pool_of(SLOW, threads=1, **options)
        self.addCleanup(pool.close)
        return pool

    # Steps that are pushed later run after these, whose deadlines end before theirs.
    def busy(self, pool):
        for _ in range(6):
            pool.open().push(EYE)

    def test_waiting_with_a_timeout(self):
        pool = self.slow_pool()
        self.busy(pool)
        step = pool.open().push(EYE)
        for timeout in (0, 0.001, -1, timedelta(milliseconds=1)):
            with self.assertRaises(concurrent.futures.TimeoutError):
                step.result(timeout=timeout)
        with self.assertRaises(concurrent.futures.TimeoutError):
            step.exception(0)
        self.assertFalse(step.done())
        self.assertEqual(repr(step), "<StreamStep: pending>")
        results = step.result(timeout=60)
        np.testing.assert_array_equal(results[0], EYE)
        self.assertIs(step.result(), results)
        self.assertTrue(step.done())
        self.assertEqual(repr(step), "<StreamStep: done>")
        self.assertFalse(step.cancel())
        with self.assertRaisesRegex(rondo.ModelError, "timeout: got 'soon'"):
            pool.open().push(EYE).result("soon")

    def test_cancelling_a_step(self):
        pool = self.slow_pool()
        self.busy(pool)
        stream = pool.open()
        first, second = stream.push(EYE), stream.push(EYE)
        self.assertFalse(first.cancelled())
        self.assertTrue(first.cancel())
        self.assertTrue(first.cancel())
        self.assertTrue(first.cancelled() and first.done())
        self.assertEqual(repr(first), "<StreamStep: cancelled>")
        with self.assertRaisesRegex(rondo.CancelledError, "the step was cancelled"):
            first.result()
        self.assertIsInstance(first.exception(), rondo.CancelledError)
        np.testing.assert_array_equal(second.result()[0], EYE)
        self.assertEqual(pool.stats().dropped, 1)

    def test_cancelling_wakes_what_waits(self):
        pool = self.slow_pool()
        self.busy(pool)
        step = pool.open().push(EYE)
        raised = []

        def wait():
            try:
                step.result()
            except rondo.CancelledError as error:
                raised.append(error)

        threads = [threading.Thread(target=wait) for _ in range(3)]
        for thread in threads:
            thread.start()
        step.cancel()
        for thread in threads:
            thread.join(30)
        self.assertEqual(len(raised), 3)

    def test_cancelling_a_stream_or_its_pool(self):
        pool = self.slow_pool()
        self.busy(pool)
        stream, other = pool.open(), pool.open()
        steps = [stream.push(EYE) for _ in range(3)]
        stream.cancel()
        behind = stream.push(EYE)
        for step in steps:
            with self.assertRaisesRegex(rondo.CancelledError, "the stream's steps were cancelled"):
                step.result()
        behind.result()
        self.busy(pool)
        last = other.push(EYE)
        pool.close()
        with self.assertRaisesRegex(rondo.CancelledError, "closed"):
            last.result()

    def test_a_full_queue_rejects(self):
        pool = self.slow_pool(queue_limit=2)
        self.busy(pool)
        stream = pool.open()
        steps = [stream.push(EYE) for _ in range(2)]
        with self.assertRaisesRegex(rondo.QueueFullError, "queue_limit is 2"):
            stream.push(EYE)
        for step in steps:
            step.result()
        self.assertEqual(pool.stats().rejected, 1)

    def test_a_full_queue_drops_the_oldest(self):
        pool = self.slow_pool(queue_limit=2, overflow="drop_oldest")
        self.busy(pool)
        stream = pool.open()
        steps = [stream.push(EYE) for _ in range(4)]
        steps[3].result()
        steps[2].result()
        for step in steps[:2]:
            with self.assertRaisesRegex(rondo.CancelledError, "dropped"):
                step.result()

    # Callbacks run while push() waits, so it has given Python's lock up.
    def test_a_full_queue_blocks(self):
        pool = self.slow_pool(queue_limit=1, overflow="block")
        done = []
        stream = pool.open()
        for _ in range(4):
            stream.push(EYE).add_done_callback(lambda step: done.append(step.result()))
        self.assertGreaterEqual(pool.stats().steps, 2)
        stream.infer(EYE)
        self.assertTrue(support.wait_until(lambda: len(done) == 4))


class CallbackTest(unittest.TestCase):
    def setUp(self):
        self.pool = pool_of()
        self.stream = self.pool.open()
        self.addCleanup(self.pool.close)

    def test_it_is_called_with_the_step(self):
        called = []
        steps = [self.stream.push(row(1, 1)) for _ in range(20)]
        for step in steps:
            step.add_done_callback(lambda step: called.append((step, threading.get_ident())))
            step.add_done_callback(lambda step: called.append((step, step.result()[0][0, 0])))
        self.assertTrue(support.wait_until(lambda: len(called) == 40))
        self.assertEqual({id(step) for step, _ in called}, {id(step) for step in steps})

    def test_it_is_called_at_once_behind_the_end(self):
        step = self.stream.push(row(1, 1))
        step.result()
        threads = []
        step.add_done_callback(lambda _: threads.append(threading.get_ident()))
        self.assertEqual(threads, [threading.get_ident()])

    def test_what_it_raises_is_logged(self):
        def callback(step):
            raise ValueError("broken")

        step = self.stream.push(row(1, 1))
        with self.assertLogs("rondo", "ERROR") as logs:
            step.add_done_callback(callback)
            self.assertTrue(support.wait_until(lambda: logs.output))
        self.assertIn("exception calling callback for <StreamStep: done>", logs.output[0])
        self.assertIn("ValueError: broken", logs.output[0])
        step.result()
        with self.assertLogs("rondo", "ERROR"):
            step.add_done_callback(callback)
        with self.assertRaisesRegex(TypeError, "expected a function"):
            step.add_done_callback(3)

    def test_it_may_push_and_wait(self):
        sums = []

        def callback(step):
            sums.append(step.result()[0][0, 0])
            sums.append(self.stream.infer(row(1, 1))[0][0, 0])
            sums.append(self.stream.state()["sum"][0, 0])
            if len(sums) < 30:
                self.stream.push(row(1, 1)).add_done_callback(callback)

        self.stream.push(row(1, 1)).add_done_callback(callback)
        self.assertTrue(support.wait_until(lambda: len(sums) == 30))
        self.assertEqual(sums[-3:], [19, 20, 20])

    # Callbacks and event loops are served by two threads.
    def test_it_may_run_an_event_loop(self):
        sums = []

        async def next_sum():
            return (await self.stream.push(row(1, 1)))[0][0, 0]

        def callback(step):
            for _ in range(10):
                sums.append(asyncio.run(next_sum()))

        self.stream.push(row(1, 1)).add_done_callback(callback)
        self.assertTrue(support.wait_until(lambda: len(sums) == 10))
        self.assertEqual(sums, list(range(2, 12)))

    def test_a_cancelled_step_calls_back(self):
        called = []
        with pool_of(SLOW, threads=1) as pool:
            for _ in range(6):
                pool.open().push(EYE)
            step = pool.open().push(EYE)
            step.add_done_callback(called.append)
            step.cancel()
            self.assertTrue(support.wait_until(lambda: called))
        self.assertIs(called[0], step)


if __name__ == "__main__":
    support.main()
