"""Rounds are interleaved and counted by a clock of the test's own."""

import io
import unittest

import support
from bench_peers_lib import rounds


class FakeClock:
    def __init__(self):
        self.time, self.cpu_time, self.spinning = 0.0, 0.0, 0.0

    def now(self):
        return self.time

    def cpu(self):
        return self.cpu_time

    def sleep(self, seconds):
        self.time += seconds
        burnt = min(seconds, self.spinning)
        self.spinning -= burnt
        self.cpu_time += burnt


class FakeSession:
    def __init__(self, clock, seconds, log, name):
        self.clock, self.seconds, self.log, self.name = clock, seconds, log, name

    def activate(self):
        self.log.append(self.name)

    def run(self):
        self.clock.time += self.seconds


class RoundsTest(unittest.TestCase):
    def setUp(self):
        self.clock, self.log = FakeClock(), []

    def sessions(self, **seconds):
        return {name: FakeSession(self.clock, time, self.log, name)
                for name, time in seconds.items()}

    def test_a_b_c_a_b_c(self):
        pace = rounds.Pace(rounds=2)
        times = rounds.measure(self.sessions(a=1e-4, b=2e-4, c=3e-6), pace, self.clock)
        self.assertEqual("".join(self.log), "abcabc")
        for name, expected in (("a", 100), ("b", 200), ("c", 3)):
            self.assertAlmostEqual(times[name]["median_us"], expected)
            self.assertAlmostEqual(times[name]["min_us"], expected)
            self.assertEqual(times[name]["rounds"], 2)

    def test_a_round_counts_once(self):
        session = self.sessions(a=1e-4)["a"]
        slow = iter([1e-3, 1e-4, 1e-4])
        session.activate = lambda: setattr(session, "seconds", next(slow))
        times = rounds.measure({"a": session}, rounds.Pace(rounds=3), self.clock)
        self.assertAlmostEqual(times["a"]["median_us"], 100)

    def test_slow_cases_do_fewer_rounds(self):
        pace = rounds.Pace(rounds=9, seconds_a_case=5, least_rounds=3)
        times = rounds.measure(self.sessions(a=4.0), pace, self.clock)
        self.assertEqual(times["a"]["rounds"], 3)

    def test_a_long_call_is_made_once(self):
        session = self.sessions(a=0.1)["a"]
        samples = rounds.burst(session, self.clock, rounds.Pace(burst_ms=5))
        self.assertEqual(len(samples), 1)
        self.assertAlmostEqual(samples[0], 1e5)
        self.assertAlmostEqual(self.clock.time, 0.1)

    def test_short_calls_are_timed_together(self):
        session = self.sessions(a=1e-6)["a"]
        samples = rounds.burst(session, self.clock, rounds.Pace(burst_ms=1, sample_us=100))
        self.assertTrue(9 <= len(samples) <= 11, len(samples))

    def test_waits_for_spinning_threads(self):
        self.clock.spinning = 0.035
        rounds.wait_until_quiet(self.clock, 150)
        self.assertEqual(self.clock.spinning, 0)
        self.assertLess(self.clock.time, 0.05)

    def test_does_not_wait_for_ever(self):
        self.clock.spinning = 100.0
        rounds.wait_until_quiet(self.clock, 150)
        self.assertLess(self.clock.time, 0.16)

    def test_progress_is_for_terminals(self):
        stream = io.StringIO()
        progress = rounds.Progress(3, stream)
        progress.show(1, "case")
        progress.finish()
        self.assertEqual(stream.getvalue(), "")


if __name__ == "__main__":
    support.main()
