"""Processes and interpreters beside the first one: forked workers, sub-interpreters, no lock."""

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import traceback
import unittest

import numpy as np
import rondo
import support

SECONDS = 60  # a test takes less than ten; a deadlock lasts
X = np.arange(8, dtype=np.float32)[None] - 4


def program(text):
    folder = os.path.dirname(os.path.abspath(__file__))
    path = os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])
    return subprocess.run([sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(text)],
                          env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True,
                          timeout=SECONDS, check=False)


def infer(compiled, x):
    return compiled(x)[0]


def infer_async(compiled, x):
    request = compiled.create_infer_request()
    request.start_async(x)
    request.wait()
    return request.results[0].copy()


def infer_in_stream(compiled, x):
    with compiled.create_stream_pool() as pool:
        return pool.open().push(x).result()[0]


def infer_in_queue(compiled, x):
    queue = rondo.AsyncInferQueue(compiled, 2)
    results = []
    queue.set_callback(lambda request, _: results.append(request.results[0].copy()))
    queue.start_async(x)
    queue.wait_all()
    return results[0]


WAYS = (infer, infer_async, infer_in_stream, infer_in_queue)
compiled_before = None  # what forked workers find


def work(way, number):
    """In a worker: with the parent's model, and with its own."""
    own = rondo.compile_model(support.unary())
    expected = np.maximum(X * number, 0)
    for compiled in (compiled_before, own):
        np.testing.assert_array_equal(WAYS[way](compiled, X * number), expected)
    return number


