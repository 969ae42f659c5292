"""Data members are counted, and nothing else."""

import unittest

import lint_tree

HEADER = "plugins/cpu/kernels/k.hpp"


def class_of(count, kind="class", rest=""):
    fields = "".join(f"    std::function<int(int)> a{i}_{{1}};\n" for i in range(count))
    return f"// K.\n#pragma once\n{kind} K final : public Base<K> {{\npublic:\n{rest}{fields}}};\n"


class MembersTest(lint_tree.TreeTest):
    def setUp(self):
        super().setUp()
        self.write("tests/unit/plugins/cpu/kernels/CMakeLists.txt", "k_test.cpp")
        self.write("tests/unit/plugins/cpu/kernels/k_test.cpp", "")

    def test_a_large_class(self):
        self.write(HEADER, class_of(12))
        self.expect_clean()
        self.write(HEADER, class_of(13))
        self.expect_fault(f"{HEADER}:3: K has 13 members; a class has at most 12")
        self.write(HEADER, class_of(13, "struct"))
        self.assertIn("K has 13 members", self.faults())

    def test_a_line_says_why(self):
        self.write(HEADER, class_of(13) + "// lint: allow(members): arguments of one call\n")
        self.expect_clean()

    def test_other_folders(self):
        self.write(HEADER, class_of(1))
        self.write("core/graph/a.hpp", class_of(30))
        self.expect_clean()

    def test_what_is_no_data(self):
        rest = ("    K(int a, int b) : a0_(a) { f(); }\n"
                "    static constexpr int kA = 1;\n    using T = int;\n    friend class L;\n"
                "    int f() const { return 1; }\n    virtual void g() = 0;\n    enum class E { a, b };\n"
                "    int h(int) const;\n    bool operator==(const K&) const = default;\n"
                "    // int b;\n    struct Inner { int x; int y; };\n    template <typename T>\n"
                "    T t() { if (x) { y; } return {}; }\n")
        self.write(HEADER, class_of(12, rest=rest))
        self.expect_clean()

    def test_every_form_of_data(self):
        fields = ("int a = 1;\n int b{2};\n std::vector<std::pair<int, int>> c;\n int d[3] = {1};\n"
                  "const int& e;\n int* f = nullptr;\n mutable std::mutex g;\n struct { int x; } h;\n"
                  "bool i : 1;\n std::function<void(int)> j;\n std::array<int, 2> k = {1, 2};\n"
                  "std::atomic<bool> l{false};\n")
        self.write(HEADER, class_of(0, rest=fields))
        self.expect_clean()
        self.write(HEADER, class_of(1, rest=fields.replace("struct { int x; } h;", "int h; int m;")))
        self.assertIn("K has 14 members", self.faults())

    def test_aligned_members_and_several_of_one_type(self):
        rest = "    alignas(64) std::atomic<int> a{0}, b{1};\n    int c, d = f(1, 2), e[2];\n"
        self.write(HEADER, class_of(7, rest=rest))
        self.expect_clean()
        self.write(HEADER, class_of(8, rest=rest).replace("class K", "struct alignas(64) K"))
        self.assertIn("K has 13 members", self.faults())


if __name__ == "__main__":
    unittest.main()
