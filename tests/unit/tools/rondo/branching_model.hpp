// A model whose layers lie in the branches of an If, for tests.
#pragma once

#include "core/ops/recurrent/recurrent_op.hpp"
#include "rondo/model.hpp"
#include "tests/support/bodies.hpp"

namespace rondo::tool {

// x [1,?,3] -> LSTM of 2 units, named `name` -> y; its weights are 224 bytes.
inline std::shared_ptr<Graph> branch(const std::string& name, const Tensor& w) {
    test::GraphBuilder body;
    const auto zeros = [&](const Shape& shape) {
        return body.constant(Tensor(ElementType::f32, shape));
    };
    const Output x = body.input(name + "_x", "1,?,3");
    auto lstm = std::make_shared<ops::LSTMSequence>(
        std::vector<Output>{x, zeros({1, 1, 2}), zeros({1, 1, 2}), body.ints({1}), body.constant(w),
                            zeros({1, 8, 2}), zeros({1, 8})});
    ops::RecurrentAttributes attributes;
    attributes.hidden_size = 2;
    lstm->set_attributes(attributes);
    lstm->set_name(name);
    lstm->validate();
    body.output(name + "_y", Output(lstm, 0));
    return body.graph();
}

// c ? yes(x) : no(x); both layers have the same W.
inline Model branching_model() {
    const Tensor w(ElementType::f32, {1, 8, 3});
    test::GraphBuilder builder;
    const std::vector<Output> inputs{builder.input("c", "", ElementType::boolean),
                                     builder.input("x", "1,?,3")};
    const ops::BodyPorts ports{{{1, 0, {}, {}}}, {{0, 0, {}}}};
    const auto choice = builder.make<ops::If>(
        "choice", inputs, std::vector<GraphPtr>{branch("yes", w), branch("no", w)},
        std::vector<ops::BodyPorts>{ports, ports});
    builder.output("y", Output(choice, 0));
    return Model(builder.graph());
}

}  // namespace rondo::tool
