#!/usr/bin/env python3
"""Runs the shell commands of the README and the guides.

Commands of `rondo` run as they are, in a folder that has `docs` and the files that a page takes for
granted. Commands that build, install or measure for minutes aren't run: the scripts, presets, targets
and programs that they name must be there, and scripts must know the options.
RONDO_COMMAND is the command's path. Exits with 77 where it isn't set.
"""

import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
RONDO = os.environ.get("RONDO_COMMAND", "")
MODELS = pathlib.Path(os.environ.get("RONDO_MODELS", ROOT / "../shared/models")).resolve()
SKIPPED = 77
FENCE = re.compile(r"^\s*```(\w*)\s*$")
SHELLS = ("sh", "bash", "shell", "console")
DIGITS = ROOT / "docs/samples/digits/digits_lstm.onnx"
DETECTOR = ROOT / "docs/examples/streaming/detector.xml"
# page -> {file that its commands read: where it comes from}; a folder of RONDO_MODELS may be absent.
GIVEN = {
    "docs/streaming.md": {"enc.onnx": MODELS / "dfn3_enc/model.onnx",
                          "gtcrn.onnx": MODELS / "gtcrn_simple/model.onnx",
                          "model.onnx": DIGITS,
                          "vad.onnx": MODELS / "silero_vad_v6/model.onnx"},
}
# What takes minutes -> what is run instead.
SHORTER = {"-streams max": "-streams 2", " -t 5": " -t 0.2"}
# Programs of the system, and those that the commands before have built.
SYSTEM = ("mkdir", "cp", "apt-get", "export", "docker", "kubectl", "vcpkg", "conan", "cpack", "ctest",
          "ffmpeg", "sox", "gst-launch-1.0")


def pages():
    return [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "packaging/README.md", "bindings/openvino/README.md")] + \
        sorted((ROOT / "docs").rglob("*.md"))


def blocks_of(text):
    """The lines of each block of shell, without comments, continued lines joined."""
    inside, lines, found = None, [], []
    for line in text.splitlines():
        fence = FENCE.match(line)
        if fence and inside is None:
            inside, lines = fence[1], []
        elif fence or line.strip() == "```":
            if inside in SHELLS:
                joined = "\n".join(lines).replace("\\\n", " ")
                found.append([one for one in map(without_comment, joined.splitlines()) if one])
            inside = None
        else:
            lines.append(line)
    return found


def without_comment(line):
    return re.sub(r"(^|\s)#\s.*$", "", line).strip()


def option_names(words):
    return [word.partition("=")[0] for word in words if re.match(r"--[a-z]", word)]


class Checker:
    """Looks whether what a command names is there, without running it."""

    def __init__(self):
        lists = [path.read_text() for path in ROOT.rglob("CMakeLists.txt")
                 if "build" not in path.relative_to(ROOT).parts]
        self.cmake = "\n".join(lists + [path.read_text() for path in
                                        (ROOT / "cmake").glob("*.cmake")])
        self.presets = re.findall(r'"name": "(\w+)"', (ROOT / "CMakePresets.json").read_text())

    def fault(self, command):
        """What is wrong with the command; empty if nothing is."""
        words = shlex.split(command)
        while words and re.match(r"\w+=", words[0]):
            words.pop(0)  # environment variables
        if not words:
            return ""
        program, arguments = words[0], words[1:]
        name = pathlib.Path(program).name
        if re.fullmatch(r"python3?|.*/bin/python", program) and arguments:
            if arguments[0] in ("-m", "-c"):
                return ""
            program, arguments = arguments[0], arguments[1:]
        if program.startswith(("tools/", "docs/", "tests/", "./tools/")):
            return self.script(ROOT / program, arguments)
        if name == "cmake":
            return self.configuration(arguments)
        if program.startswith("build/"):
            return "" if self.is_target(name) else f"no target makes {program}"
        if name in ("pip", *SYSTEM) or program.endswith("/bin/pip") or program.startswith("./fuzz_"):
            return ""
        return "" if program == "cd" else f"no rule for '{program}'"

    def is_target(self, name):
        # Some functions name a target after its source.
        return re.search(rf"(?<![\w/]){re.escape(name)}(\.cpp)?(?![\w.])", self.cmake) is not None

    def configuration(self, arguments):
        text = " ".join(arguments)
        for preset in re.findall(r"--preset (\w+)", text):
            if preset not in self.presets:
                return f"no preset '{preset}'"
        targets = re.search(r"--target ([\w ]+)", text)
        for target in (targets[1].split() if targets else []):
            if not self.is_target(target):
                return f"no target '{target}'"
        for option in re.findall(r"-D(RONDO_\w+)=", text):
            if option not in self.cmake:
                return f"no option {option}"
        sources = re.search(r"-S (\S+)", text)
        if sources and not (ROOT / sources[1] / "CMakeLists.txt").exists():
            return f"no CMakeLists.txt in {sources[1]}"
        return ""

    def script(self, path, arguments):
        if not path.is_file():
            return f"{path} is missing"
        if path.suffix != ".py":
            return "" if os.access(path, os.X_OK) else f"{path} can't be executed"
        text = path.read_text()
        folder = path.with_name(path.stem + "_lib")
        if folder.is_dir():
            text += "".join(one.read_text() for one in sorted(folder.glob("*.py")))
        unknown = [name for name in option_names(arguments) if f'"{name}"' not in text]
        return f"{path.name} has no {', '.join(unknown)}" if unknown else ""


