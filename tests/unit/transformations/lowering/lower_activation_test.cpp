#include "transformations/lowering/sequence_parts.hpp"

#include <gtest/gtest.h>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::lower_activation_test {
namespace {

using namespace test;  // NOLINT: tests only

// Puts function(x) in the place of a Transpose, which names the output.
std::vector<Tensor> lowered(const ops::ActivationFunction& function, const Tensor& x) {
    GraphBuilder b;
    const Output input = b.input("x", "[?]", x.element_type());
    const Output placeholder = b.transpose(input, {0}, "y");
    b.output("y", placeholder);
    const auto graph = b.graph();
    Rewriter rewriter(*graph);
    Formula by(rewriter, "f");
    rewriter.replace(placeholder, lower_activation(by, function, input));
    graph->validate();
    return evaluate_graph(*graph, {x});
}

TEST(LowerActivation, ComputesEachFunctionWithItsParameters) {
    const std::vector<double> points{-30, -3, -1, -0.5, -1e-4, 0, 1e-4, 0.3, 0.7, 1, 2.5, 30};
    for (const ops::ActivationInfo& info : ops::kActivations) {
        for (const auto& [alpha, beta] : {std::pair(0.75F, 0.25F), std::pair(1.5F, -0.5F)}) {
            const ops::ActivationFunction function{info.kind, info.takes_alpha ? alpha : 0,
                                                   info.takes_beta ? beta : 0};
            for (const auto type : {ElementType::f32, ElementType::f64}) {
                const Tensor x = converted(tensor_of<double>({points.size()}, points), type);
                const Tensor y = lowered(function, x).front();
                for (std::size_t i = 0; i < points.size(); ++i) {
                    const auto value = static_cast<double>(element_at(x, i));
                    const double right = ops::apply(function, value);
                    const double error = type == ElementType::f64 ? 1e-14 : 3e-7;
                    EXPECT_NEAR(static_cast<double>(element_at(y, i)), right,
                                error * std::max(1.0, std::abs(right)))
                        << info.name << " at " << points[i];
                }
            }
        }
    }
}

}  // namespace
}  // namespace rondo::passes::lower_activation_test
