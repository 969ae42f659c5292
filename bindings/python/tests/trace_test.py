"""Traces: what each thread did for which node, and the file for Perfetto."""

import json
import pathlib
import tempfile
import unittest

import numpy as np
import rondo
import support


class TraceTest(unittest.TestCase):
    def test_a_trace_says_when_each_node_ran(self):
        compiled = rondo.compile_model(support.unary(), "CPU", {"PERF_TRACE": True})
        request = compiled.create_infer_request()
        self.assertEqual(request.get_trace(), [])
        request.infer(np.zeros((1, 8), np.float32))
        slices = request.get_trace()
        self.assertTrue(slices)
        self.assertEqual(slices[0].thread, 0)
        self.assertIsNone(slices[0].part)
        self.assertGreater(slices[0].duration_ns, 0)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "trace.json"
            rondo.trace.save(path, slices)
            events = json.loads(path.read_text())["traceEvents"]
        self.assertEqual(events[0]["args"]["name"], "inference")
        self.assertEqual(events[-1]["name"], slices[-1].node_name)
        self.assertEqual(events[-1]["ts"], slices[-1].start_ns / 1e3)

    def test_there_is_none_unless_asked_for(self):
        request = rondo.compile_model(support.unary(), "CPU").create_infer_request()
        request.infer(np.zeros((1, 8), np.float32))
        self.assertEqual(request.get_trace(), [])


if __name__ == "__main__":
    support.main()
