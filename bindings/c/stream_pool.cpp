// Functions of rondo/c/stream_pool.h: of pools, of streams, and of steps.
#include "rondo/c/stream_pool.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/c/handles.hpp"
#include "rondo/stream_pool.hpp"

using namespace rondo::c;

struct rondo_stream_pool {
    rondo::StreamPool pool;
};

struct rondo_stream {
    rondo::Stream stream;
};

struct rondo_stream_step {
    rondo::StreamStep step;
};

struct rondo_named_tensor_list {
    std::vector<std::string> names;
    std::vector<rondo_tensor> tensors;
    std::vector<rondo_named_tensor_t> entries;  // point into both
};

namespace {

template <typename Handle>
auto& pool_of(Handle* handle) {
    return required(handle, "pool").pool;
}
template <typename Handle>
auto& stream_of(Handle* handle) {
    return required(handle, "stream").stream;
}
template <typename Handle>
auto& step_of(Handle* handle) {
    return required(handle, "step").step;
}

std::vector<rondo::Tensor> tensors(const rondo_tensor_t* const* given, std::size_t count) {
    const char* const parameter = "inputs";
    std::vector<rondo::Tensor> all;
    for (const rondo_tensor_t* const tensor : elements(given, count, parameter)) {
        all.push_back(required(tensor, parameter).tensor);
    }
    return all;
}

/// The part that the caller sees, and what it points into.
struct PoolInfo : rondo_stream_pool_info_t {
    rondo::StreamPoolStats stats;
};

// A million hours: longer times would overflow the clock. Negative ones stay what they are.
template <typename Duration>
Duration duration(int64_t count) {
    constexpr Duration kMost = std::chrono::hours(1000000);
    return std::min(Duration(count), kMost);
}

rondo::Overflow overflow(rondo_overflow_t value) {
    switch (value) {
        case RONDO_OVERFLOW_REJECT: return rondo::Overflow::reject;
        case RONDO_OVERFLOW_BLOCK: return rondo::Overflow::block;
        case RONDO_OVERFLOW_DROP_OLDEST: return rondo::Overflow::drop_oldest;
    }
    throw InvalidArgument("'options' has an overflow of " +
                          std::to_string(static_cast<int>(value)) +
                          "; expected a rondo_overflow_t");
}

rondo::StreamPoolOptions pool_options(const rondo_stream_pool_options_t* given) {
    rondo::StreamPoolOptions options;
    if (given == nullptr) return options;
    check_size(*given, "RONDO_STREAM_POOL_OPTIONS_INIT");
    options.max_batch = given->max_batch;
    options.max_delay = duration<std::chrono::microseconds>(given->max_delay_us);
    options.threads = given->threads;
    options.max_streams = given->max_streams;
    options.queue_limit = given->queue_limit;
    options.overflow = overflow(given->overflow);
    options.idle_timeout = duration<std::chrono::milliseconds>(given->idle_timeout_ms);
    return options;
}

rondo::StreamOptions stream_options(const rondo_stream_options_t* given) {
    rondo::StreamOptions options;
    if (given == nullptr) return options;
    check_size(*given, "RONDO_STREAM_OPTIONS_INIT");
    options.priority = given->priority;
    options.deadline = duration<std::chrono::microseconds>(given->deadline_us);
    return options;
}

std::unique_ptr<PoolInfo> info_of(rondo::StreamPoolStats stats) {
    auto info = std::make_unique<PoolInfo>();
    info->stats = std::move(stats);
    const rondo::StreamPoolStats& own = info->stats;
    info->steps = own.steps;
    info->failed = own.failed;
    info->dropped = own.dropped;
    info->rejected = own.rejected;
    info->batches = own.batches;
    info->late = own.late;
    info->batch_counts = own.batch_counts.data();
    info->batch_count_size = own.batch_counts.size();
    info->streams = own.streams;
    info->waiting = own.waiting;
    info->latency_p50_ns = own.latency_p50.count();
    info->latency_p90_ns = own.latency_p90.count();
    info->latency_p99_ns = own.latency_p99.count();
    info->latency_max_ns = own.latency_max.count();
    info->occupancy = own.occupancy;
    info->why_not_batched = own.why_not_batched.c_str();
    return info;
}

rondo_stream_step_t* step_handle(rondo::StreamStep step) {
    return new rondo_stream_step{std::move(step)};
}

struct StepCallback {
    rondo_stream_callback_fn function;
    void* user_data;

