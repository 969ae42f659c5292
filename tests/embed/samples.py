#!/usr/bin/env python3
"""Runs a program of docs/samples/vad or docs/samples/denoise on a sound that espeak-ng speaks, and
checks what it prints and writes.

Usage: samples.py vad|denoise FOLDER COMMAND...
Exits with 77 and says why where the sound can't be made or the models are missing.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import wave
import zlib
from xml.etree import ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "docs/samples"
MODELS = pathlib.Path(os.environ.get("RONDO_MODELS", ROOT / "../shared/models")).resolve()
NEEDED = {"vad": ["silero_vad_v6"],
          "denoise": ["dtln_pytorch_p1", "dtln_pytorch_p2", "dfn3_enc", "dfn3_erb_dec",
                      "dfn3_df_dec"]}
STREAMS = 20
SKIPPED = 77

expect = unittest.TestCase()


def missing(sample):
    """Why the sample can't run here; empty if it can."""
    if shutil.which("espeak-ng") is None:
        return "espeak-ng is not installed"
    try:
        import numpy  # noqa: F401
    except ImportError:
        return "this Python has no NumPy"
    absent = [name for name in NEEDED[sample] if not (MODELS / name / "model.onnx").exists()]
    return f"{MODELS} lacks {', '.join(absent)}: set RONDO_MODELS" if absent else ""


def run(command):
    environment = {**os.environ, "RONDO_MODELS": str(MODELS)}
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          timeout=200, check=False, env=environment)


def output_of(command):
    result = run(command)
    expect.assertEqual(result.returncode, 0, f"{command}\n{result.stdout}{result.stderr}")
    return result.stdout


def make_sound(folder, rate):
    output_of([sys.executable, SAMPLES / "sound/make_sound.py", folder, "--rate", rate])


def check_vad(command, folder):
    """The segments are what was said, and many streams give the bits of one."""
    make_sound(folder, 16000)
    picture = folder / "vad.svg"
    text = output_of([*command, folder / "noisy.wav", picture, STREAMS])
    print(text, end="")
    found = [(float(begin), float(end)) for begin, end in
             re.findall(r"^ *([0-9.]+) s +([0-9.]+) s +[0-9.]+ s   [01]\.\d+$", text, re.MULTILINE)]
    said = [tuple(map(float, line.split()))
            for line in (folder / "spoken.txt").read_text().splitlines()]
    expect.assertEqual(len(found), len(said), text)
    for (begin, end), (first, last) in zip(found, said):
        expect.assertAlmostEqual(begin, first, delta=0.15)
        expect.assertAlmostEqual(end, last, delta=0.4)
    drawn = ElementTree.parse(picture).getroot()
    expect.assertEqual(len(list(drawn.iter("{http://www.w3.org/2000/svg}rect"))), len(said) + 1)
    expect.assertLess(picture.stat().st_size, 100_000)
    expect.assertIn(f"\n{STREAMS} streams, as fast as possible ", text)
    expect.assertIn("differ from those of the sound alone: 0\n", text)
    expect.assertNotIn("one chunk at a time", text)
    check_errors(command, folder, "vad.svg")


def check_denoise(command, folder):
    """The noise falls by 4 dB or more, at both rates."""
    for rate in (16000, 48000):
        make_sound(folder, rate)
        clean, picture = folder / "clean.wav", folder / "picture.png"
        text = output_of([*command, folder / "noisy.wav", clean, picture, folder / "speech.wav"])
        print(text, end="")
        before, after = map(float, re.search(r"([0-9.]+) dB before, ([0-9.]+) dB", text).groups())
        expect.assertGreater(after, before + 4, text)
        with wave.open(str(folder / "noisy.wav")) as noisy, wave.open(str(clean)) as result:
            expect.assertEqual(noisy.getparams(), result.getparams())
        noisy_light, clean_light = lightness(picture)
        expect.assertLess(clean_light, noisy_light / 2)
    check_errors(command, folder, "clean.wav", "picture.png")


def check_errors(command, folder, *outputs):
    """A rate that no model takes, a file that isn't there, and no arguments."""
    make_sound(folder, 22050)
    outputs = [folder / name for name in outputs]
    for words, message in (([folder / "noisy.wav", *outputs], "16000"),
                           ([folder / "nowhere.wav", *outputs], "nowhere.wav"), ([], "usage")):
        result = run([*command, *words])
        expect.assertEqual(result.returncode, 1)
        expect.assertIn(message, result.stderr)


def lightness(path):
    """The mean level, 0 to 15, of the upper and the lower half of a PNG file of 16 colours."""
    data = path.read_bytes()
    expect.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
    expect.assertLess(len(data), 100_000)
    blocks, at = {}, 8
    while at < len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        name, body = data[at + 4:at + 8], data[at + 8:at + 8 + size]
        checksum = int.from_bytes(data[at + 8 + size:at + 12 + size], "big")
        expect.assertEqual(checksum, zlib.crc32(name + body))
        blocks[name] = body
        at += 12 + size
    expect.assertEqual(list(blocks), [b"IHDR", b"PLTE", b"IDAT", b"IEND"])
    width, height = (int.from_bytes(blocks[b"IHDR"][i:i + 4], "big") for i in (0, 4))
    expect.assertEqual(blocks[b"IHDR"][8:], bytes([4, 3, 0, 0, 0]))
    expect.assertEqual(len(blocks[b"PLTE"]), 3 * 16)
    pixels = zlib.decompress(blocks[b"IDAT"])
    line = 1 + width // 2
    expect.assertEqual(len(pixels), height * line)
    half = [pixels[:height // 2 * line], pixels[height // 2 * line:]]
    return [sum((byte >> 4) + (byte & 15) for byte in part) / len(part) / 2 for part in half]


def main(sample, folder, *command):
    reason = missing(sample)
    if reason:
        print(f"skipped: {reason}")
        return SKIPPED
    check = {"vad": check_vad, "denoise": check_denoise}[sample]
    check(list(command), pathlib.Path(folder).resolve())
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
