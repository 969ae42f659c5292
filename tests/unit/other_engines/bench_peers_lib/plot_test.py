"""The picture shows what was measured: a row of panels a cell, a line a library."""

import unittest
import xml.dom.minidom

import support
from bench_peers_lib import plot


def grid(cell):
    return [support.row(cell=cell, hidden=hidden, batch=batch, time=time)
            for hidden in (32, 64) for batch in (1, 16) for time in (1, 100)]


def text_of(document):
    return [node.firstChild.data for node in document.getElementsByTagName("text")]


class PlotTest(unittest.TestCase):
    def test_panels(self):
        document = xml.dom.minidom.parseString(plot.draw(grid("lstm") + grid("gru")))
        words = text_of(document)
        self.assertIn("LSTM, N=1, T=1: microseconds a call", words)
        self.assertIn("GRU, lbr=1, T=100: ratio to the fastest peer", words)
        self.assertFalse([word for word in words if "lbr=0" in word])
        for name in ("rondo", "onnxruntime", "torch", "limit", "N=1", "N=16"):
            self.assertEqual(words.count(name), 1, name)
        self.assertNotIn("openvino", words)

    def test_a_step_of_many_is_a_part_of_the_call(self):
        line = plot.latency_lines([support.row(time=100)], 100)[0]
        self.assertEqual((line.name, line.points), ("rondo", [(64, 0.1)]))

    def test_only_one_direction_is_drawn(self):
        self.assertEqual(plot.grid_rows([support.row(directions=2)]), [])

    def test_nothing_measured(self):
        xml.dom.minidom.parseString(plot.draw([]))


if __name__ == "__main__":
    support.main()
