"""How programs with live stream pools end: pending steps, callbacks, threads, forks, Ctrl-C."""

import os
import signal
import subprocess
import sys
import textwrap
import unittest

import support

PRELUDE = """
import support, rondo, sys, os, threading, time, asyncio
import numpy as np
EYE = np.eye(200, dtype=np.float32)
X = np.float32([[1, 2]])
def pool_of(model, **options):
    return rondo.compile_model(model).create_stream_pool(**options)
"""


def program(text):
    folder = os.path.dirname(os.path.abspath(__file__))
    path = os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen([sys.executable, "-X", "faulthandler", "-c",
                             PRELUDE + textwrap.dedent(text)],
                            env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


class EndTest(unittest.TestCase):
    def check(self, text, expected=""):
        with program(text) as process:
            output, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output), (0, expected), errors)
        return errors

    def test_a_pool_with_pending_steps(self):
        errors = self.check("""
            pool = pool_of(support.slow_chain())
            streams = [pool.open() for _ in range(4)]
            steps = [stream.push(EYE) for stream in streams for _ in range(60)]
            """)
        self.assertEqual(errors, "")

    def test_pools_that_nothing_frees(self):
        self.check("""
            pool = pool_of(support.slow_chain(), threads=2)
            for _ in range(20):
                pool.open().push(EYE)
            cycle = [pool]
            cycle.append(cycle)
            sys.held = pool, cycle
            import ctypes
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(pool))
            """)

    def test_callbacks_run_before_the_end(self):
        self.check("""
            stream = pool_of(support.slow_chain(20)).open()
            for i in range(3):
                stream.push(EYE).add_done_callback(lambda _, i=i: print("done", i, flush=True))
            del stream
            """, "done 0\ndone 1\ndone 2\n")

    def test_a_chain_of_callbacks_ends(self):
        self.check("""
            stream = pool_of(support.running_sum()).open()
            def again(step):
                stream.push(X).add_done_callback(again)
            again(None)
            """)

    def test_awaited_steps_of_a_program_that_fails(self):
        with program("""
            async def main():
                stream = pool_of(support.slow_chain()).open()
                tasks = [asyncio.ensure_future(stream.results([EYE] * 9).__anext__())]
                await asyncio.sleep(0.01)
                sys.exit(3)
            asyncio.run(main())
            """) as process:
            _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, errors)

    # Python ends daemon threads where they ask for its lock, which must not be inside of Rondo.
    def test_daemon_threads(self):
        for call in ("stream.infer(X)", "stream.push(X).result()", "stream.state()",
                     "stream.fork().close()", "push_or_not(stream)"):
            for _ in range(3):
                self.check(f"""
                    pool = pool_of(support.running_sum(), overflow="block", queue_limit=1)
                    def push_or_not(stream):
                        stream.push(X)
                    def work():
                        stream = pool.open()
                        try:
                            while True:
                                {call}
                        except (rondo.ModelError, rondo.CancelledError):
                            pass
                    for _ in range(4):
                        threading.Thread(target=work, daemon=True).start()
                    time.sleep(0.05)
                    """)

    def test_a_daemon_thread_that_waits(self):
        self.check("""
            pool = pool_of(support.slow_chain(2000), threads=1)
            stream = pool.open()
            steps = [stream.push(EYE) for _ in range(20)]
            for wait in (steps[19].result, steps[18].exception):
                threading.Thread(target=wait, daemon=True).start()
            time.sleep(0.05)
            threading.excepthook = lambda _: None
            """)

    # It has none of the threads that its parent waits for.
    def test_a_forked_child(self):
        errors = self.check("""
            pool = pool_of(support.slow_chain())
            stream = pool.open()
            step = stream.push(EYE)
            step.add_done_callback(lambda step: None)
            child = os.fork()
            if child == 0:
                faults = 0
                for call in (lambda: stream.push(EYE), step.result, pool.open,
                             lambda: step.add_done_callback(print)):
                    try:
                        call()
                        faults += not step.done()
                    except rondo.ModelError as error:
                        faults += "forked" not in str(error)
                with pool_of(support.running_sum()) as own:
                    step = own.open().push(X)
                    step.add_done_callback(lambda step: print(step.result()[0], flush=True))
                    step.result()
                sys.exit(faults + 3)
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            step.result()
            """, "[[1. 2.]]\n3\n")
        self.assertEqual(errors, "")

    def test_ctrl_c_interrupts_waiting(self):
        with program("""
            stream = pool_of(support.slow_chain(2000), threads=1).open()
            steps = [stream.push(EYE) for _ in range(50)]
            try:
                print("waiting", flush=True)
                steps[-1].result()
            except KeyboardInterrupt:
                print("interrupted", flush=True)
            """) as process:
            process.stdout.readline()
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output), (0, "interrupted\n"), errors)


if __name__ == "__main__":
    support.main()
