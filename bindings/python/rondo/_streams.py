"""The part of stream pools that is Python's: awaiting steps, and calling what waits for their end."""

import asyncio
import logging


class _Waiter:
    """Wakes what awaits a step; a callback of it."""

    __slots__ = ("future", "loop")

    def __init__(self, loop):
        self.loop = loop
        self.future = loop.create_future()

    def __call__(self, step):
        _wake([self.future])


def _wake(futures):
    for future in futures:
        if not future.done():
            future.set_result(None)


def call(step, function):
    """Calls function(step), and logs what it raises as concurrent.futures does."""
    try:
        function(step)
    except BaseException:  # the next ones wait
        logging.getLogger("rondo").exception("exception calling callback for %r", step)


def call_all(calls):
    """Calls (step, function) pairs."""
    for step, function in calls:
        call(step, function)


def wake_all(waits):
    """Wakes the waiters of (step, waiter) pairs: each event loop once for all that wait in it."""
    futures = {}
    for _, waiter in waits:
        futures.setdefault(waiter.loop, []).append(waiter.future)
    for loop, those in futures.items():
        try:
            loop.call_soon_threadsafe(_wake, those)
        except RuntimeError:  # the loop was closed
            pass


async def outputs_of(step):
    """Waits for the step in the running event loop; the step is cancelled with its task."""
    if not step.done():
        waiter = _Waiter(asyncio.get_running_loop())
        step._wake(waiter)
        try:
            await waiter.future
        except asyncio.CancelledError:
            step.cancel()
            raise
    return step.result()


async def _each(inputs):
    if hasattr(inputs, "__aiter__"):
        async for value in inputs:
            yield value
    else:
        for value in inputs:
            yield value


async def _push_each(stream, inputs, room, steps):
    """Pushes a step for each of the inputs where there is room; None ends the queue."""
    try:
        async for value in _each(inputs):
            await room.acquire()
            steps.put_nowait(stream.push(value))
    finally:
        steps.put_nowait(None)


async def _results(stream, inputs, in_flight):
    room = asyncio.Semaphore(in_flight)
    steps = asyncio.Queue()
    pushing = asyncio.ensure_future(_push_each(stream, inputs, room, steps))
    try:
        while True:
            step = await steps.get()
            if step is None:
                break
            outputs = await step
            room.release()
            yield outputs
        await pushing
    finally:
        pushing.cancel()
        while not steps.empty():
            step = steps.get_nowait()
            if step is not None:
                step.cancel()
        await asyncio.gather(pushing, return_exceptions=True)


def results(stream, inputs, in_flight):
    """See Stream.results()."""
    if in_flight < 1:
        raise ValueError(f"in_flight: got {in_flight}; expected 1 or more")
    return _results(stream, inputs, in_flight)
