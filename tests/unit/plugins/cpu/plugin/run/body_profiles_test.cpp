// Profiles list the nodes of bodies under the name of their op, with the time of all iterations.
#include "plugins/cpu/plugin/run/step_profile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "core/ops/product/matmul.hpp"
#include "rondo/core.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/rng.hpp"

namespace rondo::test::body_profiles_test {
namespace {

using std::chrono::nanoseconds;
using Rows = std::vector<ProfilingInfo>;

// The rows of the last of two inferences, and how long that one took.
struct Profiled {
    Rows rows;
    nanoseconds whole{0};
};

Profiled profile(const std::shared_ptr<Graph>& graph, const std::vector<Tensor>& inputs) {
    CompiledModel model =
        Core().compile_model(Model(graph), "CPU", {{property::kPerfCount, "YES"}});
    InferRequest request = model.create_infer_request();
    Profiled profiled;
    for (int i = 0; i < 2; ++i) {
        for (std::size_t k = 0; k < inputs.size(); ++k) request.set_input_tensor(k, inputs[k]);
        const auto start = std::chrono::steady_clock::now();
        request.infer();
        profiled.whole = std::chrono::steady_clock::now() - start;
    }
    profiled.rows = request.get_profiling_info();
    return profiled;
}

const ProfilingInfo& row_of(const Rows& rows, const std::string& name) {
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const auto& row) { return row.node_name == name; });
    if (found != rows.end()) return *found;
    std::string names;
    for (const auto& row : rows) names += " " + row.node_name;
    throw ModelError("no row " + name + " among" + names);
}

nanoseconds sum_of(const Rows& rows) {
    nanoseconds sum{0};
    for (const auto& row : rows) sum += row.real_time_ns;
    return sum;
}

// h [64,64] -> h * w, `trips` times; another loop around it where `twice`.
std::shared_ptr<Graph> product_loop(bool twice) {
    Rng rng = test_rng();
    GraphBuilder body, builder;
    const Output h = body.input("h", "64,64");
    body.output("more", flag(body, true));
    const Tensor weights = random_tensor(ElementType::f32, {64, 64}, rng, -0.1, 0.1);
    body.output("next", body.make<ops::MatMul>("product", h, body.constant(weights)));
    const auto loop_in = [](GraphBuilder& own, const Output& start, GraphPtr graph) {
        return own.make<ops::Loop>(
            "loop", std::vector<Output>{i64(own, 20), flag(own, true), start}, std::move(graph),
            ops::BodyPorts{{{2, 0, {}, 1}}, {{0, 1, {}}}}, ops::LoopPorts{{}, 0});
    };
    if (!twice) {
        builder.output("y", loop_in(builder, builder.input("x", "64,64"), body.graph()));
        return builder.graph();
    }
    GraphBuilder outer;
    const Output start = outer.input("start", "64,64");
    outer.output("more", flag(outer, true));
    outer.output("next", loop_in(outer, start, body.graph()));
    builder.output("y", loop_in(builder, builder.input("x", "64,64"), outer.graph()));
    return builder.graph();
}

// A product of 64 x 64 x 64 takes longer than all around it: counted twice it would exceed the
// whole.
TEST(StepProfile, TimesOfABodyAreCountedOnce) {
    for (const bool twice : {false, true}) {
        const auto profiled = profile(product_loop(twice), {Tensor(ElementType::f32, {64, 64})});
        const auto& product = row_of(profiled.rows, twice ? "loop/loop/product" : "loop/product");
        EXPECT_EQ(product.status, ProfilingInfo::ExecutionStatus::executed);
        EXPECT_EQ(product.node_type, "MatMul");
        EXPECT_GT(product.real_time_ns, row_of(profiled.rows, "loop").real_time_ns);
        EXPECT_GE(row_of(profiled.rows, "loop").real_time_ns.count(), 0);
        EXPECT_LE(sum_of(profiled.rows), profiled.whole);
        EXPECT_NE(row_of(profiled.rows, "loop").exec_type.find("20 iterations"), std::string::npos);
    }
}

TEST(StepProfile, OnlyTheBranchThatIsTakenRan) {
    const Tensor x = Tensor(ElementType::f32, {2, 3});
    for (const bool condition : {true, false}) {
        const Rows rows = profile(choice(), {scalar_of<bool>(condition), x, x}).rows;
        std::vector<std::string> ran;
        for (const auto& row : rows) {
            if (row.status == ProfilingInfo::ExecutionStatus::executed)
                ran.push_back(row.node_name);
        }
        ASSERT_EQ(ran.size(), 2u);
        EXPECT_EQ(ran[0], "choice");
        EXPECT_EQ(ran[1].find(condition ? "choice/then_body/" : "choice/else_body/"), 0u) << ran[1];
        EXPECT_EQ(rows.size(), 3u);
    }
}

// A loop whose shapes only the run finds.
TEST(StepProfile, KnowsLateLoopsToo) {
    const auto profiled =
        profile(count_loop(), {scalar_of<std::int64_t>(9), scalar_of<bool>(true),
                               tensor_of<float>({3}, {1, 2, 3}), scalar_of<std::int64_t>(5)});
    EXPECT_EQ(row_of(profiled.rows, "loop/as_flag").status,
              ProfilingInfo::ExecutionStatus::executed);
    EXPECT_GT(row_of(profiled.rows, "loop/as_flag").real_time_ns.count(), 0);
    EXPECT_LE(sum_of(profiled.rows), profiled.whole);
}

}  // namespace
}  // namespace rondo::test::body_profiles_test
