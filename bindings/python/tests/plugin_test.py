"""A device from a shared library: docs/samples/plugin, whose path is the argument."""

import pathlib
import sys
import unittest

import numpy as np
import rondo
import support

GUARD = sys.argv.pop(1)


class PluginTest(unittest.TestCase):
    def setUp(self):
        self.core = rondo.Core()
        self.core.register_plugin(pathlib.Path(GUARD), "GUARD")

    def test_runs_models(self):
        self.assertEqual(self.core.available_devices[-1], "GUARD")
        self.assertIn("must be finite", self.core.get_versions("GUARD")["GUARD"].description)
        compiled = self.core.compile_model(support.passing("f32"), "GUARD")
        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        np.testing.assert_array_equal(compiled({"x": x})["y"], x)
        x[1, 2] = np.inf
        with self.assertRaisesRegex(rondo.ModelError,
                                    r"^device GUARD: output 'y' is NaN or infinite at \[1,2\]"):
            compiled({"x": x})

    def test_properties_are_those_of_the_cpu(self):
        self.core.set_property("GUARD", {"NUM_STREAMS": 2})
        compiled = self.core.compile_model(support.unary(), "GUARD")
        self.assertEqual(compiled.get_property("NUM_STREAMS"), 2)
        with self.assertRaisesRegex(rondo.ModelError, "device GUARD: property 'NUM_STREAMS'"):
            self.core.set_property("GUARD", {"NUM_STREAMS": -3})

    def test_a_name_is_given_once(self):
        with self.assertRaisesRegex(rondo.ModelError, "there is a device 'GUARD' already"):
            self.core.register_plugin(GUARD, "GUARD")


if __name__ == "__main__":
    support.main()
