#include "tools/rondo/texts.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace rondo::tool::texts_test {
namespace {

TEST(Texts, TextsHaveUnits) {
    EXPECT_EQ(duration_text(0.0125), "12.50 us");
    EXPECT_EQ(duration_text(1.0), "1.00 ms");
    EXPECT_EQ(bytes_text(999), "999 B");
    EXPECT_EQ(bytes_text(3.14e6), "3.1 MB");
}

TEST(Texts, OneThingIsNoPlural) {
    EXPECT_EQ(counted(1, "layer"), "1 layer");
    EXPECT_EQ(counted(0, "layer"), "0 layers");
    EXPECT_EQ(counted(2, "body", "bodies"), "2 bodies");
}

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
}  // namespace rondo::tool::texts_test
