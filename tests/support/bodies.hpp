// Small graphs with bodies for tests: a choice, a loop, a walk over parts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::test {

inline Output add(GraphBuilder& builder, const Output& a, const Output& b) {
    return builder.make<ops::Binary>("", ops::BinaryFunction::add, a, b);
}

inline Output i64(GraphBuilder& builder, std::int64_t value) {
    return builder.constant(scalar_of<std::int64_t>(value));
}

inline Output flag(GraphBuilder& builder, bool value) {
    return builder.constant(scalar_of<bool>(value));
}

/// The body of count_loop(): parameters i (i64), x and left (i64), results: whether left - 1 isn't
/// 0, x + 1, that as a row [1,...], and left - 1.
inline std::shared_ptr<Graph> count_body(std::string_view shape = "3") {
    GraphBuilder body;
    body.input("i", "", ElementType::i64);
    const Output x = body.input("bx", shape);
    const Output left = body.input("left", "", ElementType::i64);
    const Output next = add(body, x, body.constant(scalar_of<float>(1)));
    const Output less = add(body, left, i64(body, -1));
    body.output("more", body.make<ops::Convert>("as_flag", less, ElementType::boolean));
    body.output("next", next);
    body.output("row", body.unsqueeze(next, {0}));
    body.output("less", less);
    return body.graph();
}

inline ops::BodyPorts count_ports() {
    return {{{2, 1, {}, 1}, {3, 2, {}, 3}}, {{0, 1, {}}, {1, 2, ops::PartRange{}}}};
}

/// Inputs n (trip count), c (condition), x and left; outputs last: x + the number of iterations,
/// and rows: x + 1, x + 2 ... There are n iterations, or `left` where that is less; none where c is
/// false.
inline std::shared_ptr<Graph> count_loop(std::string_view shape = "3") {
    GraphBuilder builder;
    const Output n = builder.input("n", "", ElementType::i64);
    const Output c = builder.input("c", "", ElementType::boolean);
    const Output x = builder.input("x", shape);
    const Output left = builder.input("left", "", ElementType::i64);
    const auto loop =
        builder.make<ops::Loop>("loop", std::vector<Output>{n, c, x, left}, count_body(shape),
                                count_ports(), ops::LoopPorts{0, 0});
    builder.output("last", loop->output(0));
    builder.output("rows", loop->output(1));
    return builder.graph();
}

/// Inputs x [N,T,2] and h [N,2]; h takes up the parts of x along axis 1 one by one. Outputs: the
/// last h, and all of them [N,T,2]; from the end to the start where `reversed`.
inline std::shared_ptr<Graph> running_sum(bool reversed = false, std::string_view x_shape = "?,?,2",
                                          std::string_view h_shape = "?,2") {
    GraphBuilder body;
    const Output part = body.input("part", "?,1,2");
    const Output h = body.input("h", "?,2");
    const Output sum = add(body, body.squeeze(part, {1}), h);
    body.output("sum", sum);
    body.output("sums", body.unsqueeze(sum, {1}));
    const ops::PartRange range = reversed ? ops::PartRange{1, -1, -1, 1, 0} : ops::PartRange{1};
    const ops::BodyPorts ports{{{0, 0, range, {}}, {1, 1, {}, 0}}, {{0, 0, {}}, {1, 1, range}}};
    GraphBuilder builder;
    const std::vector<Output> inputs{builder.input("x", x_shape), builder.input("h0", h_shape)};
    const auto node = builder.make<ops::TensorIterator>("walk", inputs, body.graph(), ports);
    builder.output("last", node->output(0));
    builder.output("all", node->output(1));
    return builder.graph();
}

/// Input x [N,T,2]; the parts of x along axis 1 are joined one by one to a list [?,2], which is
/// empty at first. Output: the list [N*T,2].
inline std::shared_ptr<Graph> growing_list(std::string_view x_shape = "?,?,2") {
    GraphBuilder body;
    const Output part = body.input("part", "?,1,2");
    const Output list = body.input("list", "?,2");
    const std::vector<Output> rows{list, body.squeeze(part, {1})};
    body.output("longer", body.make<ops::Concat>("joined", rows, 0));
    const ops::BodyPorts ports{{{0, 0, ops::PartRange{1}, {}}, {1, 1, {}, 0}}, {{0, 0, {}}}};
    GraphBuilder builder;
    const std::vector<Output> inputs{builder.input("x", x_shape),
                                     builder.constant(Tensor(ElementType::f32, {0, 2}))};
    const auto node = builder.make<ops::TensorIterator>("walk", inputs, body.graph(), ports);
    builder.output("list", node->output(0));
    return builder.graph();
}

/// Inputs c, x and y; output x + 1 where c is true, else x + y.
inline std::shared_ptr<Graph> choice(std::string_view x_shape = "?,3",
                                     std::string_view y_shape = "?,3") {
    GraphBuilder yes, no;
    yes.output("plus_one", add(yes, yes.input("yes_x", "..."), yes.constant(scalar_of<float>(1))));
    const Output no_x = no.input("no_x", "...");  // the order of a call's arguments is open
    no.output("sum", add(no, no_x, no.input("no_y", "...")));
    GraphBuilder builder;
    const std::vector<Output> inputs{builder.input("c", "", ElementType::boolean),
                                     builder.input("x", x_shape), builder.input("y", y_shape)};
    const auto node = builder.make<ops::If>(
        "choice", inputs, std::vector<GraphPtr>{yes.graph(), no.graph()},
        std::vector<ops::BodyPorts>{{{{1, 0, {}, {}}}, {{0, 0, {}}}},
                                    {{{1, 0, {}, {}}, {2, 1, {}, {}}}, {{0, 0, {}}}}});
    builder.output("y_out", node->output(0));
    return builder.graph();
}

/// The node of that name. Throws std::bad_cast where it is no T.
template <typename T>
T& find(const Graph& graph, const std::string& name) {
    for (const auto& node : graph.ordered_nodes()) {
        if (node->name() == name) return dynamic_cast<T&>(*node);
    }
    throw ModelError("the graph has no node " + name);
}

}  // namespace rondo::test
