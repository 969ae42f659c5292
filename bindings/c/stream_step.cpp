// Functions of rondo/c/stream_pool.h that take a step.
#include <chrono>

#include "bindings/c/stream_handles.hpp"

using namespace rondo::c;

namespace {

const rondo::StreamStep& step_of(const rondo_stream_step_t* handle) {
    return required(handle, "step").step;
}

}  // namespace

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
    return translate([&] { required(step, "step").step.cancel(); });
}

void rondo_stream_step_free(rondo_stream_step_t* step) { delete step; }
