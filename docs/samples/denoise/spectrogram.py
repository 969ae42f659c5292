"""Draws spectrograms, one below the other: time to the right, 0 to 8 kHz upwards, 80 dB."""

import pathlib
import struct
import zlib

import numpy as np

WIDTH, HEIGHT, GAP = 600, 128, 4  # pixels
HIGHEST = 8000  # Hz
# 16 colours, from silence to the loudest: black, violet, orange, yellow.
COLOURS = np.array([[np.interp(i, (0, 6, 11, 15), channel) for channel in
                     ((0, 110, 240, 255), (0, 30, 110, 250), (15, 120, 30, 160))]
                    for i in range(16)]).astype(np.uint8)


def levels(samples, rate, loudest):
    """[HEIGHT,WIDTH] of 0 to 15."""
    window = int(rate * 0.032)
    starts = np.linspace(0, len(samples) - window, WIDTH).astype(int)
    frames = np.stack([samples[start:start + window] for start in starts]) * np.hanning(window)
    power = np.abs(np.fft.rfft(frames))[:, :int(HIGHEST * 0.032)]
    rows = power.reshape(WIDTH, HEIGHT, -1).max(axis=2).T[::-1]
    decibels = 20 * np.log10(rows / window / loudest + 1e-9)
    return np.clip(np.floor((decibels + 100) / 80 * 16), 0, 15).astype(np.uint8)


def draw(path, sounds, rate):
    """Writes a PNG file of 16 colours."""
    loudest = max(np.abs(samples).max() for samples in sounds)
    gap = np.full((GAP, WIDTH), 15, np.uint8)
    rows = np.concatenate([part for samples in sounds
                           for part in (levels(samples, rate, loudest), gap)][:-1])
    packed = rows[:, 0::2] << 4 | rows[:, 1::2]  # two pixels a byte
    lines = b"".join(b"\0" + row.tobytes() for row in packed)  # 0: the pixels as they are
    header = struct.pack(">IIBBBBB", WIDTH, len(rows), 4, 3, 0, 0, 0)  # 4 bits, by palette
    pathlib.Path(path).write_bytes(
        b"\x89PNG\r\n\x1a\n" + block(b"IHDR", header) + block(b"PLTE", COLOURS.tobytes())
        + block(b"IDAT", zlib.compress(lines, 9)) + block(b"IEND", b""))


def block(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
