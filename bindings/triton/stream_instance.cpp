// Requests as steps of live sequences: each sequence is a stream of one pool.
#include <algorithm>
#include <chrono>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "bindings/triton/instance.hpp"
#include "bindings/triton/requests.hpp"
#include "bindings/triton/server_error.hpp"
#include "bindings/triton/ticker.hpp"
#include "rondo/error.hpp"

namespace rondo::triton {
namespace {

using std::chrono::milliseconds;

// How often requests are looked at whose clients may have gone.
constexpr milliseconds kTick{100};
constexpr int kTicksPerReport = 10;

// A request on its way through the pool.
struct Pending {
    TRITONBACKEND_Request* request = nullptr;
    RequestTimes times;
    StreamStep step;
};
using PendingPtr = std::shared_ptr<Pending>;

// Calls `function`, which uses the stream. False if it failed since the stream is closed.
template <typename Function>
bool if_open(const Stream& stream, const Function& function) {
    try {
        function();
        return true;
    } catch (const ModelError&) {
        if (stream.is_open()) throw;
        return false;
    }
}

class StreamInstance final : public Instance {
public:
    StreamInstance(TRITONBACKEND_ModelInstance* instance, ServedModel& model);
    ~StreamInstance() override;
    void execute(TRITONBACKEND_Request** requests, std::uint32_t count) noexcept override;

private:
    struct Sequence {
        Stream stream;
        StreamOptions options;
    };

    void begin(TRITONBACKEND_Request* request, std::uint64_t start);
    Stream stream_for(TRITONBACKEND_Request* request, const SequenceFacts& facts);
    Stream start(const SequenceId& id, const StreamOptions& options);
    StreamOptions options_for(TRITONBACKEND_Request* request) const;
    void forget(const SequenceId& id);
    void push(TRITONBACKEND_Request* request, const SequenceFacts& facts, std::uint64_t start);
    void push(Stream& stream, TRITONBACKEND_Request* request, std::uint64_t start);
    void end(const PendingPtr& pending, const StreamStep& step) noexcept;
    void tick() noexcept;
    void cancel_abandoned();
    void forget_closed();
    void report_batches(const StreamPoolStats& stats);

    TRITONBACKEND_ModelInstance* instance_;
    ServedModel& model_;
    const std::size_t input_count_;
    StreamPool pool_;
    const std::uint64_t made_ = now_ns();

    std::mutex mutex_;
    std::unordered_map<SequenceId, Sequence> sequences_;
    std::unordered_map<Pending*, PendingPtr> pending_;

