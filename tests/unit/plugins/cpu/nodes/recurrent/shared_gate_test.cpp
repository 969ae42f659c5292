#include "plugins/cpu/nodes/recurrent/shared_gate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"

namespace rondo::cpu::shared_gate_test {
namespace {

using namespace rondo::test;  // NOLINT: tests only

std::vector<float> numbers_of(const Tensor& tensor) {
    return {tensor.data<float>(), tensor.data<float>() + tensor.size()};
}

TEST(SharedGate, IsSeenInAllDirections) {
    const Tensor one = tensor_of<float>({6, 1}, {1, 2, 1, 2, 3, 4});
    EXPECT_TRUE(has_shared_sum(one, 0, false));
    EXPECT_EQ(numbers_of(without_reset_gate(one, 0)), (std::vector<float>{1, 2, 3, 4}));
    const Tensor two = tensor_of<float>({2, 3}, {1, 1, 2, 3, 3, 4});
    EXPECT_TRUE(has_shared_sum(two, 1, false));
    EXPECT_EQ(without_reset_gate(two, 1).shape(), (Shape{2, 2}));
    EXPECT_EQ(numbers_of(without_reset_gate(two, 1)), (std::vector<float>{1, 2, 3, 4}));
    EXPECT_FALSE(has_shared_sum(tensor_of<float>({2, 3}, {1, 1, 2, 3, 5, 4}), 1, false));
}

TEST(SharedGate, MayBeTheNegative) {
    const Tensor weights = tensor_of<double>({2, 3}, {1, -1, 2, 3, -3, 4});
    EXPECT_TRUE(has_shared_sum(weights, 1, true));
    EXPECT_FALSE(has_shared_sum(weights, 1, false));
    EXPECT_FALSE(has_shared_sum(tensor_of<double>({2, 3}, {1, -1, 2, 3, 3, 4}), 1, true));
    for (const float zero : {0.0F, -0.0F}) {
        const Tensor bias = tensor_of<float>({3}, {0.0F, zero, 4});
        EXPECT_TRUE(has_shared_sum(bias, 0, true));
        EXPECT_TRUE(has_shared_sum(bias, 0, false));
    }
}

// Makes the rows of r those of z in W, R and B of the first `directions`.
void share(const Graph& graph, std::size_t directions, std::size_t all_directions, float sign = 1) {
    for (const auto& node : graph.ordered_nodes()) {
        const auto* constant = as_op<ops::Constant>(*node);
        const bool has_gates = constant != nullptr && node->name().size() == 1;
        if (!has_gates) continue;
        const Tensor& value = constant->value();
        auto* numbers = const_cast<float*>(value.data<float>());
        const std::size_t gate = value.size() / (all_directions * 3);
        for (std::size_t i = 0; i < directions; ++i) {
            const float* z = numbers + 3 * i * gate;
            std::transform(z, z + gate, numbers + (3 * i + 1) * gate,
                           [&](float weight) { return sign * weight; });
        }
    }
}

TEST(SharedGate, LayersAreLikeTheReference) {
    for (const float sign : {1.0F, -1.0F}) {
        for (const std::size_t shared : {1, 2}) {
            RecurrentCase test;
            test.attributes.hidden_size = 19;
            test.attributes.direction = ops::Direction::bidirectional;
            const auto made = make_recurrent<ops::GRUSequence>(test);
            share(*made.graph, shared, 2, sign);
            expect_like_reference(*made.graph, made.inputs, 2e-6);
        }
    }
}

TEST(SharedGate, CellsAreLikeTheReference) {
    RecurrentCase test;
    test.attributes.hidden_size = 17;
    const auto made = make_recurrent<ops::GRUCell>(test);
    share(*made.graph, 1, 1, -1);
    expect_like_reference(*made.graph, made.inputs, 2e-6);
}

}  // namespace
}  // namespace rondo::cpu::shared_gate_test
