#!/usr/bin/env python3
"""Runs a program of docs/samples/vad on a sound that espeak-ng speaks, and
checks what it prints and writes.

Usage: samples.py vad FOLDER COMMAND...
Exits with 77 and says why where the sound can't be made or the models are missing.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
from xml.etree import ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "docs/samples"
MODELS = pathlib.Path(os.environ.get("RONDO_MODELS", ROOT / "../shared/models")).resolve()
NEEDED = {"vad": ["silero_vad_v6"]}
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


def check_errors(command, folder, *outputs):
    """A rate that no model takes, a file that isn't there, and no arguments."""
    make_sound(folder, 22050)
    outputs = [folder / name for name in outputs]
    for words, message in (([folder / "noisy.wav", *outputs], "16000"),
                           ([folder / "nowhere.wav", *outputs], "nowhere.wav"), ([], "usage")):
        result = run([*command, *words])
        expect.assertEqual(result.returncode, 1)
        expect.assertIn(message, result.stderr)


def main(sample, folder, *command):
    reason = missing(sample)
    if reason:
        print(f"skipped: {reason}")
        return SKIPPED
    check = {"vad": check_vad}[sample]
    check(list(command), pathlib.Path(folder).resolve())
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
