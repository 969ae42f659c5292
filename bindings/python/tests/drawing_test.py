"""What notebooks show of a model."""

import contextlib
import os
import pathlib
import re
import shutil
import tempfile
import unittest
from unittest import mock
from xml.etree import ElementTree

import numpy as np
import rondo
import support
from rondo import _drawing
from rondo import opset15 as ops


@contextlib.contextmanager
def graphviz_that(does):
    """Its program is a shell script of these commands."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "dot"
        program.write_text(f"#!/bin/sh\n{does}\n")
        program.chmod(0o755)
        path = f"{folder}{os.pathsep}{os.environ['PATH']}"
        with mock.patch.dict(os.environ, {"PATH": path}):
            yield


class DrawingTest(unittest.TestCase):
    def setUp(self):
        self.model = rondo.Core().read_model(support.two_in_two_out((1, 4)))

    def test_the_table_has_each_node(self):
        page = ElementTree.fromstring(f"<div>{self.model._repr_html_()}</div>".replace("<br>", ""))
        ops = [row[0].text for row in page.iter("tr")]
        self.assertEqual(sorted(ops[1:]), ["Add", "Parameter", "Parameter", "Result", "Result",
                                           "Subtract"])
        text = " ".join(page.itertext())
        self.assertIn("inputs: a f32[1,4], b f32[1,4]", text)
        self.assertIn("difference f32[1,4]", text)

    def test_a_long_table_says_what_it_leaves_out(self):
        model = rondo.Core().read_model(support.slow_chain(_drawing.MOST_ROWS + 8, 2))
        self.assertIn("<p>10 more nodes are not shown.</p>", model._repr_html_())

    def test_the_graph_has_each_edge_once(self):
        dot = _drawing.to_dot(self.model)
        labels = dict(re.findall(r'^n(\d+) \[label="(\w+)', dot, re.MULTILINE))
        edges = [(labels[a], labels[b]) for a, b in re.findall(r"n(\d+) -> n(\d+)", dot)]
        self.assertEqual(sorted(edges), sorted(
            [("Parameter", "Add"), ("Parameter", "Add"), ("Parameter", "Subtract"),
             ("Parameter", "Subtract"), ("Add", "Result"), ("Subtract", "Result")]))
        self.assertIn('[label="f32[1,4]"]', dot)
        same = support.net([support.parameter(0, "x", (2,), "f32"),
                            support.layer(1, "Add", [(2,), (2,)], ((2,), "y")),
                            support.layer(2, "Result", [(2,)], None)],
                           [(0, 0, 1, 0), (0, 0, 1, 1), (1, 2, 2, 0)])
        self.assertEqual(_drawing.to_dot(rondo.Core().read_model(same)).count("->"), 2)

    def test_the_preparation_of_weights_is_left_out(self):
        x = ops.parameter([1, 2], np.float32, name="x")
        weights = ops.relu(ops.constant(np.ones((2, 2), np.float32)))
        model = rondo.Model([ops.matmul(x, weights, False, True)], [x])
        names = re.findall(r'^n\d+ \[label="(\w+)', _drawing.to_dot(model), re.MULTILINE)
        self.assertEqual(names, ["Parameter", "MatMul", "Result"])

    def test_nodes_of_bodies_are_counted(self):
        x, inner = ops.parameter([2], name="x"), ops.parameter([2], name="inner")
        flag = ops.parameter([], np.bool_, name="flag")
        yes, no = ops.result(ops.exp(ops.add(inner, [1, 1]))), ops.result(ops.constant([1.0, 2.0], "f32"))
        choice = ops.if_op(flag, name="choice")
        choice.set_then_body(rondo.Model([yes], [inner]))
        choice.set_else_body(rondo.Model([no], []))
        choice.set_input(x, inner, None)
        model = rondo.Model([choice.set_output(yes, no)], [flag, x])
        page = model._repr_html_()
        self.assertIn("<summary>4 nodes, 5 more in bodies</summary>", page)
        self.assertIn("bodies=5 nodes", page)
        self.assertIn("If\\nchoice\\n5 nodes in bodies", _drawing.to_dot(model))
        self.assertIn("<summary>6 nodes</summary>", self.model._repr_html_())

    def test_too_large_is_what_is_drawn(self):
        x = ops.parameter([1, 2], np.float32, name="x")
        weights = ops.constant(np.ones((2, 2), np.float32))
        for _ in range(5):
            weights = ops.relu(weights)
        model = rondo.Model([ops.matmul(x, weights, False, True)], [x])
        with graphviz_that('echo "<svg>"; cat; echo "</svg>"'):
            with mock.patch.object(_drawing, "MOST_BOXES", 3):
                self.assertIn("MatMul", model._repr_svg_())
            with mock.patch.object(_drawing, "MOST_BOXES", 2):
                self.assertIsNone(model._repr_svg_())

    def test_without_graphviz_there_is_no_drawing(self):
        with mock.patch.dict(os.environ, {"PATH": ""}):
            self.assertIsNone(self.model._repr_svg_())

    def test_graphviz_gets_the_graph(self):
        with graphviz_that('echo "<?xml?>"; echo "<svg>"; cat; echo "</svg>"'):
            drawn = self.model._repr_svg_()
        self.assertTrue(drawn.startswith("<svg>\ndigraph model {"), drawn)
        with graphviz_that("exit 1"):
            self.assertIsNone(self.model._repr_svg_())

    @unittest.skipIf(shutil.which("dot") is None, "graphviz is not installed")
    def test_what_graphviz_draws(self):
        drawn = ElementTree.fromstring(self.model._repr_svg_())
        texts = [element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
        self.assertIn("Subtract", texts)


if __name__ == "__main__":
    support.main()