class CommandsTest(unittest.TestCase):
    def test_other_commands_name_what_is_there(self):
        checker, count = Checker(), 0
        for page in pages():
            for block in blocks_of(page.read_text()):
                for command in block:
                    count += 1
                    if not runs_rondo(command):
                        self.assertEqual(checker.fault(command), "", f"{page.name}: {command}")
        self.assertGreater(count, 50)

    def test_commands_of_rondo_run(self):
        count = 0
        for page in pages():
            blocks = [block for block in blocks_of(page.read_text())
                      if any(map(runs_rondo, block))]
            if blocks:
                with self.subTest(page.name):
                    count += self.run_page(page.relative_to(ROOT).as_posix(), blocks)
        self.assertGreaterEqual(count, 12)

    def run_page(self, page, blocks):
        absent = {name: path for name, path in GIVEN.get(page, {}).items() if not path.exists()}
        count = 0
        with tempfile.TemporaryDirectory() as folder:
            make_sandbox(pathlib.Path(folder), page)
            for block in blocks:
                lacking = lacks(block, absent)
                if lacking:
                    print(f"{page}: not run, since there is no {', '.join(lacking)}: {block[0]}")
                else:
                    self.run_block(folder, page, block)
                    count += sum(map(runs_rondo, block))
        return count

    def run_block(self, folder, page, block):
        script = "\n".join(["set -eu", *block])
        for long, short in SHORTER.items():
            script = script.replace(long, short)
        path = f"{pathlib.Path(RONDO).parent}{os.pathsep}{os.environ['PATH']}"
        result = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True,
                                env={**os.environ, "PATH": path}, timeout=200, check=False)
        self.assertEqual(result.returncode, 0, f"{page}:\n{script}\n{result.stdout[-2000:]}"
                         f"{result.stderr[-2000:]}")


def runs_rondo(command):
    return command.startswith("rondo ")


def lacks(block, absent):
    """The absent files that the block names, or of which it names what was made (vad.xml)."""
    text = "\n".join(block)
    return [str(path) for name, path in absent.items()
            if re.search(rf"\b{pathlib.Path(name).stem}\.", text)]


def make_sandbox(folder, page):
    (folder / "docs").symlink_to(ROOT / "docs")
    for name, source in GIVEN.get(page, {}).items():
        if source.exists():
            shutil.copy(source, folder / name)
    # sr.npy: the sampling rate, one integer.
    header = "{'descr': '<i8', 'fortran_order': False, 'shape': (), }".ljust(117) + "\n"
    (folder / "sr.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) +
                                    header.encode() + struct.pack("<q", 16000))


if __name__ == "__main__":
    if not RONDO:
        print("skipped: RONDO_COMMAND isn't set")
        sys.exit(SKIPPED)
    unittest.main()