    // The ticker's.
    Gauges gauges_;
    StreamPoolStats reported_;
    std::uint64_t reported_busy_ = 0;
    int ticks_ = 0;
    std::unique_ptr<Ticker> ticker_;
};

StreamInstance::StreamInstance(TRITONBACKEND_ModelInstance* instance, ServedModel& model)
    : instance_(instance),
      model_(model),
      input_count_(model.loaded.compiled.inputs().size()),
      pool_(model.loaded.compiled.create_stream_pool(model.settings.pool)),
      gauges_(*model.gauges, model.name, model.version) {
    reported_ = pool_.stats();
    if (!reported_.why_not_batched.empty()) {
        log_line(TRITONSERVER_LOG_WARN, "'" + model.name + "': sequences run one after another: " +
                                            reported_.why_not_batched);
    }
    ticker_ = std::make_unique<Ticker>(kTick, [this] { tick(); });
}

// The pool's last handle waits for what was pushed.
StreamInstance::~StreamInstance() {
    ticker_.reset();
    sequences_.clear();
    pool_ = {};
}

void StreamInstance::execute(TRITONBACKEND_Request** requests, std::uint32_t count) noexcept {
    for (std::uint32_t i = 0; i < count; ++i) {
        TRITONBACKEND_Request* request = requests[i];
        const std::uint64_t start = now_ns();
        TRITONSERVER_Error* error = guarded([&] { begin(request, start); });
        if (error == nullptr) continue;
        send_error(request, error);
        report(instance_, request, false, {start, start, start});
        release(request);
    }
}

// A refused request changes nothing, except that a sequence which it would have started isn't
// there.
void StreamInstance::begin(TRITONBACKEND_Request* request, std::uint64_t start) {
    if (is_null_request(request)) return release(request);
    const SequenceFacts facts = sequence_facts(request);
    if (is_cancelled(request)) {
        if (facts.starts || facts.ends) forget(facts.id);
        throw CancelledError("the client has cancelled the request");
    }
    try {
        push(request, facts, start);
    } catch (...) {
        if (facts.starts) forget(facts.id);
        throw;
    }
    if (facts.ends) forget(facts.id);
}

// The pool may close a stream for its idleness at any time before a step is pushed: then the
// sequence is looked for again.
void StreamInstance::push(TRITONBACKEND_Request* request, const SequenceFacts& facts,
                          std::uint64_t start) {
    for (bool is_pushed = false; !is_pushed;) {
        Stream stream = stream_for(request, facts);
        is_pushed = if_open(stream, [&] { push(stream, request, start); });
    }
}

// A request without an id is a sequence of its own, whose stream ends with its only handle.
Stream StreamInstance::stream_for(TRITONBACKEND_Request* request, const SequenceFacts& facts) {
    if (!facts.has_id()) {
        if (facts.starts == facts.ends) return pool_.open(options_for(request));
        throw ServerError(TRITONSERVER_ERROR_INVALID_ARG,
                          "the request has a START or END flag and no sequence id");
    }
    if (facts.starts) return start(facts.id, options_for(request));
    {
        const std::lock_guard lock(mutex_);
        const auto found = sequences_.find(facts.id);
        if (found != sequences_.end() && found->second.stream.is_open()) {
            return found->second.stream;
        }
    }
    if (model_.settings.opens_on_demand) return start(facts.id, options_for(request));
    throw ServerError(TRITONSERVER_ERROR_NOT_FOUND,
                      "sequence " + to_string(facts.id) + " isn't open on model '" + model_.name +
                          "': its first request has the START flag; idle_timeout (" +
                          std::to_string(model_.settings.pool.idle_timeout.count()) +
                          " ms), END and loading the model again close it");
}

// A sequence that starts again keeps its stream, so that it needs no second place in the pool.
Stream StreamInstance::start(const SequenceId& id, const StreamOptions& options) {
    const std::lock_guard lock(mutex_);
    const auto found = sequences_.find(id);
    if (found != sequences_.end()) {
        Sequence& old = found->second;
        const bool is_alike =
            old.options.priority == options.priority && old.options.deadline == options.deadline;
        if (is_alike && if_open(old.stream, [&] { old.stream.reset(); })) return old.stream;
        sequences_.erase(found);
    }
    Stream stream = pool_.open(options);
    sequences_[id] = {stream, options};
    return stream;
}

StreamOptions StreamInstance::options_for(TRITONBACKEND_Request* request) const {
    constexpr std::uint64_t kMostTimeout = 3600000000;
    constexpr std::uint64_t kMostPriority = 1000000;
    StreamOptions options = model_.settings.stream;
    const std::uint64_t timeout = std::min(timeout_of(request), kMostTimeout);
    if (timeout > 0) options.deadline = std::chrono::microseconds(timeout);
    // The server's highest priority is 1.
    options.priority = -static_cast<int>(std::min(priority_of(request), kMostPriority));
    return options;
}

void StreamInstance::forget(const SequenceId& id) {
    const std::lock_guard lock(mutex_);
    sequences_.erase(id);
}

void StreamInstance::push(Stream& stream, TRITONBACKEND_Request* request, std::uint64_t start) {
    const auto inputs = read_inputs(request, model_.ports, input_count_);
    auto pending = std::make_shared<Pending>();
    pending->request = request;
    pending->times.start = start;
    pending->times.compute_start = now_ns();
    {
        const std::lock_guard lock(mutex_);
        pending_.emplace(pending.get(), pending);
    }
    try {
        StreamStep step =
            stream.push(inputs, [this, pending](const StreamStep& ended) { end(pending, ended); });
        const std::lock_guard lock(mutex_);
        if (pending_.count(pending.get()) > 0) pending->step = std::move(step);
    } catch (...) {
        const std::lock_guard lock(mutex_);
        pending_.erase(pending.get());
        throw;
    }
}

// On a thread of the pool.
void StreamInstance::end(const PendingPtr& pending, const StreamStep& step) noexcept {
    pending->times.compute_end = now_ns();
    {
        const std::lock_guard lock(mutex_);
        pending_.erase(pending.get());
    }
    TRITONBACKEND_Request* request = pending->request;
    TRITONSERVER_Error* error = guarded([&] { step.wait(); });
    bool succeeded = false;
    if (error != nullptr) {
        send_error(request, error);
    } else {
        succeeded = send_outputs(request, model_.ports, [&](std::size_t output) {
            return step.get_output_tensor(output);
        });
    }
    report(instance_, request, succeeded, pending->times);
    release(request);
}

void StreamInstance::tick() noexcept {
    TRITONSERVER_Error* error = guarded([&] {
        cancel_abandoned();
        if (++ticks_ % kTicksPerReport != 0) return;
        forget_closed();
        const StreamPoolStats stats = pool_.stats();
        gauges_.set(stats);
        report_batches(stats);
    });
    ignore(error);  // without memory: the next tick does it
}

// Steps that have waited for long and that no client wants any more.
void StreamInstance::cancel_abandoned() {
    const std::uint64_t now = now_ns();
    constexpr std::uint64_t kLong = std::chrono::nanoseconds(kTick).count();
    std::vector<StreamStep> abandoned;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [_, pending] : pending_) {
            const bool is_late = now > pending->times.compute_start + kLong;
            if (is_late && pending->step && is_cancelled(pending->request)) {
                abandoned.push_back(pending->step);
            }
        }
    }
    for (StreamStep& step : abandoned) step.cancel();
}

// Streams that the pool has closed, since they were idle.
void StreamInstance::forget_closed() {
    const std::lock_guard lock(mutex_);
    for (auto at = sequences_.begin(); at != sequences_.end();) {
        at = at->second.stream.is_open() ? std::next(at) : sequences_.erase(at);
    }
}

// The pool counts its batches by their size; each gets the mean time of those since the last call.
void StreamInstance::report_batches(const StreamPoolStats& stats) {
    const std::uint64_t now = now_ns();
    const auto busy =
        static_cast<std::uint64_t>(stats.occupancy * static_cast<double>(now - made_) *
                                   static_cast<double>(model_.settings.pool.threads));
    const std::uint64_t batches = stats.batches - reported_.batches;
    const std::uint64_t time =
        batches == 0 || busy < reported_busy_ ? 0 : (busy - reported_busy_) / batches;
    for (std::size_t size = 1; size < stats.batch_counts.size(); ++size) {
        const std::uint64_t before = reported_.batch_counts[size];
        for (std::uint64_t i = before; i < stats.batch_counts[size]; ++i) {
            ignore(TRITONBACKEND_ModelInstanceReportBatchStatistics(instance_, size, now - time,
                                                                    now - time, now, now));
        }
    }
    reported_ = stats;
    reported_busy_ = busy;
}

}  // namespace

std::unique_ptr<Instance> make_stream_instance(TRITONBACKEND_ModelInstance* instance,
                                               ServedModel& model) {
    return std::make_unique<StreamInstance>(instance, model);
}

}  // namespace rondo::triton
