#include "transformations/recurrent/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::passes::remove_length_sort_test {
namespace {

using test::count_nodes;
using test::expect_rewritten;
using test::expect_unchanged;
using test::extent_of;
using test::GraphBuilder;
using test::Rng;
using test::scalar_of;

// x [N,T,4] and its lengths [N], sorted, and what sorts back.
class Packed {
public:
    // `own_lengths`: computed from x, of which there are then as many rows for certain.
    explicit Packed(std::int64_t first = 0, bool own_lengths = false)
        : x(b.input("x", "[?,?,4]")),
          lengths(own_lengths ? sums_of(x) : b.input("lengths", "[?]", ElementType::i64)) {
        ops::TopKAttributes attributes;
        attributes.axis = 0;
        attributes.index_type = ElementType::i64;
        const Output count = b.reshape(extent_of(b, lengths, 0), {});
        sort_ = b.make<ops::TopK>("sort", lengths, count, attributes);
        const Output rows =
            b.make<ops::Reduce>("", ops::ReduceFunction::prod,
                                b.make<ops::ShapeOf>("", sort_->output(1)), b.ints({0}), false);
        const Output numbers =
            b.make<ops::Range>("", b.constant(scalar_of<std::int64_t>(first)), rows,
                               b.constant(scalar_of<std::int64_t>(1)), ElementType::i64);
        const Output zeros = b.make<ops::Broadcast>("", b.constant(scalar_of<std::int64_t>(0)),
                                                    b.make<ops::ShapeOf>("", sort_->output(1)));
        inverse = b.make<ops::ScatterElementsUpdate>(
            "", std::vector<Output>{zeros, sort_->output(1), numbers, axis(0)},
            ops::ScatterReduction::none);
    }

    Output sums_of(const Output& data) {
        const Output sums =
            b.make<ops::Reduce>("", ops::ReduceFunction::sum, data, b.ints({1, 2}), false);
        return b.make<ops::Convert>("", sums, ElementType::i64);
    }
    Output axis(std::int64_t number) { return b.constant(scalar_of<std::int64_t>(number)); }
    Output sorted_lengths() { return sort_->output(0); }
    Output sorted(const Output& data) {
        return b.make<ops::Gather>("", data, sort_->output(1), axis(0));
    }
    Output back(const Output& data, std::int64_t along = 0) {
        return b.make<ops::Gather>("", data, inverse, axis(along));
    }

    // A GRU on sorted rows, from zeros.
    NodePtr layer(const Output& data) {
        Rng rng(7);
        const auto weights = [&](const Shape& shape) {
            return b.constant(test::random_tensor(ElementType::f32, shape, rng, -0.5, 0.5));
        };
        const Output shape =
            b.make<ops::Concat>("", std::vector<Output>{extent_of(b, data, 0), b.ints({1, 3})}, 0);
        const Output zeros = b.make<ops::Broadcast>("", b.constant(scalar_of<float>(0)), shape);
        auto gru = std::make_shared<ops::GRUSequence>(
            std::vector<Output>{data, zeros, sorted_lengths(), weights({1, 9, 4}),
                                weights({1, 9, 3}), weights({1, 9})});
        ops::RecurrentAttributes attributes;
        attributes.hidden_size = 3;
        gru->set_attributes(attributes);
        gru->set_name("gru");
        gru->validate();
        return gru;
    }

    static std::vector<Tensor> inputs() {
        Rng rng(3);
        return {test::random_tensor(ElementType::f32, {4, 5, 4}, rng),
                test::tensor_of<std::int64_t>({4}, {2, 5, 0, 5})};
    }

    GraphBuilder b;
    Output x, lengths, inverse;

private:
    NodePtr sort_;
};

TEST(UnsortRows, LayersGetTheRowsAsTheyCome) {
    // x -> Gather -> GRU -> Gather, also of the last state [1,N,3]   =>   x -> GRU
    Packed p;
    const NodePtr gru = p.layer(p.sorted(p.x));
    p.b.output("y", p.back(p.b.squeeze(gru->output(0), {1})));
    p.b.output("h", p.back(p.b.transpose(gru->output(1), {1, 0, 2}), 1));
    const auto graph = p.b.graph();
    expect_rewritten(*graph, remove_length_sort, Packed::inputs());
    EXPECT_EQ(count_nodes(*graph, "GRUSequence"), 1U);
    EXPECT_EQ(count_nodes(*graph, "ScatterElementsUpdate"), 0U);
    for (const auto& node : graph->ordered_nodes()) {
        if (node->type_name() != "GRUSequence") continue;
        EXPECT_EQ(node->input(0).node().name(), "x");
        EXPECT_EQ(node->input(2).node().name(), "lengths");
        EXPECT_EQ(node->name(), "gru");
    }
}

// Without a layer nothing has an error where x has other rows than there are lengths.
TEST(UnsortRows, RowsMustBeThoseOfTheLengths) {
    Packed p;
    p.b.output("y", p.back(p.b.make<ops::Unary>("", ops::UnaryFunction::tanh, p.sorted(p.x))));
    expect_unchanged(*p.b.graph(), remove_length_sort);
}

TEST(UnsortRows, ElementwiseOpsAndViewsAreNoHindrance) {
    Packed p(0, true);
    const Output moved = p.b.transpose(p.sorted(p.x), {1, 0, 2});
    const Output bounded = p.b.make<ops::Unary>("", ops::UnaryFunction::tanh, moved);
    p.b.output("y", p.back(p.b.reshape(p.b.unsqueeze(bounded, {3}), {0, 0, -1}), 1));
    const auto graph = p.b.graph();
    expect_rewritten(*graph, remove_length_sort, {Packed::inputs()[0]});
    EXPECT_EQ(count_nodes(*graph, "Gather") + count_nodes(*graph, "TopK"), 0U);
}

TEST(UnsortRows, WhatIsReadInTheSortedOrderStays) {
    Packed p;
    const NodePtr gru = p.layer(p.sorted(p.x));
    p.b.output("y", p.back(p.b.squeeze(gru->output(0), {1})));
    p.b.output("sorted", gru->output(1));
    expect_unchanged(*p.b.graph(), remove_length_sort);
}

TEST(UnsortRows, WhatMixesRowsStays) {
    Packed p;
    p.b.output("y", p.back(p.b.make<ops::Softmax>("", p.sorted(p.x), 0)));
    expect_unchanged(*p.b.graph(), remove_length_sort);
}

TEST(UnsortRows, OtherIndicesStay) {
    Packed shifted(1);  // numbers from 1 on are fewer than the rows
    shifted.b.output("y", shifted.back(shifted.sorted(shifted.x)));
    expect_unchanged(*shifted.b.graph(), remove_length_sort);
    Packed twice;
    twice.b.output("y", twice.sorted(twice.sorted(twice.x)));
    twice.b.output("z", twice.back(twice.x));
    expect_unchanged(*twice.b.graph(), remove_length_sort);
}

}  // namespace
}  // namespace rondo::passes::remove_length_sort_test
