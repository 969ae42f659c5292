"""The grid is complete, and each row has a name of its own."""

import unittest

import support
from bench_peers_lib import cases


class CasesTest(unittest.TestCase):
    def test_the_grid_is_complete(self):
        grid = cases.all_cases(cases.Selection(groups=("grid",)))
        self.assertEqual(len(grid), 3 * 6 * 4 * 2 * 2 * 2)
        self.assertEqual([one.label for one in grid[0].contestants],
                         ["rondo", "onnxruntime", "openvino", "torch"])
        self.assertEqual({one.threads for one in grid[1].contestants}, {2})

    def test_keys_differ(self):
        models = [cases.RealModel("vad", 0), cases.RealModel("vad", 1)]
        chosen = cases.all_cases(cases.Selection(), models)
        self.assertEqual(len({case.key for case in chosen}), len(chosen))
        self.assertEqual(len(chosen), 576 + 36 + 36 + 24 + 72 + 16 + 4)

    def test_a_key_says_what_is_measured(self):
        case = cases.all_cases(cases.Selection(groups=("lengths",), cells=("gru",), hidden=(64,),
                                               threads=(2,)))[0]
        self.assertEqual(case.key, "lengths gru H=64 N=16 T=100 D=1 lengths=uniform threads=2")

    def test_lengths_are_spread_over_all_steps(self):
        lengths = cases.Layer("lstm", 8, batch=16, lengths="uniform").row_lengths()
        self.assertEqual((len(lengths), lengths[0], lengths[-1]), (16, 1, 100))
        self.assertEqual(lengths, sorted(lengths))
        self.assertEqual(cases.Layer("lstm", 8, batch=2).row_lengths(), [100, 100])

    def test_rows_beside_the_grid(self):
        def one(group, **axes):
            return cases.all_cases(cases.Selection(groups=(group,), **axes))[0]

        both, single = one("directions").contestants
        self.assertEqual((both.threads, both.subject.directions), (2, 2))
        self.assertEqual((single.threads, single.subject.directions), (1, 1))
        self.assertEqual(one("weights").subject.hidden, 512)
        self.assertEqual(one("weights").contestants[1].weights, "f16")
        self.assertEqual(one("stacked").subject.layers, 2)

    def test_loops_in_both_forms(self):
        keys = [case.key for case in cases.all_cases(cases.Selection(groups=("loops",)))]
        self.assertEqual(len(keys), 4 * 2 * 2)
        self.assertEqual(keys[2], "loops layer_norm_lstm as scan H=128 N=1 T=100 threads=1")

    def test_torch_reads_no_model_files(self):
        case = cases.all_cases(cases.Selection(groups=("models",)), [cases.RealModel("a", 0)])[0]
        self.assertNotIn("torch", [one.peer for one in case.contestants])
        self.assertEqual(case.key, "models a#0 threads=1")


if __name__ == "__main__":
    support.main()
