// Tests a part of core/ir/xml_elements.hpp.
#include "core/ir/xml_elements.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::rt_info_test {
namespace {

using ir::RtInfo;

pugi::xml_node parse(pugi::xml_document& document, const std::string& text) {
    EXPECT_TRUE(document.load_string(text.c_str()));
    return document.first_child();
}

TEST(NetRtInfo, NestedKeysAreJoinedBySlashes) {
    pugi::xml_document document;
    const auto net = parse(document,
                           "<net><rt_info><v value='1'/><a><b value=''/><info name='in put' "
                           "value='2'/></a>text<!-- comment --></rt_info></net>");
    EXPECT_EQ(ir::read_net_rt_info(net), (RtInfo{{"v", "1"}, {"a/b", ""}, {"a/in put", "2"}}));
}

TEST(NetRtInfo, SurvivesTheRoundTrip) {
    const RtInfo info{{"a", "1"},      {"a/b", "<&\""}, {"a/b/c d", ""}, {"info", "x"},
                      {"info/1", "y"}, {"1st", "z"},    {"", "empty"},   {"x//y", "gap"}};
    pugi::xml_document document;
    auto net = document.append_child("net");
    ir::write_net_rt_info(info, net);
    EXPECT_EQ(ir::read_net_rt_info(net), info);
}

TEST(NetRtInfo, ThatXmlCannotHoldIsRefused) {
    const auto write = [](const std::string& text) {
        pugi::xml_document document;
        ir::write_net_rt_info({{"a", text}}, document.append_child("net"));
    };
    write("\t\n\r\x7f\xc3\xbc\xef\xbf\xbd\xf0\x9f\x98\x80");
    for (const char* text : {"\x01", "b\x1b[1m"}) {
        test::expect_error<ModelError>([&] { write(text); },
                                       "attribute 'value' holds the control character 0x");
    }
    // A byte of Latin-1, one that continues nothing, short forms, a surrogate, past the last one,
    // a form of five bytes, and a character that is cut off.
    for (const char* text : {"caf\xe9 ", "\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
                             "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xe2\x82"}) {
        test::expect_error<ModelError>([&] { write(text); }, "attribute 'value' holds the byte 0x");
    }
}

TEST(NetRtInfo, IsWrittenEvenWhereEmpty) {
    pugi::xml_document document;
    auto net = document.append_child("net");
    ir::write_net_rt_info({}, net);
    EXPECT_TRUE(net.child("rt_info"));
}

TEST(NetRtInfo, EndlessNestingIsCutOff) {
    std::string text = "<net><rt_info>";
    for (int i = 0; i < 100000; ++i) text += "<a>";
    text += "<b value='1'/>";
    for (int i = 0; i < 100000; ++i) text += "</a>";
    pugi::xml_document document;
    const auto net = parse(document, text + "</rt_info></net>");
    EXPECT_TRUE(ir::read_net_rt_info(net).empty());
}

TEST(LayerRtInfo, KeepsSimpleAttributesAndSkipsOthers) {
    pugi::xml_document document;
    const auto layer = parse(document,
                             "<layer><rt_info><attribute name='decompression' version='0'/>"
                             "<attribute name='fused_names' version='0' value='a,b'/>"
                             "<attribute name='layout' version='0' layout='[N,C]'/>"
                             "<attribute name='newer' version='1' value='x'/>"
                             "<attribute version='0' value='x'/><other/></rt_info></layer>");
    EXPECT_EQ(ir::read_layer_rt_info(layer),
              (RtInfo{{"decompression", ""}, {"fused_names", "a,b"}}));
}

TEST(LayerRtInfo, SurvivesTheRoundTrip) {
    const RtInfo info{{"decompression", ""}, {"a b", "<x>"}};
    pugi::xml_document document;
    auto layer = document.append_child("layer");
    ir::write_layer_rt_info(info, layer);
    EXPECT_EQ(ir::read_layer_rt_info(layer), info);
}

TEST(LayerRtInfo, AddsNothingWhereEmpty) {
    pugi::xml_document document;
    auto layer = document.append_child("layer");
    ir::write_layer_rt_info({}, layer);
    EXPECT_FALSE(layer.first_child());
}

}  // namespace
}  // namespace rondo::rt_info_test
