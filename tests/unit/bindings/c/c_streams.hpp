// Helpers of the C API's tests of stream pools: handles, and a model with a state.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "tests/unit/bindings/c/c_api.hpp"

namespace rondo::test {

using PoolHandle = std::unique_ptr<rondo_stream_pool_t, Freer<rondo_stream_pool_free>>;
using StreamHandle = std::unique_ptr<rondo_stream_t, Freer<rondo_stream_free>>;
using StepHandle = std::unique_ptr<rondo_stream_step_t, Freer<rondo_stream_step_free>>;
using PoolInfoHandle =
    std::unique_ptr<rondo_stream_pool_info_t, Freer<rondo_stream_pool_info_free>>;
using NamedTensors =
    std::unique_ptr<rondo_named_tensor_list_t, Freer<rondo_named_tensor_list_free>>;

/// x f32[?,?,3] -> LSTM that keeps h and c [?,1,4] -> y [?,?,4].
inline CompiledHandle compile_stateful() {
    static const std::string path =
        std::string(RONDO_SOURCE_DIR) + "/tests/data/ir/openvino_stateful.xml";
    rondo_compiled_model_t* compiled = nullptr;
    expect_ok(rondo_core_compile_model_from_file(make_core().get(), path.c_str(), "CPU", nullptr, 0,
                                                 &compiled));
    return CompiledHandle(compiled);
}

inline PoolHandle make_pool(const rondo_stream_pool_options_t* options = nullptr) {
    rondo_stream_pool_t* pool = nullptr;
    expect_ok(rondo_compiled_model_create_stream_pool(compile_stateful().get(), options, &pool));
    return PoolHandle(pool);
}

inline StreamHandle open_stream(const PoolHandle& pool) {
    rondo_stream_t* stream = nullptr;
    expect_ok(rondo_stream_pool_open(pool.get(), nullptr, &stream));
    return StreamHandle(stream);
}

/// x [1,1,3] of one value.
inline TensorHandle input_of(float value) {
    auto x = make_tensor({1, 1, 3});
    void* data = nullptr;
    expect_ok(rondo_tensor_data(x.get(), &data));
    for (int i = 0; i < 3; ++i) static_cast<float*>(data)[i] = value;
    return x;
}

inline StepHandle push(const StreamHandle& stream, float value) {
    const auto x = input_of(value);
    const rondo_tensor_t* const inputs[] = {x.get()};
    rondo_stream_step_t* step = nullptr;
    expect_ok(rondo_stream_push(stream.get(), inputs, 1, &step));
    return StepHandle(step);
}

/// y of the step, which is waited for.
inline std::vector<float> output_of(const rondo_stream_step_t* step) {
    rondo_tensor_t* y = nullptr;
    expect_ok(rondo_stream_step_get_output_tensor(step, 0, &y));
    const TensorHandle owner(y);
    void* data = nullptr;
    expect_ok(rondo_tensor_data_as(y, RONDO_F32, &data));
    const auto* floats = static_cast<const float*>(data);
    return {floats, floats + 4};
}

/// Holds the thread of a pool that has one, from its making to release().
class Hold {
public:
    explicit Hold(const PoolHandle& pool) : stream_(open_stream(pool)) {
        const auto x = input_of(0);
        const rondo_tensor_t* const inputs[] = {x.get()};
        expect_ok(
            rondo_stream_push_with_callback(stream_.get(), inputs, 1, &Hold::wait, this, nullptr));
        while (!is_held_) std::this_thread::yield();
    }
    ~Hold() {
        release();
        while (!is_over_) std::this_thread::yield();
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    void release() { is_released_ = true; }

private:
    static void wait(const rondo_stream_step_t*, rondo_status_t, const char*, void* user_data) {
        auto* const self = static_cast<Hold*>(user_data);
        self->is_held_ = true;
        while (!self->is_released_) std::this_thread::yield();
        self->is_over_ = true;
    }

    StreamHandle stream_;
    std::atomic<bool> is_held_{false};
    std::atomic<bool> is_released_{false};
    std::atomic<bool> is_over_{false};
};

}  // namespace rondo::test
