"""Reads and writes sound files: one channel of 16-bit samples (.wav)."""

import wave

import numpy as np


def read_wav(path):
    """The samples, from -1 to 1, and how many there are a second."""
    with wave.open(str(path), "rb") as file:
        if file.getnchannels() != 1 or file.getsampwidth() != 2:
            raise ValueError(f"{path}: {file.getnchannels()} channels of {file.getsampwidth()} "
                             "bytes a sample; expected 1 of 2")
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2")
        return samples / np.float32(32768), file.getframerate()


def write_wav(path, samples, rate):
    """Louder samples than -1 to 1 are clipped."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(np.clip(np.rint(samples * 32768), -32768, 32767).astype("<i2").tobytes())
