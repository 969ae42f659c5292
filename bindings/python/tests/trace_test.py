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
        self.assertEqual(events[0]["args"]["name"], "rondo")
        self.assertEqual(events[1]["args"]["name"], "inference")
        self.assertEqual(events[-1]["name"], slices[-1].node_name)
        self.assertEqual(events[-1]["ts"], slices[-1].start_ns / 1e3)

    def test_the_file_has_the_form_of_chromes_traces(self):
        compiled = rondo.compile_model(support.unary(), "CPU", {"PERF_TRACE": True})
        request = compiled.create_infer_request()
        request.infer(np.zeros((1, 8), np.float32))
        named = set()
        for event in rondo.trace.events(request.get_trace()):
            self.assertIsInstance(event["name"], str)
            self.assertIsInstance(event["pid"], int)
            self.assertIsInstance(event["tid"], int)
            if event["ph"] == "M":
                self.assertIn(event["name"], ("process_name", "thread_name"))
                self.assertIsInstance(event["args"]["name"], str)
                named.add(event["tid"])
                continue
            self.assertEqual(event["ph"], "X")
            self.assertIn(event["tid"], named)
            self.assertGreaterEqual(event["ts"], 0)
            self.assertGreaterEqual(event["dur"], 0)

    def test_there_is_none_unless_asked_for(self):
        request = rondo.compile_model(support.unary(), "CPU").create_infer_request()
        request.infer(np.zeros((1, 8), np.float32))
        self.assertEqual(request.get_trace(), [])


if __name__ == "__main__":
    support.main()
