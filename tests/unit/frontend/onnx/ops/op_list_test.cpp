#include <gtest/gtest.h>

#include <tuple>

#include "frontend/onnx/ops/op_list.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::op_list_test {
namespace {

using test::expect_error;

TEST(OnnxOpList, IsSortedAndHasEveryEntryOnce) {
    const OpEntry* last = nullptr;
    for (const auto& entry : op_list()) {
        EXPECT_TRUE(entry.convert != nullptr) << entry.name;
        if (last) {
            EXPECT_LT(std::tie(last->domain, last->name, last->since),
                      std::tie(entry.domain, entry.name, entry.since))
                << entry.name;
        }
        last = &entry;
    }
}

TEST(OnnxOpList, GivesTheNewestThatIsNotTooNew) {
    EXPECT_EQ(find_converter("", "Slice", 9)->since, 1);
    EXPECT_EQ(find_converter("", "Slice", 10)->since, 10);
    EXPECT_EQ(find_converter("", "Slice", 25)->since, 10);
    EXPECT_EQ(find_converter("", "Sign", 8), nullptr);
    EXPECT_EQ(find_converter("", "add", 13), nullptr);
    EXPECT_EQ(find_converter("com.microsoft", "Add", 13), nullptr);
}

}  // namespace
}  // namespace rondo::onnx::op_list_test
