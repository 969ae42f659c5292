"""Variables: what a request remembers from one inference to the next."""

import gc
import pathlib
import unittest
import weakref

import numpy as np
import rondo
import support

# x [?,?,3] -> LSTM that keeps h and c [?,1,4] -> y [?,?,4], as OpenVINO wrote it.
STATEFUL = pathlib.Path(__file__).parents[3] / "tests/data/ir/openvino_stateful.xml"


def steps(count, rows=1):
    return np.random.default_rng(5).standard_normal((rows, count, 3)).astype(np.float32)


# audio [1,?,16], h and c [1,1,24] -> score, h_out, c_out.
DETECTOR = pathlib.Path(__file__).parents[3] / "docs/examples/streaming/detector.xml"


class MakeStatefulTest(unittest.TestCase):
    def setUp(self):
        self.model = rondo.Core().read_model(DETECTOR)
        rng = np.random.default_rng(7)
        self.chunks = [rng.standard_normal((1, t, 16)).astype(np.float32) for t in (1, 4, 2)]
        by_hand = rondo.compile_model(self.model, "CPU")
        h = c = np.zeros((1, 1, 24), np.float32)
        self.scores = []
        for chunk in self.chunks:
            found = by_hand({"audio": chunk, "h": h, "c": c})
            self.scores.append(found["score"])
            h, c = found["h_out"], found["c_out"]

    def expect_the_same(self, model):
        self.assertEqual([port.any_name for port in model.inputs], ["audio"])
        request = rondo.compile_model(model, "CPU").create_infer_request()
        for chunk, score in zip(self.chunks, self.scores):
            np.testing.assert_array_equal(request.infer([chunk])["score"], score)

    def test_pairs_are_found_or_named(self):
        found = self.model.find_states()
        self.assertEqual(found.pairs, [("h", "h_out"), ("c", "c_out")])
        self.assertEqual(found.unpaired, [])
        self.expect_the_same(rondo.make_stateful(self.model))
        self.expect_the_same(rondo.make_stateful(DETECTOR))
        self.expect_the_same(rondo.make_stateful(self.model, {"h": "h_out", "c": "c_out"}))
        ports = [(self.model.input("h"), self.model.output("h_out")), (2, 2)]
        self.expect_the_same(rondo.make_stateful(self.model, ports))
        self.assertEqual(len(self.model.inputs), 3)  # those were copies
        self.model.make_stateful([("h", "h_out"), ("c", "c_out")])
        self.expect_the_same(self.model)

    def test_errors_name_ports(self):
        with self.assertRaisesRegex(rondo.ModelError, "no output 'hn'; there are: 'score'"):
            rondo.make_stateful(self.model, {"h": "hn"})
        for pairs in ["h:h_out", ["h"], [("h", "h_out", "c")], [3]]:
            with self.assertRaisesRegex(TypeError, "expected pairs of an input and an output"):
                self.model.make_stateful(pairs)
        stateful = rondo.make_stateful(self.model)
        with self.assertRaisesRegex(rondo.ModelError, "no state was found"):
            stateful.make_stateful()

    def test_low_latency(self):
        self.model.apply_low_latency(use_const_initializer=False)
        request = rondo.compile_model(self.model, "CPU").create_infer_request()
        self.assertEqual(len(request.query_state()), 2)
        self.assertEqual(len(self.model.inputs), 3)


