"""What a compiled model keeps of its weights, and where they come from when they are needed again."""

import io
import os
import pathlib
import sys
import tempfile
import unittest

import numpy as np
import rondo
import support

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "tests/other_engines"))
import memory  # noqa: E402  (pylint: disable=wrong-import-position)

MIB = 2**20
MEGABYTES = 16
SLACK = 2 * MIB  # of the allocator


class Measured(unittest.TestCase):
    def test_a_compiled_model_takes_what_its_weights_take(self):
        module = pathlib.Path(rondo.__file__).parents[1]
        with tempfile.TemporaryDirectory() as folder:
            rows = list(memory.rows_of(module, pathlib.Path(folder), MEGABYTES))
        self.assertEqual(len(rows), len(memory.RONDO_WAYS))
        for what, weights, figures in rows:
            with self.subTest(what, **figures):
                self.assertLessEqual(figures["after"], 1.1 * weights + SLACK)
                self.assertLessEqual(figures["peak"], 2.1 * weights + SLACK)


class Released(unittest.TestCase):
    """A model of 1 MB, whose layers have packed all weights."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        folder = pathlib.Path(self.folder.name)
        memory.write_models(folder, 1)
        self.core = rondo.Core()
        self.path = folder / "model.onnx"
        self.other = folder / "external.onnx"
        self.x = np.random.default_rng(3).uniform(-1, 1, (1, 1, 128)).astype(np.float32)

    def run_model(self, compiled):
        return compiled([self.x])[0].copy()

    def expect_whole(self, compiled, expected):
        """The model runs, is exported and saved, with the bits that it had."""
        np.testing.assert_array_equal(self.run_model(compiled), expected)
        exported = io.BytesIO(compiled.export_model())
        imported = self.core.import_model(exported, "CPU")
        np.testing.assert_array_equal(self.run_model(imported), expected)
        again = self.core.compile_model(compiled.get_runtime_model(), "CPU")
        np.testing.assert_array_equal(self.run_model(again), expected)
        saved = str(self.path.with_name("saved.xml"))
        rondo.save_model(compiled.get_runtime_model(), saved, compress_to_fp16=False)
        np.testing.assert_array_equal(self.run_model(self.core.compile_model(saved)), expected)

    def test_weights_come_back_from_every_kind_of_file(self):
        expected = self.run_model(self.core.compile_model(str(self.path)))
        cache = str(self.path.with_name("cache"))
        for path in self.path, self.other:
            for settings in {}, {"CACHE_DIR": cache}, {"CACHE_DIR": cache}:
                with self.subTest(path=path, settings=settings):
                    self.expect_whole(self.core.compile_model(str(path), "CPU", settings), expected)
            model = self.core.read_model(str(path))
            compiled = self.core.compile_model(model, "CPU")
            del model
            self.expect_whole(compiled, expected)
        from_memory = self.core.read_model(self.path.read_bytes())
        self.expect_whole(self.core.compile_model(from_memory, "CPU"), expected)

    def test_another_file_may_take_the_path(self):
        compiled = self.core.compile_model(str(self.path))
        expected = self.run_model(compiled)
        os.replace(self.other, self.path)
        self.expect_whole(compiled, expected)
        self.path.unlink()
        self.expect_whole(compiled, expected)

    def test_a_change_in_place_is_an_error(self):
        for path, changed in (self.path, self.path), (self.other, self.other.with_suffix(".bin")):
            compiled = self.core.compile_model(str(path))
            expected = self.run_model(compiled)
            with open(changed, "r+b") as file:
                file.seek(1000)
                file.write(b"other")
            for use in compiled.export_model, compiled.get_runtime_model:
                with self.assertRaisesRegex(rondo.Error,
                                            f"{changed.name}: the file was changed in place"):
                    use()
            np.testing.assert_array_equal(self.run_model(compiled), expected)

    def test_stream_pools_prove_the_rows_of_the_whole_graph(self):
        with self.core.compile_model(str(self.path)).create_stream_pool() as pool:
            stream = pool.open()
            self.assertEqual(stream.push([self.x]).result()[0].shape, (1, 1, 128))


if __name__ == "__main__":
    support.main()
