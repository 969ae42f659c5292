"""AsyncInferQueue: jobs, requests of its own, callbacks, and how it ends."""

import gc
import threading
import time
import unittest
import weakref

import numpy as np
import rondo
import support

SLOW = support.slow_chain()
EYE = np.eye(200, dtype=np.float32)


class QueueTest(unittest.TestCase):
    def setUp(self):
        self.compiled = rondo.compile_model(support.unary(shape=(1, 4)), "CPU", {"NUM_STREAMS": 2})

    def test_jobs_of_many(self):
        queue = rondo.AsyncInferQueue(self.compiled, 4)
        results = {}
        queue.set_callback(lambda request, job: results.update(
            {job: request.get_output_tensor().data[0, 0].item()}))
        for job in range(200):
            queue.start_async(np.full((1, 4), job, np.float32), job)
        queue.wait_all()
        self.assertEqual(results, {job: job for job in range(200)})

    def test_jobs_from_many_threads(self):
        queue = rondo.AsyncInferQueue(self.compiled, 4)
        right = []
        queue.set_callback(lambda request, job: right.append(
            (request.get_output_tensor().data == job).all()))

        def feed(thread):
            for job in range(thread * 1000, thread * 1000 + 300):
                queue.start_async(np.full((1, 4), job, np.float32), job)

        support.run_in_threads(feed, 4)
        queue.wait_all()
        self.assertEqual((len(right), all(right)), (1200, True))

    def test_a_request_may_be_started_by_itself(self):
        queue = rondo.AsyncInferQueue(self.compiled, 2)
        x = np.ones((1, 4), np.float32)
        for _ in range(3):
            queue[0].start_async(x)
            queue[0].wait()
            queue.wait_all()
        self.assertTrue(queue.is_ready())
        queue[0].start_async(x)
        queue[1].start_async(x)
        queue.wait_all()
        for _ in range(4):
            queue.start_async(x)
        queue.wait_all()

    def test_a_callback_may_start_its_request_again(self):
        queue = rondo.AsyncInferQueue(self.compiled, 2)
        left = {"count": 10}
        lock = threading.Lock()

        def again(request, _):
            with lock:
                left["count"] -= 1
                if left["count"] < 2:
                    return
            request.start_async(np.ones((1, 4), np.float32))

        queue.set_callback(again)
        queue.start_async(np.ones((1, 4), np.float32))
        queue.start_async(np.ones((1, 4), np.float32))
        queue.wait_all()
        self.assertLess(left["count"], 2)

    def test_it_is_a_sequence_of_requests(self):
        queue = rondo.AsyncInferQueue(self.compiled, 3)
        self.assertEqual(len(queue), 3)
        self.assertTrue(queue.is_ready())
        self.assertLess(queue.get_idle_request_id(), 3)
        queue.start_async({"x": np.ones((1, 4))}, userdata="first")
        queue.wait_all()
        self.assertEqual(queue.userdata, ["first", None, None])
        self.assertEqual([request.infer(np.ones((1, 4)))[0][0, 0] for request in queue], [1, 1, 1])
        self.assertIs(queue[1], list(queue)[1])
        with self.assertRaisesRegex(IndexError, "no request 3; there are 3"):
            queue[3]
        self.assertIn("3 jobs", repr(queue))

    def test_the_number_of_jobs(self):
        self.assertGreaterEqual(len(rondo.AsyncInferQueue(self.compiled)), 1)
        for jobs in (-1, 1 << 20):
            with self.assertRaisesRegex(rondo.ModelError, f"a queue can't have {jobs} jobs"):
                rondo.AsyncInferQueue(self.compiled, jobs)

    def test_a_busy_queue_is_not_ready(self):
        queue = rondo.AsyncInferQueue(rondo.compile_model(SLOW), 1)
        queue.start_async(EYE)
        self.assertFalse(queue.is_ready())
        queue.start_async(EYE)  # waits for the first
        queue.wait_all()
        self.assertTrue(queue.is_ready())

    def test_a_failed_inference(self):
        queue = rondo.AsyncInferQueue(self.compiled, 2)
        queue.start_async()
        with self.assertRaisesRegex(rondo.ModelError, "was not set"):
            queue.wait_all()
        queue.wait_all()
        with self.assertRaisesRegex(rondo.ModelError, r"got an array of shape \[2\]"):
            queue.start_async(np.ones(2))
        self.assertTrue(queue.is_ready())
        queue.start_async(np.ones((1, 4)))
        queue.wait_all()

    def test_a_callback_that_raises(self):
        queue = rondo.AsyncInferQueue(self.compiled, 2)

        def callback(request, userdata):
            raise support.Failure(userdata)

        queue.set_callback(callback)
        queue.start_async(np.ones((1, 4)), "broken")
        with self.assertRaisesRegex(support.Failure, "broken"):
            queue.wait_all()
        queue.set_callback(None)
        queue.start_async(np.ones((1, 4)))
        queue.wait_all()
        with self.assertRaisesRegex(TypeError, "a function of request and userdata"):
            queue.set_callback("text")

    def test_a_callback_never_waits_for_its_own_queue(self):
        queue = rondo.AsyncInferQueue(self.compiled, 1)
        for call in (lambda: queue.start_async(np.ones((1, 4))), queue.wait_all):
            queue.set_callback(lambda request, userdata, call=call: call())
            queue.start_async(np.ones((1, 4)))
            with self.assertRaisesRegex(rondo.ModelError, "own callback"):
                queue.wait_all()

    def test_a_queue_that_is_released_finishes(self):
        done = threading.Event()
        queue = rondo.AsyncInferQueue(rondo.compile_model(SLOW), 1)
        queue.set_callback(lambda request, userdata: done.set())
        queue.start_async(EYE)
        del queue
        self.assertTrue(done.wait(30))

    def test_a_callback_that_refers_to_its_queue_is_collected(self):
        userdata = support.Marked()
        gone = weakref.ref(userdata)
        queue = rondo.AsyncInferQueue(self.compiled, 2)
        queue.set_callback(lambda request, _, held=queue: held)
        queue.start_async(np.ones((1, 4)), userdata)
        queue.wait_all()
        del userdata, queue
        deadline = time.monotonic() + 10
        while gone() is not None and time.monotonic() < deadline:
            gc.collect()
        self.assertIsNone(gone())


if __name__ == "__main__":
    support.main()
