"""DeepFilterNet 3: gains for 32 bands, and for the low frequencies a filter over five frames.

H. Schröter, A. N. Escalante-B., T. Rosenkranz, A. Maier, "DeepFilterNet: A Low Complexity Speech
Enhancement Framework for Full-Band Audio based on Deep Filtering", ICASSP 2022, and "DeepFilterNet:
Perceptually Motivated Real-Time Speech Enhancement", Interspeech 2023.
"""

import collections

import numpy as np
import rondo

RATE = 48000
HOP = 480  # samples that arrive together: 10 ms
WINDOW = 2 * HOP
BANDS = 32  # of the ERB scale, on which bands sound equally wide
LEAST_BINS = 2  # of a band
FILTERED = 96  # bins up to 4.8 kHz, which the deep filter makes
TAPS = 5  # frames that it reads
LOOKAHEAD = 2  # of them are later than the frame that it makes
KEPT = 0.99  # of a running mean, a frame; the rest is new: a time constant of 1 s


def band_sizes():
    """How many bins of the spectrum each band has."""
    bins = WINDOW // 2 + 1
    widest = 9.265 * np.log(1 + RATE / 2 / (24.7 * 9.265))  # the highest frequency on the ERB scale
    edges = 24.7 * 9.265 * np.expm1(widest * np.arange(1, BANDS + 1) / BANDS / 9.265)
    sizes, end = [], 0
    for edge in np.floor(edges * WINDOW / RATE + 0.5).astype(int):
        sizes.append(max(edge - end, LEAST_BINS))
        end += sizes[-1]
    sizes[-1] += bins - end
    return np.array(sizes)


class DeepFilter:
    """Cleans one stream, hop by hop."""

    rate, hop, delay = RATE, HOP, HOP + LOOKAHEAD * HOP

    def __init__(self, folder):
        self.encoder = request_of(folder / "dfn3_enc/model.onnx")
        self.band_decoder = request_of(folder / "dfn3_erb_dec/model.onnx")
        self.filter_decoder = request_of(folder / "dfn3_df_dec/model.onnx")
        self.sizes = band_sizes()
        self.starts = np.cumsum(self.sizes) - self.sizes
        ramp = np.sin(np.pi * (np.arange(WINDOW) + 0.5) / WINDOW)
        self.shape = np.sin(np.pi / 2 * ramp**2)  # squares of two that overlap add up to 1
        self.last_samples = np.zeros(HOP)
        self.last_half = np.zeros(HOP)  # of the window before, which overlaps the next one
        self.band_mean = np.linspace(-60, -90, BANDS)  # in dB
        self.bin_mean = np.linspace(0.001, 0.0001, FILTERED)
        self.frames = collections.deque([np.zeros(WINDOW // 2 + 1, complex)] * TAPS, TAPS)

    def push(self, samples):
        """480 noisy samples in, 480 clean ones out."""
        window = np.concatenate([self.last_samples, samples]) * self.shape
        self.last_samples = samples
        spectrum = np.fft.rfft(window) / WINDOW
        self.frames.append(spectrum)
        encoded = self.encoder.infer({
            "feat_erb": self.band_features(spectrum).astype(np.float32).reshape(1, 1, 1, BANDS),
            "feat_spec": self.bin_features(spectrum).astype(np.float32).reshape(1, 2, 1, FILTERED)})
        gains = self.band_decoder.infer(
            {name: encoded[name] for name in ("emb", "e3", "e2", "e1", "e0")})["m"].ravel()
        taps = self.filter_decoder.infer(
            {name: encoded[name] for name in ("emb", "c0")})["coefs"].reshape(FILTERED, TAPS, 2)

        # The networks have seen LOOKAHEAD frames more than the one that is made now.
        clean = self.frames[TAPS - 1 - LOOKAHEAD] * np.repeat(gains, self.sizes)
        taps = taps[..., 0] + 1j * taps[..., 1]
        clean[:FILTERED] = sum(taps[:, i] * frame[:FILTERED] for i, frame in enumerate(self.frames))
        window = np.fft.irfft(clean * WINDOW) * self.shape
        result = self.last_half + window[:HOP]
        self.last_half = window[HOP:]
        return result

    def band_features(self, spectrum):
        """The power of each band in dB, above its running mean, in units of 40 dB."""
        power = np.add.reduceat(np.abs(spectrum)**2, self.starts) / self.sizes
        level = 10 * np.log10(power + 1e-10)
        self.band_mean = KEPT * self.band_mean + (1 - KEPT) * level
        return (level - self.band_mean) / 40

    def bin_features(self, spectrum):
        """The low bins, each divided by the root of its running mean magnitude: [2,FILTERED]."""
        low = spectrum[:FILTERED]
        self.bin_mean = KEPT * self.bin_mean + (1 - KEPT) * np.abs(low)
        low = low / np.sqrt(self.bin_mean)
        return np.stack([low.real, low.imag])


def request_of(path):
    """The model takes whole sequences; here it takes them frame by frame, and keeps the frames
    that its convolutions read and the states of its GRUs."""
    model = rondo.Core().read_model(path)
    model.make_streaming()
    return rondo.compile_model(model, "CPU").create_infer_request()
