#include "tools/rondo/json_text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace rondo::tool::json_text_test {
namespace {

TEST(JsonText, IsIndented) { EXPECT_EQ(json_text({{"a", 1}}), "{\n  \"a\": 1\n}"); }

TEST(JsonText, TakesNamesThatAreNoUtf8) {
    EXPECT_EQ(json_text({"caf\xe9", "\xc3\xbc"}), "[\n  \"caf\xef\xbf\xbd\",\n  \"\xc3\xbc\"\n]");
}

TEST(XmlText, IsUtf8WithoutControlCharacters) {
    EXPECT_EQ(xml_text("a\xc3\xbc\t\n\"\\"), "a\xc3\xbc\t\n\"\\");
    EXPECT_EQ(xml_text("caf\xe9.onnx"), "caf\xef\xbf\xbd.onnx");
    EXPECT_EQ(xml_text("a\x1b\x01"), "a\xef\xbf\xbd\xef\xbf\xbd");
    EXPECT_EQ(xml_text(""), "");
}

}  // namespace
}  // namespace rondo::tool::json_text_test
