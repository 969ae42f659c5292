#!/usr/bin/env python3
"""FFmpeg and SoX run the LADSPA plugin over a file: the samples of `rondo run`, or of the denoisers
without a host.

Usage: ladspa_test.py PLUGIN OFFLINE RONDO. Exits with 77 if a program or NumPy is missing.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import wave

try:
    import numpy as np
except ImportError:
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = pathlib.Path(os.environ.get("RONDO_MODELS", ROOT / "../shared/models")).resolve()
# label -> rate, variable, models
LABELS = {
    "dtln": (16000, "RONDO_LADSPA_DTLN", ("dtln_pytorch_p1", "dtln_pytorch_p2")),
    "deep_filter_net": (48000, "RONDO_LADSPA_DEEP_FILTER_NET",
                        ("dfn3_enc", "dfn3_erb_dec", "dfn3_df_dec")),
    "gtcrn": (16000, "RONDO_LADSPA_GTCRN", ("gtcrn_simple",)),
}


def noise(count):
    return np.random.default_rng(1).uniform(-0.5, 0.5, count).astype(np.float32)


def write_frames_lstm(path):
    """x f32[1,T,16] -> y, an LSTM over frames of 16 samples."""
    import onnx
    from onnx import helper, numpy_helper

    size, random = 16, np.random.default_rng(7)

    def weights(name, *shape):
        return numpy_helper.from_array(
            random.uniform(-0.4, 0.4, shape).astype(np.float32), name)

    graph = helper.make_graph(
        [helper.make_node("LSTM", ["x", "W", "R"], ["all"], hidden_size=size, layout=1),
         helper.make_node("Squeeze", ["all", "direction"], ["y"])], "frames",
        [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1, "T", size])],
        [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [1, "T", size])],
        [weights("W", 1, 4 * size, size), weights("R", 1, 4 * size, size),
         numpy_helper.from_array(np.array([2]), "direction")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8),
              path)


class LadspaTest(unittest.TestCase):
    plugin = offline = rondo = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {**os.environ, "LADSPA_PATH": str(self.plugin.parent)}

    def run_program(self, *words, **options):
        result = subprocess.run([str(word) for word in words], env=self.environment, check=False,
                                capture_output=True, timeout=200, **options)
        self.assertEqual(result.returncode, 0, f"{words}\n{result.stderr.decode()[-2000:]}")
        return result.stdout

    def set_up_label(self, label):
        rate, variable, names = LABELS[label]
        paths = [MODELS / name / "model.onnx" for name in names]
        if not all(path.exists() for path in paths):
            self.skipTest(f"{MODELS} lacks {', '.join(names)}: set RONDO_MODELS")
        self.environment[variable] = ":".join(map(str, paths))
        return rate

    def ffmpeg(self, samples, rate, label, options="latency=1", channels=1):
        """What FFmpeg makes of the samples."""
        output = self.run_program(
            "ffmpeg", "-v", "error", "-f", "f32le", "-ar", rate, "-ac", channels, "-i", "-", "-af",
            f"ladspa=file={self.plugin.stem}:plugin={label}:{options}", "-f", "f32le", "-",
            input=samples.astype("<f4").tobytes())
        return np.frombuffer(output, "<f4")

    def without_host(self, samples, rate, label):
        return np.frombuffer(self.run_program(self.offline, label, rate,
                                              input=samples.tobytes()), "<f4")

    def test_ffmpeg_gives_what_the_denoisers_give(self):
        for label in LABELS:
            with self.subTest(label):
                rate = self.set_up_label(label)
                samples = noise(3 * rate + 123)
                self.assert_same(self.ffmpeg(samples, rate, label),
                                 self.without_host(samples, rate, label))

    def test_each_channel_is_a_stream(self):
        rate = self.set_up_label("gtcrn")
        samples = noise(4 * rate).reshape(-1, 2)
        result = self.ffmpeg(samples, rate, "gtcrn", channels=2).reshape(-1, 2)
        for channel in range(2):
            self.assert_same(result[:, channel],
                             self.without_host(samples[:, channel].copy(), rate, "gtcrn"))

    def test_a_whole_model_is_rondo_run(self):
        model = self.folder / "frames.onnx"
        write_frames_lstm(model)
        samples = noise(16 * 1000)
        np.save(self.folder / "x.npy", samples.reshape(1, -1, 16))
        self.run_program(self.rondo, "run", "-m", model, "-i", f"x={self.folder / 'x.npy'}", "-o",
                         self.folder / "out")
        expected = np.load(self.folder / "out/y.npy").ravel()
        self.environment["RONDO_LADSPA_SAMPLES"] = f"{model}:rate=8000:hop=16"
        self.assert_same(self.ffmpeg(samples, 8000, "samples"), expected)

    def test_gtcrn_is_rondo_run_between_transforms(self):
        rate, count, window = self.set_up_label("gtcrn"), 200, 512
        hop = window // 2
        samples = noise(count * hop)
        shape = np.sqrt(0.5 - 0.5 * np.cos(2 * np.pi * np.arange(window) / window))
        padded = np.concatenate([np.zeros(hop), samples]).astype(float)
        frames = np.stack([padded[i * hop:i * hop + window] for i in range(count)]) * shape
        spectra = np.fft.rfft(frames).T  # [257,frames]
        np.save(self.folder / "mix.npy",
                np.stack([spectra.real, spectra.imag], -1)[None].astype(np.float32))
        streaming = self.folder / "streaming.xml"
        self.run_program(self.rondo, "compile", MODELS / "gtcrn_simple/model.onnx", "-o", streaming,
                         "--streaming", "mix:2")
        inputs = ["-i", f"mix={self.folder / 'mix.npy'}"]
        for name, extents in (("conv_cache", (2, 1, 16, 16, 33)), ("tra_cache", (2, 3, 1, 1, 16)),
                              ("inter_cache", (2, 1, 33, 16))):
            np.save(self.folder / f"{name}.npy", np.zeros(extents, np.float32))
            inputs += ["-i", f"{name}={self.folder / name}.npy"]
        self.run_program(self.rondo, "run", "-m", streaming, *inputs, "-o", self.folder / "out")
        clean = np.load(self.folder / "out/enh.npy")[0]
        frames = np.fft.irfft((clean[..., 0] + 1j * clean[..., 1]).T) * shape
        expected = np.zeros(padded.size)
        for i, frame in enumerate(frames):
            expected[i * hop:i * hop + window] += frame
        result = self.ffmpeg(samples, rate, "gtcrn")
        np.testing.assert_allclose(result[:-hop], expected[hop:-hop], atol=2e-5)

    def test_sox_gives_what_the_denoisers_give(self):
        if shutil.which("sox") is None:
            self.skipTest("there is no sox")
        rate = self.set_up_label("gtcrn")
        samples = noise(2 * rate)
        raw = ("-t", "f32", "-r", rate, "-c", 1)
        output = self.run_program("sox", *raw, "-", *raw, "-", "ladspa", "-l", self.plugin.stem,
                                  "gtcrn", input=samples.tobytes())
        result = np.frombuffer(output, "<f4")
        expected = self.without_host(samples, rate, "gtcrn")[:result.size]
        self.assertGreater(result.size, samples.size - 1024)
        # SoX has samples as integers of 32 bits inside.
        np.testing.assert_allclose(result, np.clip(expected, -1, 1), atol=1e-6)

    def test_the_commands_of_the_guide(self):
        self.set_up_label("gtcrn")
        text = (ROOT / "docs/ladspa.md").read_text().partition("## The hosts")[2]
        commands = text.partition("```sh\n")[2].partition("```")[0]
        commands = re.sub(r"export LADSPA_PATH=\S+\n", "", commands)
        with wave.open(str(self.folder / "noisy.wav"), "wb") as file:
            file.setparams((1, 2, 44100, 0, "NONE", ""))
            file.writeframes((noise(44100) * 32767).astype("<i2").tobytes())
        self.environment |= {"RONDO_MODELS": str(MODELS),
                             "GST_REGISTRY": str(self.folder / "registry")}
        for command in commands.replace("\\\n", " ").splitlines():
            program = command.split()[0]
            if program != "export" and shutil.which(program):
                self.run_program("bash", "-c", command, cwd=self.folder)
        sizes = {path.name: path.stat().st_size for path in self.folder.glob("*.wav")}
        self.assertGreaterEqual(len(sizes), 3)
        for name, size in sizes.items():
            self.assertGreater(size, 16000, name)

    def test_another_rate_ends_ffmpeg_with_the_reason(self):
        self.set_up_label("gtcrn")
        result = subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=44100:d=1", "-af",
             f"ladspa=file={self.plugin.stem}:plugin=gtcrn", "-f", "null", "-"],
            env=self.environment, capture_output=True, text=True, check=False, timeout=60)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("ladspa_rondo: gtcrn: the sound has 44100 samples a second; expected 16000",
                      result.stderr)

    def assert_same(self, result, expected):
        self.assertEqual(result.size, expected.size)
        np.testing.assert_array_equal(result, expected)


if __name__ == "__main__":
    if shutil.which("ffmpeg") is None:
        print("skipped: there is no ffmpeg")
        sys.exit(77)
    LadspaTest.rondo = pathlib.Path(sys.argv.pop())
    LadspaTest.offline = pathlib.Path(sys.argv.pop())
    LadspaTest.plugin = pathlib.Path(sys.argv.pop())
    unittest.main()
