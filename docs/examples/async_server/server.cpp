// A server loop: jobs of different lengths run on a few requests; whichever is idle takes the next.
// usage: server detector.xml
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <mutex>
#include <queue>
#include <rondo/rondo.hpp>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kFrame = 16;  // of the model's input audio [1,T,16]
constexpr std::size_t kJobs = 64;

struct Job {
    std::vector<float> audio;
    float score = -1;
    std::string error;
};

// Requests that wait for work. A callback only puts its request back: results are read by the loop,
// so that jobs are touched by one thread.
class IdleRequests {
public:
    void put(std::size_t index) {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            idle_.push(index);
        }
        changed_.notify_one();
    }
    std::size_t take() {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [&] { return !idle_.empty(); });
        const std::size_t index = idle_.front();
        idle_.pop();
        return index;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::queue<std::size_t> idle_;
};

// One request and the job that it works on.
struct Worker {
    rondo::InferRequest request;
    Job* job = nullptr;

    void start(Job& next) {
        job = &next;
        request.set_tensor(
            "audio", rondo::Tensor(rondo::ElementType::f32, {1, next.audio.size() / kFrame, kFrame},
                                   next.audio.data()));
        request.start_async();
    }
    // Waits for what is left of the inference, and keeps its result or its error.
    void finish() {
        if (job == nullptr) return;
        try {
            request.wait();
            const rondo::Tensor scores = request.get_tensor("score");
            job->score = scores.data<float>()[scores.size() - 1];
        } catch (const rondo::Error& error) {
            job->error = error.what();
        }
        job = nullptr;
    }
};

std::vector<Job> make_jobs() {
    std::vector<Job> jobs(kJobs);
    for (std::size_t i = 0; i < kJobs; ++i) {
        jobs[i].audio.assign((1 + i % 20) * kFrame, 0.01F * float(i));
    }
    return jobs;
}

void serve(rondo::CompiledModel& model, std::size_t requests, std::vector<Job>& jobs) {
    IdleRequests idle;
    std::vector<Worker> workers(requests);
    for (std::size_t i = 0; i < requests; ++i) {
        workers[i].request = model.create_infer_request();
        workers[i].request.get_tensor("h");  // made by the request, zero
        workers[i].request.get_tensor("c");
        workers[i].request.set_callback([&idle, i](const std::exception_ptr&) { idle.put(i); });
        idle.put(i);
    }
    for (Job& job : jobs) {
        Worker& worker = workers[idle.take()];
        worker.finish();
        worker.start(job);
    }
    for (Worker& worker : workers) worker.finish();
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 2) throw rondo::ModelError("usage: server MODEL");
    rondo::Core core;
    rondo::CompiledModel model =
        core.compile_model(argv[1], "CPU", {{rondo::property::kNumStreams, "2"}});
    std::vector<Job> jobs = make_jobs(), alone = jobs;
    serve(model, 4, jobs);
    serve(model, 1, alone);
    std::size_t done = 0;
    for (std::size_t i = 0; i < kJobs; ++i) {
        if (!jobs[i].error.empty()) throw rondo::ModelError(jobs[i].error);
        if (jobs[i].score == alone[i].score && jobs[i].score > 0) ++done;
    }
    std::printf("%zu of %zu jobs done, each as if it ran alone\n", done, kJobs);
    return done == kJobs ? 0 : 1;
} catch (const rondo::Error& error) {
    std::fprintf(stderr, "server: %s\n", error.what());
    return 1;
}
