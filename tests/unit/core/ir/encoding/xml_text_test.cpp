#include "core/ir/encoding/xml_text.hpp"

#include "rondo/core.hpp"
#include "rondo/properties.hpp"
#include "tests/support/files/encoded_text.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::test::xml_text_test {
namespace {

// What Windows' editors make of a file: the declaration names the encoding or stays as it is.
std::string fixture_xml() { return bytes_of(kFixture + ".xml"); }

class Encodings : public testing::TestWithParam<WideEncoding> {
protected:
    std::string encoded(std::string_view text) const { return test::encoded(text, GetParam()); }
    std::string with_mark(const std::string& text) const { return encoded(kByteOrderMark + text); }
};
INSTANTIATE_TEST_SUITE_P(All, Encodings,
                         testing::Values(WideEncoding{2, false}, WideEncoding{2, true},
                                         WideEncoding{4, false}, WideEncoding{4, true}),
                         [](const auto& info) {
                             return "Utf" + std::to_string(8 * info.param.unit) +
                                    (info.param.big_endian ? "Be" : "Le");
                         });

// The first and the last ones of each length in UTF-8.
TEST_P(Encodings, GivesBackEveryCharacter) {
    const std::string text =
        "<a n=\"\x7F\xC2\x80\xC3\xA9\xDF\xBF\xE0\xA0\x80\xE2\x82\xAC\xED\x9F\xBF\xEE\x80\x80"
        "\xEF\xBF\xBD\xF0\x90\x80\x80\xF0\x9F\x8E\xB5\xF4\x8F\xBF\xBF\"/>\r\n";
    for (const auto& bytes : {encoded(text), with_mark(text)}) {
        EXPECT_EQ(ir::to_utf8(bytes, ir::encoding_of(bytes)), text);
    }
}

TEST_P(Encodings, AnIrIsReadAsItsUtf8) {
    const std::string text =
        replaced(fixture_xml(), "name=\"lstm\"", "name=\"l\xC3\xA9 \xF0\x9F\x8E\xB5\"");
    const std::string expected = to_text(*read_text(text));
    const std::string declared =
        replaced(text, "<?xml version=\"1.0\"?>", "<?xml version=\"1.0\" encoding=\"UTF-16\"?>");
    for (const auto& bytes :
         {with_mark(text), with_mark(declared), encoded(text), encoded(declared),
          with_mark("\r\n" + text.substr(text.find("<net")))}) {
        EXPECT_EQ(to_text(*read_text(bytes)), expected);
    }
}

// From the file and from memory, without a cache and with one.
TEST_P(Encodings, EveryWayInTakesIt) {
    const TemporaryFolder folder;
    const std::string path = folder / "m.xml";
    write_bytes(path, with_mark(fixture_xml()));
    std::filesystem::copy(kFixture + ".bin", folder / "m.bin");
    const Core core;
    const std::string expected = core.read_model(kFixture + ".xml").to_text();
    EXPECT_EQ(core.read_model(path).to_text(), expected);
    const std::string bytes = bytes_of(path);
    const Tensor weights = bytes_tensor(kFixture + ".bin");
    EXPECT_EQ(core.read_model(bytes.data(), bytes.size(), weights).to_text(), expected);
    const Properties cached{{property::kCacheDir, folder / "cache"}};
    for (const char* from_cache : {"NO", "YES"}) {
        const CompiledModel compiled = core.compile_model(path, "CPU", cached);
        EXPECT_EQ(compiled.get_property(property::kLoadedFromCache), from_cache);
    }
}

// The XML names the digest of its weights.
TEST_P(Encodings, WeightsThatDontBelongToItAreRefused) {
    const TemporaryFolder folder;
    save_model(Core().read_model(kFixture + ".xml"), folder / "m.xml", ElementType::f32);
    write_bytes(folder / "m.xml", with_mark(bytes_of(folder / "m.xml")));
    EXPECT_NO_THROW(read_file(folder / "m.xml"));
    write_bytes(folder / "m.bin", replaced(bytes_of(folder / "m.bin"), std::string(1, '\0'), "x"));
    expect_error<ModelError>([&] { read_file(folder / "m.xml"); },
                             "was not written together with this XML");
}

TEST_P(Encodings, MessagesNameTheLine) {
    const auto expect_broken = [](const std::string& bytes, const std::string& message) {
        expect_error<ModelError>([&] { read_text(bytes); }, message);
    };
    const std::string text = "<net version='11'>\n<!-- \xE2\x82\xAC -->\n<layers>\n<x></y>";
    expect_broken(with_mark(text), "model in memory: line 4: the XML is damaged");
    expect_broken(with_mark(replaced(fixture_xml(), "hidden_size=\"2\"", "hidden_size=\"two\"")),
                  "layer 7 'lstm' (LSTMSequence): attribute 'hidden_size' is 'two'");
    for (std::size_t cut = 1; cut < GetParam().unit; ++cut) {
        std::string bytes = with_mark("<net>\n\n<layers/>");
        const std::string at = std::to_string(bytes.size() - GetParam().unit);
        bytes.resize(bytes.size() - cut);
        expect_broken(bytes, "line 3, byte " + at + ": the UTF-" +
                                 std::to_string(8 * GetParam().unit) +
                                 " is damaged or cut off: the text ends within a character");
    }
}

TEST_P(Encodings, EveryPrefixIsRefusedAndEveryChangedByteIsHarmless) {
    const std::string whole = with_mark(fixture_xml());
    for (std::size_t size = 0; size < whole.size() - 20; size += 97) {
        EXPECT_THROW(read_text(whole.substr(0, size)), Error) << size;
    }
    for (std::size_t at = 0; at < whole.size(); at += 41) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ 0xD8);
        try {
            read_text(bytes);
        } catch (const ModelError&) {
        } catch (const UnsupportedError&) {
        }
    }
}

