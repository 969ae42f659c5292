// Loops whose lists grow: one plan serves every length, and gives what REFERENCE gives.
#include <gtest/gtest.h>

#include <functional>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "rondo/core.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test::growing_bodies_test {
namespace {

// The last rows of a list decide the next one.
using NextRow = std::function<Output(GraphBuilder& body, const Output& list)>;

std::shared_ptr<Graph> growing_loop(const NextRow& next_row) {
    GraphBuilder body, builder;
    const Output list = body.input("list", "...");
    body.output("more", flag(body, true));
    const Output row = next_row(body, list);
    body.output("longer", body.make<ops::Concat>("", std::vector<Output>{list, row}, 0));
    const std::vector<Output> inputs{builder.input("n", "", ElementType::i64), flag(builder, true),
                                     builder.input("x", "?,2")};
    const auto loop = builder.make<ops::Loop>("loop", inputs, body.graph(),
                                              ops::BodyPorts{{{2, 0, {}, 1}}, {{0, 1, {}}}},
                                              ops::LoopPorts{{}, 0});
    builder.output("y", loop->output(0));
    return builder.graph();
}

Output half_of(GraphBuilder& body, const Output& x) {
    return body.make<ops::Binary>("", ops::BinaryFunction::multiply, x,
                                  body.constant(scalar_of<float>(0.5F)));
}

Output last_row(GraphBuilder& body, const Output& list) {
    return half_of(body, body.make<ops::Gather>("", list, body.ints({-1}), body.ints({0})));
}

Output greatest_row(GraphBuilder& body, const Output& list) {
    return half_of(
        body, body.make<ops::Reduce>("", ops::ReduceFunction::max, list, body.ints({0}), true));
}

Output mean_of_last_rows(GraphBuilder& body, const Output& list) {
    const Output rows = body.make<ops::Slice>("", list, body.ints({-3}), body.ints({1000000}),
                                              body.ints({1}), body.ints({0}));
    return half_of(
        body, body.make<ops::Reduce>("", ops::ReduceFunction::mean, rows, body.ints({0}), true));
}

Tensor run(const std::shared_ptr<Graph>& graph, const char* device, std::int64_t count) {
    InferRequest request = Core().compile_model(Model(graph), device).create_infer_request();
    request.set_input_tensor(0, scalar_of<std::int64_t>(count));
    request.set_input_tensor(1, tensor_of<float>({1, 2}, {1, -2}));
    request.infer();
    return request.get_output_tensor(0);
}

std::uint64_t plans_made(const std::shared_ptr<Graph>& graph,
                         const std::vector<std::int64_t>& counts) {
    CompiledModel model = Core().compile_model(Model(graph), "CPU");
    InferRequest request = model.create_infer_request();
    request.set_input_tensor(1, tensor_of<float>({1, 2}, {1, -2}));
    for (const std::int64_t count : counts) {
        request.set_input_tensor(0, scalar_of<std::int64_t>(count));
        request.infer();
    }
    return model.metrics().plans_made;
}

const std::vector<NextRow>& rows() {
    static const std::vector<NextRow> all{last_row, greatest_row, mean_of_last_rows};
    return all;
}

TEST(GrowingBodies, GiveWhatTheReferenceGives) {
    for (const NextRow& row : rows()) {
        for (const std::int64_t count : {0, 1, 2, 3, 20, 70, 200}) {
            expect_near(run(growing_loop(row), "CPU", count),
                        run(growing_loop(row), "REFERENCE", count), 1e-6, 1e-6);
        }
    }
}

// Two lengths have plans of their own, all others share one.
TEST(GrowingBodies, AreNotPlannedOnceALength) {
    for (const NextRow& row : rows()) {
        const std::uint64_t few = plans_made(growing_loop(row), {20});
        EXPECT_LE(few, 6u);
        for (const std::int64_t count : {50, 100, 200, 400}) {
            EXPECT_EQ(plans_made(growing_loop(row), {count}), few) << count;
        }
        EXPECT_EQ(plans_made(growing_loop(row), {400, 400, 400}), few);
    }
}

}  // namespace
}  // namespace rondo::test::growing_bodies_test
