// Steps of several lengths in a stream pool.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "tests/support/rng.hpp"
#include "tests/unit/core/streams/pool_models.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::test::stream_lengths_test {
namespace {

// x f32[N,T,1] -> y: a GRU over time, from the variable "h" or from an input of that name.
std::shared_ptr<Graph> gru_over_time(bool is_given) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?,1]");
    const auto gru = make_gru(b, "gru", b.transpose(x, {1, 0, 2}), 1, 5);
    gru->set_input(gru->h_port(), is_given ? b.input("h", "[?,1,5]") : b.read("h", "[?,1,5]"));
    gru->validate();
    if (!is_given) b.assign("h", gru->output(1));
    b.output("y", gru->output(0));
    b.output("last", gru->output(1));
    const auto graph = b.graph();
    graph->parameters()[0]->rt_info()[kTimeAxis] = "1";
    graph->results()[0]->rt_info()[kTimeAxis] = "2";
    return graph;
}

// Steps that waited for another one, of ten streams and several lengths: each gives what its stream
// gives alone. Returns the batches of each size.
std::vector<std::uint64_t> batches_of_lengths(bool is_given) {
    auto compiled = Core().compile_model(Model(gru_over_time(is_given)));
    auto pool = compiled.create_stream_pool({.threads = 1});
    EXPECT_EQ(pool.stats().why_not_batched, "");
    Rng rng = test_rng();
    const auto inputs_of = [&](std::size_t length) {
        std::vector<Tensor> inputs{random_tensor(ElementType::f32, {1, length, 1}, rng)};
        if (is_given) inputs.push_back(random_tensor(ElementType::f32, {1, 1, 5}, rng));
        return inputs;
    };
    std::atomic<bool> is_held{false};
    std::atomic<bool> is_released{false};
    Stream holder = pool.open();
    holder.push(inputs_of(1), [&](const StreamStep&) {
        is_held = true;
        while (!is_released) std::this_thread::yield();
    });
    while (!is_held) std::this_thread::yield();
    std::vector<Stream> streams;
    std::vector<std::vector<Tensor>> inputs;
    std::vector<StreamStep> steps;
    for (std::size_t i = 0; i < 10; ++i) {
        streams.push_back(pool.open());
        inputs.push_back(inputs_of(1 + i * 3 % 7));
        steps.push_back(streams.back().push(inputs.back()));
    }
    is_released = true;
    for (std::size_t i = 0; i < 10; ++i) {
        auto request = compiled.create_infer_request();
        if (!is_given) {
            request.query_state().front().set_state(Tensor(ElementType::f32, {1, 1, 5}));
        }
        for (std::size_t k = 0; k < inputs[i].size(); ++k) {
            request.set_input_tensor(k, inputs[i][k]);
        }
        request.infer();
        expect_same(steps[i].get_tensor("y"), request.get_tensor("y"));
        expect_same(steps[i].get_tensor("last"), request.get_tensor("last"));
        if (is_given) continue;
        expect_same(streams[i].state().at("h"), request.query_state().front().get_state());
    }
    return pool.stats().batch_counts;
}

TEST(StreamLengths, ShareABatch) { EXPECT_EQ(batches_of_lengths(false)[10], 1U); }

// The rest of a longer chunk would have to go on from the state that the first part gave.
TEST(StreamLengths, AreApartWhereAStateIsAnInput) { EXPECT_EQ(batches_of_lengths(true)[2], 3U); }

// a, b f32[N,T,1] -> y = their sums over time, added to the variable "s".
std::shared_ptr<Graph> two_times(const char* axis) {
    GraphBuilder b;
    Output sum = b.read("s", "[?,1]");
    for (const char* name : {"a", "b"}) {
        const Output total = b.make<ops::Reduce>("", ops::ReduceFunction::sum,
                                                 b.input(name, "[?,?,1]"), b.ints({1}), false);
        sum = b.make<ops::Binary>("", ops::BinaryFunction::add, sum, total);
    }
    b.assign("s", sum);
    b.output("y", sum);
    const auto graph = b.graph();
    for (const auto& parameter : graph->parameters()) parameter->rt_info()[kTimeAxis] = axis;
    return graph;
}

Tensor ones(std::size_t length) {
    Tensor tensor(ElementType::f32, {1, length, 1});
    std::fill_n(tensor.data<float>(), length, 1.0F);
    return tensor;
}

// Two inputs of time, of which one has no steps: such steps aren't cut.
TEST(StreamLengths, AreOneStepWhereInputsDiffer) {
    auto compiled = Core().compile_model(Model(two_times("1")));
    auto pool = compiled.create_stream_pool({.threads = 1});
    std::atomic<bool> is_held{false};
    std::atomic<bool> is_released{false};
    Stream holder = pool.open();
    holder.push(std::vector<Tensor>{ones(1), ones(1)}, [&](const StreamStep&) {
        is_held = true;
        while (!is_released) std::this_thread::yield();
    });
    while (!is_held) std::this_thread::yield();
    std::vector<Stream> streams;
    std::vector<StreamStep> steps;
    for (std::size_t i = 0; i < 12; ++i) {
        streams.push_back(pool.open());
        const std::size_t a = i % 3 == 0 ? 0 : 4 + i;
        const std::size_t b = i % 3 == 1 ? 0 : 4 + i;
        steps.push_back(streams.back().push({ones(a), ones(b)}));
    }
    is_released = true;
    for (std::size_t i = 0; i < 12; ++i) {
        const float expected = static_cast<float>((i % 3 == 2 ? 2 : 1) * (4 + i));
        expect_same(steps[i].get_output_tensor(), tensor_of<float>({1, 1}, {expected}));
    }
}

// A file may name any axis: one that isn't there, or that of the batch, is no time.
TEST(StreamLengths, HeedOnlyAxesOfTime) {
    for (const char* axis : {"1000000", "3", "0", "-1", "x"}) {
        auto pool = Core().compile_model(Model(two_times(axis))).create_stream_pool({.threads = 1});
        Stream first = pool.open();
        Stream second = pool.open();
        const auto a = first.push({ones(3), ones(2)});
        const auto b = second.push({ones(1), ones(7)});
        expect_same(a.get_output_tensor(), tensor_of<float>({1, 1}, {5}));
        expect_same(b.get_output_tensor(), tensor_of<float>({1, 1}, {8}));
    }
}

}  // namespace
}  // namespace rondo::test::stream_lengths_test
