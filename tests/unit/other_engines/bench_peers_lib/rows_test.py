"""Ratios and fractions of a measured row, and rows joined over thread counts."""

import unittest

import support
from bench_peers_lib import rows
from bench_peers_lib.cases import Layer, RealModel


class RowsTest(unittest.TestCase):
    def test_the_ratio_is_to_the_fastest_peer(self):
        row = support.row()
        self.assertEqual(row.fastest_peer(), ("torch", 25))
        self.assertEqual(row.ratio(), 2.5)
        self.assertIsNone(row.ratio("rondo, f16 weights"))

    def test_other_ways_of_rondo_are_no_peers(self):
        row = support.row(measured={**support.times(rondo=10, torch=30),
                                    **{rows.FULL: {"median_us": 20, "min_us": 20}}})
        self.assertEqual(row.ratio(), 3)
        self.assertEqual(row.ratio_to(rows.FULL), 0.5)

    def test_without_peers_or_rondo(self):
        self.assertIsNone(support.row(measured=support.times(rondo=10)).ratio())
        alone = support.row(measured=support.times(torch=10))
        self.assertIsNone(alone.ratio())
        self.assertIsNone(alone.fraction())

    def test_fractions(self):
        row = support.row(hidden=64, batch=64, measured=support.times(rondo=20000))
        flops = 2 * 4 * 64 * 128 * 6400
        self.assertAlmostEqual(row.fraction(), flops / 100e3 / 20000)
        self.assertAlmostEqual(row.peak_share(), flops / 100e3 / 20000)

    def test_no_limit_of_a_real_model_or_without_calibration(self):
        self.assertIsNone(support.row(machine=None).limit())
        self.assertIsNone(support.row("models", subject=RealModel("a", 0)).fraction())

    def test_each_at_its_best_thread_count(self):
        one = support.row(measured=support.times(rondo=10, torch=8))
        two = support.row(threads=2, measured=support.times(rondo=6, torch=12))
        other = support.row(hidden=32)
        joined = rows.best_threads([one, two, other])
        self.assertEqual(len(joined), 2)
        self.assertEqual((joined[0].threads, joined[0].median(), joined[0].median("torch")),
                         (2, 6, 8))

    def test_rows_of_a_file(self):
        data = support.results_data([support.row(hidden=64), support.row("models", 2,
                                     subject=RealModel("vad", 1))], [support.calibration()])
        data["calibrations"].append(support.calibration(peaks=(140, 150)))
        layer, model = rows.read_rows(data)
        self.assertEqual(layer.subject, Layer("lstm", 64))
        self.assertEqual((model.subject, model.threads), (RealModel("vad", 1), 2))
        self.assertEqual(layer.machine.flops_per_us(1), 140e3)  # of the run
        self.assertEqual(layer.moment.flops_per_us(1), 100e3)   # of that time

    def test_a_file_without_calibration(self):
        row = rows.read_rows(support.results_data([support.row()], []))[0]
        self.assertIsNone(row.limit())


if __name__ == "__main__":
    support.main()
