"""Links between documents."""

import unittest

import lint_tree


class LinksTest(lint_tree.TreeTest):
    def test_files(self):
        self.write("docs/a.md", "[b](b.md), [a](../docs/a.md), [up](../README.md)\n")
        self.assertEqual(self.faults(), "\n".join(
            [f"docs/a.md:1: the link '{name}' leads nowhere" for name in ("b.md", "../README.md")]))
        self.write("docs/b.md", "B.\n")
        self.write("README.md", "See [docs](docs), [the site](https://example.org/nowhere.md).\n")
        self.expect_clean()

    def test_headings(self):
        self.write("docs/a.md", "[x](b.md#the-limit), [y](#a-b_c-1), [z](b.md#nothing)\n\n"
                   "# A `b_c`\n\n## A b_c\n")
        self.write("docs/b.md", "## [The](a.md) limit!\n\n```\n# nothing\n```\n")
        self.expect_fault("docs/a.md:1: the link 'b.md#nothing' names no heading")

    def test_pages_that_sources_name(self):
        self.write("core/graph/a.cpp", "int a;  // docs/a.md draws it.\n")
        self.expect_fault("core/graph/a.cpp:1: there is no docs/a.md")
        self.write("docs/a.md", "A.\n")
        self.expect_clean()

    def test_files_that_sources_name(self):
        self.write("core/graph/a.cpp", "int a;  // See core/graph/b.hpp.\n")
        self.expect_fault("core/graph/a.cpp:1: there is no core/graph/b.hpp")
        self.write("core/graph/b.hpp", "// B.\n#pragma once\n")
        self.expect_clean()

    def test_the_index_has_all_pages(self):
        self.write("docs/README.md", "[a](a.md#top)\n")
        self.write("docs/a.md", "# Top\n")
        self.write("docs/b.md", "B.\n")
        self.write("docs/samples/c.md", "C.\n")
        self.expect_fault("docs/b.md:1: docs/README.md doesn't list this page")

    def test_a_file_may_name_others(self):
        self.write("docs/a.md", "[b](b.md)\n\n<!-- lint: allow(links): an example -->\n")
        self.expect_clean()


if __name__ == "__main__":
    unittest.main()
