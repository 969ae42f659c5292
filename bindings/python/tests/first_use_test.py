"""The first arrays of a process, made by several threads at once: it must not hang."""

import subprocess
import sys
import textwrap
import unittest

import support

# No NumPy in the script itself: what rondo leaves to the first use must happen in the threads.
SCRIPT = textwrap.dedent("""
    import sys, threading
    import rondo

    sys.setswitchinterval(1e-6)
    compiled = rondo.compile_model({model!r})
    requests = [compiled.create_infer_request() for _ in range({threads})]
    barrier = threading.Barrier({threads})
    failures = []

    def infer(request):
        return request.infer({{0: [[1.0, -1.0]]}})[0].tolist()

    def start_async(request):
        request.start_async({{0: [[1.0, -1.0]]}})
        request.wait()
        return request.results[0].tolist()

    def tensor(request):
        return rondo.Tensor([[1.0, 0.0]]).data.tolist()

    def work(request):
        barrier.wait()
        try:
            assert {call}(request) == [[1.0, 0.0]]
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(request,)) for request in requests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(failures or "done")
""")

ROUNDS = 4
THREADS = 8
SECONDS = 60  # a round takes less than one; a deadlock lasts


class FirstUseTest(unittest.TestCase):
    def check(self, call):
        script = SCRIPT.format(model=support.unary(shape=(1, 2)), threads=THREADS, call=call)
        for _ in range(ROUNDS):
            run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                                 timeout=SECONDS)
            self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "done\n", ""))

    def test_infer(self):
        self.check("infer")

    def test_start_async(self):
        self.check("start_async")

    def test_tensor(self):
        self.check("tensor")


if __name__ == "__main__":
    support.main()
