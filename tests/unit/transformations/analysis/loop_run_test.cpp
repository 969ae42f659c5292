#include "transformations/analysis/loop_run.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "transformations/recurrent/passes.hpp"

namespace rondo::passes::loop_run_test {
namespace {

using namespace test;  // NOLINT: tests only

// What a body has at hand: x [T,2,3] whole, T, and the number of the iteration.
struct Iteration {
    GraphBuilder& b;
    Output x, extent, number;

    Output difference(const Output& a, const Output& c) const {
        return b.make<ops::Binary>("", ops::BinaryFunction::subtract, a, c);
    }
    // T - 1 - i
    Output from_end() const { return difference(difference(extent, i64(b, 1)), number); }
    Output gathered(const Output& index) const {
        return b.make<ops::Gather>("", x, index, i64(b, 0));
    }
    Output cut_out(const Output& start, const Output& stop) const {
        const Output part = b.make<ops::Slice>("", x, b.unsqueeze(start, {0}),
                                               b.unsqueeze(stop, {0}), b.ints({1}), b.ints({0}));
        return b.squeeze(part, {0});
    }
};

using ReadPart = std::function<Output(const Iteration& iteration)>;
using TripCount = std::function<Output(GraphBuilder& b, const Output& extent)>;

Output all_steps(GraphBuilder&, const Output& extent) { return extent; }

// h = tanh(part W + h R), with the last state and all of them as results.
std::shared_ptr<Graph> loop_over(const ReadPart& part, const ops::PartRange& order,
                                 const char* shape = "[?,2,3]",
                                 const TripCount& trips = all_steps) {
    GraphBuilder body;
    const Output number = body.input("i", "", ElementType::i64);
    const Output h = body.input("h", "[2,4]");
    const Output all = body.input("all_x", shape);
    const Output extent = body.input("extent", "", ElementType::i64);
    auto rng = test_rng();
    const auto product = [&](const Output& x, std::size_t rows) {
        const Tensor weights = random_tensor(ElementType::f32, {rows, 4}, rng);
        return Output(body.make<ops::MatMul>("", x, body.constant(weights)));
    };
    const Output x = part({body, all, extent, number});
    const Output next = body.make<ops::Unary>("", ops::UnaryFunction::tanh,
                                              add(body, product(x, 3), product(h, 4)));
    body.output("more", flag(body, true));
    body.output("next", next);
    body.output("row", body.unsqueeze(next, {0}));
    GraphBuilder b;
    const Output whole = b.input("x", shape);
    const Output steps =
        b.make<ops::Gather>("", b.make<ops::ShapeOf>("", whole), i64(b, 0), i64(b, 0));
    const ops::BodyPorts ports{{{2, 1, {}, 1}, {3, 2, {}, {}}, {4, 3, {}, {}}},
                               {{0, 1, {}}, {1, 2, order}}};
    const auto loop = b.make<ops::Loop>(
        "loop",
        std::vector<Output>{trips(b, steps), flag(b, true), b.input("h0", "[2,4]"), whole, steps},
        body.graph(), ports, ops::LoopPorts{0, 0});
    b.output("last", loop->output(0));
    b.output("all", loop->output(1));
    return b.graph();
}

const ops::PartRange kForward{0};
const ops::PartRange kBackward{0, -1, -1, 1, 0};

std::vector<Tensor> inputs_for(std::size_t steps) {
    auto rng = test_rng();
    return {random_tensor(ElementType::f32, {steps, 2, 3}, rng),
            random_tensor(ElementType::f32, {2, 4}, rng)};
}

void expect_sequence(const ReadPart& part, const TripCount& trips = all_steps) {
    for (const auto& order : {kForward, kBackward}) {
        for (const char* shape : {"[?,2,3]", "[5,2,3]"}) {
            const auto graph = loop_over(part, order, shape, trips);
            const auto inputs = inputs_for(5);
            const auto before = evaluate_graph(*graph, inputs);
            EXPECT_TRUE(loops_to_sequences(*graph));
            graph->validate();
            const auto after = evaluate_graph(*graph, inputs);
            for (std::size_t i = 0; i < 2; ++i) expect_near(after[i], before[i], 1e-6);
            EXPECT_EQ(count_nodes(*graph, "RNNSequence"), 1u);
            EXPECT_EQ(count_nodes(*graph, "Loop"), 0u);
        }
    }
}

//  x -> Gather(T - 1 - i)        x -> RNNSequence (reverse)
//       [h = f(part, h)]    =>
TEST(LoopRun, ReadsPartsFromBothEnds) {
    expect_sequence([](const Iteration& it) { return it.gathered(it.number); });
    expect_sequence([](const Iteration& it) { return it.gathered(it.from_end()); });
    expect_sequence([](const Iteration& it) {  // -1 - i
        return it.gathered(it.difference(i64(it.b, -1), it.number));
    });
    expect_sequence([](const Iteration& it) {  // i * -1 + (T - 1)
        const Output down =
            it.b.make<ops::Binary>("", ops::BinaryFunction::multiply, it.number, i64(it.b, -1));
        return it.gathered(add(it.b, down, it.difference(it.extent, i64(it.b, 1))));
    });
}

TEST(LoopRun, ReadsPartsThatSlicesCutOut) {
    expect_sequence([](const Iteration& it) {
        return it.cut_out(it.number, add(it.b, it.number, i64(it.b, 1)));
    });
    expect_sequence([](const Iteration& it) {
        return it.cut_out(it.from_end(), it.difference(it.extent, it.number));
    });
}

// As PyTorch counts range(T - 1, -1, -1): ceil((-1 - (T - 1)) / -1), at least 0.
TEST(LoopRun, KnowsATripCountThatIsComputed) {
    const auto trips = [](GraphBuilder& b, const Output& extent) -> Output {
        const auto binary = [&](ops::BinaryFunction function, const Output& x, const Output& y) {
            return Output(b.make<ops::Binary>("", function, x, y));
        };
        using enum ops::BinaryFunction;
        const Output span = binary(subtract, i64(b, -1), binary(subtract, extent, i64(b, 1)));
        const Output real = b.make<ops::Convert>("", span, ElementType::f32);
        const Output count = binary(divide, real, b.constant(scalar_of(-1.0F)));
        const Output whole = b.make<ops::Unary>("", ops::UnaryFunction::ceiling, count);
        return binary(maximum, b.make<ops::Convert>("", whole, ElementType::i64), i64(b, 0));
    };
    expect_sequence([](const Iteration& it) { return it.gathered(it.from_end()); }, trips);
}

TEST(LoopRun, LeavesOtherPlaces) {
    const auto expect_kept = [](const ReadPart& part, const TripCount& trips = all_steps) {
        expect_unchanged(*loop_over(part, kForward, "[?,2,3]", trips), loops_to_sequences);
    };
    expect_kept([](const Iteration& it) {  // T - 2 - i, which wraps round
        return it.gathered(it.difference(it.from_end(), i64(it.b, 1)));
    });
    expect_kept([](const Iteration& it) {  // both orders
        return add(it.b, it.gathered(it.number), it.gathered(it.from_end()));
    });
    expect_kept([](const Iteration& it) {  // -1 - i to -i: the first one is empty
        const Output start = it.difference(i64(it.b, -1), it.number);
        const Output part = it.b.make<ops::Slice>(
            "", it.x, it.b.unsqueeze(start, {0}),
            it.b.unsqueeze(add(it.b, start, i64(it.b, 1)), {0}), it.b.ints({1}), it.b.ints({0}));
        return it.b.reshape(part, {2, 3});
    });
    expect_kept([](const Iteration& it) { return it.gathered(it.number); },
                [](GraphBuilder& b, const Output& extent) { return add(b, extent, i64(b, -1)); });
}

}  // namespace
}  // namespace rondo::passes::loop_run_test
