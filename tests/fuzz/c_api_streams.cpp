// The calls of stream pools: steps that are pushed in each way, states, forks and ends.
#include <atomic>
#include <memory>

#include "tests/fuzz/c_api_session.hpp"

namespace rondo::test {
namespace {

constexpr std::size_t kMostCallsOfStreams = 12;

// A pool whose delays are short, since each step may wait for them.
rondo_stream_pool_options_t pool_options(CallBytes& bytes) {
    rondo_stream_pool_options_t options = RONDO_STREAM_POOL_OPTIONS_INIT;
    options.struct_size = bytes.one_in(4) ? bytes.below(100) : options.struct_size;
    options.max_batch = bytes.size();
    options.max_delay_us = static_cast<std::int64_t>(bytes.below(200)) - 1;
    options.threads = bytes.below(3);
    options.max_streams = bytes.below(4);
    options.queue_limit = bytes.below(4);
    options.overflow = static_cast<rondo_overflow_t>(bytes.below(4));
    options.idle_timeout_ms = static_cast<std::int64_t>(bytes.below(4)) - 1;
    return options;
}

void count_step(const rondo_stream_step_t* step, rondo_status_t status, const char* message,
                void* count) {
    internal_check(step != nullptr && (status == RONDO_OK) == (*message == '\0'), message);
    ++*static_cast<std::atomic<int>*>(count);
}

class Streams {
public:
    explicit Streams(CallSession& session) : session_(session), bytes_(session.bytes) {
        const rondo_stream_pool_options_t options = pool_options(bytes_);
        rondo_compiled_model_t* compiled = session.compiled.any(bytes_);
        const bool defaults = bytes_.one_in(2);
        pools_.take([&](rondo_stream_pool_t** pool) {
            return rondo_compiled_model_create_stream_pool(compiled, defaults ? nullptr : &options,
                                                           pool);
        });
        open();
    }

