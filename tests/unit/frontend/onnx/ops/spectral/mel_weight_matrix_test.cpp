// Tests a part of frontend/onnx/ops/spectral/windows.cpp.
#include <gtest/gtest.h>

#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::mel_weight_matrix_test {
namespace {

using test::expect_near;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;

// Peer: onnx's reference evaluator.
TEST(OnnxMelWeightMatrix, MakesTriangles) {
    const std::vector<Tensor> inputs{scalar_of<std::int64_t>(3), scalar_of<std::int64_t>(32),
                                     scalar_of<std::int64_t>(8000), scalar_of(20.0F),
                                     scalar_of(4000.0F)};
    const std::vector<std::string> names{"bins", "length", "rate", "low", "high"};
    std::vector<float> rows{0, 0, 0, 1,        0,        0, 0.5F,     0.5F,     0, 0,
                            1, 0, 0, 2 / 3.0F, 1 / 3.0F, 0, 1 / 3.0F, 2 / 3.0F, 0, 0,
                            1, 0, 0, 0.75F,    0,        0, 0.5F,     0,        0, 0.25F};
    rows.resize(17 * 3);
    const auto expected = tensor_of<float>({17, 3}, rows);
    for (const bool is_known : {true, false}) {
        ModelBuilder model(17);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (is_known) {
                model.initializer(names[i], inputs[i]);
            } else {
                model.input(names[i], inputs[i].element_type(), PartialShape(Shape{}));
            }
        }
        model.node("MelWeightMatrix", names, {"y"});
        model.output("y");
        expect_near(model.run(is_known ? std::vector<Tensor>() : inputs).at(0), expected, 1e-6);
    }
}

}  // namespace
}  // namespace rondo::onnx::mel_weight_matrix_test
