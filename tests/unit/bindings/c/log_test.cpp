#include "rondo/c/log.h"

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/bindings/c/c_api.hpp"

namespace rondo::test::log_test {
namespace {

using Lines = std::vector<std::string>;

void keep(rondo_log_level_t level, const char* message, void* user_data) {
    static_cast<Lines*>(user_data)->push_back(std::to_string(level) + " " + message);
}

TEST(CLog, MessagesGoToTheCallback) {
    const auto core = make_core();
    Lines lines;
    ASSERT_EQ(rondo_set_log_callback(keep, &lines), RONDO_OK);
    const auto compile = [&](const char* level) {
        const rondo_property_t property{"LOG_LEVEL", level};
        rondo_compiled_model_t* compiled = nullptr;
        EXPECT_EQ(rondo_core_compile_model_from_file(core.get(), kDetector.c_str(), "CPU",
                                                     &property, 1, &compiled),
                  RONDO_OK);
        rondo_compiled_model_free(compiled);
    };
    compile("LOG_INFO");
    EXPECT_NE(std::find_if(lines.begin(), lines.end(),
                           [](const auto& line) { return line.starts_with("2 compiled '"); }),
              lines.end());
    lines.clear();
    compile("LOG_NONE");
    EXPECT_TRUE(lines.empty());
    ASSERT_EQ(rondo_set_log_callback(nullptr, nullptr), RONDO_OK);
}

}  // namespace
}  // namespace rondo::test::log_test
