// Functions of rondo/c/infer_request.h.
#include "rondo/c/infer_request.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <vector>

#include "bindings/c/handles.hpp"

using namespace rondo::c;

struct rondo_profiling_list : PointingList<rondo::ProfilingInfo, rondo_profiling_info_t> {};

namespace {

// A year: a longer wait would overflow the clock.
constexpr int64_t kLongestWaitMs = int64_t{365} * 24 * 3600 * 1000;

rondo_profiling_status_t status_of(rondo::ProfilingInfo::ExecutionStatus status) {
    using Status = rondo::ProfilingInfo::ExecutionStatus;
    if (status == Status::executed) return RONDO_EXECUTED;
    return status == Status::optimized_out ? RONDO_OPTIMIZED_OUT : RONDO_NOT_RUN;
}

struct Callback {
    rondo_infer_callback_fn function;
    void* user_data;

    void operator()(const std::exception_ptr& error) const {
        const auto call = [](rondo_status_t status, const char* message, void* context) {
            const auto* self = static_cast<const Callback*>(context);
            self->function(status, message, self->user_data);
        };
        Callback copy = *this;
        describe(error, call, &copy);
    }
};

}  // namespace

void rondo_infer_request_free(rondo_infer_request_t* request) { delete request; }

rondo_status_t rondo_infer_request_set_tensor(rondo_infer_request_t* request, const char* name,
                                              const rondo_tensor_t* tensor) {
    return translate(
        [&] { request_of(request).set_tensor(text(name, "name"), tensor_of(tensor)); });
}

rondo_status_t rondo_infer_request_set_input_tensor(rondo_infer_request_t* request, size_t index,
                                                    const rondo_tensor_t* tensor) {
    return translate([&] { request_of(request).set_input_tensor(index, tensor_of(tensor)); });
}

rondo_status_t rondo_infer_request_set_output_tensor(rondo_infer_request_t* request, size_t index,
                                                     const rondo_tensor_t* tensor) {
    return translate([&] { request_of(request).set_output_tensor(index, tensor_of(tensor)); });
}

rondo_status_t rondo_infer_request_get_tensor(rondo_infer_request_t* request, const char* name,
                                              rondo_tensor_t** tensor) {
    return produce(tensor, "tensor", [&] {
        return tensor_handle(request_of(request).get_tensor(text(name, "name")));
    });
}

rondo_status_t rondo_infer_request_get_input_tensor(rondo_infer_request_t* request, size_t index,
                                                    rondo_tensor_t** tensor) {
    return produce(tensor, "tensor",
                   [&] { return tensor_handle(request_of(request).get_input_tensor(index)); });
}

rondo_status_t rondo_infer_request_get_output_tensor(rondo_infer_request_t* request, size_t index,
                                                     rondo_tensor_t** tensor) {
    return produce(tensor, "tensor",
                   [&] { return tensor_handle(request_of(request).get_output_tensor(index)); });
}

rondo_status_t rondo_infer_request_set_output_allocator(rondo_infer_request_t* request,
                                                        rondo_output_allocator_fn allocator,
                                                        void* user_data) {
    return translate([&] {
        if (allocator == nullptr) return request_of(request).set_output_allocator({});
        request_of(request).set_output_allocator(
            [=](std::size_t output, const rondo::Shape& shape) {
                return allocator(output, shape.data(), shape.size(), user_data);
            });
    });
}

rondo_status_t rondo_infer_request_infer(rondo_infer_request_t* request) {
    return translate([&] { request_of(request).infer(); });
}

rondo_status_t rondo_infer_request_start_async(rondo_infer_request_t* request) {
    return translate([&] { request_of(request).start_async(); });
}

rondo_status_t rondo_infer_request_wait(rondo_infer_request_t* request) {
    return translate([&] { request_of(request).wait(); });
}

rondo_status_t rondo_infer_request_wait_for(rondo_infer_request_t* request, int64_t milliseconds,
                                            int* done) {
    return produce(done, "done", [&] {
        const std::chrono::milliseconds timeout(
            std::clamp(milliseconds, int64_t{0}, kLongestWaitMs));
        return request_of(request).wait_for(timeout) ? 1 : 0;
    });
}

rondo_status_t rondo_infer_request_cancel(rondo_infer_request_t* request) {
    return translate([&] { request_of(request).cancel(); });
}

rondo_status_t rondo_infer_request_set_callback(rondo_infer_request_t* request,
                                                rondo_infer_callback_fn callback, void* user_data) {
    return translate([&] {
        auto& target = request_of(request);
        if (callback == nullptr) {
            target.set_callback(nullptr);
        } else {
            target.set_callback(Callback{callback, user_data});
        }
    });
}

rondo_status_t rondo_infer_request_get_profiling_info(const rondo_infer_request_t* request,
                                                      rondo_profiling_list_t** profile) {
    return produce(profile, "profile", [&] {
        const auto show = [](const rondo::ProfilingInfo& info) -> rondo_profiling_info_t {
            return {status_of(info.status), info.real_time_ns.count(), info.node_name.c_str(),
                    info.node_type.c_str(), info.exec_type.c_str()};
        };
        return pointing_list<rondo_profiling_list>(request_of(request).get_profiling_info(), show);
    });
}

size_t rondo_profiling_list_size(const rondo_profiling_list_t* list) { return entry_count(list); }

const rondo_profiling_info_t* rondo_profiling_list_at(const rondo_profiling_list_t* list,
                                                      size_t index) {
    return entry_at(list, index);
}

void rondo_profiling_list_free(rondo_profiling_list_t* list) { delete list; }
