// Sequences: each step has the bits that its sequence gives alone, whatever else happens.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <random>
#include <thread>

#include "tests/unit/bindings/triton/models.hpp"

namespace rondo::test::triton::streams_test {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// The detector with its states in the server.
class Detector {
public:
    explicit Detector(const std::string& name, Pairs parameters = {})
        : folder_(ModelFolder::with_detector()) {
        parameters.emplace_back("stateful", "auto");
        model_ =
            std::make_unique<StubModel>(name, folder_.path(), ModelPlan{config_with(parameters)});
        EXPECT_EQ(model_->error(), "");
    }
    StubModel* operator->() const { return model_.get(); }
    void unload() { model_.reset(); }

private:
    ModelFolder folder_;
    std::unique_ptr<StubModel> model_;
};

void expect_error(const AnswerPtr& answer, TRITONSERVER_Error_Code code, const std::string& text) {
    EXPECT_EQ(answer->code(), code) << answer->error();
    EXPECT_NE(answer->error().find(text), std::string::npos) << answer->error();
    EXPECT_EQ(answer->output_count(), 0u);
    EXPECT_EQ(answer->responses(), 1);
}

// Waits until it holds, for at most a minute.
bool comes_true(const std::function<bool()>& holds) {
    for (int i = 0; i < 6000; ++i) {
        if (holds()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

TEST(TritonStreams, KeepStates) {
    const Detector model("keep");
    Alone alone;
    for (std::uint32_t i = 0; i < 5; ++i) {
        const auto audio = frames(1 + i, i);
        const auto answer = model->infer(step_of(std::uint64_t{7}, audio, i == 0 ? kStart : 0));
        EXPECT_EQ(answer->values("score"), alone.score(audio));
        const std::vector<std::int64_t> shape{1, 1 + i, 1};
        EXPECT_EQ(answer->output("score").shape, shape);
    }
    // Starts again.
    alone.reset();
    const auto again = model->infer(step_of(std::uint64_t{7}, frames(2, 9), kStart));
    EXPECT_EQ(again->values("score"), alone.score(frames(2, 9)));
    const auto last = model->infer(step_of(std::uint64_t{7}, frames(2, 8), kEnd));
    EXPECT_EQ(last->values("score"), alone.score(frames(2, 8)));
    expect_error(model->infer(step_of(std::uint64_t{7}, frames(2, 8))),
                 TRITONSERVER_ERROR_NOT_FOUND, "sequence 7 isn't open on model 'keep'");
}

TEST(TritonStreams, HaveNumbersOrTextsAsIds) {
    const Detector model("ids");
    std::vector<std::pair<SequenceId, Alone>> sequences;
    for (const SequenceId& id : {SequenceId(std::uint64_t{7}), SequenceId("7"), SequenceId("é 7"),
                                 SequenceId(~std::uint64_t{0})}) {
        sequences.emplace_back(id, Alone());
    }
    for (std::uint32_t i = 0; i < 6; ++i) {
        for (std::uint32_t k = 0; k < sequences.size(); ++k) {
            auto& [id, alone] = sequences[k];
            const auto audio = frames(2, i * 10 + k);
            const auto answer = model->infer(step_of(id, audio, i == 0 ? kStart : 0));
            EXPECT_EQ(answer->values("score"), alone.score(audio));
        }
    }
    expect_error(model->infer(step_of("unknown", frames(1, 1))), TRITONSERVER_ERROR_NOT_FOUND,
                 "sequence 'unknown' isn't open");
}

TEST(TritonStreams, WithoutAnIdAreWhole) {
    const Detector model("whole");
    for (const SequenceId& none : {SequenceId(std::uint64_t{0}), SequenceId("")}) {
        for (const std::uint32_t flags : {0u, kStart | kEnd}) {
            const auto answer = model->infer(step_of(none, frames(4, 1), flags));
            EXPECT_EQ(answer->values("score"), Alone().score(frames(4, 1)));
        }
        for (const std::uint32_t flags : {kStart, kEnd}) {
            expect_error(model->infer(step_of(none, frames(4, 1), flags)),
                         TRITONSERVER_ERROR_INVALID_ARG, "no sequence id");
        }
    }
}

TEST(TritonStreams, OpenOnDemand) {
    const Detector model("on_demand", {{"open_on_demand", "YES"}});
    Alone alone;
    for (std::uint32_t i = 0; i < 3; ++i) {
        const auto answer = model->infer(step_of("x", frames(2, i)));
        EXPECT_EQ(answer->values("score"), alone.score(frames(2, i)));
    }
}

TEST(TritonStreams, CloseWhenIdle) {
    const Detector model("idle", {{"idle_timeout", "20ms"}});
    model->infer(step_of(std::uint64_t{1}, frames(1, 1), kStart));
    EXPECT_TRUE(comes_true([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return !model->infer(step_of(std::uint64_t{1}, frames(1, 1)))->error().empty();
    }));
    expect_error(model->infer(step_of(std::uint64_t{1}, frames(1, 1))),
                 TRITONSERVER_ERROR_NOT_FOUND, "idle_timeout (20 ms)");
    EXPECT_TRUE(comes_true([] { return StubServer::metric("rondo_streams", "idle") == 0; }));
}

// Requests that arrive while the pool closes the streams of their sequences.
TEST(TritonStreams, MayBeIdleUntilTheNextStep) {
    constexpr std::uint64_t kSequences = 200;
    const Detector model("nearly_idle", {{"idle_timeout", "1ms"}});
    std::vector<Ask> starts;
    std::vector<Ask> steps;
    for (std::uint64_t i = 1; i <= kSequences; ++i) {
        starts.push_back(step_of(i, frames(1, 1), kStart));
        steps.push_back(step_of(kSequences + 1 - i, frames(1, 2)));
    }
    Alone alone;
    const auto first = alone.score(frames(1, 1));
    const auto second = alone.score(frames(1, 2));
    std::size_t closed = 0;
    for (int round = 0; round < 200; ++round) {
        const auto started = model->execute(starts);
        for (const auto& answer : started) answer->wait();
        for (const auto& answer : started) ASSERT_EQ(answer->values("score"), first);
        std::this_thread::sleep_for(std::chrono::microseconds(round * 10));
        for (const auto& answer : model->execute(round % 2 == 0 ? steps : starts)) {
            answer->wait();
            if (round % 2 != 0) {
                ASSERT_EQ(answer->values("score"), first);
            } else if (answer->error().empty()) {
                ASSERT_EQ(answer->values("score"), second);
            } else {
                ASSERT_EQ(answer->code(), TRITONSERVER_ERROR_NOT_FOUND) << answer->error();
                ++closed;
            }
        }
    }
    EXPECT_GT(closed, 0u);
}

TEST(TritonStreams, SkipNullRequests) {
    const Detector model("nulls");
    Alone alone;
    for (std::uint32_t i = 0; i < 4; ++i) {
        Ask null = step_of(std::uint64_t{0}, frames(1, 1));
        null.outputs.clear();
        const Ask real = step_of(std::uint64_t{5}, frames(2, i), i == 0 ? kStart : 0);
        const auto answers = model->execute({null, real, null});
        for (const auto& answer : answers) answer->wait();
        EXPECT_EQ(answers[0]->responses(), 0);
        EXPECT_EQ(answers[2]->responses(), 0);
        EXPECT_EQ(answers[1]->values("score"), alone.score(frames(2, i)));
    }
}

TEST(TritonStreams, RefusedRequestsChangeNothing) {
    const Detector model("refused");
    Alone alone;
    model->infer(step_of(std::uint64_t{3}, frames(2, 1), kStart));
    alone.score(frames(2, 1));
    const auto refused = [&](const std::function<void(Ask&)>& change, const std::string& text,
                             TRITONSERVER_Error_Code code = TRITONSERVER_ERROR_INVALID_ARG) {
        Ask ask = step_of(std::uint64_t{3}, frames(2, 2), kEnd);
        change(ask);
        expect_error(model->infer(ask), code, text);
    };
    refused([](Ask& ask) { ask.inputs["audio"].shape = {1, 4, 8}; }, "[1,4,8]");
    refused([](Ask& ask) { ask.inputs["audio"] = data_of({2, 1, 16}, frames(2, 2)); }, "[2,1,16]");
    refused([](Ask& ask) { ask.inputs["audio"].shape = {1, 3, 16}; }, "other than 192 bytes");
    refused([](Ask& ask) { ask.inputs["audio"].shape = {1, 1, 16}; }, "other than 64 bytes");
    refused([](Ask& ask) { ask.inputs["audio"].type = TRITONSERVER_TYPE_INT32; }, "TYPE_INT32");
    refused([](Ask& ask) { ask.inputs.clear(); }, "'audio' f32[?,?,16] was not given");
    refused([](Ask& ask) { ask.memory = TRITONSERVER_MEMORY_GPU; }, "a GPU's memory",
            TRITONSERVER_ERROR_UNSUPPORTED);
    refused(
        [](Ask& ask) {
            *ask.cancelled = true;
            ask.flags = 0;
        },
        "cancelled", TRITONSERVER_ERROR_CANCELLED);
    const auto answer = model->infer(step_of(std::uint64_t{3}, frames(2, 3), kEnd));
    EXPECT_EQ(answer->values("score"), alone.score(frames(2, 3)));
    // A sequence that couldn't start isn't there.
    Ask start = step_of(std::uint64_t{4}, frames(2, 1), kStart);
    start.inputs["audio"].shape = {1, 4, 8};
    EXPECT_NE(model->infer(start)->error(), "");
    expect_error(model->infer(step_of(std::uint64_t{4}, frames(2, 1))),
                 TRITONSERVER_ERROR_NOT_FOUND, "sequence 4");
}

TEST(TritonStreams, SendWhatIsAskedFor) {
    const Detector model("outputs");
    Ask twice = step_of(std::uint64_t{0}, frames(2, 1));
    twice.outputs = {"score", "score"};
    EXPECT_EQ(model->infer(twice)->values("score"), Alone().score(frames(2, 1)));
    Ask unknown = step_of(std::uint64_t{0}, frames(2, 1));
    unknown.outputs = {"nothing"};
    const auto answer = model->infer(unknown);
    EXPECT_EQ(answer->code(), TRITONSERVER_ERROR_INVALID_ARG);
    EXPECT_NE(answer->error().find("no output 'nothing'"), std::string::npos);
}

TEST(TritonStreams, ReadInputsInPiecesAndAnywhere) {
    const Detector model("pieces");
    for (const std::size_t pieces : {1, 2, 5}) {
        for (const std::size_t offset : {0, 1, 3}) {
            Ask ask = step_of(std::uint64_t{0}, frames(7, 1));
            ask.pieces = pieces;
            ask.offset = offset;
            ask.inputs["CORRID"] = data_of({1}, {1});  // a control of the sequence batcher
            EXPECT_EQ(model->infer(ask)->values("score"), Alone().score(frames(7, 1)));
        }
    }
}

TEST(TritonStreams, TakeScalarsWithABatchAxis) {
    const auto folder = ModelFolder::with(decay_model());
    StubModel model("decay", folder.path(), {config_with({{"stateful", "s:s_out"}})});
    ASSERT_EQ(model.error(), "");
    float state = 0;
    for (std::uint32_t i = 0; i < 4; ++i) {
        Ask ask;
        ask.id = std::uint64_t{1};
        ask.flags = i == 0 ? kStart : 0;
        ask.inputs["x"] = data_of({1, 3}, {1, 1, 1});
        ask.inputs["scale"] = data_of({1}, {0.5f});  // [1,1] after the reshape to []
        ask.outputs = {"y"};
        const auto answer = model.infer(ask);
        state = state * 0.5f + 1;
        EXPECT_EQ(answer->values("y"), std::vector<float>(3, 2 * state)) << answer->error();
    }
}

// With max_delay a step waits for others if another stream had a step just before.
TEST(TritonStreams, CancelStepsThatWait) {
    const Detector model("cancel", {{"max_delay", "1s"}, {"threads", "1"}});
    model->infer(step_of(std::uint64_t{1}, frames(1, 1), kStart));
    model->infer(step_of("other", frames(1, 1), kStart));
    const Ask ask = step_of(std::uint64_t{1}, frames(1, 2));
    const auto answer = model->execute(ask);
    *ask.cancelled = true;
    answer->wait();
    expect_error(answer, TRITONSERVER_ERROR_CANCELLED, "cancelled");
}

TEST(TritonStreams, HaveLimits) {
    const Detector model(
        "limits",
        {{"max_delay", "200ms"}, {"threads", "1"}, {"queue_limit", "2"}, {"max_streams", "2"}});
    model->infer(step_of(std::uint64_t{1}, frames(1, 1), kStart));
    model->infer(step_of(std::uint64_t{2}, frames(1, 1), kStart));
    expect_error(model->infer(step_of(std::uint64_t{3}, frames(1, 1), kStart)),
                 TRITONSERVER_ERROR_UNAVAILABLE, "max_streams is 2");
    // One that starts again needs no place.
    EXPECT_EQ(model->infer(step_of(std::uint64_t{2}, frames(1, 1), kStart))->error(), "");
    const Ask step = step_of(std::uint64_t{1}, frames(1, 2));
    const auto answers = model->execute({step, step, step});
    for (const auto& answer : answers) answer->wait();
    expect_error(answers[2], TRITONSERVER_ERROR_UNAVAILABLE, "queue_limit is 2");
    EXPECT_EQ(answers[1]->error(), "");
}

TEST(TritonStreams, RunHigherPrioritiesFirst) {
    const Detector model("priority", {{"threads", "1"}, {"max_batch", "1"}});
    const auto start = [&](const char* id, std::uint64_t priority) {
        Ask ask = step_of(id, frames(1, 1), kStart);
        ask.priority = priority;  // 1 is the server's highest
        model->infer(ask);
    };
    start("low", 3);
    start("high", 1);
    start("middle", 2);
    const auto answers =
        model->execute({step_of("low", frames(20000, 1)), step_of("low", frames(2, 1)),
                        step_of("middle", frames(2, 1)), step_of("high", frames(2, 1))});
    for (const auto& answer : answers) answer->wait();
    EXPECT_LT(answers[3]->order(), answers[2]->order());
    EXPECT_LT(answers[2]->order(), answers[1]->order());
}

// Steps beyond a queue's limit don't hold up those of other sequences, which are handed over later.
TEST(TritonStreams, BlockNoOthers) {
    const Detector model(
        "block",
        {{"threads", "1"}, {"max_batch", "1"}, {"queue_limit", "1"}, {"overflow", "block"}});
    Ask high = step_of("high", frames(1, 1), kStart);
    high.priority = 1;
    model->infer(high);
    Ask low = step_of("low", frames(20000, 1), kStart);
    low.priority = 2;
    const Ask next = step_of("low", frames(2, 1));
    high.flags = 0;
    const auto answers = model->execute({low, next, next, next, high});
    for (const auto& answer : answers) answer->wait();
    for (const auto& answer : answers) EXPECT_EQ(answer->error(), "");
    EXPECT_LT(answers[4]->order(), answers[1]->order());
    EXPECT_LT(answers[1]->order(), answers[3]->order());
}

TEST(TritonStreams, HaveDeadlines) {
    const Detector model("late");
    const auto run = [&](const char* id, std::uint64_t timeout) {
        Ask ask = step_of(id, frames(2000, 1), kStart);
        ask.timeout = timeout;
        EXPECT_EQ(model->infer(ask)->error(), "");
    };
    run("patient", 60000000);
    run("hasty", 1);
    run("for ever", ~std::uint64_t{0});
    EXPECT_TRUE(comes_true([] { return StubServer::metric("rondo_steps_total", "late") == 3; }));
    EXPECT_EQ(StubServer::metric("rondo_steps_late_total", "late"), 1);
}

TEST(TritonStreams, ReportStatistics) {
    const Detector model("statistics");
    for (std::uint32_t i = 0; i < 20; ++i) {
        model->infer(step_of(std::uint64_t{1}, frames(1, i), i == 0 ? kStart : 0));
    }
    model->infer(step_of(std::uint64_t{2}, frames(1, 1)));
    EXPECT_TRUE(comes_true([&] { return model->statistics().rows == 20; }));
    const Statistics statistics = model->statistics();
    EXPECT_EQ(statistics.succeeded, 20u);
    EXPECT_EQ(statistics.failed, 1u);
    EXPECT_EQ(statistics.batches, 20u);
    EXPECT_TRUE(statistics.times_ascend);
    EXPECT_EQ(StubServer::metric("rondo_streams", "statistics"), 1);
    EXPECT_EQ(StubServer::metric("rondo_steps_total", "statistics"), 20);
    EXPECT_EQ(StubServer::metric("rondo_steps_waiting", "statistics"), 0);
}

// While a model is loaded again, the server may still have it.
TEST(TritonStreams, MayBeLoadedTwice) {
    Detector first("twice");
    const Detector second("twice");
    first->infer(step_of(std::uint64_t{1}, frames(1, 1), kStart));
    second->infer(step_of(std::uint64_t{1}, frames(1, 1), kStart));
    EXPECT_TRUE(comes_true([] { return StubServer::metric("rondo_streams", "twice") == 1; }));
    first.unload();
    second->infer(step_of(std::uint64_t{2}, frames(1, 1), kStart));
    EXPECT_TRUE(comes_true([] { return StubServer::metric("rondo_streams", "twice") == 2; }));
}

struct Sequence {
    Alone alone = {};
    std::vector<std::vector<float>> audio = {};
    std::vector<AnswerPtr> answers = {};
};

void expect_bits_of(Sequence& sequence) {
    for (std::size_t i = 0; i < sequence.answers.size(); ++i) {
        sequence.answers[i]->wait();
        EXPECT_EQ(sequence.answers[i]->values("score"), sequence.alone.score(sequence.audio[i]));
    }
}

// Threads of clients, each with streams of its own; steps are handed over several at a time, as the
// dynamic batcher does, and a stream's next step doesn't wait for the answer to the one before.
TEST(TritonStreams, HaveTheBitsOfEachAlone) {
    const Detector model("many", {{"max_batch", "16"}, {"threads", "2"}});
    std::vector<std::thread> clients;
    for (std::uint32_t client = 0; client < 3; ++client) {
        clients.emplace_back([&, client] {
            std::mt19937 random(client);
            std::vector<Sequence> sequences(12);
            for (int i = 0; i < 60; ++i) {
                std::vector<Ask> asks;
                std::vector<Sequence*> asked;
                for (int k = 0; k < 4; ++k) {
                    const std::size_t at = random() % sequences.size();
                    Sequence& sequence = sequences[at];
                    sequence.audio.push_back(frames(1 + random() % 3, random()));
                    asks.push_back(step_of(std::uint64_t{1 + client * 100 + at},
                                           sequence.audio.back(),
                                           sequence.audio.size() == 1 ? kStart : 0));
                    asked.push_back(&sequence);
                }
                const auto answers = model->execute(asks);
                for (int k = 0; k < 4; ++k) asked[k]->answers.push_back(answers[k]);
            }
            for (Sequence& sequence : sequences) expect_bits_of(sequence);
        });
    }
    for (auto& client : clients) client.join();
}

// Clients that go in the middle of a sequence, and never send END, leave nothing.
TEST(TritonStreams, OutliveTheirClients) {
    StubServer::get();
    const long long before = StubServer::live_objects();
    {
        Detector model("vanish", {{"idle_timeout", "100ms"}});
        Sequence stays;
        for (std::uint32_t i = 0; i < 200; ++i) {
            const Ask vanishes = step_of(std::uint64_t{100 + i}, frames(20, i), kStart);
            model->execute(vanishes);
            *vanishes.cancelled = true;
            stays.audio.push_back(frames(2, i));
            stays.answers.push_back(
                model->execute(step_of("stays", stays.audio.back(), i == 0 ? kStart : 0)));
            if (i % 32 == 31) stays.answers.back()->wait();  // its queue has room for 64
        }
        expect_bits_of(stays);
        EXPECT_TRUE(comes_true([] { return StubServer::metric("rondo_streams", "vanish") == 0; }));
    }
    EXPECT_EQ(StubServer::live_objects(), before);
}

TEST(TritonStreams, TenThousandMayBeIdle) {
    constexpr std::uint64_t kStreams = 10000;
    const Detector model("idle_streams");
    std::map<std::uint64_t, std::vector<float>> first;
    std::vector<AnswerPtr> answers;
    for (std::uint64_t i = 1; i <= kStreams; ++i) {
        answers.push_back(model->execute(step_of(i, frames(1, i % 50), kStart)));
    }
    for (const auto& answer : answers) answer->wait();
    EXPECT_TRUE(
        comes_true([] { return StubServer::metric("rondo_streams", "idle_streams") == kStreams; }));
    answers.clear();
    for (std::uint64_t i = 1; i <= kStreams; ++i) {
        answers.push_back(model->execute(step_of(i, frames(1, 50 + i % 50), kEnd)));
    }
    for (std::uint64_t i = 1; i <= kStreams; ++i) {
        auto& expected = first[i % 50];
        if (expected.empty()) {
            Alone alone;
            alone.score(frames(1, i % 50));
            expected = alone.score(frames(1, 50 + i % 50));
        }
        answers[i - 1]->wait();
        ASSERT_EQ(answers[i - 1]->values("score"), expected) << i;
    }
    EXPECT_TRUE(
        comes_true([] { return StubServer::metric("rondo_streams", "idle_streams") == 0; }));
}

// The server unloads a model when it has handed over all requests; some may still wait.
TEST(TritonStreams, AnswerAllWhenTheModelIsUnloaded) {
    StubServer::get();
    const long long before = StubServer::live_objects();
    for (int round = 0; round < 5; ++round) {
        Detector model("unload", {{"threads", "2"}});
        std::vector<Sequence> sequences(50);
        for (std::uint32_t i = 0; i < 6; ++i) {
            for (std::uint64_t k = 0; k < sequences.size(); ++k) {
                sequences[k].audio.push_back(frames(3, i * 50 + k));
                sequences[k].answers.push_back(
                    model->execute(step_of(1 + k, sequences[k].audio.back(), i == 0 ? kStart : 0)));
            }
        }
        model.unload();
        for (Sequence& sequence : sequences) expect_bits_of(sequence);
    }
    EXPECT_EQ(StubServer::live_objects(), before);
    const Detector model("unload");
    expect_error(model->infer(step_of(std::uint64_t{1}, frames(1, 1))),
                 TRITONSERVER_ERROR_NOT_FOUND, "loading the model again close it");
}

}  // namespace
}  // namespace rondo::test::triton::streams_test
