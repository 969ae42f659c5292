"""Removes noise from a sound file, chunk by chunk, as from a microphone.

usage: denoise.py NOISY.wav CLEAN.wav PICTURE.png [SPEECH.wav]

A file of 16,000 samples a second goes through DTLN, one of 48,000 through DeepFilterNet 3. SPEECH is
the speech without noise: with it, the signal-to-distortion ratio is printed. docs/samples/denoise
"""

import os
import pathlib
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "sound"))
from deep_filter import DeepFilter  # noqa: E402
from dtln import Dtln  # noqa: E402
from spectrogram import draw  # noqa: E402
from wav import read_wav, write_wav  # noqa: E402


def clean(denoiser, samples):
    """As many samples as came, without the denoiser's delay, and the seconds of each push()."""
    silence = np.zeros(denoiser.delay + denoiser.hop, np.float32)  # brings the last samples out
    padded = np.concatenate([samples, silence])
    result, seconds = [], []
    for at in range(0, len(padded) - denoiser.hop + 1, denoiser.hop):
        start = time.perf_counter()
        result.append(denoiser.push(padded[at:at + denoiser.hop]))
        seconds.append(time.perf_counter() - start)
    return np.concatenate(result)[denoiser.delay:][:len(samples)], seconds


def si_sdr(speech, sound):
    """The scale-invariant signal-to-distortion ratio, in dB."""
    speech, sound = speech.astype(float), sound.astype(float)
    part = speech * (speech @ sound) / (speech @ speech)  # of the sound that is the speech
    return 10 * np.log10((part @ part) / ((sound - part) @ (sound - part)))


def main(noisy_path, clean_path, picture, speech_path=None):
    noisy, rate = read_wav(noisy_path)
    kinds = {kind.rate: kind for kind in (Dtln, DeepFilter)}
    if rate not in kinds:
        sys.exit(f"denoise: {noisy_path}: {rate} samples a second; expected 16000 or 48000")
    denoiser = kinds[rate](pathlib.Path(os.environ.get("RONDO_MODELS", "../shared/models")))
    result, seconds = clean(denoiser, noisy)
    write_wav(clean_path, result, rate)
    draw(picture, [noisy, result], rate)

    print(f"{len(noisy) / rate:.2f} s of sound in chunks of {denoiser.hop / rate * 1e3:.0f} ms, "
          f"{denoiser.delay / rate * 1e3:.0f} ms late")
    print(f"a chunk takes {np.median(seconds) * 1e3:.2f} ms (p99 "
          f"{np.quantile(seconds, 0.99) * 1e3:.2f} ms)")
    if speech_path is not None:
        speech, _ = read_wav(speech_path)
        before, after = si_sdr(speech, noisy), si_sdr(speech, result)
        print(f"signal to distortion: {before:.2f} dB before, {after:.2f} dB after")


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(*sys.argv[1:])
