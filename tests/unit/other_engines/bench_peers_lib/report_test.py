"""The report has a part for what was measured, and none for what was not."""

import unittest

import support
from bench_peers_lib import cases, report


class ReportTest(unittest.TestCase):
    def test_parts(self):
        some = [support.row(threads=1), support.row(threads=2), support.row("stacked", layers=2)]
        text = report.markdown(support.results_data(some, [support.calibration()]))
        for part in ("Versions: rondo 1, torch 2", "A CPU, avx512, 2 CPUs",
                     "1 thread(s): 100 GFLOP/s; reads in GB/s: L1 160, L2 80, L3 20, memory 10",
                     "### Goals", "### Batch 1", "LSTM: every row of the grid",
                     "### Two layers"):
            self.assertIn(part, text)
        for part in ("Real models", "GRU"):
            self.assertNotIn(part, text)

    def test_the_picture_and_who_was_left_out(self):
        refusal = {"torch": "NotImplementedError: a | b"}
        some = [support.row(hidden=hidden, refused=refusal) for hidden in (32, 64)]
        text = report.markdown(support.results_data(some, []), "p.svg")
        self.assertIn("![Time and ratio by hidden size](p.svg)", text)
        self.assertIn("| torch | NotImplementedError: a \\| b | 2 | lstm H=32 N=1 T=100 D=1 |",
                      text)

    def test_means_of_models(self):
        def case(name, number, threads, peer):
            return support.row("models", threads, subject=cases.RealModel(name, number),
                               measured=support.times(rondo=10, onnxruntime=peer))

        some = [case("a", 0, 1, 40), case("a", 1, 1, 10), case("b", 0, 1, 5), case("b", 0, 2, 16)]
        text = report.markdown(support.results_data(some, []))
        self.assertIn("ratios: 1.26 on 1 thread, 1.60 on 2 threads; of the models' means 1.34.",
                      text)
        self.assertIn("below 1 in the geometric mean: b (0.89).", text)

    def test_nothing_measured(self):
        text = report.markdown(support.results_data([], []))
        self.assertIn("Versions", text)
        self.assertNotIn("###", text)


if __name__ == "__main__":
    support.main()
