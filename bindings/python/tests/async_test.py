"""Inferences in the background: waiting, callbacks, cancelling, and how all of it ends."""

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import traceback
import unittest
import weakref

import numpy as np
import rondo
import support

SLOW = support.slow_chain()
EYE = np.eye(200, dtype=np.float32)


class AsyncTest(unittest.TestCase):
    def setUp(self):
        self.compiled = rondo.compile_model(support.unary(shape=(1, 4)))
        self.request = self.compiled.create_infer_request()
        self.x = np.float32([[1, -1, 2, -2]])

    def test_start_and_wait(self):
        self.request.start_async(self.x)
        self.request.wait()
        self.assertEqual(self.request.results[0].tolist(), [[1, 0, 2, 0]])
        self.assertGreater(self.request.latency, 0)
        self.request.start_async({0: -self.x}, share_inputs=True)
        self.assertTrue(self.request.wait_for(1 << 62))
        self.assertEqual(self.request.get_output_tensor().data.tolist(), [[0, 1, 0, 2]])

    def test_waiting_for_a_while(self):
        request = rondo.compile_model(SLOW).create_infer_request()
        request.start_async(EYE)
        self.assertFalse(request.wait_for(0) or request.wait_for(-5))
        with self.assertRaisesRegex(rondo.ModelError, "the request is busy"):
            request.start_async(EYE)
        with self.assertRaisesRegex(rondo.ModelError, "the request is busy"):
            request.infer(EYE * 2)
        with self.assertRaisesRegex(rondo.ModelError, "the request is busy"):
            request.get_output_tensor()
        with self.assertRaisesRegex(rondo.ModelError, "the request is busy"):
            request.set_callback(print)
        for use in (request.get_profiling_info, request.get_trace, request.reset_state):
            with self.assertRaisesRegex(rondo.ModelError, "the request is busy"):
                use()
        request.wait()
        np.testing.assert_array_equal(request.results[0], EYE)

    def test_an_error_is_raised_by_wait(self):
        called = []
        self.request.set_callback(called.append)
        self.request.start_async()
        with self.assertRaisesRegex(rondo.ModelError, "input 'x' .* was not set"):
            self.request.wait()
        self.assertEqual(called, [])
        self.request.start_async(self.x)
        self.request.wait()
        self.assertEqual(called, [None])

    def test_cancel(self):
        request = rondo.compile_model(SLOW).create_infer_request()
        request.start_async(EYE)
        request.cancel()
        with self.assertRaises(rondo.CancelledError):
            request.wait()
        request.infer(EYE)

    def test_arrays_stay_alive_until_the_end(self):
        request = rondo.compile_model(SLOW).create_infer_request()
        request.start_async(EYE.copy(), share_inputs=True)
        del request
        gc.collect()
        request = rondo.compile_model(SLOW).create_infer_request()
        request.start_async(np.asfortranarray(EYE), share_inputs=True)
        gc.collect()
        request.wait()
        np.testing.assert_array_equal(request.results[0], EYE)


