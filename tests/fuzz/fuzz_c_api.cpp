// Fuzz target: the input is a list of calls of the C API, with handles, numbers and texts that fit
// or don't. Each function is called: Fuzz.CApiCalls.
#include "tests/fuzz/c_api_session.hpp"

namespace rondo::test {
namespace {

constexpr std::size_t kMostCalls = 64;

std::vector<SessionCall> all_calls() {
    std::vector<SessionCall> calls;
    for (const auto& some :
         {core_calls(), model_calls(), tensor_calls(), request_calls(), stream_calls()}) {
        calls.insert(calls.end(), some.begin(), some.end());
    }
    return calls;
}

// A tensor for each of the detector's inputs.
void make_inputs(CallSession& session) {
    for (const std::array<std::size_t, 3>& shape :
         {std::array<std::size_t, 3>{1, 4, 16}, {1, 1, 24}, {1, 1, 24}}) {
        session.tensors.take([&](rondo_tensor_t** tensor) {
            return rondo_tensor_create(RONDO_F32, shape.data(), shape.size(), tensor);
        });
    }
}

// A model, often one with variables, and what compiling it gives.
void begin(CallSession& session) {
    make_inputs(session);
    const rondo_core_t* core = session.cores.newest();
    session.models.take([&](rondo_model_t** model) {
        return rondo_core_read_model(core, kDetector, nullptr, model);
    });
    rondo_model_t* model = session.models.newest();
    if (session.bytes.one_in(2)) checked(rondo_model_make_stateful(model, nullptr, 0));
    session.compiled.take([&](rondo_compiled_model_t** compiled) {
        return rondo_core_compile_model(core, model, "CPU", nullptr, 0, compiled);
    });
    session.requests.take([&](rondo_infer_request_t** request) {
        return rondo_compiled_model_create_infer_request(session.compiled.newest(), request);
    });
}

void run(CallBytes bytes) {
    static const std::vector<SessionCall> calls = all_calls();
    CallSession session{bytes};
    session.cores.take(rondo_core_create);
    begin(session);
    for (std::size_t i = 0; i < kMostCalls && !session.bytes.empty(); ++i) {
        calls[session.bytes.below(calls.size())](session);
    }
}

}  // namespace
}  // namespace rondo::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    rondo::test::run({data, size});
    return 0;
}
