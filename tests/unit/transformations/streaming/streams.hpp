// What the tests of streaming rules have in common: graphs that are given frames, and refusals.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/window/convolutions.hpp"
#include "rondo/error.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/chunks.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::test {

/// Random f32 numbers.
inline Tensor noise(const Shape& shape, std::uint64_t seed = 5) {
    Rng rng(seed);
    return random_tensor(ElementType::f32, shape, rng);
}

inline ops::ConvolutionAttributes window_of(std::vector<std::int64_t> begin,
                                            std::vector<std::int64_t> end,
                                            std::vector<std::int64_t> dilations = {}) {
    ops::ConvolutionAttributes window;
    window.pads_begin = std::move(begin);
    window.pads_end = std::move(end);
    window.dilations = std::move(dilations);
    return window;
}

/// A convolution with random filters of this shape.
inline Output convolve(GraphBuilder& b, const std::string& name, const Output& x,
                       const Shape& filters, const ops::ConvolutionAttributes& window) {
    return b.make<ops::Convolution>(name, x, b.constant(noise(filters, 11)), window);
}

inline Output relu(GraphBuilder& b, const Output& x) {
    return b.make<ops::Unary>("", ops::UnaryFunction::relu, x);
}

/// Fails unless the graph of `b` is refused with both texts in the message, and stays as it is.
inline void expect_refused(const GraphBuilder& b, std::string_view node, std::string_view reason,
                           const StreamingOptions& options = {},
                           SourceLocation where = SourceLocation::current()) {
    const auto graph = b.graph();
    const std::string before = Model(graph).to_text();
    expect_error<UnsupportedError>([&] { Model(graph).make_streaming(options); }, node, where);
    expect_error<UnsupportedError>([&] { Model(graph).make_streaming(options); }, reason, where);
    EXPECT_EQ(Model(graph).to_text(), before);
}

}  // namespace rondo::test
