// Which bytes are recognised as an ONNX model.
#include <gtest/gtest.h>

#include "frontend/onnx/onnx.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::can_read_test {
namespace {

bool can_read_bytes(const std::string& bytes) {
    ModelSource source;
    source.data = reinterpret_cast<const std::byte*>(bytes.data());
    source.size = bytes.size();
    return can_read(source);
}

std::string small_model() {
    test::ModelBuilder model;
    model.input("x", ElementType::f32, {2}).node("Relu", {"x"}, {"y"});
    return model.output("y").bytes();
}

TEST(OnnxCanRead, TakesAModel) { EXPECT_TRUE(can_read_bytes(small_model())); }

// So that what fails is the parser, whose message says more.
TEST(OnnxCanRead, TakesATruncatedModel) {
    EXPECT_TRUE(can_read_bytes(small_model().substr(0, 20)));
}

TEST(OnnxCanRead, TakesAModelWithoutIrVersion) {
    test::ModelBuilder model;
    model.message().clear_ir_version();
    model.message().set_producer_name("someone");
    EXPECT_TRUE(can_read_bytes(model.bytes()));
    model.message().clear_producer_name();
    EXPECT_TRUE(can_read_bytes(model.bytes()));
}

TEST(OnnxCanRead, LeavesOtherFormats) {
    EXPECT_FALSE(can_read_bytes(""));
    EXPECT_FALSE(can_read_bytes("<?xml version=\"1.0\"?><net/>"));
    EXPECT_FALSE(can_read_bytes("PK\x03\x04 a zip of weights"));
    EXPECT_FALSE(can_read_bytes("{\"a\": 1}"));
    EXPECT_FALSE(
        can_read_bytes("\x7f"
                       "ELF"));
    EXPECT_FALSE(can_read_bytes(std::string("\x1c\0\0\0TFL3", 8)));
}

// The first letters are tags of fields that a model has, but no other field follows.
TEST(OnnxCanRead, LeavesTextThatBeginsLikeAField) {
    for (const char* text : {"2021-01-01 was a Friday", "\"quoted\" text goes on here",
                             ":colon text goes on here ....................................",
                             "Before anything else", "repeat this", "(brackets)"}) {
        EXPECT_FALSE(can_read_bytes(text)) << text;
    }
}

TEST(OnnxCanRead, LeavesUnendingNumbers) {
    EXPECT_FALSE(can_read_bytes(std::string(30, '\xff')));
    EXPECT_FALSE(can_read_bytes("\x08" + std::string(30, '\xff')));
    EXPECT_FALSE(can_read_bytes("\x08"));
}

}  // namespace
}  // namespace rondo::onnx::can_read_test
