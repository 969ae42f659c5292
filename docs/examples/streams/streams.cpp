// Many callers at once: each has a stream, and their chunks run together on one model.
// usage: streams detector.xml
#include <atomic>
#include <cstdio>
#include <exception>
#include <memory>
#include <rondo/rondo.hpp>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t kFrame = 16;  // of the model's input audio [N,T,16]
constexpr std::size_t kStreams = 200;
constexpr std::size_t kChunks = 50;

// One caller: chunks go in as they arrive, scores come out in their order.
struct Caller {
    rondo::Stream stream;
    std::vector<float> scores = {};
    std::atomic<std::size_t> ended{0};

    explicit Caller(rondo::Stream opened) : stream(std::move(opened)) {}

    // The callback runs on one of the pool's threads, and one at a time for each stream.
    void send(const rondo::Tensor& chunk) {
        stream.push({chunk}, [this](const rondo::StreamStep& step) {
            const rondo::Tensor score = step.get_tensor("score");
            scores.push_back(score.data<float>()[score.size() - 1]);
            ++ended;
        });
    }
};

int serve(const char* path) {
    rondo::Core core;
    rondo::Model model = core.read_model(path);
    model.make_stateful();  // its states become variables, which the pool keeps for each stream
    model.set_batch(-1);
    rondo::CompiledModel compiled =
        core.compile_model(model, "CPU", {{"PERFORMANCE_HINT", "THROUGHPUT"}});
    rondo::StreamPoolOptions options;
    options.overflow = rondo::Overflow::block;  // push() waits if a stream is very late
    rondo::StreamPool pool = compiled.create_stream_pool(options);

    std::vector<std::unique_ptr<Caller>> callers;
    for (std::size_t i = 0; i < kStreams; ++i) {
        callers.push_back(std::make_unique<Caller>(pool.open()));
    }
    rondo::Tensor chunk(rondo::ElementType::f32, {1, 8, kFrame});
    for (std::size_t i = 0; i < chunk.size(); ++i) {
        chunk.data<float>()[i] = static_cast<float>(i % 7) / 7;
    }
    for (std::size_t i = 0; i < kChunks; ++i) {
        for (auto& caller : callers) caller->send(chunk);
    }
    for (auto& caller : callers) {
        while (caller->ended < kChunks) std::this_thread::yield();
        if (caller->scores != callers.front()->scores) {
            std::fprintf(stderr, "streams: equal streams gave other scores\n");
            return 1;
        }
    }
    const rondo::StreamPoolStats stats = pool.stats();
    std::printf("%llu chunks of %zu streams in %llu batches, the last score is %.4f\n",
                static_cast<unsigned long long>(stats.steps), kStreams,
                static_cast<unsigned long long>(stats.batches), callers.front()->scores.back());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: streams detector.xml\n");
        return 1;
    }
    try {
        return serve(argv[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "streams: %s\n", error.what());
        return 1;
    }
}
