"""The fastest way wins, whatever its first call cost."""

import unittest

import support
from bench_peers_lib import ways


class WaysTest(unittest.TestCase):
    def setUp(self):
        self.time, self.calls = 0.0, 0

    def now(self):
        return self.time

    def way(self, first, later):
        costs = iter([first])

        def run():
            self.time += next(costs, later)
            self.calls += 1
        return run

    def test_the_first_call_does_not_count(self):
        slow, fast = self.way(1e-4, 1e-4), self.way(0.1, 5e-5)
        self.assertIs(ways.fastest([slow, fast], self.now), fast)

    def test_long_calls_are_not_compared(self):
        first, second = self.way(0.1, 0.1), self.way(0.05, 0.05)
        self.assertIs(ways.fastest([first, second], self.now), first)
        self.assertEqual(self.calls, 2)

    def test_very_long_calls_are_made_once(self):
        way = self.way(1.0, 1.0)
        self.assertIs(ways.fastest([way, way], self.now), way)
        self.assertEqual(self.calls, 1)


if __name__ == "__main__":
    support.main()
