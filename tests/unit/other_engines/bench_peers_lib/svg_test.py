"""Scales, ticks and a panel that is well-formed XML."""

import unittest
import xml.dom.minidom

import support
from bench_peers_lib import svg


class SvgTest(unittest.TestCase):
    def test_a_logarithmic_scale(self):
        scale = svg.LogScale(1, 100, 0, 200)
        self.assertEqual([round(scale(value)) for value in (1, 10, 100)], [0, 100, 200])

    def test_ticks(self):
        self.assertEqual(svg.log_ticks(0.9, 25), [1, 2, 5, 10, 20])
        self.assertEqual(svg.log_ticks(0.5, 12000), [1, 10, 100, 1000, 10000])

    def test_bounds_have_air(self):
        low, high = svg.padded([3, 3])
        self.assertTrue(low < 3 < high)
        self.assertGreaterEqual(high / low, 4)

    def draw(self, panel):
        text = svg.drawing(400, 300, panel.draw(50, 40, 300, 200))
        return xml.dom.minidom.parseString(text), text

    def test_points_lie_inside(self):
        line = svg.Line("a", "#000", [(32, 1.0), (64, 5.0), (128, 20.0)])
        document, _ = self.draw(svg.Panel("t < u & v", [line], "H"))
        circles = document.getElementsByTagName("circle")
        self.assertEqual(len(circles), 3)
        for circle in circles:
            self.assertTrue(50 <= float(circle.getAttribute("cx")) <= 350)
            self.assertTrue(40 <= float(circle.getAttribute("cy")) <= 240)
        heights = [float(circle.getAttribute("cy")) for circle in circles]
        self.assertEqual(heights, sorted(heights, reverse=True))

    def test_a_single_point_and_none(self):
        self.draw(svg.Panel("one", [svg.Line("a", "#000", [(32, 1.0)])], "H"))
        _, text = self.draw(svg.Panel("none", [svg.Line("a", "#000", [])], "H"))
        self.assertIn("not measured", text)

    def test_a_limit_is_dashed_without_marks(self):
        document, _ = self.draw(svg.Panel("t", [svg.Line("limit", "#000", [(1, 1), (2, 2)],
                                                         dashed=True)], "H"))
        self.assertEqual(len(document.getElementsByTagName("circle")), 0)
        self.assertIn("dashed", document.getElementsByTagName("polyline")[0].getAttribute("class"))


if __name__ == "__main__":
    support.main()