class CallbackTest(unittest.TestCase):
    def setUp(self):
        self.request = rondo.compile_model(support.unary(shape=(1, 4))).create_infer_request()
        self.x = np.float32([[1, -1, 2, -2]])

    def test_it_gets_userdata_and_may_read_results(self):
        seen = []
        request = self.request

        def callback(userdata):
            seen.append((userdata, request.results[0].tolist(), threading.get_ident()))

        request.set_callback(callback, "first")
        request.start_async(self.x)
        request.wait()
        request.start_async(self.x, "second")
        request.wait()
        self.assertEqual([entry[0] for entry in seen], ["first", "second"])
        self.assertEqual(seen[0][1], [[1, 0, 2, 0]])
        self.assertNotEqual(seen[0][2], threading.get_ident())
        self.assertEqual(request.userdata, "second")

    def test_it_may_start_the_next(self):
        request = self.request
        left = [5]
        done = threading.Event()

        def callback(_):
            left[0] -= 1
            if left[0]:
                request.start_async(self.x)
            else:
                done.set()

        request.set_callback(callback)
        request.start_async(self.x)
        self.assertTrue(done.wait(10))
        request.wait()
        self.assertEqual(left, [0])

    def test_what_it_raises_wait_raises(self):
        def callback(userdata):
            raise support.Failure(userdata)

        self.request.set_callback(callback, "broken")
        self.request.start_async(self.x)
        try:
            self.request.wait()
        except support.Failure as failure:
            names = [frame.name for frame in traceback.extract_tb(failure.__traceback__)]
        self.assertIn("callback", names)
        with self.assertRaisesRegex(support.Failure, "broken"):  # waiting again doesn't hide it
            self.request.wait()
        self.request.set_callback(None)
        self.request.start_async(self.x)
        self.request.wait()

    # On the only thread that runs inferences in the background.
    def test_it_may_wait_for_others(self):
        compiled = rondo.compile_model(
            support.unary(shape=(1, 4)), "CPU", {"NUM_STREAMS": "1"})
        request, other = (compiled.create_infer_request() for _ in range(2))
        queue = rondo.AsyncInferQueue(compiled, 2)
        done = []

        def callback(_):
            other.start_async(self.x)
            other.wait()
            for _ in range(4):
                queue.start_async(self.x)
            queue.wait_all()
            other.start_async(self.x)
            done.append(other.wait_for(20000))

        queue.set_callback(lambda *_: done.append("queue"))
        request.set_callback(callback)
        request.start_async(self.x)
        self.assertTrue(request.wait_for(30000))
        self.assertEqual(done, ["queue"] * 4 + [True])

    # A callback that runs within another one's waiting.
    def test_it_cannot_wait_for_what_waits_for_it(self):
        compiled = rondo.compile_model(
            support.unary(shape=(1, 4)), "CPU", {"NUM_STREAMS": "1"})
        outer, inner, waits = (compiled.create_infer_request() for _ in range(3))
        queue = rondo.AsyncInferQueue(compiled, 1)
        done = []

        def wait_for_outer(_):
            done.append("inner")
            outer.wait()

        def wait_for_queue(_):
            done.append("in queue")
            queue.wait_all()

        def callback(_):
            waits.start_async(self.x)  # in front of `inner`, and runs after this callback
            inner.start_async(self.x)
            with self.assertRaisesRegex(rondo.ModelError, "own callback can't wait"):
                inner.wait()
            done.append("outer")

        waits.set_callback(lambda _: done.append(outer.wait_for(20000)))
        inner.set_callback(wait_for_outer)
        outer.set_callback(callback)
        outer.start_async(self.x)
        outer.wait()
        waits.wait()
        self.assertEqual(done, ["inner", "outer", True])

        def wait_in_queue(*_):
            inner.start_async(self.x)
            with self.assertRaisesRegex(rondo.ModelError, "can't wait for the queue"):
                inner.wait()

        inner.set_callback(wait_for_queue)
        queue.set_callback(wait_in_queue)
        queue.start_async(self.x)
        queue.wait_all()
        self.assertEqual(done[3:], ["in queue"])

    def test_it_cannot_wait_for_itself(self):
        self.request.set_callback(lambda _: self.request.wait())
        self.request.start_async(self.x)
        with self.assertRaisesRegex(rondo.ModelError, "own callback can't wait"):
            self.request.wait()

    def test_only_functions(self):
        with self.assertRaisesRegex(TypeError, "expected a function of userdata"):
            self.request.set_callback(3)

    def test_a_callback_that_refers_to_its_request_is_collected(self):
        userdata = support.Marked()
        gone = weakref.ref(userdata)
        request = self.request
        request.set_callback(lambda _, held=request: held.results, userdata)
        request.start_async(self.x)
        request.wait()
        del userdata, request, self.request
        gc.collect()
        self.assertIsNone(gone())


