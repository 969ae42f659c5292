#include "tools/rondo/json_text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace rondo::tool {
namespace {

TEST(JsonText, IsIndented) { EXPECT_EQ(json_text({{"a", 1}}), "{\n  \"a\": 1\n}"); }

TEST(JsonText, TakesNamesThatAreNoUtf8) {
    EXPECT_EQ(json_text({"caf\xe9", "\xc3\xbc"}), "[\n  \"caf\xef\xbf\xbd\",\n  \"\xc3\xbc\"\n]");
}

}  // namespace
}  // namespace rondo::tool
