// What the ONNX frontend writes for a recurrent layer, for tests of passes.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::test {

/// Element `index` of ShapeOf(x), as i64 [1].
inline Output extent_of(GraphBuilder& b, const Output& x, std::int64_t index) {
    const Output shape = b.make<ops::ShapeOf>("", x);
    return b.make<ops::Gather>("", shape, b.ints({index}),
                               b.constant(tensor_of<std::int64_t>({}, {0})));
}

/// A GRU on x [T,N,I] with zero states and full lengths; batch-first inside.
inline std::shared_ptr<ops::GRUSequence> make_gru(
    GraphBuilder& b, const std::string& name, const Output& x, std::size_t input_size,
    std::size_t hidden_size, ops::Direction direction = ops::Direction::forward) {
    Rng rng(7);
    const std::size_t directions = direction == ops::Direction::bidirectional ? 2 : 1;
    const auto weights = [&](Shape shape) {
        return b.constant(random_tensor(ElementType::f32, shape, rng, -0.5, 0.5));
    };
    const Output sizes =
        b.ints({static_cast<std::int64_t>(directions), static_cast<std::int64_t>(hidden_size)});
    std::vector<Output> state_shape{extent_of(b, x, 1), sizes};
    const Output h0 = b.make<ops::Broadcast>("", b.constant(scalar_of<float>(0)),
                                             b.make<ops::Concat>("", state_shape, 0));
    const Output lengths = b.make<ops::Broadcast>("", extent_of(b, x, 0), extent_of(b, x, 1));
    const std::size_t gates = 3 * hidden_size;
    auto gru = std::make_shared<ops::GRUSequence>(std::vector<Output>{
        b.transpose(x, {1, 0, 2}), h0, lengths, weights({directions, gates, input_size}),
        weights({directions, gates, hidden_size}), weights({directions, gates})});
    ops::RecurrentAttributes attributes;
    attributes.hidden_size = static_cast<std::int64_t>(hidden_size);
    attributes.direction = direction;
    gru->set_attributes(attributes);
    gru->set_name(name);
    gru->validate();
    return gru;
}

/// ONNX's Y [T,D,N,H] of a layer.
inline Output onnx_y(GraphBuilder& b, const std::shared_ptr<ops::GRUSequence>& gru) {
    return b.transpose(gru->output(0), {2, 1, 0, 3});
}

}  // namespace rondo::test