class EndTest(unittest.TestCase):
    """What happens to inferences under way when the program ends."""

    def run_program(self, text):
        prelude = "import support, rondo, numpy as np\nEYE = np.eye(200, dtype=np.float32)\n"
        folder = os.path.dirname(os.path.abspath(__file__))
        path = os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])
        return subprocess.run([sys.executable, "-c", prelude + textwrap.dedent(text)],
                              env={**os.environ, "PYTHONPATH": path}, timeout=60,
                              capture_output=True, text=True, check=False)

    def test_callbacks_run_before_the_end(self):
        result = self.run_program("""
            compiled = rondo.compile_model(support.slow_chain())
            queue = rondo.AsyncInferQueue(compiled, 3)
            queue.set_callback(lambda request, userdata: print("done", userdata, flush=True))
            for i in range(3):
                queue.start_async(EYE, i)
            """)
        self.assertEqual((result.returncode, sorted(result.stdout.split("\n"))),
                         (0, ["", "done 0", "done 1", "done 2"]), result.stderr)

    def test_a_chain_of_callbacks_ends(self):
        result = self.run_program("""
            request = rondo.compile_model(support.unary()).create_infer_request()
            x = np.ones((1, 8), np.float32)
            request.set_callback(lambda _: request.start_async(x))
            request.start_async(x)
            """)
        self.assertEqual(result.returncode, 0, result.stderr)

    # Python ends daemon threads where they ask for its lock: that must not be inside of Rondo.
    def test_daemon_threads(self):
        for call in ("request.infer(x)", "compiled(x)", "request.start_async(x); request.wait()",
                     "queue.start_async(x); queue.wait_all()"):
            result = self.run_program(f"""
                import threading, time
                compiled = rondo.compile_model(support.unary())
                x = np.ones((1, 8), np.float32)
                def work():
                    request = compiled.create_infer_request()
                    queue = rondo.AsyncInferQueue(compiled, 2)
                    try:
                        while True:
                            {call}
                    except rondo.ModelError:  # nothing starts any more
                        pass
                for _ in range(4):
                    threading.Thread(target=work, daemon=True).start()
                time.sleep(0.05)
                """)
            self.assertEqual((result.returncode, result.stderr), (0, ""), call)

    # They wait while a callback needs the lock; the queue is full.
    def test_threads_that_wait_for_a_slow_callback(self):
        wait_for_two = """
            other.set_callback(slow)
            request.set_callback(lambda _: other.wait())
            other.start_async(x)
            request.start_async(x)"""
        wait = """
            request.set_callback(slow)
            request.start_async(x)
            threading.Thread(target=request.wait, daemon=True).start()"""
        produce = """
            queue.set_callback(slow)
            def start():
                while True:
                    queue.start_async(x)
            threading.Thread(target=start, daemon=True).start()"""
        for work in (wait_for_two, wait, produce):
            result = self.run_program(f"""
            import sys, threading, time
            threading.excepthook = lambda _: None  # nothing starts any more
            compiled = rondo.compile_model(support.unary(), "CPU", {{"NUM_STREAMS": 2}})
            x = np.ones((1, 8), np.float32)
            request, other = (compiled.create_infer_request() for _ in range(2))
            queue = rondo.AsyncInferQueue(compiled, 1)
            def slow(*_):
                time.sleep(0.5)
                print("called", flush=True)
            {work}
            time.sleep(0.1)
            """)
            self.assertEqual((result.returncode, result.stderr), (0, ""), work)
            self.assertIn("called", result.stdout)

    # It has none of the threads that its parent waits for.
    def test_a_child_that_was_forked_meanwhile_ends(self):
        result = self.run_program("""
            import os, sys
            request = rondo.compile_model(support.slow_chain(2000)).create_infer_request()
            request.start_async(EYE)
            child = os.fork()
            if child == 0:
                sys.exit(3)
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            request.cancel()
            """)
        self.assertEqual((result.returncode, result.stdout), (0, "3\n"), result.stderr)

    def test_ctrl_c_interrupts_waiting(self):
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent("""
                import support, rondo, numpy as np
                queue = rondo.AsyncInferQueue(rondo.compile_model(support.slow_chain(2000)), 1)
                queue.start_async(np.eye(200, dtype=np.float32))
                try:
                    print("waiting", flush=True)
                    queue.wait_all()
                except KeyboardInterrupt:
                    print("interrupted", flush=True)
                    queue[0].cancel()
                """)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(
                [os.path.dirname(os.path.abspath(__file__)), os.environ.get("PYTHONPATH", "")])},
            stdout=subprocess.PIPE, text=True)
        with process:
            process.stdout.readline()
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output), (0, "interrupted\n"))


if __name__ == "__main__":
    support.main()
