"""Each goal counts its own rows only and names the worst of them."""

import unittest

import support
from bench_peers_lib import goals, limits, rows


def find(some, text):
    return next((one for one in goals.outcomes(some) if text in one.text), None)


class GoalsTest(unittest.TestCase):
    def test_ratios_of_batch_1(self):
        good = support.row(hidden=32, measured=support.times(rondo=10, torch=21))
        bad = support.row(hidden=128, measured=support.times(rondo=10, torch=15))
        large = support.row(hidden=512, measured=support.times(rondo=10, torch=5))
        batch = support.row(hidden=32, batch=4, measured=support.times(rondo=10, torch=5))
        found = find([good, bad, large, batch], "H=32..128")
        self.assertEqual((found.kept, len(found.values), found.worst), (1, 2, (1.5, bad)))
        self.assertEqual(find([good, bad, large], "H=512, 1024").kept, 0)

    def test_best_thread_counts(self):
        one = support.row(hidden=256, measured=support.times(rondo=30, torch=30))
        two = support.row(hidden=256, threads=2, measured=support.times(rondo=10, torch=60))
        self.assertEqual(find([one, two], "H=256:").worst[0], 3)

    def test_streaming_rows(self):
        short = support.row(time=1, hidden=256)
        self.assertEqual(len(find([short, support.row(time=1, hidden=512)], "T=1").values), 1)

    def test_f16_weights(self):
        measured = {**support.times(rondo=10, torch=10), rows.HALF: {"median_us": 4, "min_us": 4}}
        row = support.row("weights", hidden=512, measured=measured)
        self.assertEqual(find([row], "f16").worst[0], 2.5)
        beyond = support.row("weights", hidden=4096, measured=measured)
        self.assertIsNone(find([beyond], "f16"))

    def test_fraction_of_the_limit_where_weights_fit_l2(self):
        near = support.row(hidden=256, measured=support.times(rondo=2000))
        far = support.row(hidden=512, measured=support.times(rondo=1e6))
        found = find([near, far], "weights in L2")
        self.assertEqual((found.kept, len(found.values)), (0, 1))

    def test_share_of_the_peak(self):
        flops = limits.flops(support.row(hidden=256, batch=16).subject)
        row = support.row(hidden=256, batch=16, measured=support.times(rondo=flops / 90e3))
        found = find([row], "H>=256, one thread")
        self.assertAlmostEqual(found.worst[0], 0.9)
        self.assertEqual(found.kept, 1)

    def test_scaling_needs_two_full_cores(self):
        def pair(machine):
            return [support.row(hidden=256, batch=16, machine=machine, threads=threads,
                                measured=support.times(rondo=100 / threads))
                    for threads in (1, 2)]

        shared = limits.Machine(support.calibration(peaks=(100, 130)))
        self.assertIsNone(find(pair(shared), "two threads against one"))
        full = limits.Machine(support.calibration())
        self.assertEqual(find(pair(full), "two threads against one").worst[0], 2)

    def test_at_most(self):
        measured = {**support.times(rondo=7), rows.FULL: {"median_us": 10, "min_us": 10}}
        lengths = support.row("lengths", batch=16, lengths="uniform", measured=measured)
        found = find([lengths], "lengths uniform")
        self.assertEqual((found.kept, found.worst), (0, (0.7, lengths)))
        measured = {**support.times(rondo=11),
                    rows.ONE_DIRECTION: {"median_us": 10, "min_us": 10}}
        both = support.row("directions", 2, directions=2, measured=measured)
        self.assertEqual(find([both], "bidirectional").kept, 1)

    def test_no_goals_without_rows(self):
        self.assertEqual(goals.outcomes([]), [])

    def test_the_place_in_words(self):
        self.assertEqual(goals.describe_row(support.row(threads=2)),
                         "lstm H=64 N=1 T=100 D=1, 2 threads")


if __name__ == "__main__":
    support.main()
