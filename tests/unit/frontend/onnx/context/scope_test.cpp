#include "frontend/onnx/context/scope.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::onnx::scope_test {
namespace {

using test::expect_error;

TEST(OnnxScope, FindsWhatWasDefined) {
    Scope scope;
    const Output value = ops::make_i64({1}, "one");
    scope.define("x", value);
    EXPECT_EQ(scope.find("x"), value);
    EXPECT_FALSE(scope.find("y"));
}

TEST(OnnxScope, RefusesTakenAndEmptyNames) {
    Scope scope;
    const Output value = ops::make_i64({1}, "one");
    scope.define("x", value);
    expect_error<ModelError>([&] { scope.define("x", value); }, "the tensor 'x' is defined twice");
    expect_error<ModelError>([&] { scope.define("", value); }, "a tensor has no name");
}

// Only the scope and its consumer own each node: releasing them in the order of definition
// would end in one destructor as deep as the chain.
TEST(OnnxScope, LetsGoOfALongChain) {
    Scope scope;
    Output last = make_node<ops::Constant>(Tensor(ElementType::f32, {1}));
    for (int i = 0; i < 300'000; ++i) {
        scope.define("t" + std::to_string(i), last);
        last = make_node<ops::Unary>(ops::UnaryFunction::relu, last);
    }
    last = Output();
}

}  // namespace
}  // namespace rondo::onnx::scope_test
