// Small graphs with variables, for the tests of plugins.
#pragma once

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test {

/// x -> sum = sum before + x; y = sum. `init`: the sum starts from 2 x instead of 0.
inline std::shared_ptr<Graph> sum_of_all(const std::string& shape, bool init) {
    GraphBuilder b;
    const Output x = b.input("x", shape);
    const Output twice = b.make<ops::Binary>("twice", ops::BinaryFunction::add, x, x);
    const Output before =
        b.read("sum", shape, init ? std::vector<Output>{twice} : std::vector<Output>{});
    const Output sum = b.make<ops::Binary>("add", ops::BinaryFunction::add, before, x);
    b.output("y", sum);
    b.assign("sum", sum);
    return b.graph();
}

/// x [1,?,5] -> LSTM of H units that keeps h and c in variables [1,1,H] -> y [1,1,?,H].
/// `with_states` makes the first h and c parameters instead, and h and c results: the same offline.
inline std::shared_ptr<Graph> lstm_graph(std::size_t H, bool with_states) {
    GraphBuilder b;
    Rng rng = test_rng();
    const auto weights = [&](const Shape& shape) {
        return b.constant(random_tensor(ElementType::f32, shape, rng));
    };
    const std::string state = "[1,1," + std::to_string(H) + "]";
    const Output x = b.input("x", "[1,?,5]");
    const Output h = with_states ? b.input("h", state) : b.read("h", state);
    const Output c = with_states ? b.input("c", state) : b.read("c", state);
    const Output lengths = b.input("lengths", "[1]", ElementType::i64);
    auto lstm = std::make_shared<ops::LSTMSequence>(std::vector<Output>{
        x, h, c, lengths, weights({1, 4 * H, 5}), weights({1, 4 * H, H}), weights({1, 4 * H})});
    ops::RecurrentAttributes attributes;
    attributes.hidden_size = static_cast<std::int64_t>(H);
    lstm->set_attributes(attributes);
    lstm->set_name("lstm");
    lstm->validate();
    b.output("y", lstm->output(0));
    if (with_states) {
        b.output("h_out", lstm->output(1));
        b.output("c_out", lstm->output(2));
    } else {
        b.assign("h", lstm->output(1));
        b.assign("c", lstm->output(2));
    }
    return b.graph();
}

/// The values of all variables, in order.
inline std::vector<Tensor> values_of(DeviceRun& device) {
    std::vector<Tensor> values;
    for (const auto& variable : device.executor->variables()) values.push_back(variable.copy());
    return values;
}

}  // namespace rondo::test
