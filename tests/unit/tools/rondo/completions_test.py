#!/usr/bin/env python3
"""Asks bash and zsh what they complete, and compares it with what --help prints.

Usage: completions_test.py RONDO_COMMAND
"""

import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
SCRIPTS = ROOT / "tools/completions"
COMMAND = sys.argv.pop(1) if len(sys.argv) > 1 else "rondo"
COMMANDS = ["benchmark", "compare", "compile", "info", "quantize", "run"]
DRIVER = """
source {script}
COMP_WORDS=({words})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_rondo
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def help_of(command):
    return subprocess.run([COMMAND, command, "--help"], capture_output=True, text=True,
                          check=True).stdout


def completed(*words):
    quoted = " ".join(f"'{word}'" for word in (COMMAND, *words))
    text = DRIVER.format(script=SCRIPTS / "rondo.bash", words=quoted)
    result = subprocess.run(["bash", "-c", text], capture_output=True, text=True, check=False)
    if result.stderr:
        raise AssertionError(result.stderr)
    return sorted(result.stdout.split())


class BashTest(unittest.TestCase):
    def test_commands(self):
        self.assertEqual(completed(""), sorted([*COMMANDS, "help", "--help", "--version"]))
        self.assertEqual(completed("comp"), ["compare", "compile"])
        self.assertEqual(completed("help", ""), COMMANDS)

    def test_every_option_of_the_help(self):
        for command in COMMANDS:
            first_words = [line.split()[0] for line in help_of(command).splitlines()
                           if line.startswith("  ") and line.split()[0].startswith("-")]
            named = set(re.findall(r"--[a-z][a-z_-]*", ",".join(first_words)))
            self.assertGreater(len(named), 2, command)
            self.assertEqual(completed(command, "--"), sorted(named), command)  # each once

    def test_one_dash(self):
        self.assertIn("-data_shape", completed("benchmark", "-data"))
        self.assertEqual(completed("compile", "-stat"), ["-stateful"])

    def test_values(self):
        self.assertEqual(completed("compile", "--weights", ""), ["bf16", "f16", "f32"])
        self.assertEqual(completed("benchmark", "-api", "a"), ["async"])
        self.assertEqual(completed("benchmark", "-m", ""), [])  # a file: bash's own

    def test_values_by_every_name_of_an_option(self):
        for names, values in ((("-hint", "--hint", "--perf_hint"),
                               ["cumulative_throughput", "latency", "none", "throughput"]),
                              (("-api", "--api_type"), ["async", "sync"]),
                              (("-pcsort", "--perf_counts_sort"),
                               ["no_sort", "simple_sort", "sort"]),
                              (("-d", "--device", "--target_device"),
                               ["AUTO", "CPU", "REFERENCE"])):
            for name in names:
                self.assertEqual(completed("benchmark", name, ""), values, name)

    def test_values_behind_an_equals_sign(self):
        # As bash takes the words apart.
        self.assertEqual(completed("compile", "--weights", "=", "f"), ["f16", "f32"])
        self.assertEqual(completed("compile", "--weights", "="), ["bf16", "f16", "f32"])
        self.assertEqual(completed("benchmark", "--hint", "=", "l"), ["latency"])


@unittest.skipIf(shutil.which("zsh") is None, "zsh is not installed")
class ZshTest(unittest.TestCase):
    def test_the_script_is_read(self):
        subprocess.run(["zsh", "-n", SCRIPTS / "_rondo"], check=True)

    def test_options(self):
        text = f"""
            compadd() {{ print -l -- ${{@:#--}} }}
            _describe() {{ print -l -- ${{(P)2}} }}
            _files() {{ print files }}
            words=({COMMAND} compile --we) CURRENT=3 PREFIX=--we
            source {SCRIPTS / "_rondo"}
            words=({COMMAND} compile --weights '') CURRENT=4 PREFIX=
            _rondo
            words=({COMMAND} compile -m '') CURRENT=4 PREFIX=
            _rondo
            words=({COMMAND} '') CURRENT=2 PREFIX=
            _rondo
        """
        result = subprocess.run(["zsh", "-c", text], capture_output=True, text=True, check=False)
        self.assertEqual(result.stderr, "")
        lines = result.stdout.split("\n")
        for expected in ("--weights", "--stateful", "bf16", "files", "--version"):
            self.assertIn(expected, lines)
        self.assertTrue(any(line.startswith("info:") for line in lines), lines)


if __name__ == "__main__":
    unittest.main()
