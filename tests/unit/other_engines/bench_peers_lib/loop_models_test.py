"""Every step is written in both forms, with the states that it carries round."""

import unittest

import support
support.need_numpy()
import numpy as np  # noqa: E402  (looked for first)
from bench_peers_lib import cases, loop_models, problem  # noqa: E402


class LoopModelsTest(unittest.TestCase):
    def test_every_step_has_a_writer(self):
        self.assertEqual(tuple(loop_models.STEPS), cases.LOOP_STEPS)

    def test_forms(self):
        for kind in cases.LOOP_STEPS:
            for form, op in (("loop", b"Loop"), ("scan", b"Scan")):
                with self.subTest(kind=kind, form=form):
                    subject = cases.Loop(kind, form, hidden=8, batch=2, time=3)
                    made = problem.make_problem(subject, "")
                    self.assertEqual(made.inputs["X"].shape, (3, 2, 8))
                    self.assertIn(op, made.model)
                    self.assertEqual(made.model, problem.make_problem(subject, "").model)

    def test_a_state_of_the_selective_scan_has_channels(self):
        subject = cases.Loop("selective_scan", "scan", hidden=8)
        self.assertEqual(loop_models.state_shape(subject), (1, 8, loop_models.CHANNELS))

    def test_the_nodes_of_a_step(self):
        step = loop_models.StepWriter(cases.Loop("minimal_gru", "loop", hidden=4),
                                      np.random.default_rng(1))
        result, = loop_models.minimal_gru(step, "x", ["h"])
        self.assertEqual(result, f"v{len(step.nodes) - 1}_0")
        shapes = sorted(array.shape for array in step.constants.values())
        self.assertEqual(shapes, [(), (4,), (4,), (4, 4), (4, 4), (4, 4), (4, 4)])


if __name__ == "__main__":
    support.main()
