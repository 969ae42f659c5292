// Streams that open, push, fork, change, fail, are cancelled and close at random, from several
// threads: each step has the bits that the stream has alone, and tsan has nothing to report.
// RONDO_SOAK_SECONDS: how long (600 for a long run).
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <deque>
#include <thread>

#include "core/graph/rt_info_keys.hpp"
#include "rondo/core.hpp"
#include "tests/stress/soak_time.hpp"
#include "tests/support/rng.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::test::stream_pool_test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr int kThreads = 3;
constexpr std::size_t kStreams = 40;  // of each thread, at most
constexpr std::size_t kHidden = 24;
constexpr std::int64_t kTable = 16;

// row i64[T,N] -> y: a GRU on the rows of a table, whose state is a variable. A row past the
// table is an error. With `chunks`, steps of several lengths share batches.
Model soak_model(bool chunks) {
    GraphBuilder b;
    Rng rng(3);
    const Output row = b.input("row", "[?,?]", ElementType::i64);
    const Output table = b.constant(random_tensor(ElementType::f32, {kTable, 10}, rng));
    const Output axis = b.constant(scalar_of<std::int64_t>(0));
    const Output x = b.make<ops::Gather>("x", table, row, axis);
    const auto gru = make_gru(b, "gru", x, 10, kHidden);
    gru->set_input(gru->h_port(), b.read("h", "[?,1,24]"));
    gru->validate();
    b.assign("h", gru->output(1));
    b.output("y", onnx_y(b, gru));
    const auto graph = b.graph();
    if (chunks) {
        graph->parameters()[0]->rt_info()[kTimeAxis] = "0";
        graph->results()[0]->rt_info()[kTimeAxis] = "0";
    }
    return Model(graph);
}

bool same_bits(const Tensor& a, const Tensor& b) {
    return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), a.byte_size()) == 0;
}

struct Pending {
    StreamStep step;
    Tensor expected;  ///< empty: an exception
};

// A stream, and a request that does the same alone.
struct Live {
    Stream stream;
    InferRequest alone;
    std::deque<Pending> pending = {};
};

class Driver {
public:
    Driver(StreamPool pool, CompiledModel model, std::uint64_t seed)
        : pool_(std::move(pool)), model_(std::move(model)), rng_(seed) {}

    void run(Clock::time_point end) {
        while (Clock::now() < end) {
            if (lives_.empty() || (lives_.size() < kStreams && below(10) == 0)) open();
            act(lives_[below(lives_.size())]);
        }
        for (Live& live : lives_) check(live, 0);
    }
    long long checked() const { return checked_; }

private:
    std::size_t below(std::size_t bound) {
        return static_cast<std::size_t>(uniform_int(rng_, 0, static_cast<std::int64_t>(bound) - 1));
    }

    void open() {
        StreamOptions options;
        options.priority = static_cast<int>(below(3));
        options.deadline = std::chrono::microseconds(below(20000));
        lives_.push_back({pool_.open(options), model_.create_infer_request()});
        start_alone(lives_.back(), Tensor(ElementType::f32, {1, 1, kHidden}));
    }

    static void start_alone(Live& live, const Tensor& state) {
        live.alone.query_state().front().set_state(state);
    }

    void act(Live& live) {
        const std::size_t what = below(100);
        if (what < 80) {
            push(live);
        } else if (what < 85) {
            cancel_one(live);
        } else if (what < 88) {
            reset(live);
        } else if (what < 91) {
            set_state(live);
        } else if (what < 94) {
            look_at_state(live);
        } else if (what < 96) {
            fork(live);
        } else if (what < 98) {
            close(live);
        } else {
            check(live, 0);
        }
        if (!lives_.empty()) check(lives_[below(lives_.size())], 8);
    }