TEST_P(Encodings, IsAnIrWhereItSaysNet) {
    const auto can_read = [](const std::string& bytes) {
        ModelSource source;
        source.data = reinterpret_cast<const std::byte*>(bytes.data());
        source.size = bytes.size();
        return ir::can_read(source);
    };
    EXPECT_TRUE(can_read(with_mark(" <net name='x' version='11'>")));
    EXPECT_TRUE(can_read(encoded("<net name='x' version='11'>")));
    EXPECT_TRUE(can_read(with_mark("<!-- " + std::string(3000, '-') + " --><net/>")));
    EXPECT_FALSE(can_read(with_mark("<?xml version='1.0'?><html></html>")));
    EXPECT_FALSE(can_read(with_mark("net")));
    EXPECT_FALSE(can_read(with_mark("")));
}

// A lone half of a pair at each place that it can have.
TEST(XmlText, RefusesHalvesOfPairs) {
    const auto expect_half = [](const std::string& units, const std::string& half) {
        for (const bool big_endian : {false, true}) {
            std::string bytes = encoded("\xEF\xBB\xBF<net>\n", {2, big_endian});
            const std::string at = std::to_string(bytes.size());
            for (std::size_t i = 0; i < units.size(); i += 2) {
                bytes += units[i + (big_endian ? 0 : 1)];
                bytes += units[i + (big_endian ? 1 : 0)];
            }
            expect_error<ModelError>([&] { read_text(bytes); },
                                     "model in memory: line 2, byte " + at +
                                         ": the UTF-16 is damaged or cut off: " + half +
                                         " is half of a pair without its other half");
        }
    };
    expect_half("\xD8\x3D", "0xD83D");
    expect_half(std::string("\xD8\x3D\x00x", 4), "0xD83D");
    expect_half("\xD8\x3D\xD8\x3D", "0xD83D");
    expect_half("\xDC\x3D\xDC\x3D", "0xDC3D");
}

TEST(XmlText, RefusesWhatIsNoCharacter) {
    const std::string start = encoded("\xEF\xBB\xBF<net>\n", {4, true});
    expect_error<ModelError>([&] { read_text(start + std::string("\x00\x11\x00\x00", 4)); },
                             "line 2, byte 28: the UTF-32 is damaged or cut off: 0x110000 is no");
    expect_error<ModelError>([&] { read_text(start + std::string("\x00\x00\xDB\xFF", 4)); },
                             "0xDBFF is half of a pair");
}

TEST(XmlText, Utf8MayHaveAMark) {
    EXPECT_EQ(to_text(*read_text(kByteOrderMark + fixture_xml())),
              to_text(*read_text(fixture_xml())));
    expect_error<ModelError>(
        [] { read_text(std::string(kByteOrderMark) + "<net version='11'>\n<x></y>"); },
        "line 2: the XML is damaged");
}

// The parser widens it: its offsets aren't the file's.
TEST(XmlText, LinesOfLatin1AreTheFiles) {
    const std::string text = "<?xml version='1.0' encoding='ISO-8859-1'?>\n<net name='" +
                             std::string(500, '\xE9') + "'>\n\n<x></y>" + std::string(600, '\n');
    expect_error<ModelError>([&] { read_text(text); }, "line 4: the XML is damaged");
}

}  // namespace
}  // namespace rondo::test::xml_text_test
