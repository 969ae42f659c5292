// Helpers of the C API's tests: statuses with their messages, and handles that free themselves.
#pragma once

#include <gtest/gtest.h>
#include <rondo/rondo.h>

#include <initializer_list>
#include <memory>
#include <string>

#include "tests/support/source_dir.hpp"

namespace rondo::test {

/// Expects that the call failed in this way, and that its one-line message contains `part`.
inline void expect_status(rondo_status_t status, rondo_status_t expected, const std::string& part) {
    EXPECT_STREQ(rondo_status_name(status), rondo_status_name(expected))
        << rondo_last_error_message();
    const std::string message = rondo_last_error_message();
    EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks\n" << part;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

inline void expect_ok(rondo_status_t status) {
    EXPECT_EQ(status, RONDO_OK) << rondo_last_error_message();
}

template <auto Free>
struct Freer {
    template <typename T>
    void operator()(T* handle) const {
        Free(handle);
    }
};
using CoreHandle = std::unique_ptr<rondo_core_t, Freer<rondo_core_free>>;
using ModelHandle = std::unique_ptr<rondo_model_t, Freer<rondo_model_free>>;
using CompiledHandle = std::unique_ptr<rondo_compiled_model_t, Freer<rondo_compiled_model_free>>;
using RequestHandle = std::unique_ptr<rondo_infer_request_t, Freer<rondo_infer_request_free>>;
using TensorHandle = std::unique_ptr<rondo_tensor_t, Freer<rondo_tensor_free>>;

/// audio f32[1,?,16], h and c f32[1,1,24] -> score, h_out, c_out.
inline const std::string kDetector =
    std::string(RONDO_SOURCE_DIR) + "/docs/examples/streaming/detector.xml";

inline CoreHandle make_core() {
    rondo_core_t* core = nullptr;
    expect_ok(rondo_core_create(&core));
    return CoreHandle(core);
}

inline ModelHandle read_detector(const CoreHandle& core) {
    rondo_model_t* model = nullptr;
    expect_ok(rondo_core_read_model(core.get(), kDetector.c_str(), nullptr, &model));
    return ModelHandle(model);
}

inline CompiledHandle compile_detector() {
    rondo_compiled_model_t* compiled = nullptr;
    expect_ok(rondo_core_compile_model_from_file(make_core().get(), kDetector.c_str(), "CPU",
                                                 nullptr, 0, &compiled));
    return CompiledHandle(compiled);
}

inline RequestHandle detector_request() {
    rondo_infer_request_t* request = nullptr;
    expect_ok(rondo_compiled_model_create_infer_request(compile_detector().get(), &request));
    return RequestHandle(request);
}

inline TensorHandle make_tensor(std::initializer_list<std::size_t> shape,
                                rondo_element_type_t type = RONDO_F32) {
    rondo_tensor_t* tensor = nullptr;
    expect_ok(rondo_tensor_create(type, shape.begin(), shape.size(), &tensor));
    return TensorHandle(tensor);
}

}  // namespace rondo::test
