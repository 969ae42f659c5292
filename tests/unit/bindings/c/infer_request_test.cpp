#include "rondo/c/infer_request.h"

#include <cstring>
#include <mutex>

#include "tests/unit/bindings/c/c_api.hpp"

namespace rondo::test::infer_request_test {
namespace {

struct Outcome {
    int calls = 0;
    rondo_status_t status = RONDO_OK;
    std::string message;
};

void remember(rondo_status_t status, const char* message, void* user_data) {
    auto* outcome = static_cast<Outcome*>(user_data);
    ++outcome->calls;
    outcome->status = status;
    outcome->message = message;
}

TEST(CInferRequest, SaysWhatIsWrongWithTensors) {
    const auto request = detector_request();
    const auto tensor = make_tensor({1, 3, 17});
    expect_status(rondo_infer_request_set_tensor(request.get(), "audio", tensor.get()),
                  RONDO_MODEL_ERROR, "input 'audio': got f32[1,3,17]; expected f32[1,?,16]");
    expect_status(rondo_infer_request_set_tensor(request.get(), "x", tensor.get()),
                  RONDO_MODEL_ERROR, "no input or output 'x'");
    expect_status(rondo_infer_request_set_input_tensor(request.get(), 3, tensor.get()),
                  RONDO_MODEL_ERROR, "no input 3");
    expect_status(rondo_infer_request_set_output_tensor(request.get(), 3, tensor.get()),
                  RONDO_MODEL_ERROR, "no output 3");
    rondo_tensor_t* none = nullptr;
    expect_status(rondo_infer_request_get_tensor(request.get(), "audio", &none), RONDO_MODEL_ERROR,
                  "its shape is open");
    expect_status(rondo_infer_request_get_output_tensor(request.get(), 0, &none), RONDO_MODEL_ERROR,
                  "call infer() first");
    EXPECT_EQ(none, nullptr);
}

TEST(CInferRequest, RefusesAStridedOutput) {
    const auto request = detector_request();
    float memory[64] = {};
    const size_t shape[] = {1, 3, 1};
    const ptrdiff_t strides[] = {24, 8, 4};
    rondo_tensor_t* made = nullptr;
    expect_ok(rondo_tensor_create_borrowed(RONDO_F32, shape, 3, memory, strides, &made));
    const TensorHandle strided(made);
    expect_status(rondo_infer_request_set_tensor(request.get(), "score", made), RONDO_UNSUPPORTED,
                  "strides");
}

TEST(CInferRequest, TellsCallbackAndWaiterOfAFailure) {
    const auto request = detector_request();
    Outcome outcome;
    expect_ok(rondo_infer_request_set_callback(request.get(), remember, &outcome));
    expect_status(rondo_infer_request_infer(request.get()), RONDO_MODEL_ERROR, "was not set");
    EXPECT_EQ(outcome.calls, 0);  // only for asynchronous inferences
    expect_ok(rondo_infer_request_start_async(request.get()));
    expect_status(rondo_infer_request_wait(request.get()), RONDO_MODEL_ERROR,
                  "input 'audio' f32[1,?,16] was not set");
    EXPECT_EQ(outcome.calls, 1);
    EXPECT_EQ(outcome.status, RONDO_MODEL_ERROR);
    EXPECT_EQ(outcome.message, "input 'audio' f32[1,?,16] was not set");
}

// A callback that blocks its inference until the test releases it.
void hold(rondo_status_t, const char*, void* gate) {
    const std::lock_guard lock(*static_cast<std::mutex*>(gate));
}

TEST(CInferRequest, WaitsAsLongAsItIsTold) {
    const auto request = detector_request();
    std::mutex gate;
    expect_ok(rondo_infer_request_set_callback(request.get(), hold, &gate));
    int done = 9;
    {
        const std::lock_guard lock(gate);
        expect_ok(rondo_infer_request_start_async(request.get()));
        expect_ok(rondo_infer_request_wait_for(request.get(), 0, &done));
        EXPECT_EQ(done, 0);
        expect_ok(rondo_infer_request_wait_for(request.get(), -5, &done));
        EXPECT_EQ(done, 0);
    }
    expect_status(rondo_infer_request_wait_for(request.get(), INT64_MAX, &done), RONDO_MODEL_ERROR,
                  "was not set");
}

TEST(CInferRequest, OutlivesWhatItWasMadeFrom) {
    const auto request = detector_request();  // core and compiled model are gone
    for (const char* name : {"audio", "h", "c"}) {
        const bool audio = std::string(name) == "audio";
        const auto tensor = audio ? make_tensor({1, 3, 16}) : make_tensor({1, 1, 24});
        expect_ok(rondo_infer_request_set_tensor(request.get(), name, tensor.get()));
    }
    expect_ok(rondo_infer_request_infer(request.get()));
    rondo_profiling_list_t* profile = nullptr;
    expect_ok(rondo_infer_request_get_profiling_info(request.get(), &profile));
    EXPECT_EQ(rondo_profiling_list_size(profile), 0u);  // compiled without PERF_COUNT
    EXPECT_EQ(rondo_profiling_list_at(profile, 0), nullptr);
    rondo_profiling_list_free(profile);
}

TEST(CInferRequest, AScalarTakesOneElementOfAnyRank) {
    const char* const xml =
        "<net name=\"one\" version=\"11\"><layers>"
        "<layer id=\"0\" name=\"s\" type=\"Parameter\" version=\"opset1\">"
        "<data shape=\"\" element_type=\"f32\"/><output><port id=\"0\" precision=\"FP32\" "
        "names=\"s\"/></output></layer>"
        "<layer id=\"1\" name=\"y\" type=\"Result\" version=\"opset1\"><input><port id=\"0\" "
        "precision=\"FP32\"/></input></layer></layers>"
        "<edges><edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" "
        "to-port=\"0\"/></edges></net>";
    const auto core = make_core();
    rondo_model_t* model = nullptr;
    expect_ok(
        rondo_core_read_model_from_memory(core.get(), xml, std::strlen(xml), nullptr, &model));
    const ModelHandle owner(model);
    rondo_compiled_model_t* compiled = nullptr;
    expect_ok(rondo_core_compile_model(core.get(), model, "CPU", nullptr, 0, &compiled));
    const CompiledHandle compiled_owner(compiled);
    rondo_infer_request_t* made = nullptr;
    expect_ok(rondo_compiled_model_create_infer_request(compiled, &made));
    const RequestHandle request(made);
    const auto one = make_tensor({1, 1});
    void* data = nullptr;
    expect_ok(rondo_tensor_data_as(one.get(), RONDO_F32, &data));
    *static_cast<float*>(data) = 7;
    expect_ok(rondo_infer_request_set_input_tensor(made, 0, one.get()));
    expect_ok(rondo_infer_request_infer(made));
    rondo_tensor_t* y = nullptr;
    expect_ok(rondo_infer_request_get_output_tensor(made, 0, &y));
    const TensorHandle result(y);
    ASSERT_NE(y, nullptr);
    const std::size_t* shape = nullptr;
    std::size_t rank = 9;
    expect_ok(rondo_tensor_shape(y, &shape, &rank));
    EXPECT_EQ(rank, 0u);
    expect_ok(rondo_tensor_data_as(y, RONDO_F32, &data));
    EXPECT_EQ(*static_cast<float*>(data), 7);
    expect_status(rondo_infer_request_set_tensor(made, "s", make_tensor({2}).get()),
                  RONDO_MODEL_ERROR, "input 's': got f32[2]; expected f32[]");
}

}  // namespace
}  // namespace rondo::test::infer_request_test
