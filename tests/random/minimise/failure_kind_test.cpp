// Failures of one kind differ in names, numbers and shapes alone.
#include "tests/random/minimise/failure_kind.hpp"

#include <gtest/gtest.h>

namespace rondo::test::failure_kind_test {
namespace {

TEST(FailureKind, DifferencesOfNumbersAreOneKind) {
    const std::string first = "run 0, output 'v87' element 7 of [7,6,2] is -0.25; expected 1e-05";
    const std::string second = "run 2, output 'y' element 12 of [] is 3; expected 0.500000";
    EXPECT_EQ(failure_kind(first), failure_kind(second));
}

TEST(FailureKind, AShapeIsAnotherKindThanANumber) {
    EXPECT_NE(failure_kind("run 0, output 'v87' is f32[2]; expected f32[3]"),
              failure_kind("run 0, output 'v87' element 7 of [7] is 1; expected 2"));
    EXPECT_EQ(failure_kind("run 0, output 'v87' is f32[2]; expected f32[3]"),
              failure_kind("run 1, output 'v9' is f32[2,4]; expected f32[3,4]"));
}

TEST(FailureKind, ErrorsKeepTheirText) {
    const std::string first = "CPU: 'node 'Tanh_12' (Tanh): no kernel for [2,3]', REFERENCE: ''";
    EXPECT_EQ(failure_kind(first),
              failure_kind("CPU: 'node 'x' (Tanh): no kernel for [4]', REFERENCE: ''"));
    EXPECT_NE(failure_kind(first),
              failure_kind("CPU: 'node 'Sin_12' (Sin): no kernel for [2,3]', REFERENCE: ''"));
    EXPECT_NE(failure_kind(first),
              failure_kind("CPU: '', REFERENCE: 'node 'x' (Tanh): no kernel'"));
}

TEST(FailureKind, AnErrorOfOneWordIsNotNone) {
    EXPECT_NE(failure_kind("CPU: 'stopped', REFERENCE: ''"),
              failure_kind("CPU: '', REFERENCE: ''"));
}

}  // namespace
}  // namespace rondo::test::failure_kind_test
