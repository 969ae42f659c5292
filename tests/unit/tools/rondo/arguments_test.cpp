#include "tools/rondo/arguments.hpp"

#include <gtest/gtest.h>

namespace rondo::tool {
namespace {

TEST(Arguments, LongNamesGetASecondDash) {
    const std::vector<std::string> given{"benchmark", "-m",   "a-b.onnx", "-niter",
                                         "10",        "--t",  "-1.5",     "-data_shape",
                                         "x[-1]",     "-m=x", "-"};
    const std::vector<std::string> expected{"benchmark", "-m",   "a-b.onnx", "--niter",
                                            "10",        "--t",  "-1.5",     "--data_shape",
                                            "x[-1]",     "-m=x", "-"};
    EXPECT_EQ(with_double_dashes(given), expected);
}

}  // namespace
}  // namespace rondo::tool