@unittest.skipUnless(hasattr(os, "fork"), "there is no fork here")
class ForkTest(unittest.TestCase):
    def setUp(self):
        global compiled_before
        compiled_before = rondo.compile_model(support.unary())
        for way in WAYS:
            way(compiled_before, X)

    def run_workers(self):
        context = multiprocessing.get_context("fork")
        with context.Pool(2) as pool:
            jobs = [pool.apply_async(work, (i % len(WAYS), i)) for i in range(12)]
            self.assertEqual([job.get(SECONDS) for job in jobs], list(range(12)))

    def test_workers_of_multiprocessing(self):
        self.run_workers()
        for way in WAYS:
            way(compiled_before, X)

    # A thread of the parent infers at every moment of the forks.
    def test_workers_beside_threads(self):
        ended = threading.Event()

        def infer_on():
            while not ended.is_set():
                for way in WAYS:
                    way(compiled_before, X)
                rondo.compile_model(support.unary())

        threads = [threading.Thread(target=infer_on) for _ in range(2)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(3):
                self.run_workers()
        finally:
            ended.set()
            for thread in threads:
                thread.join()

    def run_child(self, work):
        """Whether work(), in a child, returns in time and throws nothing."""
        child = os.fork()
        if child == 0:
            signal.alarm(SECONDS)
            try:
                work()
                os._exit(0)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    # The collector asks queues whether they are in use, whatever thread holds their locks.
    def test_children_collect_garbage_beside_a_busy_queue(self):
        ended = threading.Event()

        def infer_on():
            queue = rondo.AsyncInferQueue(compiled_before, 2)
            while not ended.is_set():
                queue.start_async(X)

        thread = threading.Thread(target=infer_on)
        thread.start()
        try:
            for _ in range(100):
                self.run_child(gc.collect)
        finally:
            ended.set()
            thread.join()

    # Modules that were imported before have functions that run at forks, too.
    def test_threads_fork_at_once(self):
        result = program("""
            import logging, os, threading, time
            import numpy as np, rondo, support
            compiled = rondo.compile_model(support.unary())
            end = time.monotonic() + 3
            def fork():
                while time.monotonic() < end:
                    child = os.fork()
                    if child == 0:
                        os._exit(0)
                    os.waitpid(child, 0)
            def infer():
                queue = rondo.AsyncInferQueue(compiled, 2)
                queue.set_callback(lambda *_: None)
                while time.monotonic() < end:
                    queue.start_async(np.zeros((1, 8), np.float32))
                queue.wait_all()
            threads = [threading.Thread(target=work) for work in (fork, fork, infer)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            """)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_queue_that_was_idle_serves_the_child(self):
        queue = rondo.AsyncInferQueue(compiled_before, 2)
        results = []
        queue.set_callback(lambda request, _: results.append(request.results[0].copy()))
        queue.start_async(X)
        queue.wait_all()

        def work():
            assert queue.is_ready()
            queue.start_async(X)
            queue.wait_all()
            queue[queue.get_idle_request_id()].start_async(X)
            queue.wait_all()
            for result in results:
                np.testing.assert_array_equal(result, np.maximum(X, 0))
            assert len(results) == 3

        self.run_child(work)

    def test_a_queue_that_ran_is_refused_in_the_child(self):
        queue = rondo.AsyncInferQueue(compiled_before, 2)
        may_end = threading.Event()
        queue.set_callback(lambda request, _: may_end.wait(SECONDS))
        queue.start_async(X)

        def work():
            for use in (queue.is_ready, queue.wait_all, queue.get_idle_request_id,
                        lambda: queue.start_async(X), lambda: queue[1].start_async(X)):
                with self.assertRaisesRegex(rondo.ModelError, "when this process was forked"):
                    use()
            np.testing.assert_array_equal(queue[1].infer(X)[0], np.maximum(X, 0))

        try:
            self.run_child(work)
        finally:
            may_end.set()
        queue.wait_all()

    def test_processes_that_spawn(self):
        result = program("""
            import multiprocessing, process_test
            if __name__ == "__main__":
                with multiprocessing.get_context("spawn").Pool(1) as pool:
                    print(pool.apply_async(process_test.spawned, (3,)).get(60))
            """)
        self.assertEqual((result.returncode, result.stdout), (0, "3\n"), result.stderr)


def spawned(number):
    compiled = rondo.compile_model(support.unary())
    for way in WAYS:
        np.testing.assert_array_equal(way(compiled, X * number), np.maximum(X * number, 0))
    return number


class GarbageTest(unittest.TestCase):
    # Where an object ends, Python's lock is given up; the collector of another thread must not
    # find it then. This crashed within some seconds.
    def test_it_is_collected_while_objects_end(self):
        result = program("""
            import gc, sys, threading, time
            import numpy as np, rondo, support
            sys.setswitchinterval(1e-5)
            compiled = rondo.compile_model(support.unary())
            x = np.zeros((1, 8), np.float32)
            end = time.monotonic() + 4
            def use():
                while time.monotonic() < end:
                    compiled.create_stream_pool().open().push(x)
                    rondo.AsyncInferQueue(compiled, 2).start_async(x)
                    compiled.create_infer_request().start_async(x)
            threads = [threading.Thread(target=use) for _ in range(3)]
            for thread in threads:
                thread.start()
            while time.monotonic() < end:
                gc.collect()
            for thread in threads:
                thread.join()
            """)
        self.assertEqual((result.returncode, result.stderr), (0, ""))


class InterpreterTest(unittest.TestCase):
    # The private module has other names in other versions.
    def test_sub_interpreters_are_refused(self):
        for first in ("", "import rondo"):
            result = program(f"""
                {first}
                try:
                    import _xxsubinterpreters as interpreters
                except ImportError:
                    import _interpreters as interpreters
                other = interpreters.create()
                failed = None
                try:
                    failed = interpreters.run_string(other, "import rondo")
                except Exception as error:
                    failed = str(error)
                print("refused" if "sub-interpreters" in str(failed) else failed)
                interpreters.destroy(other)
                import rondo, support
                rondo.compile_model(support.unary())
                """)
            self.assertEqual((result.returncode, result.stdout), (0, "refused\n"), result.stderr)

    def test_without_the_lock_it_is_refused(self):
        result = program("""
            import sys
            sys._is_gil_enabled = lambda: False
            try:
                import rondo
            except ImportError as error:
                print(error)
            """)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("rondo needs Python's global lock", result.stdout)

    def test_with_the_lock_it_works(self):
        result = program("""
            import sys
            sys._is_gil_enabled = lambda: True
            import rondo
            print(rondo.get_version() != "")
            """)
        self.assertEqual((result.returncode, result.stdout), (0, "True\n"), result.stderr)


if __name__ == "__main__":
    support.main()
