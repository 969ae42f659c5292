// Functions of rondo/c/stream_pool.h that take a pool.
#include "rondo/c/stream_pool.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>

#include "bindings/c/stream_handles.hpp"

using namespace rondo::c;

namespace {

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

// Callers may be older than the library: fields that are appended later may be read only if
// struct_size covers them, and today's size stays valid.
template <typename Options>
void check_size(const Options& options, const char* init) {
    if (options.struct_size >= sizeof(Options)) return;
    throw InvalidArgument(std::string("'options' has no struct_size; begin with ") + init);
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

}  // namespace

rondo_status_t rondo_compiled_model_create_stream_pool(rondo_compiled_model_t* compiled,
                                                       const rondo_stream_pool_options_t* options,
                                                       rondo_stream_pool_t** pool) {
    return produce(pool, "pool", [&] {
        auto& model = required(compiled, "compiled").compiled;
        return new rondo_stream_pool{model.create_stream_pool(pool_options(options))};
    });
}

void rondo_stream_pool_free(rondo_stream_pool_t* pool) { delete pool; }

rondo_status_t rondo_stream_pool_open(rondo_stream_pool_t* pool,
                                      const rondo_stream_options_t* options,
                                      rondo_stream_t** stream) {
    return produce(stream, "stream", [&] {
        return new rondo_stream{required(pool, "pool").pool.open(stream_options(options))};
    });
}

rondo_status_t rondo_stream_pool_warm_up(rondo_stream_pool_t* pool,
                                         const rondo_tensor_t* const* inputs, size_t count) {
    return translate([&] { required(pool, "pool").pool.warm_up(tensors(inputs, count)); });
}

rondo_status_t rondo_stream_pool_close(rondo_stream_pool_t* pool) {
    return translate([&] { required(pool, "pool").pool.close(); });
}

rondo_status_t rondo_stream_pool_stats(const rondo_stream_pool_t* pool,
                                       rondo_stream_pool_info_t** info) {
    return produce(info, "info", [&]() -> rondo_stream_pool_info_t* {
        return info_of(required(pool, "pool").pool.stats()).release();
    });
}

void rondo_stream_pool_info_free(rondo_stream_pool_info_t* info) {
    delete static_cast<PoolInfo*>(info);
}
