"""The majority decides if numbers differ, and a refusal is kept, not raised."""

import types
import unittest

import support
support.need_numpy()
import numpy as np  # noqa: E402  (looked for first)
from bench_peers_lib import cases, sessions  # noqa: E402


def peer(value):
    """A module whose sessions answer with `value`, or raise it."""
    class Session:
        def __init__(self, problem, threads, weights):
            if isinstance(value, Exception):
                raise value

        def outputs(self):
            return [np.full((2,), value, np.float32)]

    return types.SimpleNamespace(Session=Session)


class SessionsTest(unittest.TestCase):
    def setUp(self):
        self.case = cases.all_cases(cases.Selection(groups=("grid",)))[0]
        self.problems = {self.case.subject: types.SimpleNamespace(tolerance=1e-3)}

    def checked(self, case=None, **values):
        peers = {name: peer(value) for name, value in values.items()}
        _, outputs, refused = sessions.open_sessions(case or self.case, self.problems, peers)
        return refused, sessions.check_outputs(case or self.case, outputs, self.problems)

    def test_all_agree(self):
        self.assertEqual(self.checked(rondo=1.0, onnxruntime=1.0001, torch=1.0), ({}, {}))

    def test_the_odd_one_is_left_out(self):
        _, differing = self.checked(rondo=1.0, onnxruntime=1.0, openvino=3.0, torch=1.0)
        self.assertEqual(differing, {"openvino": "differs from the others by 2"})
        _, differing = self.checked(rondo=2.0, onnxruntime=1.0, torch=1.0)
        self.assertEqual(list(differing), ["rondo"])

    def test_of_two_neither_is_believed(self):
        _, differing = self.checked(rondo=1.0, torch=2.0)
        self.assertEqual(sorted(differing), ["rondo", "torch"])

    def test_no_number_is_a_difference(self):
        _, differing = self.checked(rondo=1.0, onnxruntime=float("nan"), torch=1.0)
        self.assertEqual(list(differing), ["onnxruntime"])

    def test_a_refusal_is_kept(self):
        refused, differing = self.checked(rondo=1.0, torch=RuntimeError("not\n here"))
        self.assertEqual((refused, differing), ({"torch": "RuntimeError: not here"}, {}))

    def test_f16_weights_may_differ_a_little(self):
        case = cases.all_cases(cases.Selection(groups=("weights",)))[0]
        self.problems = {case.subject: types.SimpleNamespace(tolerance=1e-3)}

        class Session:
            def __init__(self, problem, threads, weights):
                self.value = 1.05 if weights == "f16" else 1.0

            def outputs(self):
                return [np.full((2,), self.value, np.float32)]

        peers = {"rondo": types.SimpleNamespace(Session=Session), "torch": peer(1.0)}
        _, outputs, _ = sessions.open_sessions(case, self.problems, peers)
        self.assertEqual(sessions.check_outputs(case, outputs, self.problems), {})
        self.problems[case.subject].tolerance = 1e-4
        self.assertEqual(list(sessions.check_outputs(case, outputs, self.problems)),
                         ["rondo, f16 weights"])

    def test_other_shapes_differ(self):
        self.assertEqual(sessions.difference([np.ones(2)], [np.ones(3)]), float("inf"))
        self.assertEqual(sessions.difference([np.ones(2)], [np.ones(2), np.ones(2)]),
                         float("inf"))

    def test_missing_peers_have_a_reason(self):
        found, missing = sessions.load_peers(("no such peer",))
        self.assertEqual((found, missing), ({}, {}))


if __name__ == "__main__":
    support.main()