    void run() {
        using Call = void (Streams::*)();
        constexpr std::array<Call, 12> kCalls = {
            &Streams::open,     &Streams::push,       &Streams::push,     &Streams::push,
            &Streams::use_step, &Streams::use_step,   &Streams::ask_pool, &Streams::use_state,
            &Streams::fork,     &Streams::end_stream, &Streams::warm_up,  &Streams::free_one};
        for (std::size_t i = 0; i < kMostCallsOfStreams && !bytes_.empty(); ++i) {
            (this->*kCalls[bytes_.below(kCalls.size())])();
        }
        if (bytes_.one_in(4)) checked(rondo_stream_pool_close(pools_.newest()));
    }

private:
    void open() {
        rondo_stream_options_t options = RONDO_STREAM_OPTIONS_INIT;
        options.struct_size = bytes_.one_in(4) ? bytes_.below(100) : options.struct_size;
        options.priority = static_cast<int>(bytes_.number());
        options.deadline_us = bytes_.integer();
        const bool defaults = bytes_.one_in(2);
        streams_.take([&](rondo_stream_t** stream) {
            return rondo_stream_pool_open(pools_.newest(), defaults ? nullptr : &options, stream);
        });
    }
    void push() {
        static std::atomic<int> ended{0};
        rondo_stream_t* stream = streams_.any(bytes_);
        std::array<const rondo_tensor_t*, 3> inputs{};
        std::array<rondo_named_tensor_t, 3> named{};
        constexpr std::array kInputs = {"audio", "h", "c"};
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            inputs[i] = bytes_.one_in(4) ? session_.tensors.any(bytes_) : session_.tensors.at(i);
            named[i] = {bytes_.one_in(4) ? bytes_.text() : kInputs[i], inputs[i]};
        }
        const std::size_t count = bytes_.one_in(2) ? 1 + 2 * bytes_.below(2) : bytes_.below(4);
        const std::size_t way = bytes_.below(6);
        steps_.take([&](rondo_stream_step_t** step) {
            switch (way) {
                case 0: return rondo_stream_push(stream, inputs.data(), count, step);
                case 1: return rondo_stream_push_named(stream, named.data(), count, step);
                case 2:
                    return rondo_stream_push_with_callback(stream, inputs.data(), count, count_step,
                                                           &ended, step);
                case 3:
                    return rondo_stream_push_named_with_callback(stream, named.data(), count,
                                                                 count_step, &ended, step);
                case 4: return rondo_stream_infer(stream, inputs.data(), count, step);
                default: return rondo_stream_infer_named(stream, named.data(), count, step);
            }
        });
    }
    void use_step() {
        rondo_stream_step_t* step = steps_.any(bytes_);
        int done = 0;
        checked(rondo_stream_step_is_done(step, &done));
        if (bytes_.one_in(4)) checked(rondo_stream_step_cancel(step));
        checked(
            rondo_stream_step_wait_for(step, static_cast<std::int64_t>(bytes_.below(50)), &done));
        checked(rondo_stream_step_wait(step));
        const char* name = bytes_.text();
        const std::size_t index = bytes_.below(4);
        const bool by_name = bytes_.one_in(2);
        session_.tensors.take([&](rondo_tensor_t** output) {
            if (by_name) return rondo_stream_step_get_tensor(step, name, output);
            return rondo_stream_step_get_output_tensor(step, index, output);
        });
    }
    void ask_pool() {
        rondo_stream_pool_info_t* info = nullptr;
        checked(rondo_stream_pool_stats(pools_.newest(), &info));
        rondo_stream_pool_info_free(info);
    }
    void use_state() {
        rondo_stream_t* stream = streams_.any(bytes_);
        rondo_named_tensor_list_t* state = nullptr;
        checked(rondo_stream_state(stream, &state));
        read_list(state, rondo_named_tensor_list_size, rondo_named_tensor_list_at);
        const rondo_named_tensor_t other = {bytes_.text(), session_.tensors.any(bytes_)};
        const std::size_t count = rondo_named_tensor_list_size(state);
        if (bytes_.one_in(2)) {
            checked(rondo_stream_set_state(stream, &other, bytes_.below(2)));
        } else {
            checked(rondo_stream_set_state(stream, rondo_named_tensor_list_at(state, 0), count));
        }
        rondo_named_tensor_list_free(state);
        if (bytes_.one_in(4)) checked(rondo_stream_reset(stream));
        move_state();
    }
    // From one stream to another, or any bytes.
    void move_state() {
        rondo_tensor_t* saved = nullptr;
        checked(rondo_stream_save_state(streams_.any(bytes_), &saved));
        const rondo_tensor_t* given = bytes_.one_in(4) ? session_.tensors.any(bytes_) : saved;
        checked(rondo_stream_load_state(streams_.any(bytes_), given));
        rondo_tensor_free(saved);
    }
    void fork() {
        const rondo_stream_t* stream = streams_.any(bytes_);
        streams_.take([&](rondo_stream_t** made) { return rondo_stream_fork(stream, made); });
    }
    void end_stream() {
        rondo_stream_t* stream = streams_.any(bytes_);
        int open = 0;
        if (bytes_.one_in(2)) checked(rondo_stream_cancel(stream));
        if (bytes_.one_in(2)) checked(rondo_stream_close(stream));
        checked(rondo_stream_is_open(stream, &open));
    }
    void warm_up() {
        const std::array<const rondo_tensor_t*, 3> inputs = {session_.tensors.any(bytes_),
                                                             session_.tensors.any(bytes_),
                                                             session_.tensors.any(bytes_)};
        checked(rondo_stream_pool_warm_up(pools_.newest(), inputs.data(), bytes_.below(4)));
    }
    void free_one() {
        switch (bytes_.below(3)) {
            case 0: streams_.drop(bytes_); return;
            case 1: steps_.drop(bytes_); return;
            default: pools_.drop(bytes_);
        }
    }

    CallSession& session_;
    CallBytes& bytes_;
    Handles<rondo_stream_pool_t> pools_{rondo_stream_pool_free};
    Handles<rondo_stream_t> streams_{rondo_stream_free};
    Handles<rondo_stream_step_t> steps_{rondo_stream_step_free};
};

void use_streams(CallSession& session) { Streams(session).run(); }

}  // namespace

std::span<const SessionCall> stream_calls() {
    static constexpr SessionCall kCalls[] = {use_streams};
    return kCalls;
}

}  // namespace rondo::test