    void operator()(const rondo::StreamStep& step) const {
        const rondo_stream_step handle{step};
        std::exception_ptr problem;
        try {
            step.wait();  // has ended
        } catch (...) {
            problem = std::current_exception();
        }
        struct Ended {
            const StepCallback& callback;
            const rondo_stream_step& step;
        } ended{*this, handle};
        const auto call = [](rondo_status_t status, const char* message, void* context) {
            const Ended& self = *static_cast<const Ended*>(context);
            self.callback.function(&self.step, status, message, self.callback.user_data);
        };
        describe(problem, call, &ended);
    }
};

StepCallback callback_of(rondo_stream_callback_fn function, void* user_data) {
    if (function == nullptr) throw InvalidArgument("'callback' is NULL");
    return {function, user_data};
}

// If the caller wants no handle, none is made. The handle is made before the step is pushed, so
// that nothing can fail after it.
template <typename Push>
void push_into(rondo_stream_step_t** place, const Push& push) {
    if (place != nullptr) *place = nullptr;
    auto handle = place == nullptr ? nullptr : std::make_unique<rondo_stream_step>();
    rondo::StreamStep step = push();
    if (handle == nullptr) return;
    handle->step = std::move(step);
    *place = handle.release();
}

}  // namespace

rondo_status_t rondo_compiled_model_create_stream_pool(rondo_compiled_model_t* compiled,
                                                       const rondo_stream_pool_options_t* options,
                                                       rondo_stream_pool_t** pool) {
    return produce(pool, "pool", [&] {
        return new rondo_stream_pool{
            compiled_of(compiled).create_stream_pool(pool_options(options))};
    });
}

void rondo_stream_pool_free(rondo_stream_pool_t* pool) { delete pool; }

rondo_status_t rondo_stream_pool_open(rondo_stream_pool_t* pool,
                                      const rondo_stream_options_t* options,
                                      rondo_stream_t** stream) {
    return produce(stream, "stream",
                   [&] { return new rondo_stream{pool_of(pool).open(stream_options(options))}; });
}

rondo_status_t rondo_stream_pool_warm_up(rondo_stream_pool_t* pool,
                                         const rondo_tensor_t* const* inputs, size_t count) {
    return translate([&] { pool_of(pool).warm_up(tensors(inputs, count)); });
}

rondo_status_t rondo_stream_pool_close(rondo_stream_pool_t* pool) {
    return translate([&] { pool_of(pool).close(); });
}

rondo_status_t rondo_stream_pool_stats(const rondo_stream_pool_t* pool,
                                       rondo_stream_pool_info_t** info) {
    return produce(info, "info", [&]() -> rondo_stream_pool_info_t* {
        return info_of(pool_of(pool).stats()).release();
    });
}

void rondo_stream_pool_info_free(rondo_stream_pool_info_t* info) {
    delete static_cast<PoolInfo*>(info);
}

rondo_status_t rondo_stream_push(rondo_stream_t* stream, const rondo_tensor_t* const* inputs,
                                 size_t count, rondo_stream_step_t** step) {
    return produce(step, "step",
                   [&] { return step_handle(stream_of(stream).push(tensors(inputs, count))); });
}

rondo_status_t rondo_stream_push_named(rondo_stream_t* stream, const rondo_named_tensor_t* inputs,
                                       size_t count, rondo_stream_step_t** step) {
    return produce(step, "step", [&] {
        return step_handle(stream_of(stream).push(named_tensors(inputs, count)));
    });
}

rondo_status_t rondo_stream_push_with_callback(rondo_stream_t* stream,
                                               const rondo_tensor_t* const* inputs, size_t count,
                                               rondo_stream_callback_fn callback, void* user_data,
                                               rondo_stream_step_t** step) {
    return translate([&] {
        push_into(step, [&] {
            return stream_of(stream).push(tensors(inputs, count), callback_of(callback, user_data));
        });
    });
}

rondo_status_t rondo_stream_push_named_with_callback(rondo_stream_t* stream,
                                                     const rondo_named_tensor_t* inputs,
                                                     size_t count,
                                                     rondo_stream_callback_fn callback,
                                                     void* user_data, rondo_stream_step_t** step) {
    return translate([&] {
        push_into(step, [&] {
            return stream_of(stream).push(named_tensors(inputs, count),
                                          callback_of(callback, user_data));
        });
    });
}

