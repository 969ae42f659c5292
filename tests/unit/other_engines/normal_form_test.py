"""The table of nodes: what counts, which models are worse, and its place in a document."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests" / "other_engines"))
import normal_form  # noqa: E402  (looked for first)


def row(cpu, openvino):
    made = normal_form.Row("model")
    made.file = made.portable = normal_form.counted(["LSTM", "Squeeze"])
    made.cpu = normal_form.counted(cpu)
    if openvino is not None:
        made.openvino = normal_form.counted(openvino)
        made.openvino_seconds = 0.0312
    made.seconds = 0.0012
    return made


class NormalFormTest(unittest.TestCase):
    def test_ports_and_constants_do_not_count(self):
        counts = normal_form.counted(["Parameter", "Const", "Input", "Gather", "Gather", "Output"])
        self.assertEqual(dict(counts), {"Gather": 2})

    def test_more_nodes_than_the_peer_is_behind(self):
        self.assertFalse(row(["A"], ["A"]).is_behind())
        self.assertTrue(row(["A", "B"], ["A"]).is_behind())
        self.assertFalse(row(["A", "B"], None).is_behind())

    def test_cells(self):
        self.assertEqual(normal_form.cells(row(["A"], ["A", "B"])),
                         ["model", "2", "2", "1", "2", "1.2", "31.2"])
        self.assertEqual(normal_form.cells(row(["A"], None))[4:], ["-", "1.2", "-"])

    def test_the_table_replaces_the_old_one(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            mark = normal_form.MARK + "\n"
            page.write_text("before\n" + mark + "old\n" + mark + "behind\n")
            normal_form.write_table(page, normal_form.table([row(["A"], None)]))
            text = page.read_text()
            self.assertTrue(text.startswith("before\n" + mark + "| model |"))
            self.assertTrue(text.endswith("| model | 2 | 2 | 1 | - | 1.2 | - |\n" + mark + "behind\n"))
            self.assertNotIn("old", text)

    def test_the_median(self):
        result, seconds = normal_form.median_seconds(lambda: 7, 3)
        self.assertEqual(result, 7)
        self.assertGreaterEqual(seconds, 0)


if __name__ == "__main__":
    unittest.main()
