// DeformableConvolution on the CPU.
#include "core/ops/window/convolutions.hpp"

#include <gtest/gtest.h>

#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::deformable_convolution_node_test {
namespace {

struct Case {
    Shape data, filters, output;
    ops::ConvolutionAttributes attributes{};
    std::int64_t group = 1, offset_group = 1;
};

const Case kCases[] = {
    {{2, 4, 7, 8}, {5, 4, 2, 3}, {6, 6}},
    {{2, 4, 7, 8}, {6, 2, 2, 3}, {6, 6}, {}, 2, 4},
    {{1, 6, 7, 8}, {6, 1, 3, 3}, {4, 3}, {{2, 3}, {1, 1}, {1, 1}, {1, 1}}, 6, 2},
    {{1, 6, 30, 40}, {8, 6, 3, 3}, {28, 36}, {{1, 1}, {1, 2}, {}, {}}, 1, 3},
};

void expect_convolves(const Case& one, ElementType type, bool has_factors, bool pads, Rng& rng,
                      double tolerance) {
    const auto taps = static_cast<std::size_t>(one.offset_group) * one.filters[2] * one.filters[3];
    const Shape offsets{one.data[0], 2 * taps, one.output[0], one.output[1]};
    std::vector<Tensor> values{random_tensor(type, one.data, rng),
                               random_tensor(type, offsets, rng, -2, 2),
                               random_tensor(type, one.filters, rng)};
    if (has_factors) {
        values.push_back(
            random_tensor(type, {one.data[0], taps, one.output[0], one.output[1]}, rng));
    }
    std::vector<NodePtr> parameters;
    std::vector<Output> inputs;
    for (std::size_t i = 0; i < values.size(); ++i) {
        parameters.push_back(parameter("p" + std::to_string(i), PartialShape::of_rank(4), type));
        inputs.push_back(parameters.back());
    }
    const auto node = make_node<ops::DeformableConvolution>(inputs, one.attributes, one.group,
                                                            one.offset_group, pads);
    expect_like_reference(*graph_of(parameters, {named(node, "d")}), values, tolerance, tolerance);
}

TEST(DeformableConvolutionNode, AnySizesAndTypes) {
    auto rng = test_rng();
    for (const Case& one : kCases) {
        for (const bool has_factors : {false, true}) {
            for (const bool pads : {false, true}) {
                expect_convolves(one, ElementType::f32, has_factors, pads, rng, 2e-5);
            }
        }
        expect_convolves(one, ElementType::f64, true, true, rng, 1e-12);
        expect_convolves(one, ElementType::f16, false, true, rng, 4e-2);
    }
}

}  // namespace
}  // namespace rondo::test::deformable_convolution_node_test
