"""C++ functions are found whatever is around them, and measured."""

import unittest

import lint_tree

SOURCE = "core/graph/a.cpp"
HEAD = '#include "core/graph/a.hpp"\n'


class FunctionsTest(lint_tree.TreeTest):
    def source(self, text):
        self.write(SOURCE, HEAD + text)

    def test_a_long_function(self):
        for head in ("int f(int a)", "A::A(int a) : a_(a), b_{a}", "auto f() -> std::vector<int>",
                     "template <typename T, typename U = A<T>>\nT A<T>::f(const T& a) const noexcept",
                     "bool operator==(const A& a, const A& b)"):
            self.source(f"namespace a {{\nclass B {{\n{head} {{\n" + "    g();\n" * 57 + "}\n};\n}\n")
            self.expect_clean()
            self.source(f"namespace a {{\nclass B {{\n{head} {{\n" + "    g();\n" * 59 + "}\n};\n}\n")
            self.assertIn("lines; a function has at most 60", self.faults(), head)

    def test_many_parameters(self):
        six = "int a, std::map<int, int> b, F (*c)(int, int), int d = f(1, 2), int e, int f"
        self.source(f"void g({six}) {{\n}}\n")
        self.expect_clean()
        self.source(f"void g({six}, int h) {{\n}}\n")
        self.expect_fault(f"{SOURCE}:2: g has 7 parameters; expected at most 6")

    def test_deep_nesting(self):
        text = "void f() {\n for (;;) {\n if (a) {\n  } else {\n while (b) {\n%s } } }\n}\n"
        self.source(text % "g({1, 2}, [&](int x) { h(x); });")
        self.expect_clean()
        self.source(text % "do { g(); } while (c);")
        self.expect_fault(f"{SOURCE}:2: f nests 4 levels; expected at most 3")

    def test_a_bool_beside_another(self):
        self.source("void f(bool a, int b, bool c) {}\n")
        self.expect_clean()
        self.source("void f(int a, bool b, const bool c) {}\n")
        self.expect_fault(f"{SOURCE}:2: f takes a bool beside another; options structs name them")
        self.source("// lint: allow(functions): why\nvoid f(bool a, bool b) {}\n")
        self.expect_clean()

    def test_what_is_no_function(self):
        rows = "    {1, f(2), {3}},\n" * 70
        self.source(f"constexpr Row kRows[] = {{\n{rows}}};\nconst auto a = std::to_array({{\n{rows}}});\n"
                    f"enum class E : int {{\n{rows}}};\n#define A(x) {{ \\\n x }}\n"
                    f'// void f() {{\nextern "C" {{\n{rows}}}\n')
        self.expect_clean()


if __name__ == "__main__":
    unittest.main()
