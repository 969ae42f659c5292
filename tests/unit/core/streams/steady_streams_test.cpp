// What streams cost: no allocation in a step, and little memory while idle.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <thread>

#include "tests/support/sanitizers.hpp"
#include "tests/unit/core/streams/pool_models.hpp"
#include "tests/unit/plugins/cpu/plugin/run/allocation_counter.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::test::steady_streams_test {
namespace {

// x f32[N,T,8] -> y: a GRU of 64 units, whose state is the variable "h".
Model gru_model() {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?,8]");
    const auto gru = make_gru(b, "gru", b.transpose(x, {1, 0, 2}), 8, 64);
    gru->set_input(gru->h_port(), b.read("h", "[?,1,64]"));
    gru->validate();
    b.assign("h", gru->output(1));
    b.output("y", gru->output(0));
    return Model(b.graph());
}

std::vector<Tensor> chunk() { return {Tensor(ElementType::f32, {1, 2, 8})}; }

TEST(SteadyStreams, AStepOfOneStreamAllocatesNothing) {
    auto pool = Core().compile_model(gru_model()).create_stream_pool();
    Stream stream = pool.open();
    const auto inputs = chunk();
    // The pool's thread may hold a step a moment longer than the caller, which then needs another.
    for (int i = 0; i < 200; ++i) {
        stream.infer(inputs);
        stream.push(inputs).wait();
    }
    const long before = allocation_count();
    for (int i = 0; i < 100; ++i) {
        stream.infer(inputs);
        stream.push(inputs).wait();
    }
    EXPECT_EQ(allocation_count() - before, 0);
}

TEST(SteadyStreams, AnElementForAScalarAllocatesNothing) {
    auto pool = pool_of(scaled_sum());
    Stream stream = pool.open();
    const std::vector<Tensor> inputs{row_of(1, 2), tensor_of<float>({1}, {3})};
    for (int i = 0; i < 200; ++i) stream.infer(inputs);
    const long before = allocation_count();
    for (int i = 0; i < 100; ++i) stream.infer(inputs);
    EXPECT_EQ(allocation_count() - before, 0);
}

TEST(SteadyStreams, BatchesOfAllSizesAllocateNothing) {
    StreamPoolOptions options;
    options.max_batch = 24;
    auto pool = Core().compile_model(gru_model()).create_stream_pool(options);
    const auto inputs = chunk();
    pool.warm_up(inputs);
    std::vector<Stream> streams;
    for (int i = 0; i < 60; ++i) streams.push_back(pool.open());
    std::vector<StreamStep> steps(streams.size());
    const auto round = [&](std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) steps[i] = streams[i].push(inputs);
        for (std::size_t i = 0; i < count; ++i) steps[i].wait();
        for (auto& step : steps) step = {};
    };
    for (int i = 0; i < 20; ++i) round(60);
    const long before = allocation_count();
    for (std::size_t count = 1; count <= 60; ++count) round(count);
    EXPECT_EQ(allocation_count() - before, 0);
}

// Resident memory of the process, in bytes.
std::size_t resident() {
    std::ifstream file("/proc/self/statm");
    std::size_t all = 0;
    std::size_t pages = 0;
    file >> all >> pages;
    return pages * 4096;
}

TEST(SteadyStreams, AnIdleStreamNeedsLittleMoreThanItsState) {
    if (!std::ifstream("/proc/self/statm")) GTEST_SKIP() << "no /proc here";
    if (kIsSanitized) GTEST_SKIP() << "a sanitizer adds to what is allocated";
    auto pool = Core().compile_model(gru_model()).create_stream_pool({.threads = 1});
    const auto inputs = chunk();
    std::vector<Stream> streams;
    constexpr std::size_t kStreams = 10000;
    streams.reserve(kStreams);
    for (int i = 0; i < 500; ++i) streams.push_back(pool.open());
    for (auto& stream : streams) stream.infer(inputs);
    const std::size_t before = resident();
    while (streams.size() < kStreams) {
        streams.push_back(pool.open());
        streams.back().infer(inputs);
    }
    const std::size_t each = (resident() - before) / (kStreams - 500);
    EXPECT_LT(each, 64 * sizeof(float) + 350);
    EXPECT_EQ(pool.stats().streams, kStreams);
}

}  // namespace
}  // namespace rondo::test::steady_streams_test
