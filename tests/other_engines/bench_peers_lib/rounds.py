"""Times contestants round by round, A B C A B C, so that a slow moment of the machine hits all."""

import contextlib
import dataclasses
import os
import statistics
import sys
import time


@dataclasses.dataclass(frozen=True)
class Pace:
    rounds: int = 9
    burst_ms: float = 5.0      # of one contestant in one round, at least one call
    sample_us: float = 100.0   # short calls are timed several at once
    seconds_a_case: float = 20.0  # slow cases do fewer rounds
    least_rounds: int = 3
    quiet_ms: float = 150.0    # at most, waiting for the threads of the one before to sleep


class Clock:
    """The real one; tests have their own."""

    now = staticmethod(time.perf_counter)
    sleep = staticmethod(time.sleep)

    @staticmethod
    def cpu():
        """CPU time of all threads, exact: the process's own clock is late by a tick of other cores."""
        total = 0.0
        for thread in os.listdir("/proc/self/task"):
            with contextlib.suppress(OSError):  # a thread that has ended meanwhile
                total += time.clock_gettime((~int(thread) << 3) | 6)
        return total


def wait_until_quiet(clock, most_ms):
    """Threads of a pool spin for a while after their work: up to 50 ms, onnxruntime's do."""
    deadline = clock.now() + most_ms * 1e-3
    while clock.now() < deadline:
        cpu, start = clock.cpu(), clock.now()
        clock.sleep(2e-3)
        if clock.cpu() - cpu < 0.1 * (clock.now() - start):
            return


def burst(session, clock, pace):
    """Microseconds a call, a number each sample, after one call that fills the caches.

    A call so long that filling them is nothing beside it is the one sample.
    """
    session.activate()
    start = clock.now()
    session.run()
    first = max(clock.now() - start, 1e-9)
    if first > 4e-3 * pace.burst_ms:
        return [first * 1e6]
    calls = max(1, int(pace.sample_us * 1e-6 / first))
    samples, deadline = [], clock.now() + pace.burst_ms * 1e-3
    while not samples or clock.now() < deadline:
        start = clock.now()
        for _ in range(calls):
            session.run()
        samples.append((clock.now() - start) / calls * 1e6)
    return samples


def measure(sessions, pace, clock=Clock):
    """{label: {min_us, median_us, rounds}}.

    The median is that of the rounds' medians: each round counts once, however many samples of a
    fast contestant fit into it.
    """
    medians = {label: [] for label in sessions}
    least = {label: float("inf") for label in sessions}
    deadline = clock.now() + pace.seconds_a_case
    for index in range(pace.rounds):
        if index >= pace.least_rounds and clock.now() > deadline:
            break
        for label, session in sessions.items():
            wait_until_quiet(clock, pace.quiet_ms)
            samples = burst(session, clock, pace)
            medians[label].append(statistics.median(samples))
            least[label] = min(least[label], min(samples))
    return {label: {"min_us": least[label], "median_us": statistics.median(rounds),
                    "rounds": len(rounds)} for label, rounds in medians.items()}


class Progress:
    """One line that rewrites itself, on a terminal alone."""

    def __init__(self, total, stream=sys.stderr):
        self.total, self.stream, self.shown = total, stream, stream.isatty()
        self.start = time.monotonic()

    def show(self, done, text):
        if self.shown:
            minutes = (time.monotonic() - self.start) / 60
            self.stream.write(f"\r\033[K{done}/{self.total} {minutes:.1f} min  {text[:90]}")
            self.stream.flush()

    def finish(self):
        if self.shown:
            self.stream.write("\r\033[K")
            self.stream.flush()
