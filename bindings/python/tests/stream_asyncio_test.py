"""Stream pools in asyncio: awaiting steps, cancelling tasks, and asynchronous iterators of results."""

import asyncio
import gc
import threading
import unittest

import numpy as np
import rondo
import support

SUM = support.running_sum()
SLOW = support.slow_chain()
EYE = np.eye(200, dtype=np.float32)


def row(a, b):
    return np.float32([[a, b]])


class AsyncioTest(unittest.IsolatedAsyncioTestCase):
    def pool_of(self, model=SUM, **options):
        pool = rondo.compile_model(model).create_stream_pool(**options)
        self.addCleanup(pool.close)
        return pool

    async def test_awaiting_a_step(self):
        stream = self.pool_of().open()
        self.assertEqual((await stream.push(row(1, 2)))["y"].tolist(), [[1, 2]])
        step = stream.push(row(1, 2))
        first = await step
        self.assertIs(await step, first)
        self.assertIs(step.result(), first)

    async def test_many_streams(self):
        pool = self.pool_of(max_batch=32)

        async def client(number):
            with pool.open() as stream:
                for count in range(1, 21):
                    results = await stream.push(row(number, 1))
                    self.assertEqual(results[0].tolist(), [[number * count, count]])

        await asyncio.gather(*(client(number) for number in range(100)))
        self.assertEqual(pool.stats().steps, 2000)

    async def test_steps_share_batches(self):
        pool = self.pool_of(max_batch=32, max_delay=0.05)
        streams = [pool.open() for _ in range(32)]
        for _ in range(5):
            await asyncio.gather(*(stream.push(row(1, 2)) for stream in streams))
        stats = pool.stats()
        self.assertEqual(stats.steps, 160)
        self.assertLess(stats.batches, 160)

    async def test_gather_and_wait_for(self):
        streams = [self.pool_of().open() for _ in range(5)]
        results = await asyncio.gather(*(stream.push(row(i, 0)) for i, stream in enumerate(streams)))
        self.assertEqual([result[0][0, 0] for result in results], [0, 1, 2, 3, 4])
        done, _ = await asyncio.wait([asyncio.ensure_future(s.push(row(1, 1))) for s in streams])
        self.assertEqual(len(done), 5)

    async def test_the_loop_goes_on_meanwhile(self):
        stream = self.pool_of(SLOW).open()
        step = asyncio.ensure_future(stream.push(EYE))
        ticks = 0
        while not step.done():
            await asyncio.sleep(0)
            ticks += 1
        self.assertGreater(ticks, 10)
        np.testing.assert_array_equal(step.result()[0], EYE)

    async def test_errors(self):
        pool = self.pool_of(support.two_in_two_out((-1, -1)))
        stream = pool.open()
        with self.assertRaisesRegex(rondo.ModelError, r"\[1,3\]"):
            await stream.push([np.ones((1, 4), np.float32), np.ones((1, 3), np.float32)])
        with self.assertRaisesRegex(rondo.ModelError, "was not given"):
            await stream.push({})

    async def test_a_cancelled_task_cancels_its_step(self):
        pool = self.pool_of(SLOW, threads=1)
        running = [pool.open().push(EYE) for _ in range(6)]
        steps = [pool.open().push(EYE) for _ in range(3)]

        async def wait(step):
            return await step

        tasks = [asyncio.ensure_future(wait(step)) for step in steps[:2]]
        await asyncio.sleep(0)
        tasks[1].cancel()
        with self.assertRaises(asyncio.CancelledError):
            await tasks[1]
        self.assertTrue(steps[1].cancelled())
        with self.assertRaises(asyncio.TimeoutError):
            await asyncio.wait_for(steps[2], 0.001)
        self.assertTrue(steps[2].cancelled())
        await running[-1]
        np.testing.assert_array_equal((await tasks[0])[0], EYE)

    # Not as a task that was cancelled: the step's own error.
    async def test_a_step_that_another_cancels(self):
        pool = self.pool_of(SLOW, threads=1)
        for _ in range(6):
            pool.open().push(EYE)
        stream = pool.open()
        step = stream.push(EYE)
        asyncio.get_running_loop().call_soon(stream.cancel)
        with self.assertRaises(rondo.CancelledError):
            await step

    async def test_two_tasks_await_one_step(self):
        stream = self.pool_of(SLOW).open()
        step = stream.push(EYE)

        async def wait():
            return await step

        first, second = await asyncio.gather(wait(), wait())
        self.assertIs(first, second)

    async def test_two_loops_await_one_step(self):
        step = self.pool_of(SLOW).open().push(EYE)
        found = []

        async def wait():
            return await step

        thread = threading.Thread(target=lambda: found.append(asyncio.run(wait())))
        thread.start()
        found.append(await step)
        await asyncio.get_running_loop().run_in_executor(None, thread.join)
        self.assertIs(found[0], found[1])

    async def test_a_loop_that_is_closed_meanwhile(self):
        stream = self.pool_of(SLOW).open()
        step = [stream.push(EYE) for _ in range(9)][-1]

        def leave():
            loop = asyncio.new_event_loop()
            task = loop.create_task(asyncio.wait({loop.create_task(wait())}, timeout=0.001))
            loop.run_until_complete(task)
            loop.close()

        async def wait():
            try:
                await step
            except GeneratorExit:  # its loop is gone
                pass

        with self.assertLogs("asyncio", "ERROR") as logs:
            thread = threading.Thread(target=leave)
            thread.start()
            await asyncio.get_running_loop().run_in_executor(None, thread.join)
            del thread
            await step
            self.assertTrue(support.wait_until(lambda: gc.collect() >= 0 and logs.output))
        self.assertIn("Task was destroyed but it is pending", logs.output[0])


