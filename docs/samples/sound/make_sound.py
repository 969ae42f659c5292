#!/usr/bin/env python3
"""Makes the sounds that the samples read: espeak-ng speaks, and noise is added.

    make_sound.py FOLDER [--rate 16000] [--snr 10]

writes speech.wav (clean), noisy.wav (with noise) and spoken.txt (from when to when someone
speaks, in seconds). The same machine makes the same files every time. Needs NumPy and espeak-ng.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np
from wav import read_wav, write_wav

# What is said, and the silence after it in seconds.
SENTENCES = [
    ("A rondo is a piece of music whose theme keeps returning.", 1.0),
    ("Live sound arrives in small chunks.", 1.4),
    ("Each stream keeps its own state.", 0.7),
    ("A thousand of them share one processor.", 1.2),
]
BEGIN = 0.8  # seconds of silence before the first sentence
SPEECH_LEVEL = 0.08  # root mean square of what is spoken; 1 is the loudest sample of a file


def speak(text, rate):
    """The sentence at `rate` samples a second, without silence at its ends."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "spoken.wav"
        subprocess.run(["espeak-ng", "-v", "en", "-s", "150", "-w", str(path), text], check=True)
        samples, spoken_rate = read_wav(path)
    loud = np.flatnonzero(np.abs(samples) > 0.01)
    return resample(samples[loud[0]:loud[-1] + 1], spoken_rate, rate)


def resample(samples, old_rate, new_rate, zeros=24):
    """By interpolation with a windowed sinc of so many zero crossings on each side."""
    cut = min(1.0, new_rate / old_rate) * 0.95  # the pass band, in halves of the old rate
    reach = int(np.ceil(zeros / cut))
    padded = np.pad(samples, reach)
    times = np.arange(int(len(samples) * new_rate / old_rate)) * (old_rate / new_rate)
    whole = np.floor(times).astype(int)
    result = np.zeros(len(times))
    for tap in range(1 - reach, reach + 1):
        distance = times - (whole + tap)
        window = 0.5 + 0.5 * np.cos(np.pi * distance / (reach + 1))
        result += padded[whole + tap + reach] * np.sinc(distance * cut) * cut * window
    return result


def make_noise(count, rate, random):
    """A fan: noise whose power falls with the frequency, and the hum of its motor."""
    spectrum = np.fft.rfft(random.standard_normal(count))
    frequency = np.fft.rfftfreq(count, 1 / rate)
    noise = np.fft.irfft(spectrum / np.sqrt(np.maximum(frequency, 50)), count)
    noise /= noise.std()
    time = np.arange(count) / rate
    return noise + sum(0.3 / k * np.sin(2 * np.pi * 120 * k * time + k) for k in (1, 2, 3))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rate", type=int, default=16000, help="samples a second")
    parser.add_argument("--snr", type=float, default=10, help="speech above the noise, in dB")
    options = parser.parse_args()
    if shutil.which("espeak-ng") is None:
        sys.exit("make_sound: espeak-ng is not installed; on Debian: apt install espeak-ng")

    rate = options.rate
    parts, spoken = [np.zeros(int(BEGIN * rate))], []
    for text, pause in SENTENCES:
        sentence = speak(text, rate)
        begin = sum(map(len, parts))
        spoken.append((begin, begin + len(sentence)))
        parts += [sentence, np.zeros(int(pause * rate))]
    speech = np.concatenate(parts)
    voiced = np.concatenate([speech[begin:end] for begin, end in spoken])
    speech *= SPEECH_LEVEL / np.sqrt(np.mean(voiced**2))
    noise = make_noise(len(speech), rate, np.random.default_rng(7))
    noise *= SPEECH_LEVEL / 10 ** (options.snr / 20) / noise.std()

    options.folder.mkdir(parents=True, exist_ok=True)
    write_wav(options.folder / "speech.wav", speech, rate)
    write_wav(options.folder / "noisy.wav", speech + noise, rate)
    lines = [f"{begin / rate:.3f} {end / rate:.3f}\n" for begin, end in spoken]
    (options.folder / "spoken.txt").write_text("".join(lines))
    print(f"{options.folder}: {len(speech) / rate:.2f} s of speech.wav and noisy.wav "
          f"({rate} Hz, {options.snr:g} dB)")


if __name__ == "__main__":
    main()