class StateTest(unittest.TestCase):
    def setUp(self):
        self.compiled = rondo.compile_model(STATEFUL, "CPU")
        self.request = self.compiled.create_infer_request()

    def test_chunks_give_the_bits_of_the_whole(self):
        x = steps(10)
        whole = self.compiled.create_infer_request()
        y = whole.infer([x])["y"]
        parts = [self.request.infer([part])["y"] for part in np.split(x, [1, 4, 8], axis=1)]
        np.testing.assert_array_equal(np.concatenate(parts, 1), y)
        for state, expected in zip(self.request.query_state(), whole.query_state()):
            np.testing.assert_array_equal(state.state.data, expected.state.data)

    def test_a_model_is_made_streaming(self):
        model = rondo.Core().read_model(STATEFUL)
        model.make_streaming({"x": 1})
        stream = rondo.compile_model(model, "CPU").create_infer_request()
        x = steps(10)
        parts = [stream.infer([part])["y"] for part in np.split(x, [1, 4, 8], axis=1)]
        whole = self.request.infer([x])["y"]
        np.testing.assert_array_equal(np.concatenate(parts, 1), whole)
        rondo.Core().read_model(STATEFUL).make_streaming()
        with self.assertRaisesRegex(rondo.ModelError, "no axis 5"):
            model.make_streaming({"x": 5})

    def test_a_state_is_read_set_and_reset(self):
        x = steps(2)
        first = self.request.infer([x])["y"]
        states = self.request.query_state()
        self.assertEqual([state.name for state in states], ["h", "c"])
        kept = [state.state for state in states]
        self.assertEqual(list(kept[0].shape), [1, 1, 4])
        second = self.request.infer([x])["y"]
        self.assertFalse(np.array_equal(first, second))
        for state, tensor in zip(states, kept):
            state.state = tensor
        np.testing.assert_array_equal(self.request.infer([x])["y"], second)
        for state in states:
            state.reset()
        np.testing.assert_array_equal(self.request.infer([x])["y"], first)
        self.request.reset_state()
        np.testing.assert_array_equal(self.request.infer([x])["y"], first)
        self.assertEqual(repr(states[1]), "<VariableState: c>")

    def test_a_state_is_a_copy(self):
        self.request.infer([steps(2)])
        state = self.request.query_state()[0]
        tensor = state.state
        before = tensor.data.copy()
        tensor.data[:] = 99
        np.testing.assert_array_equal(state.state.data, before)
        state.state = tensor
        tensor.data[:] = 7
        np.testing.assert_array_equal(state.state.data, np.full((1, 1, 4), 99, np.float32))

    def test_rows_follow_the_input_until_there_is_a_state(self):
        self.assertEqual(list(self.request.query_state()[0].state.shape), [0, 1, 4])
        self.request.infer([steps(2, rows=3)])
        self.assertEqual(list(self.request.query_state()[0].state.shape), [3, 1, 4])
        with self.assertRaisesRegex(rondo.ModelError, "LSTMSequence"):
            self.request.infer([steps(2, rows=2)])
        self.request.reset_state()
        self.request.infer([steps(2, rows=2)])

    def test_what_does_not_fit(self):
        state = self.request.query_state()[0]
        with self.assertRaisesRegex(rondo.ModelError, r"variable 'h': got f32\[1,1,5\]; expected"):
            state.state = rondo.Tensor(np.zeros((1, 1, 5), np.float32))
        with self.assertRaisesRegex(rondo.ModelError, r"got f64\[1,1,4\]; expected f32\[\?,1,4\]"):
            state.state = rondo.Tensor(np.zeros((1, 1, 4)))
        with self.assertRaises(TypeError):
            state.state = "h"
        with self.assertRaises(AttributeError):
            state.name = "x"

    def test_requests_do_not_share(self):
        other = self.compiled.create_infer_request()
        x = steps(2)
        first = self.request.infer([x])["y"]
        np.testing.assert_array_equal(other.infer([x])["y"], first)

    def test_a_state_outlives_its_request(self):
        self.request.infer([steps(2)])
        state = self.request.query_state()[0]
        expected = state.state.data.copy()
        del self.request, self.compiled
        gc.collect()
        np.testing.assert_array_equal(state.state.data, expected)

    def test_a_callback_may_hold_states_without_a_leak(self):
        class Keeper:
            pass

        keeper = Keeper()
        request = self.compiled.create_infer_request()
        keeper.states = request.query_state()
        request.set_callback(lambda _: keeper.states)
        gone = weakref.ref(keeper)
        del request, keeper
        gc.collect()
        self.assertIsNone(gone())

    def test_a_model_without_variables(self):
        request = rondo.compile_model(support.unary()).create_infer_request()
        self.assertEqual(request.query_state(), [])
        request.reset_state()


if __name__ == "__main__":
    support.main()
