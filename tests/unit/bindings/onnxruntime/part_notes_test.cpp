// What EPContext nodes say of their parts.
#include "bindings/onnxruntime/src/part_notes.hpp"

#include <gmock/gmock.h>

#include "bindings/onnxruntime/src/compatibility.hpp"
#include "rondo/version.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::test::onnxruntime_part_notes_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(OnnxruntimePartNotes, AreReadAsTheyWereWritten) {
    const std::string text = ort::text_of({{1, 0}, {2}, {64, 4711}});
    EXPECT_EQ(text, "inputs 1 0; outputs 2; bytes 64 4711");
    const auto notes = ort::read_notes(text);
    EXPECT_THAT(notes.inputs, ElementsAre(1, 0));
    EXPECT_THAT(notes.outputs, ElementsAre(2));
    EXPECT_EQ(notes.bytes.begin, 64U);
    EXPECT_EQ(notes.bytes.size, 4711U);
    EXPECT_THAT(ort::read_notes("inputs; outputs 0; bytes 0 1").inputs, IsEmpty());
}

TEST(OnnxruntimePartNotes, RefuseOtherTexts) {
    for (const auto* text :
         {"", "inputs 0", "inputs 0; outputs 0", "inputs 0; outputs 0; bytes 0",
          "inputs 0; outputs 0; bytes 0 1 2", "inputs 0; outputs 0; bytes 0 1; more 2",
          "inputs -1; outputs 0; bytes 0 1", "inputs 0x1; outputs 0; bytes 0 1",
          "outputs 0; inputs 0; bytes 0 1", "inputs 0; outputs 0; bytes 0 99999999999999999999999",
          "inputs 0; outputs 0; bytes 0 1;"}) {
        expect_error<ModelError>([&] { ort::read_notes(text); },
                                 "expected 'inputs ...; outputs ...; bytes BEGIN SIZE'");
    }
}

TEST(OnnxruntimeCompatibility, GoesByTheVersion) {
    const auto ours = ort::compatibility_text();
    EXPECT_EQ(ours, "rondo=" RONDO_VERSION);
    EXPECT_EQ(ort::compatibility_of(ours.c_str()),
              ort::OrtCompiledModelCompatibility_EP_SUPPORTED_OPTIMAL);
    const auto release = ours.substr(0, ours.rfind('.'));
    EXPECT_EQ(ort::compatibility_of((release + ".99").c_str()),
              ort::OrtCompiledModelCompatibility_EP_SUPPORTED_PREFER_RECOMPILATION);
    for (const auto& text : {std::string("rondo=99.0.0"), std::string("qnn=0.1.0"), release,
                             release + ".", release + ".1a", ours + ".1"}) {
        EXPECT_EQ(ort::compatibility_of(text.c_str()),
                  ort::OrtCompiledModelCompatibility_EP_UNSUPPORTED)
            << text;
    }
    EXPECT_EQ(ort::compatibility_of(""), ort::OrtCompiledModelCompatibility_EP_NOT_APPLICABLE);
    EXPECT_EQ(ort::compatibility_of(nullptr), ort::OrtCompiledModelCompatibility_EP_NOT_APPLICABLE);
}

}  // namespace
}  // namespace rondo::test::onnxruntime_part_notes_test
