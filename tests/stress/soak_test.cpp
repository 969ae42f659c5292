// Sixteen threads with 64 requests in each of two processes, beside a third that computes: models
// of many shapes, with states, are run in every way, cancelled, dropped, and compiled again from a
// cache that both processes share. Each inference gives the bits that it gives alone.
// RONDO_SOAK_SECONDS: how long (1800 for a long run).
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/support/process.hpp"
#include "rondo/error.hpp"
#include "rondo/rondo.hpp"
#include "tests/stress/soak_scene.hpp"
#include "tests/stress/soak_time.hpp"
#include "tests/support/busy_process.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test::soak_test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kSeats = 4;       // requests of a thread
constexpr auto kLongestSilence = 120s;  // of a thread: after it, it hangs
constexpr const char* kFolder = "RONDO_SOAK_FOLDER";
constexpr long long kSeconds = 2;

// One request after another of a thread.
class Seat {
public:
    Seat(SoakScene& scene, Rng& rng) : scene_(scene), rng_(rng) { renew(); }

    /// Ends what runs, then does something at random.
    void act() {
        const auto choice = uniform_int(rng_, 0, 99);
        if (choice < 4) return renew();  // whether it runs or not
        finish();
        if (choice < 7) return recompile();
        if (choice < 12) return start_anew();
        if (choice < 20) return refuse();
        start(choice);
    }

    void finish() {
        if (!running_) return;
        running_ = false;
        try {
            request_.wait();
            check();
        } catch (const CancelledError&) {
            ++scene_.counts.cancelled;  // states are as before
        }
        EXPECT_EQ(*calls_, expected_calls_) << model_->path();
    }

private:
    void renew() {
        model_ = &scene_.models[static_cast<std::size_t>(
            uniform_int(rng_, 0, static_cast<std::int64_t>(scene_.models.size()) - 1))];
        running_ = false;
        request_ = model_->compiled().create_infer_request();
        ++scene_.counts.requests;
        start_anew();
    }

    void recompile() {
        model_->compile(static_cast<std::size_t>(uniform_int(rng_, 1, 3)));
        ++scene_.counts.compilations;
    }

    void start_anew() {
        request_.reset_state();
        series_ = static_cast<std::size_t>(uniform_int(rng_, 0, std::size(kSoakExtents) - 1));
        step_ = 0;
    }

    // A tensor of a type that no input has.
    void refuse() {
        EXPECT_THROW(request_.set_input_tensor(0, Tensor(ElementType::f64, {1})), ModelError);
        ++scene_.counts.refused;
    }

    void start(std::int64_t choice) {
        if (step_ == kSoakSteps) start_anew();
        const auto& inputs = model_->series(series_).inputs;
        for (std::size_t i = 0; i < inputs.size(); ++i) request_.set_input_tensor(i, inputs[i]);
        calls_ = std::make_shared<std::atomic<int>>(0);
        expected_calls_ = 0;
        request_.set_callback({});
        if (choice < 45) return infer();
        if (choice < 70) {
            request_.set_callback([calls = calls_](std::exception_ptr) { ++*calls; });
            expected_calls_ = 1;
        }
        running_ = true;
        request_.start_async();
        if (choice >= 90) scene_.canceller.cancel_soon(request_);
        if (choice >= 97) request_.cancel();
    }

    // One that another thread still wants to cancel may be the next.
    void infer() {
        try {
            request_.infer();
            check();
        } catch (const CancelledError&) {
            ++scene_.counts.cancelled;
        }
    }

    void check() {
        const auto& expected = model_->series(series_).outputs[step_];
        for (std::size_t i = 0; i < expected.size(); ++i) {
            SCOPED_TRACE(model_->path() + ", extent " + std::to_string(kSoakExtents[series_]) +
                         ", step " + std::to_string(step_) + ", output " + std::to_string(i));
            expect_same(request_.get_output_tensor(i), expected[i]);
        }
        ++step_;
        ++scene_.counts.inferences;
    }

    SoakScene& scene_;
    Rng& rng_;
    SoakModel* model_ = nullptr;
    std::size_t series_ = 0;
    std::size_t step_ = 0;
    bool running_ = false;
    std::shared_ptr<std::atomic<int>> calls_;  // also of a callback that outlives the request
    int expected_calls_ = 0;
    InferRequest request_;
};

void run_thread(SoakScene& scene, std::size_t index, std::uint64_t seed) {
    Rng rng(seed);
    std::deque<Seat> seats;
    for (std::size_t i = 0; i < kSeats; ++i) seats.emplace_back(scene, rng);
    while (!scene.ends) {
        seats[static_cast<std::size_t>(uniform_int(rng, 0, kSeats - 1))].act();
        ++scene.turns[index];
    }
    for (Seat& seat : seats) seat.finish();
}

