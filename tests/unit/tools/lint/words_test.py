"""Words, columns and paragraphs.

lint: allow(words): the words are what it tests.
"""

import unittest

import lint_tree

SENTENCES = {
    "ports that nobody reads": "nobody",
    "who asks for it": "who",
    "Infers all Anew.": "Anew",
    "immutable but for the runner": "but for",
    "is seldom so": "seldom",
    "it shall not": "shall",
    "be it or not": "be it",
    "as it was told": "told",
    "asked to let go": "let go",
    "lets go of it": "lets go",
    "in the hands of a helper": "in the hands of",
    "which looks after itself": "looks after",
    "worth its while": "worth its while",
}


METAPHORS = {
    "the node behind it": "behind",
    "what it stands for": "stands",
    "as it stood there": "stood",
    "Turned round by a Slice.": "Turned round",
    "a value that goes round": "goes round",
    "an output that hangs on it": "hangs on",
    "Nothing where it is open.": "Nothing where",
    "until nothing is left": "nothing is left",
    "another spelling of it": "spelling",
}


class WordsTest(lint_tree.TreeTest):
    def test_each_word(self):
        for sentence, word in SENTENCES.items():
            with self.subTest(sentence):
                self.write("core/graph/a.cpp", f"int a;  // {sentence}\n")
                faults = self.faults()
                self.assertEqual(faults.count("\n"), 0, faults)
                self.assertIn(f"core/graph/a.cpp:1: plain words: '{word}'; write", faults)

    def test_every_kind_of_text(self):
        for name in ("tools/a.py", "tools/a.sh", "docs/a.md", "README.md", "core/graph/a.hpp",
                     "cmake.txt"):
            with self.subTest(name):
                self.write(name, "// What nobody needs.\n#pragma once\n"
                           if name.endswith("hpp") else "# What nobody needs.\n")
                self.assertIn(f"{name}:1: plain words: 'nobody'", self.faults())
                self.write(name, "// A.\n#pragma once\n" if name.endswith("hpp") else "# A.\n")
                self.expect_clean()

    def test_words_that_only_look_so(self):
        self.write("core/graph/a.cpp", "// A whole shallow file that withholds nothing; tellg().\n")
        self.expect_clean()

    def test_a_file_may_have_its_words(self):
        self.write("docs/a.md", "What nobody needs.\n\n<!-- lint: allow(words): a quotation -->\n")
        self.expect_clean()

    def test_each_metaphor(self):
        for sentence, word in METAPHORS.items():
            with self.subTest(sentence):
                self.write("core/graph/a.cpp", f"int a;  // {sentence}\n")
                self.assertIn(f"core/graph/a.cpp:1: plain words: '{word}'; write", self.faults())

    def test_metaphors_in_every_kind_of_comment(self):
        for name, text, line in (("core/graph/a.cpp", "/* A.\nB behind it. */\n", 2),
                                 ("tools/a.py", '"""A.\n\nB behind it.\n"""\n', 3),
                                 ("tools/a.py", '"""B behind it."""\n', 1),
                                 ("tools/a.sh", "a  # behind it\n", 1),
                                 ("docs/a.md", "A\nbehind it.\n", 2)):
            with self.subTest(text):
                self.write(name, text)
                self.assertIn(f"{name}:{line}: plain words: 'behind'", self.faults())
                self.write(name, "// A.\n" if name.endswith("cpp") else "")

    def test_code_may_have_metaphors(self):
        self.write("core/graph/a.cpp", 'int behind = 1;\nconst char* a = "stands";  /* A. */\nint spelled;  // `behind` it\n')
        self.write("tools/a.py", '"""A."""\n\nbehind = "stands"\n')
        self.write("docs/a.md", "Stand-alone, and `behind`.\n\n```\nbehind\n```\n\n"
                   "<!-- list: begin -->\nbehind\n<!-- list: end -->\n")
        self.expect_clean()

    def test_not_yet(self):
        self.write("docs/a.md", "What nobody needs.\n")
        self.write("tools/lint/not_yet.txt", "# Rules.\nwords docs/b*\nsize docs/a.md\n")
        self.assertIn("nobody", self.faults())
        self.write("tools/lint/not_yet.txt", "# Rules.\nwords docs/*\n")
        self.expect_clean()

    def test_fragments(self):
        for comment in ("/// Of a slice: its owner.", "int a;  // Of the device.",
                        "/// An owner. Of a slice."):
            with self.subTest(comment):
                self.write("core/graph/a.cpp", comment + "\n")
                self.assertIn("a.cpp:1: plain words: a comment is a sentence", self.faults())
        self.write("core/graph/a.cpp", "// The owner of a slice.\n")
        self.expect_clean()
        self.write("docs/a.md", "Three rows are slow. Of these, one was disturbed.\n")
        self.expect_clean()

    def test_columns(self):
        self.write("docs/a.md", "x" * 140 + "\n")
        self.expect_clean()
        self.write("docs/a.md", "x" * 141 + "\n")
        self.expect_fault("docs/a.md:1: 141 columns; a document has at most 140")

    def test_paragraphs(self):
        fault = "docs/a.md:{}: a paragraph of a document has at most 4 lines"
        self.write("docs/a.md", "a\n" * 4 + "\n" + "b\n" * 4)
        self.expect_clean()
        self.write("docs/a.md", "a\n" * 4 + "\n" + "b\n" * 6)
        self.expect_fault(fault.format(10))
        self.write("docs/a.md", "- a\n" * 9 + "1. a\n" * 9 + "  - a\n" * 9)
        self.expect_clean()
        self.write("docs/a.md", "- a\n" + "  a\n" * 4)
        self.expect_fault(fault.format(5))
        self.write("docs/a.md", "```\n" + "a\n" * 9 + "```\n" + "| a |\n" * 9)
        self.expect_clean()


if __name__ == "__main__":
    unittest.main()