rondo_status_t rondo_stream_infer(rondo_stream_t* stream, const rondo_tensor_t* const* inputs,
                                  size_t count, rondo_stream_step_t** step) {
    return produce(step, "step",
                   [&] { return step_handle(stream_of(stream).infer(tensors(inputs, count))); });
}

rondo_status_t rondo_stream_infer_named(rondo_stream_t* stream, const rondo_named_tensor_t* inputs,
                                        size_t count, rondo_stream_step_t** step) {
    return produce(step, "step", [&] {
        return step_handle(stream_of(stream).infer(named_tensors(inputs, count)));
    });
}

size_t rondo_named_tensor_list_size(const rondo_named_tensor_list_t* list) {
    return entry_count(list);
}

const rondo_named_tensor_t* rondo_named_tensor_list_at(const rondo_named_tensor_list_t* list,
                                                       size_t index) {
    return entry_at(list, index);
}

void rondo_named_tensor_list_free(rondo_named_tensor_list_t* list) { delete list; }

rondo_status_t rondo_stream_state(const rondo_stream_t* stream, rondo_named_tensor_list_t** state) {
    return produce(state, "state", [&] {
        auto list = std::make_unique<rondo_named_tensor_list>();
        for (auto& [name, tensor] : stream_of(stream).state()) {
            list->names.push_back(name);
            list->tensors.push_back({tensor});
        }
        for (std::size_t i = 0; i < list->names.size(); ++i) {
            list->entries.push_back({list->names[i].c_str(), &list->tensors[i]});
        }
        return list.release();
    });
}

rondo_status_t rondo_stream_set_state(rondo_stream_t* stream, const rondo_named_tensor_t* state,
                                      size_t count) {
    return translate([&] { stream_of(stream).set_state(named_tensors(state, count, "state")); });
}

rondo_status_t rondo_stream_save_state(const rondo_stream_t* stream, rondo_tensor_t** bytes) {
    return produce(bytes, "bytes", [&] { return tensor_handle(stream_of(stream).save_state()); });
}

rondo_status_t rondo_stream_load_state(rondo_stream_t* stream, const rondo_tensor_t* bytes) {
    return translate([&] { stream_of(stream).load_state(tensor_of(bytes)); });
}

rondo_status_t rondo_stream_reset(rondo_stream_t* stream) {
    return translate([&] { stream_of(stream).reset(); });
}

rondo_status_t rondo_stream_fork(const rondo_stream_t* stream, rondo_stream_t** fork) {
    return produce(fork, "fork", [&] { return new rondo_stream{stream_of(stream).fork()}; });
}

rondo_status_t rondo_stream_cancel(rondo_stream_t* stream) {
    return translate([&] { stream_of(stream).cancel(); });
}

rondo_status_t rondo_stream_close(rondo_stream_t* stream) {
    return translate([&] { stream_of(stream).close(); });
}

rondo_status_t rondo_stream_is_open(const rondo_stream_t* stream, int* open) {
    return produce(open, "open", [&] { return stream_of(stream).is_open() ? 1 : 0; });
}

void rondo_stream_free(rondo_stream_t* stream) { delete stream; }

rondo_status_t rondo_stream_step_wait(const rondo_stream_step_t* step) {
    return translate([&] { step_of(step).wait(); });
}

rondo_status_t rondo_stream_step_wait_for(const rondo_stream_step_t* step, int64_t microseconds,
                                          int* done) {
    return produce(done, "done", [&] {
        return step_of(step).wait_for(std::chrono::microseconds(microseconds)) ? 1 : 0;
    });
}

rondo_status_t rondo_stream_step_is_done(const rondo_stream_step_t* step, int* done) {
    return produce(done, "done", [&] { return step_of(step).is_done() ? 1 : 0; });
}

rondo_status_t rondo_stream_step_get_tensor(const rondo_stream_step_t* step, const char* output,
                                            rondo_tensor_t** tensor) {
    return produce(tensor, "tensor",
                   [&] { return tensor_handle(step_of(step).get_tensor(text(output, "output"))); });
}

rondo_status_t rondo_stream_step_get_output_tensor(const rondo_stream_step_t* step, size_t index,
                                                   rondo_tensor_t** tensor) {
    return produce(tensor, "tensor",
                   [&] { return tensor_handle(step_of(step).get_output_tensor(index)); });
}

rondo_status_t rondo_stream_step_cancel(rondo_stream_step_t* step) {
    return translate([&] { step_of(step).cancel(); });
}

void rondo_stream_step_free(rondo_stream_step_t* step) { delete step; }
