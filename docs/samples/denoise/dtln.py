"""DTLN: a network that masks the spectrum, and one that masks what it learned to hear in samples.

N. L. Westhausen and B. T. Meyer, "Dual-Signal Transformation LSTM Network for Real-Time Noise
Suppression", Interspeech 2020.
"""

import numpy as np
import rondo

RATE = 16000
HOP = 128  # samples that arrive together: 8 ms
WINDOW = 512
DELAY = WINDOW - HOP  # a clean sample comes so many samples after the noisy one


class Dtln:
    """Cleans one stream, hop by hop."""

    rate, hop, delay = RATE, HOP, DELAY

    def __init__(self, folder):
        self.spectrum_mask = request_of(folder / "dtln_pytorch_p1/model.onnx", "out_state1")
        self.sample_mask = request_of(folder / "dtln_pytorch_p2/model.onnx", "out_state2")
        self.window = np.zeros(WINDOW, np.float32)  # the last samples that came
        self.sum = np.zeros(WINDOW, np.float32)  # of the windows that overlap

    def push(self, samples):
        """128 noisy samples in, 128 clean ones out."""
        self.window = np.concatenate([self.window[HOP:], samples])
        spectrum = np.fft.rfft(self.window)
        magnitude = np.abs(spectrum).astype(np.float32)
        masked = self.spectrum_mask.infer({"mag": magnitude.reshape(1, 1, -1)})["y1"].ravel()
        # The masked magnitudes with the phases of the noisy sound.
        better = np.fft.irfft(masked * np.exp(1j * np.angle(spectrum))).astype(np.float32)
        clean = self.sample_mask.infer({"y1": better.reshape(1, -1, 1)})["y"].ravel()
        self.sum = np.concatenate([self.sum[HOP:], np.zeros(HOP, np.float32)]) + clean
        return self.sum[:HOP]


def request_of(path, output):
    """The h and c of both LSTMs, which the model takes as inputs and gives joined in one output,
    become variables, which the request keeps from chunk to chunk.
    """
    model = rondo.Core().read_model(path)
    inputs = ("h1_in", "c1_in", "h2_in", "c2_in")
    model.make_stateful({name: f"{output}[{part}]" for part, name in enumerate(inputs)})
    return rondo.compile_model(model, "CPU").create_infer_request()
