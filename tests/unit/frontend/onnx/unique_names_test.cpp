#include "frontend/onnx/unique_names.hpp"

#include <gtest/gtest.h>

namespace rondo::onnx {
namespace {

TEST(OnnxUniqueNames, NumbersWhatIsTaken) {
    UniqueNames names;
    EXPECT_EQ(names.take("a"), "a");
    EXPECT_EQ(names.take("a"), "a_1");
    EXPECT_EQ(names.take("a"), "a_2");
    EXPECT_EQ(names.take("b"), "b");
}

TEST(OnnxUniqueNames, SkipsANumberedNameThatIsTakenItself) {
    UniqueNames names;
    names.take("a_1");
    names.take("a");
    EXPECT_EQ(names.take("a"), "a_2");
    EXPECT_EQ(names.take("a_1"), "a_1_1");
}

}  // namespace
}  // namespace rondo::onnx
