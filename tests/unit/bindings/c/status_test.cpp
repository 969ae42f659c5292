#include "rondo/c/status.h"

#include <string>
#include <thread>

#include "tests/unit/bindings/c/c_api.hpp"

namespace rondo::test::status_test {
namespace {

void fail_with(const char* path) {
    rondo_model_t* model = nullptr;
    EXPECT_EQ(rondo_core_read_model(make_core().get(), path, nullptr, &model), RONDO_MODEL_ERROR);
}

TEST(CStatus, HasNames) {
    EXPECT_STREQ(rondo_status_name(RONDO_OK), "RONDO_OK");
    EXPECT_STREQ(rondo_status_name(RONDO_MODEL_ERROR), "RONDO_MODEL_ERROR");
    EXPECT_STREQ(rondo_status_name(RONDO_UNSUPPORTED), "RONDO_UNSUPPORTED");
    EXPECT_STREQ(rondo_status_name(RONDO_INTERNAL_ERROR), "RONDO_INTERNAL_ERROR");
    EXPECT_STREQ(rondo_status_name(RONDO_CANCELLED), "RONDO_CANCELLED");
    EXPECT_STREQ(rondo_status_name(RONDO_INVALID_ARGUMENT), "RONDO_INVALID_ARGUMENT");
    EXPECT_STREQ(rondo_status_name(RONDO_OUT_OF_MEMORY), "RONDO_OUT_OF_MEMORY");
    EXPECT_STREQ(rondo_status_name(RONDO_QUEUE_FULL), "RONDO_QUEUE_FULL");
    EXPECT_STREQ(rondo_status_name(static_cast<rondo_status_t>(77)), "unknown status");
}

TEST(CStatus, KeepsTheMessageOfTheLastFailureOfAThread) {
    fail_with("first.onnx");
    EXPECT_EQ(rondo_core_create(nullptr), RONDO_INVALID_ARGUMENT);
    EXPECT_NE(std::string(rondo_last_error_message()).find("rondo_core_create"), std::string::npos);
    fail_with("second.onnx");
    make_core();  // a success keeps it
    const std::string message = rondo_last_error_message();
    EXPECT_NE(message.find("second.onnx"), std::string::npos) << message;

    std::string before;
    std::string after;
    std::thread([&] {
        before = rondo_last_error_message();
        fail_with("other.onnx");
        after = rondo_last_error_message();
    }).join();
    EXPECT_EQ(before, "");
    EXPECT_NE(after.find("other.onnx"), std::string::npos) << after;
    EXPECT_EQ(rondo_last_error_message(), message);
}

TEST(CStatus, ListsTexts) {
    rondo_string_list_t* devices = nullptr;
    expect_ok(rondo_core_get_available_devices(make_core().get(), &devices));
    ASSERT_EQ(rondo_string_list_size(devices), 2u);
    EXPECT_STREQ(rondo_string_list_at(devices, 0), "CPU");
    EXPECT_STREQ(rondo_string_list_at(devices, 1), "REFERENCE");
    EXPECT_EQ(rondo_string_list_at(devices, 2), nullptr);
    rondo_string_list_free(devices);
}

TEST(CStatus, HasRondosVersion) {
    EXPECT_EQ(std::string(rondo_version()).find("0."), 0u) << rondo_version();
}

}  // namespace
}  // namespace rondo::test::status_test
