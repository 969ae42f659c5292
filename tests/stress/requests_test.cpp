// Many threads, each with many requests of shared models: equal bits, and no report of tsan.
// RONDO_STRESS_INFERENCES: how many a thread runs (20000 if time doesn't matter).
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "core/support/process.hpp"
#include "core/support/strings.hpp"
#include "tests/stress/stress_models.hpp"

namespace rondo::test::requests_test {
namespace {

constexpr int kThreads = 8;
constexpr std::size_t kRequests = 8;  // a thread
constexpr long long kInferences = 400;

long long inferences_wanted() {
    const auto text = env("RONDO_STRESS_INFERENCES");
    long long count = kInferences;
    if (text && !parse_int(*text, count)) ADD_FAILURE() << "no number: " << *text;
    return count;
}

bool same_bits(const Tensor& a, const Tensor& b) {
    return a.shape() == b.shape() && a.element_type() == b.element_type() &&
           std::memcmp(a.data(), b.data(), a.byte_size()) == 0;
}

enum class Way { sync, async, callback, callback_starts_next };
constexpr std::size_t kWays = 4;

// One request of a thread: started one way or another, and checked when it has ended.
class Seat {
public:
    Seat(StressModel& model, bool binds_outputs)
        : model_(model),
          binds_outputs_(binds_outputs),
          request_(model.compiled.create_infer_request()) {
        for (const Answer& answer : model.answers) {
            auto& outputs = buffers_.emplace_back();
            for (const Tensor& output : answer.outputs) {
                outputs.emplace_back(output.element_type(), output.shape());
            }
        }
        request_.set_callback([this](std::exception_ptr error) { called_back(error); });
    }

    void start(Way way, std::size_t answer) {
        answer_ = answer % model_.answers.size();
        bind(model_.answers[answer_].inputs);
        to_start_ = way == Way::callback_starts_next ? 1 : 0;
        expected_calls_ = way == Way::sync ? 0 : 1 + to_start_;
        calls_ = 0;
        running_ = true;
        way == Way::sync ? request_.infer() : request_.start_async();
    }

    // The number of inferences that ended with the right bits; throws the exception of one that
    // failed.
    long long finish() {
        if (!running_) return 0;
        running_ = false;
        request_.wait();
        EXPECT_EQ(calls_, expected_calls_) << model_.name;
        const Answer& expected = model_.answers[answer_];
        for (std::size_t i = 0; i < expected.outputs.size(); ++i) {
            const Tensor output = request_.get_output_tensor(i);
            EXPECT_TRUE(same_bits(output, expected.outputs[i]))
                << model_.name << ", answer " << answer_ << ", output " << i;
        }
        return expected_calls_ > 1 ? 2 : 1;
    }

private:
    void bind(const std::vector<Tensor>& inputs) {
        for (std::size_t i = 0; i < inputs.size(); ++i) request_.set_input_tensor(i, inputs[i]);
        for (std::size_t i = 0; binds_outputs_ && i < buffers_[answer_].size(); ++i) {
            Tensor& buffer = buffers_[answer_][i];
            std::memset(buffer.data(), 0x5a, buffer.byte_size());
            request_.set_output_tensor(i, buffer);
        }
    }

    void called_back(const std::exception_ptr& error) {
        EXPECT_EQ(error, nullptr) << model_.name;
        ++calls_;
        if (to_start_ == 0) return;
        --to_start_;
        request_.start_async();
    }

    StressModel& model_;
    bool binds_outputs_;
    InferRequest request_;
    std::vector<std::vector<Tensor>> buffers_;  // one for each output
    std::size_t answer_ = 0;
    bool running_ = false;
    int to_start_ = 0;
    int calls_ = 0;
    int expected_calls_ = 0;
};

void run_thread(std::vector<StressModel>& models, std::size_t thread, long long wanted) {
    std::vector<std::unique_ptr<Seat>> seats;
    for (std::size_t i = 0; i < kRequests; ++i) {
        seats.push_back(std::make_unique<Seat>(models[(thread + i) % models.size()], i % 2 == 1));
    }
    long long done = 0;
    for (std::size_t i = 0; done < wanted; ++i) {
        Seat& seat = *seats[i % kRequests];
        done += seat.finish();
        const std::size_t turn = i / kRequests + i + thread;
        seat.start(static_cast<Way>(turn % kWays), turn / kWays + thread);
    }
    for (const auto& seat : seats) seat->finish();
}

TEST(Requests, OfManyThreadsGiveTheBitsOfOne) {
    auto models = make_stress_models();
    const long long wanted = inferences_wanted();
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kThreads; ++i) {
        threads.emplace_back([&models, i, wanted] { run_thread(models, i, wanted); });
    }
    for (auto& thread : threads) thread.join();
    std::cout << "at least " << wanted * kThreads << " inferences by " << kThreads << " threads\n";
}

}  // namespace
}  // namespace rondo::test::requests_test
