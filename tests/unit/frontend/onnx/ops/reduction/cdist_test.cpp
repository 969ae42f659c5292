// Tests a part of frontend/onnx/ops/reduction/normalization.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::cdist_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::tensor_of;

TEST(OnnxCDist, MeasuresDistancesOfRows) {
    const auto model_of = [](const char* metric) {
        ModelBuilder model(17);
        auto* import = model.message().add_opset_import();
        import->set_domain("com.microsoft");
        import->set_version(1);
        model.input("a", ElementType::f32, {-1, 2})
            .input("b", ElementType::f32, {1, 2})
            .output("y");
        model.node("CDist", {"a", "b"}, {"y"}, "c").domain("com.microsoft").with("metric", metric);
        return model;
    };
    const auto a = tensor_of<float>({2, 2}, {1, 2, 4, 6}), b = tensor_of<float>({1, 2}, {1, 2});
    expect_near(model_of("sqeuclidean").run({a, b}).at(0), tensor_of<float>({2, 1}, {0, 25}), 1e-6);
    expect_near(model_of("euclidean").run({a, b}).at(0), tensor_of<float>({2, 1}, {0, 5}), 1e-6);
    expect_error<UnsupportedError>([&] { model_of("yule").read(); },
                                   "node 'c' (CDist): attribute 'metric' is 'yule'");
}

}  // namespace
}  // namespace rondo::onnx::cdist_test