class ResultsTest(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        self.pool = rondo.compile_model(SUM).create_stream_pool()
        self.addCleanup(self.pool.close)
        self.stream = self.pool.open()

    async def test_outputs_in_order(self):
        async def chunks():
            for i in range(50):
                if i % 7 == 0:
                    await asyncio.sleep(0)
                yield row(i, 1)

        sums = [results["y"][0].tolist() async for results in self.stream.results(chunks())]
        self.assertEqual(sums, [[sum(range(i + 1)), i + 1] for i in range(50)])
        plain = [results["y"][0, 1] async for results in self.stream.results([row(0, 1)] * 3)]
        self.assertEqual(plain, [51, 52, 53])

    # Not only when the next inputs have come.
    async def test_each_output_as_soon_as_it_is_there(self):
        inputs = asyncio.Queue()

        async def chunks():
            while (chunk := await inputs.get()) is not None:
                yield chunk

        results = self.stream.results(chunks())
        for i in range(1, 4):
            inputs.put_nowait(row(1, 1))
            self.assertEqual((await results.__anext__())[0].tolist(), [[i, i]])
        inputs.put_nowait(None)
        with self.assertRaises(StopAsyncIteration):
            await results.__anext__()

    async def test_a_bounded_number_in_flight(self):
        asked = []

        def chunks():
            for i in range(20):
                asked.append(i)
                yield row(1, 1)

        seen = 0
        async for _ in self.stream.results(chunks(), in_flight=3):
            seen += 1
            await asyncio.sleep(0.001)
            self.assertLessEqual(len(asked), seen + 4)  # one more waits for room
        self.assertEqual(seen, 20)
        for wrong in (0, -1):
            with self.assertRaisesRegex(ValueError, f"got {wrong}; expected 1 or more"):
                self.stream.results([], in_flight=wrong)

    async def test_an_error_comes_behind_the_outputs_before_it(self):
        async def chunks():
            yield row(1, 1)
            yield row(1, 1)
            raise KeyError("source")

        seen = []
        with self.assertRaisesRegex(KeyError, "source"):
            async for results in self.stream.results(chunks()):
                seen.append(results[0][0, 0])
        self.assertEqual(seen, [1, 2])
        with self.assertRaisesRegex(rondo.ModelError, "an array of shape"):
            async for results in self.stream.results([row(1, 1), np.ones(3)]):
                seen.append(results[0][0, 0])
        self.assertEqual(seen, [1, 2, 3])
        with self.assertRaises(TypeError):
            async for _ in self.stream.results(3):
                pass

    async def test_leaving_the_loop_ends_the_source(self):
        ended = []

        async def chunks():
            try:
                while True:
                    yield row(1, 1)
                    await asyncio.sleep(0)
            finally:
                ended.append(True)

        results = self.stream.results(chunks())
        async for outputs in results:
            if outputs[0][0, 0] == 10:
                break
        await results.aclose()
        await asyncio.sleep(0.01)
        self.assertEqual(ended, [True])
        self.assertEqual(self.pool.stats().waiting, 0)

    async def test_a_cancelled_consumer(self):
        async def consume():
            async def chunks():
                yield row(1, 1)
                await asyncio.sleep(60)

            async for _ in self.stream.results(chunks()):
                pass

        task = asyncio.ensure_future(consume())
        await asyncio.sleep(0.01)
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        self.stream.infer(row(1, 1))


if __name__ == "__main__":
    support.main()
