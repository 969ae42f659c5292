"""The examples run, and the code in the guide is theirs or runs by itself."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import support

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "docs/examples"
DIGITS = ROOT / "docs/samples/digits/digits_lstm.onnx"
DETECTOR = EXAMPLES / "streaming/detector.xml"
STATEFUL = ROOT / "tests/data/ir/openvino_stateful.xml"
CHUNKS = ("rondo.save_model(rondo.Core().read_model(DETECTOR), 'enc.onnx')\n"
          "zeros = np.zeros((1, 1, 24), np.float32)\n"
          "audio = np.zeros((1, 10, 16), np.float32)\n"
          "chunks = [{'audio': audio, 'h': zeros, 'c': zeros}] * 3\n")
# page -> what its code takes for granted, besides the models and numpy.
GUIDES = {
    "README.md": "import rondo\nrondo.save_model(rondo.Core().read_model(MODEL), 'digits.xml')\n",
    "docs/embedding_python.md": "",
    "docs/security.md": "import rondo, shutil\nshutil.copy(MODEL, 'model.onnx')\n",
    "docs/streaming.md": "import rondo, shutil\nshutil.copy(MODEL, 'model.onnx')\n" + CHUNKS,
}
# Pages whose code is a part of the examples that tests/hosts runs.
OF_HOSTS = {"docs/more_than_one_machine.md", "docs/onnxruntime.md", "docs/triton.md"}
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(*arguments, cwd=None):
    return subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True,
                          timeout=120, check=False, cwd=cwd)


class ExamplesTest(unittest.TestCase):
    def test_hello(self):
        path = EXAMPLES / "hello_python.py"
        self.assertLessEqual(len(path.read_text().splitlines()), 30)
        result = run(path, DIGITS, "pixels", "1,8,8")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"^logits \(1, 10\) \[.*\]\n$")
        result = run(path, "nowhere.onnx", "x", "1")
        self.assertEqual((result.returncode, result.stderr[:21]), (1, "hello: nowhere.onnx: "))

    def test_streaming(self):
        result = run(EXAMPLES / "streaming_python.py", DETECTOR)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("in chunks and in one call: the same bits", result.stdout)

    def test_async(self):
        result = run(EXAMPLES / "async_python.py", DETECTOR)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout,
                         "^64 answers, the first 0.*; and: input 'audio': got an array")


class GuideTest(unittest.TestCase):
    def test_no_page_is_left_out(self):
        pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
        self.assertEqual({page.relative_to(ROOT).as_posix() for page in pages
                          if BLOCK.search(page.read_text())}, set(GUIDES) | OF_HOSTS)

    def test_code_for_other_programs_is_that_of_the_examples(self):
        lines = {line.strip() for path in EXAMPLES.glob("*.py")
                 for line in path.read_text().splitlines()}
        for page in OF_HOSTS:
            for block in BLOCK.findall((ROOT / page).read_text()):
                for line in filter(None, map(str.strip, block.splitlines())):
                    self.assertIn(line, lines, page)

    def test_their_code_runs(self):
        for page, first in GUIDES.items():
            with self.subTest(page):
                self.run_page(page, first)

    def run_page(self, page, first):
        blocks = BLOCK.findall((ROOT / page).read_text())
        prelude = (f"MODEL = {str(DIGITS)!r}\nDETECTOR = {str(DETECTOR)!r}\n"
                   f"STATEFUL = {str(STATEFUL)!r}\n"
                   "import numpy as np\n")
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "guide.py"
            program.write_text(prelude + first + "\n".join(blocks))
            result = run(program, cwd=folder)
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    support.main()
