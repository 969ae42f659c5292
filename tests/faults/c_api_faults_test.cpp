// Every allocation of the C API's calls fails once: each ends with RONDO_OUT_OF_MEMORY and a
// message, leaks nothing, and makes no handle.
#include "rondo/error.hpp"
#include "rondo/rondo.h"
#include "tests/faults/fail_each.hpp"
#include "tests/faults/fault_models.hpp"
#include "tests/support/source_dir.hpp"

namespace rondo::test::c_api_faults_test {
namespace {

// What a C program does with a status; `handle` was to be made.
template <typename T>
void need(rondo_status_t status, const T* handle) {
    if (status == RONDO_OK) return;
    EXPECT_EQ(handle, nullptr);
    EXPECT_STRNE(rondo_last_error_message(), "");
    if (status == RONDO_OUT_OF_MEMORY) throw std::bad_alloc();
    throw Error(std::string(rondo_status_name(status)) + ": " + rondo_last_error_message());
}

void need(rondo_status_t status) { need(status, static_cast<const char*>(nullptr)); }

// A handle that is freed in its turn.
template <typename T, void (*kFree)(T*)>
struct Handle {
    T* own = nullptr;
    Handle() = default;
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() { kFree(own); }
};

using CoreHandle = Handle<rondo_core_t, rondo_core_free>;
using ModelHandle = Handle<rondo_model_t, rondo_model_free>;
using CompiledHandle = Handle<rondo_compiled_model_t, rondo_compiled_model_free>;
using RequestHandle = Handle<rondo_infer_request_t, rondo_infer_request_free>;
using TensorHandle = Handle<rondo_tensor_t, rondo_tensor_free>;
using PoolHandle = Handle<rondo_stream_pool_t, rondo_stream_pool_free>;
using StreamHandle = Handle<rondo_stream_t, rondo_stream_free>;
using StepHandle = Handle<rondo_stream_step_t, rondo_stream_step_free>;

constexpr const char* kModel = RONDO_SOURCE_DIR "/tests/data/ir/openvino_stateful.xml";
constexpr rondo_property_t kAlone[] = {{"INFERENCE_NUM_THREADS", "1"}};

class CApiFaults : public ::testing::Test {
protected:
    CApiFaults() {
        need(rondo_core_create(&core_.own), core_.own);
        need(rondo_core_read_model(core_.own, kModel, nullptr, &model_.own), model_.own);
        compile(compiled_);
        make_input(input_);
    }

    void compile(CompiledHandle& compiled) const {
        need(rondo_core_compile_model(core_.own, model_.own, "CPU", kAlone, 1, &compiled.own),
             compiled.own);
    }

    // Zeros that fit the model's only input.
    void make_input(TensorHandle& tensor) const {
        const Model model = Core().read_model(kModel);
        const Tensor value = inputs_of(model.inputs(), 1)[0];
        need(
            rondo_tensor_create(RONDO_F32, value.shape().data(), value.shape().size(), &tensor.own),
            tensor.own);
    }

    CoreHandle core_;
    ModelHandle model_;
    CompiledHandle compiled_;
    TensorHandle input_;
};

TEST_F(CApiFaults, ReadAndCompile) {
    fail_each("C: a core", [] {
        CoreHandle core;
        need(rondo_core_create(&core.own), core.own);
    });
    fail_each("C: read", [&] {
        ModelHandle model;
        need(rondo_core_read_model(core_.own, kModel, nullptr, &model.own), model.own);
    });
    fail_each("C: compile", [&] {
        CompiledHandle compiled;
        compile(compiled);
    });
}

TEST_F(CApiFaults, TensorsAndProperties) {
    fail_each("C: a tensor", [] {
        constexpr std::size_t kShape[] = {2, 3};
        TensorHandle tensor;
        need(rondo_tensor_create(RONDO_F32, kShape, 2, &tensor.own), tensor.own);
    });
    fail_each("C: a property", [&] {
        char* text = nullptr;
        const auto status = rondo_core_get_property(core_.own, "CPU", "NUM_STREAMS", &text);
        need(status, text);
        rondo_string_free(text);
    });
}

TEST_F(CApiFaults, Infer) {
    fail_each("C: infer", [&] {
        RequestHandle request;
        need(rondo_compiled_model_create_infer_request(compiled_.own, &request.own), request.own);
        need(rondo_infer_request_set_input_tensor(request.own, 0, input_.own));
        need(rondo_infer_request_infer(request.own));
        TensorHandle output;
        need(rondo_infer_request_get_output_tensor(request.own, 0, &output.own), output.own);
    });
}

TEST_F(CApiFaults, Streams) {
    PoolHandle pool;
    need(rondo_compiled_model_create_stream_pool(compiled_.own, nullptr, &pool.own), pool.own);
    fail_each("C: a stream",
              [&] {
                  StreamHandle stream;
                  need(rondo_stream_pool_open(pool.own, nullptr, &stream.own), stream.own);
                  for (int i = 0; i < 2; ++i) {
                      StepHandle step;
                      need(rondo_stream_infer(stream.own, &input_.own, 1, &step.own), step.own);
                      TensorHandle output;
                      need(rondo_stream_step_get_output_tensor(step.own, 0, &output.own),
                           output.own);
                  }
                  need(rondo_stream_close(stream.own));
              },
              {Leaves::plans});  // the pool keeps steps for the next stream
}

// An error is reported even where there is no memory for its text.
TEST_F(CApiFaults, Errors) {
    fail_each("C: a missing file", [&] {
        ModelHandle model;
        const auto status = rondo_core_read_model(core_.own, "/no/such/file", nullptr, &model.own);
        EXPECT_NE(status, RONDO_OK);
        EXPECT_EQ(model.own, nullptr);
        EXPECT_STRNE(rondo_last_error_message(), "");
        if (status == RONDO_OUT_OF_MEMORY) throw std::bad_alloc();
        EXPECT_EQ(status, RONDO_MODEL_ERROR);
    });
}

}  // namespace
}  // namespace rondo::test::c_api_faults_test
