#include "tools/rondo/arguments.hpp"

#include <gtest/gtest.h>

namespace rondo::tool::arguments_test {
namespace {

using Texts = std::vector<std::string>;

TEST(Arguments, LongNamesGetASecondDash) {
    const Texts given{"benchmark", "-m",          "a-b.onnx", "-niter", "10",
                      "-1.5",      "-data_shape", "x[-1]",    "-",      "-batch-axis=2"};
    const Texts expected{"benchmark", "-m",           "a-b.onnx", "--niter", "10",
                         "-1.5",      "--data_shape", "x[-1]",    "-",       "--batch-axis=2"};
    EXPECT_EQ(with_double_dashes(given), expected);
}

TEST(Arguments, ALetterTakesItsValueInAnyForm) {
    EXPECT_EQ(with_double_dashes({"-m=d.xml", "--t=5", "-b1", "-md.xml", "--b", "-m=", "-p=X=1"}),
              (Texts{"-md.xml", "-t5", "-b1", "-md.xml", "-b", "-m", "-pX=1"}));
    EXPECT_EQ(with_double_dashes({"-i=/tmp/x.npy", "-m../x.xml", "--", "---", "-?"}),
              (Texts{"-i/tmp/x.npy", "-m../x.xml", "--", "---", "-?"}));
}

}  // namespace
}  // namespace rondo::tool::arguments_test