double resident_megabytes() {
    std::ifstream file("/proc/self/statm");
    double pages = 0;
    file >> pages >> pages;
    return pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) * 1e-6;
}

// Watches for threads that hang, and for memory that grows.
class Watch {
public:
    explicit Watch(const SoakScene& scene) : scene_(scene) {}

    void until(Clock::time_point end) {
        const auto begin = Clock::now();
        while (Clock::now() < end) {
            std::this_thread::sleep_for(100ms);
            look_for_silence();
            const double passed =
                (Clock::now() - begin) / std::chrono::duration<double>(end - begin);
            const auto quarter = std::min<std::size_t>(3, static_cast<std::size_t>(passed * 4));
            megabytes_[quarter] = std::max(megabytes_[quarter], resident_megabytes());
        }
    }

    /// The most in each quarter of the time.
    const std::array<double, 4>& megabytes() const { return megabytes_; }

private:
    void look_for_silence() {
        for (std::size_t i = 0; i < kSoakThreads; ++i) {
            const long long turns = scene_.turns[i];
            if (turns != turns_[i]) {
                turns_[i] = turns;
                changed_[i] = Clock::now();
            } else if (Clock::now() - changed_[i] > kLongestSilence) {
                std::fprintf(stderr, "thread %zu hangs after %lld turns\n", i, turns);
                std::abort();
            }
        }
    }

    const SoakScene& scene_;
    std::array<long long, kSoakThreads> turns_{};
    std::array<Clock::time_point, kSoakThreads> changed_ = [] {
        std::array<Clock::time_point, kSoakThreads> now;
        now.fill(Clock::now());
        return now;
    }();
    std::array<double, 4> megabytes_{};
};

// This program again, for the same test, with a folder that it is to share.
class OtherProcess {
public:
    explicit OtherProcess(const std::string& folder) {
        const std::string filter =
            std::string("--gtest_filter=") +
            ::testing::UnitTest::GetInstance()->current_test_suite()->name() + ".*";
        ::setenv(kFolder, folder.c_str(), 1);
        std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
        std::string argument = filter;
        char* arguments[] = {program.data(), argument.data(), nullptr};
        started_ = ::posix_spawn(&id_, program.c_str(), nullptr, nullptr, arguments, environ) == 0;
        ::unsetenv(kFolder);
    }
    bool started() const { return started_; }
    bool ended_well() const {
        int status = -1;
        return ::waitpid(id_, &status, 0) == id_ && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }

private:
    pid_t id_ = 0;
    bool started_ = false;
};

void soak(const std::string& folder, std::uint64_t seed) {
    SoakScene scene(folder);

    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kSoakThreads; ++i) {
        threads.emplace_back([&scene, i, seed] { run_thread(scene, i, seed + i); });
    }
    Watch watch(scene);
    watch.until(Clock::now() + soak_time(kSeconds));
    scene.ends = true;
    for (std::thread& thread : threads) thread.join();

    const SoakCounts& counts = scene.counts;
    const auto& megabytes = watch.megabytes();
    std::printf(
        "process %d: %lld inferences, %lld cancelled, %lld refused, %lld requests, %lld "
        "compilations; at most %.0f, %.0f, %.0f, %.0f MB in each quarter\n",
        static_cast<int>(::getpid()), counts.inferences.load(), counts.cancelled.load(),
        counts.refused.load(), counts.requests.load(), counts.compilations.load(), megabytes[0],
        megabytes[1], megabytes[2], megabytes[3]);
    EXPECT_GT(counts.inferences, 0);
    EXPECT_GT(counts.cancelled, 0);
    EXPECT_GT(counts.compilations, 0);
    if (soak_time(kSeconds) >= 60s) {  // before, pools of memory still fill
        EXPECT_LT(megabytes[3], megabytes[1] * 1.1 + 8);
    }
}

TEST(Soak, ManyThreadsAndTwoProcessesGiveTheBitsOfOne) {
    if (const auto folder = env(kFolder)) return soak(*folder, 2000);
    const TemporaryFolder folder;
    write_soak_layers(folder.path());
    const BusyProcess busy;
    const OtherProcess other(folder.path());
    ASSERT_TRUE(other.started());
    soak(folder.path(), 1000);
    EXPECT_TRUE(other.ended_well());
}

}  // namespace
}  // namespace rondo::test::soak_test
