#include "plugins/cpu/plugin/run/program_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/plugin/run/late_program.hpp"

namespace rondo::test::program_run_test {
namespace {

using cpu::PlannedProgram;

Tensor floats(std::vector<float> values) {
    const std::size_t count = values.size();
    return tensor_of<float>({count}, std::move(values));
}

// head = x[:stop], y = head + head; x, head and y are results.
std::shared_ptr<PlannedProgram> head_program() {
    GraphBuilder b;
    const Output x = b.input("x", "[?]");
    const Output stop = b.input("stop", "[1]", ElementType::i64);
    const Output head = b.make<ops::Slice>("head", x, b.ints({0}), stop, b.ints({1}));
    b.output("x", x);
    b.output("y", b.make<ops::Binary>("twice", ops::BinaryFunction::add, head, head));
    return std::make_shared<PlannedProgram>(cpu::make_program(b.graph(), {cpu::Isa::plain}), 1);
}

Tensor stop_at(std::int64_t stop) { return tensor_of<std::int64_t>({1}, {stop}); }

TEST(ProgramRun, WritesResultsOfEverySegmentToTheCallersTensors) {
    OneRun one(head_program());
    for (const std::int64_t stop : {2, 3, 2}) {
        std::vector<Tensor> outputs{Tensor(ElementType::f32, {3}),
                                    Tensor(ElementType::f32, {static_cast<std::size_t>(stop)})};
        const std::vector<Tensor> given = outputs;
        one.run({floats({1, 2, 3}), stop_at(stop)}, outputs);
        for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(outputs[i].data(), given[i].data());
        expect_same(given[0], floats({1, 2, 3}));
        expect_same(given[1], stop == 2 ? floats({2, 4}) : floats({2, 4, 6}));
    }
}

TEST(ProgramRun, RefusesATensorThatALaterSegmentCantFill) {
    OneRun one(head_program());
    std::vector<Tensor> outputs{Tensor(), Tensor(ElementType::f32, {3})};
    expect_error<ModelError>(
        [&] {
            one.run({floats({1, 2, 3}), stop_at(2)}, outputs);
        },
        "the output tensor is f32[3]; expected f32[2]");
    one.run({floats({1, 2, 3}), stop_at(3)}, outputs);
    expect_same(outputs[1], floats({2, 4, 6}));
    std::vector<Tensor> shared(2, Tensor(ElementType::f32, {3}));
    expect_error<ModelError>(
        [&] {
            one.run({floats({1, 2, 3}), stop_at(3)}, shared);
        },
        "shares memory with that of");
}

// The first segment must not write an output that is an input of a later one.
TEST(ProgramRun, AnOutputMayBeAnInputThatALaterSegmentReads) {
    GraphBuilder b;
    const Output x = b.input("x", "[3]");
    const Output stop = b.input("stop", "[1]", ElementType::i64);
    b.output("negative", b.make<ops::Binary>("negative", ops::BinaryFunction::subtract,
                                             b.constant(floats({0, 0, 0})), x));
    b.output("head", b.make<ops::Slice>("head", x, b.ints({0}), stop, b.ints({1})));
    OneRun one(
        std::make_shared<PlannedProgram>(cpu::make_program(b.graph(), {cpu::Isa::plain}), 1));
    const Tensor in_place = floats({1, 2, 3});
    std::vector<Tensor> outputs{in_place, Tensor()};
    one.run({in_place, stop_at(2)}, outputs);
    expect_same(outputs[0], floats({-1, -2, -3}));
    expect_same(outputs[1], floats({1, 2}));
}

TEST(ProgramRun, RunsOfOneProgramMayOverlap) {
    const auto program = head_program();
    std::vector<std::thread> threads;
    std::atomic<int> faults{0};
    for (int thread = 0; thread < 3; ++thread) {
        threads.emplace_back([&, thread] {
            OneRun one(program);
            for (int i = 0; i < 200; ++i) {
                const std::int64_t stop = 1 + (i + thread) % 20;
                std::vector<Tensor> outputs(2);
                const Tensor x(ElementType::f32, {20});
                one.run({x, stop_at(stop)}, outputs);
                if (outputs[1].size() != static_cast<std::size_t>(stop)) ++faults;
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(faults, 0);
}

// positives(x - 1) after tanh(positives(x)): two late steps in a chain, one of them also a result.
std::shared_ptr<Graph> late_graph() {
    GraphBuilder b;
    const Output x = b.input("x", "[?]");
    const Output first = b.make<ops::Unary>("first", ops::UnaryFunction::relu, x);
    const Output tanh = b.make<ops::Unary>("tanh", ops::UnaryFunction::tanh, first);
    const Output half = b.constant(floats({0.5f}));
    const Output second =
        b.make<ops::Unary>("second", ops::UnaryFunction::relu,
                           b.make<ops::Binary>("less", ops::BinaryFunction::subtract, tanh, half));
    b.output("first", first);
    b.output("all", b.make<ops::Concat>("all", std::vector<Output>{second, x, first}, 0));
    return b.graph();
}

std::vector<std::vector<float>> expected_of(const std::vector<float>& x) {
    std::vector<float> first;
    std::vector<float> all;
    for (const float value : x) {
        if (value > 0) first.push_back(value);
    }
    for (const float value : first) {
        if (std::tanh(value) > 0.5f) all.push_back(std::tanh(value) - 0.5f);
    }
    all.insert(all.end(), x.begin(), x.end());
    all.insert(all.end(), first.begin(), first.end());
    return {first, all};
}

TEST(ProgramRun, DynamicStepsFindTheirShapes) {
    OneRun one(late_program(late_graph()));
    Rng rng = test_rng();
    std::vector<std::vector<float>> sets;
    for (int i = 0; i < 20; ++i) {
        sets.emplace_back(static_cast<std::size_t>(uniform_int(rng, 0, 6)));
        for (float& value : sets.back()) {
            value = static_cast<float>(uniform_int(rng, -10, 10)) / 4.0f;
        }
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (const auto& x : sets) {
            for (int again = 0; again < 2; ++again) {
                std::vector<Tensor> outputs(2);
                one.run({floats(x)}, outputs);
                const auto expected = expected_of(x);
                for (std::size_t i = 0; i < 2; ++i) {
                    expect_near(outputs[i], floats(expected[i]), 1e-6);
                }
            }
        }
    }
}

// Five of 400 bytes, and the result.
TEST(ProgramRun, TheOutputsOfDynamicStepsCountTogether) {
    GraphBuilder b;
    Output y = b.input("x", "[?]");
    for (int i = 0; i < 5; ++i) {
        y = b.make<ops::Unary>(std::to_string(i), ops::UnaryFunction::relu, y);
    }
    b.output("y", y);
    const auto run_within = [&](std::size_t bytes) {
        ModelLimits limits;
        limits.plan_bytes = bytes;
        std::vector<Tensor> outputs(1);
        OneRun(late_program(b.graph(), {}, limits))
            .run({floats(std::vector<float>(100, 1))}, outputs);
    };
    EXPECT_NO_THROW(run_within(2400));
    expect_error<ModelError>([&] { run_within(2399); },
                             "these input shapes need 2400 bytes of memory; the limit is 2399");
}

TEST(ProgramRun, RunsAgainAfterItWasCancelled) {
    OneRun one(late_program(late_graph()));
    std::vector<Tensor> outputs(2);
    one.cancelled = true;
    expect_error<CancelledError>([&] { one.run({floats({1, 2})}, outputs); }, "cancelled");
    one.cancelled = false;
    one.run({floats({1, 2})}, outputs);
    EXPECT_EQ(outputs[0].size(), 2u);
}

// Two late steps follow each other; the first one's segment is the last that runs.
TEST(ProgramRun, StopsBetweenSegmentsWithVariablesAsTheyWere) {
    GraphBuilder b;
    const Output x = b.input("x", "[?]");
    const Output some = b.make<ops::Unary>("some", ops::UnaryFunction::relu, x);
    const Output less =
        b.make<ops::Binary>("less", ops::BinaryFunction::subtract, some, b.constant(floats({1})));
    const Output few = b.make<ops::Unary>("few", ops::UnaryFunction::relu, less);
    const Output before = b.read("v", "[?]");
    b.output("y", b.make<ops::Concat>("y", std::vector<Output>{before, few}, 0));
    b.assign("v", few);
    int dynamic_steps = 0;
    int cancel_at = 0;
    std::atomic<bool>* cancelled = nullptr;
    const auto program = late_program(b.graph(), [&] {
        if (++dynamic_steps == cancel_at) *cancelled = true;
    });
    for (const int at : {1, 2}) {
        OneRun one(program);
        cancelled = &one.cancelled;
        const auto run = [&](const Tensor& input) {
            std::vector<Tensor> outputs(1);
            one.cancelled = false;
            dynamic_steps = 0;
            one.run({input}, outputs);
            return outputs[0];
        };
        cancel_at = 0;
        expect_same(run(floats({1, 3, -1})), floats({2}));
        for (int i = 0; i < 2; ++i) {  // with a plan, and for sizes that are new
            cancel_at = at;
            const Tensor input = i == 0 ? floats({4, 4, 4}) : floats({5, 1, 6});
            expect_error<CancelledError>([&] { run(input); }, "cancelled");
            EXPECT_EQ(dynamic_steps, at);
            expect_same(one.variable(0).value(), floats({2}));
        }
        cancel_at = 0;
        expect_same(run(floats({9, 5})), floats({2, 8, 4}));
        expect_same(one.variable(0).value(), floats({8, 4}));
    }
}

TEST(ProgramRun, AWindowThatMovesAndGrows) {
    GraphBuilder b;
    const Output x = b.input("x", "[?]");
    const Output start = b.input("start", "[1]", ElementType::i64);
    const Output length = b.input("length", "[1]", ElementType::i64);
    const Output stop = b.make<ops::Binary>("stop", ops::BinaryFunction::add, start, length);
    const Output part = b.make<ops::Slice>("part", x, start, stop, b.ints({1}));
    b.output("y", b.make<ops::Binary>("twice", ops::BinaryFunction::add, part, part));
    OneRun one(
        std::make_shared<PlannedProgram>(cpu::make_program(b.graph(), {cpu::Isa::plain}), 1));
    std::vector<float> elements(30);
    for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<float>(i);
    const Tensor all = floats(elements);
    for (const std::size_t count : {5, 3, 12}) {
        for (std::size_t at = 0; at < 30; ++at) {
            std::vector<Tensor> outputs(1);
            one.run({all, stop_at(static_cast<std::int64_t>(at)),
                     stop_at(static_cast<std::int64_t>(count))},
                    outputs);
            std::vector<float> expected;
            for (std::size_t i = at; i < std::min<std::size_t>(30, at + count); ++i) {
                expected.push_back(2 * elements[i]);
            }
            expect_same(outputs[0], floats(expected));
        }
    }
}

// Nothing but its run could find the shape, and the node has none.
TEST(ProgramRun, AStepWithoutShapesIsRefused) {
    GraphBuilder b;
    const Output x = b.input("x", "[?]");
    b.output("y", b.make<ops::Unary>("open", ops::UnaryFunction::relu, x));
    cpu::Program program = cpu::make_program(b.graph(), {cpu::Isa::plain});
    class Shapeless final : public cpu::CpuNode {
    public:
        using CpuNode::CpuNode;
        std::unique_ptr<cpu::Call> prepare(const cpu::CallSite&) const override { return nullptr; }
    };
    const auto node = make_node<Positives>(x);
    node->set_name("open");
    program.steps[0].kernel = std::make_unique<Shapeless>(*node, "none", "a test");
    OneRun one(std::make_shared<PlannedProgram>(std::move(program), 1));
    std::vector<Tensor> outputs(1);
    expect_error<UnsupportedError>(
        [&] { one.run({floats({1})}, outputs); },
        "node 'open' (Positives): an output's shape doesn't follow from the inputs");
}

}  // namespace
}  // namespace rondo::test::program_run_test
