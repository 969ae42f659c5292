// Functions of rondo/c/stream_pool.h that take a stream, and lists of tensors with names.
#include <memory>

#include "bindings/c/stream_handles.hpp"

using namespace rondo::c;

struct rondo_named_tensor_list {
    std::vector<std::string> names;
    std::vector<rondo_tensor> tensors;
    std::vector<rondo_named_tensor_t> entries;  // point into both
};

namespace rondo::c {

std::vector<Tensor> tensors(const rondo_tensor_t* const* given, std::size_t count,
                            const char* parameter) {
    std::vector<Tensor> all;
    for (std::size_t i = 0; i < count; ++i) {
        const rondo_tensor_t* tensor = (&required(given, parameter))[i];
        all.push_back(required(tensor, parameter).tensor);
    }
    return all;
}

std::map<std::string, Tensor> tensors(const rondo_named_tensor_t* given, std::size_t count,
                                      const char* parameter) {
    std::map<std::string, Tensor> all;
    for (std::size_t i = 0; i < count; ++i) {
        const rondo_named_tensor_t& entry = (&required(given, parameter))[i];
        const std::string name = text(entry.name, "name");
        if (!all.emplace(name, required(entry.tensor, parameter).tensor).second) {
            throw InvalidArgument("tensor '" + name + "' is named twice");
        }
    }
    return all;
}

namespace {

rondo::Stream& stream_of(rondo_stream_t* handle) { return required(handle, "stream").stream; }
const rondo::Stream& stream_of(const rondo_stream_t* handle) {
    return required(handle, "stream").stream;
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

// Where the caller wants no handle, none is made. The handle is made before the step is pushed, so
// that nothing can fail behind it.
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
}  // namespace rondo::c

rondo_status_t rondo_stream_push(rondo_stream_t* stream, const rondo_tensor_t* const* inputs,
                                 size_t count, rondo_stream_step_t** step) {
    return produce(step, "step",
                   [&] { return step_handle(stream_of(stream).push(tensors(inputs, count))); });
}

rondo_status_t rondo_stream_push_named(rondo_stream_t* stream, const rondo_named_tensor_t* inputs,
                                       size_t count, rondo_stream_step_t** step) {
    return produce(step, "step",
                   [&] { return step_handle(stream_of(stream).push(tensors(inputs, count))); });
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
            return stream_of(stream).push(tensors(inputs, count), callback_of(callback, user_data));
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
    return produce(step, "step",
                   [&] { return step_handle(stream_of(stream).infer(tensors(inputs, count))); });
}

size_t rondo_named_tensor_list_size(const rondo_named_tensor_list_t* list) {
    return list == nullptr ? 0 : list->entries.size();
}

const rondo_named_tensor_t* rondo_named_tensor_list_at(const rondo_named_tensor_list_t* list,
                                                       size_t index) {
    return index < rondo_named_tensor_list_size(list) ? &list->entries[index] : nullptr;
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
    return translate([&] { stream_of(stream).set_state(tensors(state, count, "state")); });
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
