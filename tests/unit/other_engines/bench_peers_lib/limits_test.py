"""Limits by hand for round machines."""

import unittest

import support
from bench_peers_lib import limits
from bench_peers_lib.cases import Layer


class LimitsTest(unittest.TestCase):
    def setUp(self):
        self.machine = limits.Machine(support.calibration())

    def test_flops_are_two_a_multiply_add(self):
        self.assertEqual(limits.flops(Layer("lstm", 8, batch=3, time=5)), 2 * 4 * 8 * 16 * 15)
        self.assertEqual(limits.flops(Layer("gru", 8, time=1, directions=2)), 2 * 3 * 8 * 16 * 2)

    def test_a_second_layer_reads_both_directions(self):
        stack = Layer("lstm", 8, time=1, directions=2, layers=2)
        self.assertEqual(limits.flops(stack), 2 * 4 * 8 * ((8 + 8) + (16 + 8)) * 2)
        self.assertEqual(limits.weight_bytes(stack), (4 * 8 * 2 * 4 * 24, 4 * 8 * 2 * 4 * 16))

    def test_steps_past_a_length_cost_nothing(self):
        uneven = Layer("lstm", 8, batch=2, time=9, lengths="uniform")
        self.assertEqual(limits.flops(uneven), 2 * 4 * 8 * 16 * 10)

    def test_batch_1_streams_its_weights(self):
        # R is 4*256*256*4 bytes = 1 MiB and just fits L2; W and R together come from L3.
        limit = limits.limit(Layer("lstm", 256), self.machine, 1)
        mebibyte = 1 << 20
        self.assertAlmostEqual(limit.microseconds, 100 * mebibyte / 80e3 + mebibyte / 20e3)
        self.assertEqual((limit.bound, limit.level), ("L2", "l2"))

    def test_two_threads_share_the_weights(self):
        one = limits.limit(Layer("lstm", 512), self.machine, 1)
        two = limits.limit(Layer("lstm", 512, directions=1), self.machine, 2)
        self.assertEqual((one.bound, two.bound), ("L3", "L3"))
        self.assertEqual(limits.limit(Layer("lstm", 320), self.machine, 1).bound, "L3")
        self.assertEqual(limits.limit(Layer("lstm", 320), self.machine, 2).bound, "L2")

    def test_one_step_needs_both_matrices(self):
        # W and R are 64 KiB each.
        limit = limits.limit(Layer("lstm", 64, time=1), self.machine, 1)
        self.assertAlmostEqual(limit.microseconds, (128 << 10) / 80e3)
        self.assertEqual(limit.level, "l2")

    def test_a_large_batch_is_bound_by_multiply_adds(self):
        layer = Layer("lstm", 256, batch=64)
        limit = limits.limit(layer, self.machine, 2)
        self.assertEqual(limit.bound, "FMA")
        self.assertAlmostEqual(limit.microseconds, limits.flops(layer) / 200e3)

    def test_half_the_bytes_fit_where_all_do_not(self):
        self.assertEqual(limits.limit(Layer("lstm", 320), self.machine, 1, size=2).level, "l2")

    def test_beyond_the_last_cache(self):
        self.assertEqual(self.machine.level_of(33 << 20), "memory")

    def test_unknown_threads_have_no_limit(self):
        self.assertIsNone(limits.limit(Layer("lstm", 64), self.machine, 3))

    def test_a_level_without_a_figure_is_as_the_next(self):
        calibration = support.calibration()
        for entry in calibration["calibrations"]:
            del entry["read_gbps"]["l3"]
        self.assertEqual(limits.Machine(calibration).bytes_per_us("l3", 1), 10e3)

    def test_the_best_of_several_calibrations(self):
        other = limits.Machine(support.calibration(peaks=(150, 160)))
        best = limits.best_of([self.machine, other])
        self.assertEqual((best.flops_per_us(1), best.flops_per_us(2)), (150e3, 200e3))
        self.assertEqual(self.machine.flops_per_us(1), 100e3)


if __name__ == "__main__":
    support.main()
