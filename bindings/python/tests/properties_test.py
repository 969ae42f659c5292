"""Properties: Python's values for them, and what they give back."""

import pathlib
import sys
import tempfile
import types
import unittest

import numpy as np
import rondo
import rondo.properties as props
import rondo.properties.hint as hints
import support


class PropertiesTest(unittest.TestCase):
    def setUp(self):
        self.core = rondo.Core()

    def test_values_become_text_and_come_back(self):
        compiled = self.core.compile_model(support.unary(), "CPU", {
            "PERF_COUNT": True, "NUM_STREAMS": 1, "INFERENCE_NUM_THREADS": 1,
            "PERFORMANCE_HINT": "THROUGHPUT", "INFERENCE_PRECISION_HINT": rondo.Type.f32})
        self.assertIs(compiled.get_property("PERF_COUNT"), True)
        self.assertEqual(compiled.get_property("NUM_STREAMS"), 1)
        self.assertEqual(compiled.get_property("INFERENCE_NUM_THREADS"), 1)
        self.assertEqual(compiled.get_property("PERFORMANCE_HINT"), "THROUGHPUT")
        self.assertEqual(compiled.get_property("INFERENCE_PRECISION_HINT"), rondo.Type.f32)
        self.assertEqual(compiled.get_property("EXECUTION_DEVICES"), ["CPU"])
        self.assertIn("NUM_STREAMS", compiled.get_property(props.supported_properties))
        self.assertGreaterEqual(compiled.get_property(props.optimal_number_of_infer_requests), 1)

    def test_properties_of_a_device(self):
        self.core.set_property("CPU", {"PERF_COUNT": "YES"})
        self.assertIs(self.core.get_property("CPU", "PERF_COUNT"), True)
        self.core.set_property(types.MappingProxyType({props.enable_profiling: False}))
        self.assertIs(self.core.get_property("PERF_COUNT"), False)
        self.core.set_property(props.inference_num_threads(2))
        self.assertEqual(self.core.get_property("CPU", props.inference_num_threads), 2)
        self.core.set_property("CPU", hints.performance_mode(hints.PerformanceMode.LATENCY))
        self.assertEqual(self.core.get_property("CPU", hints.performance_mode()), "LATENCY")
        self.assertTrue(self.core.get_property("CPU", props.device.full_name))

    def test_the_log_has_a_level_and_a_callback(self):
        lines = []
        rondo.set_log_callback(lambda level, message: lines.append((level, message)))
        self.addCleanup(rondo.set_log_callback, None)
        self.addCleanup(self.core.set_property, {props.log.level: props.log.Level.NO})
        self.core.compile_model(support.unary())
        self.assertEqual(lines, [])
        self.core.set_property({props.log.level: props.log.Level.INFO})
        self.assertEqual(self.core.get_property(props.log.level), "LOG_INFO")
        self.core.compile_model(support.unary())
        self.assertIn("info", {level for level, _ in lines})
        self.assertTrue(any(message.startswith("compiled '") for _, message in lines), lines)
        with self.assertRaises(TypeError):
            rondo.set_log_callback(3)
        with self.assertRaisesRegex(rondo.ModelError, "'LOG_LEVEL': got 'loud'"):
            self.core.set_property({"LOG_LEVEL": "loud"})

    def test_what_a_log_callback_raises_is_reported(self):
        reports = []
        before, sys.unraisablehook = sys.unraisablehook, reports.append
        self.addCleanup(setattr, sys, "unraisablehook", before)
        rondo.set_log_callback(lambda level, message: 1 / 0)
        self.addCleanup(rondo.set_log_callback, None)
        self.addCleanup(self.core.set_property, {props.log.level: props.log.Level.NO})
        self.core.compile_model(support.unary(), "CPU", {"LOG_LEVEL": "LOG_INFO"})
        self.assertIs(reports[0].exc_type, ZeroDivisionError)

    def test_every_property_takes_pythons_values(self):
        values = {
            hints.performance_mode: hints.PerformanceMode.THROUGHPUT,
            hints.num_requests: 1,
            hints.enable_cpu_pinning: True,
            hints.inference_precision: rondo.Type.f32,
            props.num_streams: props.streams.Num.AUTO,
            props.inference_num_threads: 2,
            props.enable_profiling: True,
            props.intel_cpu.denormals_optimization: False,
            props.device.id: "",
        }
        compiled = self.core.compile_model(support.unary(), "CPU", values)
        for name, expected in {
                "PERFORMANCE_HINT": "THROUGHPUT", "PERFORMANCE_HINT_NUM_REQUESTS": 1,
                "ENABLE_CPU_PINNING": True, "NUM_STREAMS": 1, "INFERENCE_NUM_THREADS": 2,
                "PERF_COUNT": True, "CPU_DENORMALS_OPTIMIZATION": False,
                "LOADED_FROM_CACHE": False}.items():
            self.assertEqual(compiled.get_property(name), expected, name)
        self.assertEqual(props.streams.num, "NUM_STREAMS")
        self.assertEqual(self.core.get_property(props.available_devices), [""])

    def test_limits(self):
        core = rondo.Core()
        core.set_property({props.max_nodes: 2, props.max_iterations: 10**12})
        self.assertEqual(core.get_property("CPU", props.max_nodes), 2)
        self.assertEqual(core.get_property("CPU", "MAX_ITERATIONS"), 10**12)
        with self.assertRaisesRegex(rondo.UnsupportedError, "3 nodes; the limit is 2 .*MAX_NODES"):
            core.read_model(support.unary())
        compiled = rondo.compile_model(support.unary(), "CPU", {props.max_nodes: 3})
        self.assertEqual(compiled.get_property(props.max_nodes), 3)

    def test_the_model_cache(self):
        with tempfile.TemporaryDirectory() as folder:
            cache = pathlib.Path(folder) / "cache"
            path = pathlib.Path(folder) / "model.xml"
            model = self.core.read_model(support.unary())
            rondo.save_model(model, path)
            for source in (path, str(path), model):
                self.core.compile_model(source, "CPU", {props.cache_dir: cache})
                compiled = self.core.compile_model(source, "CPU", {props.cache_dir: cache})
                self.assertIs(compiled.get_property(props.loaded_from_cache), True, source)
            self.assertEqual(compiled.get_property("CACHE_DIR"), str(cache))
            with self.assertRaisesRegex(rondo.ModelError, "the folder '.*' can't be made"):
                self.core.compile_model(path, "CPU", {"CACHE_DIR": path / "below"})

    @unittest.skipUnless(sys.platform == "linux", "file names that are no UTF-8")
    def test_a_cache_whose_name_is_no_utf_8(self):
        with tempfile.TemporaryDirectory() as folder:
            for cache in (f"{folder}/c\udcff", pathlib.Path(folder, "d\udcff")):
                model = self.core.read_model(support.unary())
                for _ in range(2):
                    compiled = self.core.compile_model(model, "CPU", {props.cache_dir: cache})
                self.assertIs(compiled.get_property(props.loaded_from_cache), True)
                self.assertEqual(compiled.get_property("CACHE_DIR"), str(cache))
                self.assertTrue(pathlib.Path(cache).is_dir())

    def test_what_is_refused(self):
        compiled = rondo.compile_model(support.unary())
        for call, message in (
                (lambda: self.core.set_property({"NO_SUCH": 1}), "no property 'NO_SUCH'; there"),
                (lambda: self.core.set_property({"NUM_STREAMS": 1.5}),
                 "property 'NUM_STREAMS': got 1.5; expected a text, a whole number"),
                (lambda: self.core.set_property({"NUM_STREAMS": -3}), "'NUM_STREAMS': got '-3'"),
                (lambda: self.core.set_property({"NUM_STREAMS": "\udc80"}),
                 r"property 'NUM_STREAMS': got '\\udc80', which has lone surrogates"),
                (lambda: self.core.set_property({"\udc80": 1}),
                 r"a property's name: got '\\udc80', which has lone surrogates"),
                (lambda: self.core.set_property({3: 1}), "a property's name is a text, not 3"),
                (lambda: self.core.set_property("CPU", "PERF_COUNT"), "expected properties as"),
                (lambda: self.core.set_property({"FULL_DEVICE_NAME": "x"}), "can only be read"),
                (lambda: self.core.get_property("GPU", "NUM_STREAMS"), "unknown device 'GPU'"),
                (lambda: compiled.get_property("NO_SUCH"), "unknown property 'NO_SUCH'"),
                (lambda: rondo.compile_model(support.unary(), "GPU"), "unknown device 'GPU'")):
            with self.assertRaisesRegex(rondo.ModelError, message):
                call()

    def test_devices_and_versions(self):
        self.assertIn("CPU", self.core.available_devices)
        self.assertEqual(self.core.get_available_devices(), self.core.available_devices)
        version = self.core.get_versions("CPU")["CPU"]
        self.assertEqual(version.build_number, rondo.get_version())
        self.assertEqual(f"{version.major}.{version.minor}.{version.patch}", rondo.__version__)
        self.assertIn("CPU", version.description)
        with self.assertRaisesRegex(rondo.ModelError, "nowhere.so: can't load the plugin"):
            self.core.register_plugin("nowhere.so", "MINE")
            self.core.get_versions("MINE")


    def test_versions_name_the_commit(self):
        self.assertRegex(rondo.get_version(), r"^\d+\.\d+\.\d+(-[0-9a-f]{7,40}(-changed)?)?$")
        self.assertRegex(rondo.__version__, r"^\d+\.\d+\.\d+$")
        version = self.core.get_versions("REFERENCE")["REFERENCE"]
        self.assertIn(rondo.get_version(), repr(version))
        root = pathlib.Path(__file__).resolve().parents[3]
        if (root / ".git").exists():
            self.assertIn("-", version.build_number)


class MetricsTest(unittest.TestCase):
    def test_counts_inferences(self):
        compiled = rondo.Core().compile_model(support.unary())
        before = compiled.metrics()
        self.assertEqual((before.inferences, before.latency_histogram), (0, []))
        request = compiled.create_infer_request()
        for _ in range(3):
            request.infer({0: np.ones((1, 8), np.float32)})
        metrics = compiled.metrics()
        self.assertEqual((metrics.inferences, metrics.failed, metrics.running), (3, 0, 0))
        self.assertEqual(sum(count for _, count in metrics.latency_histogram), 3)
        self.assertLessEqual(metrics.latency_p50, metrics.latency_p99)
        self.assertLessEqual(metrics.latency_p99, metrics.latency_max)
        self.assertGreaterEqual(metrics.latency_histogram[-1][0], metrics.latency_max)
        self.assertIn("3 inferences, 0 failed", repr(metrics))


if __name__ == "__main__":
    support.main()
