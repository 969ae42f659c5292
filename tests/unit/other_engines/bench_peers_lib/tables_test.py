"""Columns line up, and what is missing says why."""

import unittest

import support
from bench_peers_lib import rows, tables


class TablesTest(unittest.TestCase):
    def test_three_digits_that_count(self):
        shown = [tables.microseconds(value) for value in (None, 0.0512, 1.234, 56.78, 123.4, 98765)]
        self.assertEqual(shown, ["-", "0.051", "1.23", "56.8", "123", "98765"])
        self.assertEqual((tables.ratio(2.345), tables.percent(0.756)), ("2.35x", "76 %"))

    def test_the_cells_of_a_row(self):
        refused = {"openvino": "RuntimeError: no"}
        line = dict(zip(tables.HEADER, tables.cells(support.row(refused=refused))))
        self.assertEqual(line["what"], "lstm H=64 N=1 T=100 D=1")
        self.assertEqual((line["rondo min"], line["median"]), ("9.00", "10.0"))
        self.assertEqual((line["onnxruntime"], line["openvino"], line["torch"]),
                         ("30.0", "refuses", "25.0"))
        self.assertEqual((line["ratio"], line["bound"]), ("2.50x", "L2"))

    def test_wrong_numbers_are_told_from_refusals(self):
        row = support.row(measured=support.times(rondo=1),
                          refused={"torch": "differs from the others by 3"})
        self.assertEqual(tables.peer_cell(row, "torch"), "differs")
        self.assertEqual(tables.peer_cell(row, "openvino"), "-")

    def test_rondo_refuses(self):
        row = support.row(measured=support.times(torch=1), refused={"rondo": "UnsupportedError: x"})
        self.assertEqual(tables.cells(row)[2:4], ("refuses", "-"))

    def test_columns_line_up(self):
        lines = tables.text_table([support.row(), support.row(hidden=1024)]).splitlines()
        self.assertEqual(len(lines), 3)
        self.assertEqual({line.rindex("  ") > 0 and len(line) for line in lines}, {len(lines[0])})

    def test_another_way_has_a_line_of_its_own(self):
        measured = {**support.times(rondo=10, torch=30),
                    rows.HALF: {"median_us": 5, "min_us": 4}}
        _, extra = tables.lines_of(support.row("weights", measured=measured))
        line = dict(zip(tables.HEADER, extra))
        self.assertEqual((line["what"].strip(), line["median"], line["ratio"]),
                         (rows.HALF, "5.00", "6.00x"))

    def test_one_direction_ran_on_one_thread(self):
        measured = {**support.times(rondo=10), rows.ONE_DIRECTION: {"median_us": 9, "min_us": 9}}
        _, extra = tables.lines_of(support.row("directions", 2, directions=2, measured=measured))
        self.assertEqual(extra[1], "1")

    def test_markdown(self):
        lines = tables.markdown_rows([support.row()]).splitlines()
        self.assertEqual(len(lines), 3)
        self.assertEqual({line.count("|") for line in lines}, {len(tables.HEADER) + 1})
        self.assertTrue(lines[1].startswith("| --- | ---: |"))


if __name__ == "__main__":
    support.main()