    Tensor random_rows() {
        Tensor rows(ElementType::i64, {1 + below(4), 1});
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows.data<std::int64_t>()[i] = uniform_int(rng_, 0, kTable - 1);
        }
        if (below(50) == 0) rows.data<std::int64_t>()[0] = kTable;
        return rows;
    }

    Tensor alone(Live& live, const Tensor& rows) const {
        live.alone.set_input_tensor(rows);
        try {
            live.alone.infer();
        } catch (const ModelError&) {
            return {};
        }
        const Tensor y = live.alone.get_output_tensor();
        Tensor copy(y.element_type(), y.shape());
        y.copy_to(copy);
        return copy;
    }

    void push(Live& live) {
        const Tensor rows = random_rows();
        live.pending.push_back({live.stream.push({rows}), alone(live, rows)});
    }

    void cancel_one(Live& live) {
        const Tensor rows = random_rows();
        StreamStep step = live.stream.push({rows});
        step.cancel();
        try {
            step.wait();
        } catch (const CancelledError&) {
            return;
        } catch (const ModelError&) {
        }
        live.pending.push_back({step, alone(live, rows)});
    }

    static void reset(Live& live) {
        live.stream.reset();
        start_alone(live, Tensor(ElementType::f32, {1, 1, kHidden}));
    }

    void set_state(Live& live) {
        const Tensor state = random_tensor(ElementType::f32, {1, 1, kHidden}, rng_);
        live.stream.set_state({{"h", state}});
        start_alone(live, state);
    }

    void look_at_state(Live& live) {
        const Tensor state = live.stream.state().at("h");
        EXPECT_TRUE(same_bits(state, live.alone.query_state().front().get_state()));
        ++checked_;
    }

    void fork(Live& live) {
        if (lives_.size() >= kStreams) return;
        Live other{live.stream.fork(), model_.create_infer_request()};
        start_alone(other, live.alone.query_state().front().get_state());
        lives_.push_back(std::move(other));
    }

    // Its steps still run.
    void close(Live& live) {
        live.stream = {};
        check(live, 0);
        std::swap(live, lives_.back());
        lives_.pop_back();
    }

    // Until so few steps are open.
    void check(Live& live, std::size_t open) {
        for (; live.pending.size() > open; live.pending.pop_front()) {
            const Pending& next = live.pending.front();
            ++checked_;
            try {
                const Tensor y = next.step.get_output_tensor();
                EXPECT_TRUE(next.expected && same_bits(y, next.expected));
            } catch (const ModelError& error) {
                EXPECT_FALSE(next.expected) << error.what();
            }
        }
    }

    StreamPool pool_;
    CompiledModel model_;
    Rng rng_;
    std::vector<Live> lives_;
    long long checked_ = 0;
};

class StreamPoolStress : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Chunks, StreamPoolStress, testing::Bool());

TEST_P(StreamPoolStress, EachStreamIsAsItIsAlone) {
    Core core;
    const auto model =
        core.compile_model(soak_model(GetParam()), "CPU",
                           {{property::kNumStreams, "2"}, {property::kInferenceNumThreads, "2"}});
    StreamPoolOptions options;
    options.max_batch = 24;
    options.max_delay = 200us;
    StreamPool pool = CompiledModel(model).create_stream_pool(options);
    ASSERT_EQ(pool.stats().why_not_batched, "");
    const std::uint64_t seed = test_rng()();
    std::vector<Driver> drivers;
    for (std::uint64_t i = 0; i < kThreads; ++i) drivers.emplace_back(pool, model, seed + i);
    const auto end = Clock::now() + soak_time(1);
    std::vector<std::thread> threads;
    for (Driver& driver : drivers) threads.emplace_back([&] { driver.run(end); });
    for (auto& thread : threads) thread.join();
    long long checked = 0;
    for (const Driver& driver : drivers) checked += driver.checked();
    const StreamPoolStats stats = pool.stats();
    EXPECT_GT(checked, 100);
    EXPECT_LT(stats.batches, stats.steps);
    EXPECT_GT(stats.failed, 0U);
    EXPECT_EQ(stats.waiting, 0U);
    RecordProperty("checked", std::to_string(checked));
    drivers.clear();
    while (pool.stats().streams > 0) std::this_thread::yield();
}

}  // namespace
}  // namespace rondo::test::stream_pool_test
