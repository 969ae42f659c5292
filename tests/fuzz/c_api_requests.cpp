// The calls that infer: tensors of requests, asynchronous runs, variables, profiles.
#include <array>
#include <atomic>

#include "tests/fuzz/c_api_session.hpp"

namespace rondo::test {
namespace {

void make_request(CallSession& session) {
    session.requests.take([&](rondo_infer_request_t** request) {
        return rondo_compiled_model_create_infer_request(session.compiled.any(session.bytes),
                                                         request);
    });
}

void set_tensor(CallSession& session) {
    CallBytes& bytes = session.bytes;
    rondo_infer_request_t* request = session.requests.any(bytes);
    const rondo_tensor_t* tensor = session.tensors.any(bytes);
    switch (bytes.below(3)) {
        case 0: checked(rondo_infer_request_set_tensor(request, bytes.text(), tensor)); return;
        case 1:
            checked(rondo_infer_request_set_input_tensor(request, bytes.size(), tensor));
            return;
        default: checked(rondo_infer_request_set_output_tensor(request, bytes.size(), tensor));
    }
}

void count_end(rondo_status_t status, const char* message, void* count) {
    internal_check((status == RONDO_OK) == (*message == '\0'), message);
    ++*static_cast<std::atomic<int>*>(count);
}

void infer(CallSession& session) {
    static std::atomic<int> ended{0};
    CallBytes& bytes = session.bytes;
    rondo_infer_request_t* request = session.requests.any(bytes);
    if (!bytes.one_in(4)) {
        checked(rondo_infer_request_infer(request));
        return;
    }
    int done = 0;
    checked(
        rondo_infer_request_set_callback(request, bytes.one_in(2) ? count_end : nullptr, &ended));
    checked(rondo_infer_request_start_async(request));
    if (bytes.one_in(2)) checked(rondo_infer_request_cancel(request));
    checked(
        rondo_infer_request_wait_for(request, static_cast<std::int64_t>(bytes.below(3)), &done));
    if (!bytes.one_in(4)) checked(rondo_infer_request_wait(request));
}

void get_tensor(CallSession& session) {
    CallBytes& bytes = session.bytes;
    rondo_infer_request_t* request = session.requests.any(bytes);
    const std::size_t index = bytes.size();
    const char* name = bytes.text();
    session.tensors.take([&](rondo_tensor_t** tensor) {
        switch (bytes.below(3)) {
            case 0: return rondo_infer_request_get_tensor(request, name, tensor);
            case 1: return rondo_infer_request_get_input_tensor(request, index, tensor);
            default: return rondo_infer_request_get_output_tensor(request, index, tensor);
        }
    });
}

void use_states(CallSession& session) {
    CallBytes& bytes = session.bytes;
    rondo_infer_request_t* request = session.requests.any(bytes);
    rondo_variable_state_list_t* states = nullptr;
    checked(rondo_infer_request_query_state(request, &states));
    read_list(states, rondo_variable_state_list_size, rondo_variable_state_list_at);
    rondo_variable_state_t* state = rondo_variable_state_list_at(states, bytes.below(3));
    const char* name = nullptr;
    checked(rondo_variable_state_get_name(state, &name));
    checked(rondo_variable_state_set_state(state, session.tensors.any(bytes)));
    session.tensors.take(
        [&](rondo_tensor_t** value) { return rondo_variable_state_get_state(state, value); });
    if (bytes.one_in(2)) checked(rondo_variable_state_reset(state));
    if (bytes.one_in(2)) checked(rondo_infer_request_reset_state(request));
    rondo_variable_state_list_free(states);
}

void ask_profile(CallSession& session) {
    rondo_profiling_list_t* profile = nullptr;
    checked(rondo_infer_request_get_profiling_info(session.requests.any(session.bytes), &profile));
    read_list(profile, rondo_profiling_list_size, rondo_profiling_list_at);
    rondo_profiling_list_free(profile);
}

void free_request(CallSession& session) { session.requests.drop(session.bytes); }

// Two outputs may get the same memory, which is an error.
void* give_memory(std::size_t output, const std::size_t* shape, std::size_t rank, void* memory) {
    constexpr std::size_t kBytes = 1 << 16;
    std::size_t bytes = 8;
    for (std::size_t i = 0; i < rank && bytes <= kBytes; ++i) bytes *= shape[i];
    return bytes > kBytes || output > 1 ? nullptr : memory;
}

void give_outputs(CallSession& session) {
    alignas(64) static std::array<char, 1 << 16> memory;
    const bool gives = !session.bytes.one_in(3);
    checked(rondo_infer_request_set_output_allocator(session.requests.any(session.bytes),
                                                     gives ? give_memory : nullptr, memory.data()));
}

}  // namespace

std::span<const SessionCall> request_calls() {
    static constexpr SessionCall kCalls[] = {
        make_request, make_request, set_tensor, set_tensor,  set_tensor,   infer,
        infer,        get_tensor,   use_states, ask_profile, give_outputs, free_request};
    return kCalls;
}

}  // namespace rondo::test
