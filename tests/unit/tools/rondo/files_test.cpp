#include "tools/rondo/files.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::tool {
namespace {

PortInfo named(const std::string& name) { return {{name}, ElementType::f32, {}}; }

TEST(Files, OutputNamesBecomePlain) {
    EXPECT_EQ(npy_names({named("a/b:0"), named("Y_h.1-x"), named("\xc3\xbc")}),
              (std::vector<std::string>{"a_b_0.npy", "Y_h.1-x.npy", "_.npy"}));
}

TEST(Files, EqualNamesAreNumbered) {
    EXPECT_EQ(npy_names({named("a/b"), named("a_b"), named("a:b")}),
              (std::vector<std::string>{"a_b.npy", "a_b_1.npy", "a_b_2.npy"}));
}

TEST(Files, AFolderThatCannotBeIsRefused) {
    test::expect_error<ModelError>([] { make_folder("/dev/null/x"); },
                                   "/dev/null/x: can't make the folder");
}

}  // namespace
}  // namespace rondo::tool
