// What the threads of the soak test share: models with the outputs that one thread alone gives, and
// a thread that cancels their requests.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "rondo/rondo.hpp"

namespace rondo::test {

constexpr std::size_t kSoakThreads = 16;
constexpr std::size_t kSoakSteps = 3;                   ///< inferences that share states
constexpr std::int64_t kSoakExtents[] = {1, 2, 5, 16};  ///< of open axes, in turn

/// Inputs, and what comes out, step by step from the first states on.
struct SoakSeries {
    std::vector<Tensor> inputs;
    std::array<std::vector<Tensor>, kSoakSteps> outputs;
};

/// A model that is compiled again and again, while requests of earlier compilations run.
class SoakModel {
public:
    SoakModel(std::string path, std::string cache);

    const std::string& path() const { return path_; }
    /// For each of kSoakExtents.
    const SoakSeries& series(std::size_t index) const { return series_[index]; }

    void compile(std::size_t streams);
    CompiledModel compiled() const;

private:
    std::string path_;
    std::string cache_;
    std::vector<SoakSeries> series_;
    mutable std::mutex mutex_;
    CompiledModel compiled_;
};

/// Cancels requests of other threads, some time after they asked for it.
class Canceller {
public:
    ~Canceller();

    void cancel_soon(const InferRequest& request);

private:
    void run();

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<InferRequest> requests_;
    bool ends_ = false;
    std::thread thread_{[this] { run(); }};
};

struct SoakCounts {
    std::atomic<long long> inferences{0};
    std::atomic<long long> cancelled{0};
    std::atomic<long long> refused{0};
    std::atomic<long long> requests{0};
    std::atomic<long long> compilations{0};
};

/// Writes layers that threads share, as those of small models aren't.
void write_soak_layers(const std::string& folder);

struct SoakScene {
    /// The models of write_soak_layers(folder) and small ones; the cache lies there too.
    explicit SoakScene(const std::string& folder);

    std::deque<SoakModel> models;
    Canceller canceller;
    SoakCounts counts;
    std::array<std::atomic<long long>, kSoakThreads> turns{};
    std::atomic<bool> ends{false};
};

}  // namespace rondo::test
