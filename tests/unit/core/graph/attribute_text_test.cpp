#include "core/graph/attribute_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::attribute_text_test {
namespace {

using test::expect_error;
using Texts = std::vector<std::pair<std::string, std::string>>;

enum class Color { red, green };
constexpr std::pair<std::string_view, Color> kColors[] = {{"red", Color::red},
                                                          {"green", Color::green}};

// One attribute of each kind.
struct Everything {
    bool flag = false;
    std::int64_t number = 0;
    float real = 0;
    std::string text;
    ElementType type = ElementType::dynamic;
    PartialShape shape;
    std::vector<std::int64_t> numbers;
    std::vector<float> reals;
    std::vector<std::string> texts;
    Color color = Color::red;

    static void visit(auto& self, auto& visitor) {
        visitor.on("flag", self.flag);
        visitor.on("number", self.number);
        visitor.on("real", self.real);
        visitor.on("text", self.text);
        visitor.on("type", self.type);
        visitor.on("shape", self.shape);
        visitor.on("numbers", self.numbers);
        visitor.on("reals", self.reals);
        visitor.on("texts", self.texts);
        visitor.on_enum("color", self.color, kColors);
    }
};

Texts written(const Everything& object) {
    AttributeTextWriter writer;
    Everything::visit(object, writer);
    return writer.take();
}

Everything read(const std::map<std::string, std::string>& texts, Everything object = {}) {
    AttributeTextReader reader([&](std::string_view name) -> std::optional<std::string> {
        const auto at = texts.find(std::string(name));
        return at == texts.end() ? std::nullopt : std::optional(at->second);
    });
    Everything::visit(object, reader);
    return object;
}

const Texts kFilled = {{"flag", "true"},     {"number", "-7"},    {"real", "0.10000000149011612"},
                       {"text", "a, b"},     {"type", "f16"},     {"shape", "1,?,2..3"},
                       {"numbers", "1, -2"}, {"reals", "0.5, 1"}, {"texts", "tanh, relu"},
                       {"color", "green"}};

TEST(AttributeText, WritesTheIrsSpellingInOrder) {
    Everything object;
    object.flag = true;
    object.number = -7;
    object.real = 0.1f;
    object.text = "a, b";
    object.type = ElementType::f16;
    object.shape = PartialShape::parse("1,?,2..3");
    object.numbers = {1, -2};
    object.reals = {0.5f, 1};
    object.texts = {"tanh", "relu"};
    object.color = Color::green;
    EXPECT_EQ(written(object), kFilled);
}

TEST(AttributeText, ReadsWhatItWrites) {
    EXPECT_EQ(written(read({kFilled.begin(), kFilled.end()})), kFilled);
}

TEST(AttributeText, KeepsDefaultsOfMissingAttributes) {
    Everything object;
    object.number = 5;
    object.numbers = {1};
    EXPECT_EQ(written(read({}, object)), written(object));
}

TEST(AttributeText, ReadsEmptyLists) {
    Everything object;
    object.numbers = {1};
    object.texts = {"x"};
    const auto empty = read({{"numbers", ""}, {"texts", " "}, {"reals", ""}}, object);
    EXPECT_TRUE(empty.numbers.empty());
    EXPECT_TRUE(empty.texts.empty());
}

TEST(AttributeText, ReadsOtherSpellings) {
    EXPECT_TRUE(read({{"flag", "1"}}).flag);
    EXPECT_TRUE(read({{"flag", " TRUE "}}).flag);
    EXPECT_FALSE(read({{"flag", "0"}}).flag);
    EXPECT_EQ(read({{"type", "FP32"}}).type, ElementType::f32);
    EXPECT_EQ(read({{"color", "GREEN"}}).color, Color::green);
    EXPECT_EQ(read({{"numbers", "1,2,3"}}).numbers, (std::vector<std::int64_t>{1, 2, 3}));
}

TEST(AttributeText, RefusesWhatDoesntFit) {
    const auto refused = [](const std::string& name, const std::string& text,
                            std::string_view expected) {
        expect_error<ModelError>(
            [&] {
                read({{name, text}});
            },
            "'" + name + "' is '" + text + "'; expected " + std::string(expected));
    };
    refused("flag", "yes", "true or false");
    refused("number", "1.5", "an integer");
    refused("number", "99999999999999999999", "an integer");
    refused("real", "one", "a number");
    refused("color", "blue", "one of 'red', 'green'");
    expect_error<ModelError>(
        [] {
            read({{"numbers", "1,,2"}});
        },
        "attribute 'numbers' is ''; expected an integer");
    expect_error<ModelError>([] { read({{"reals", "1,x"}}); }, "attribute 'reals' is 'x'");
    expect_error<ModelError>([] { read({{"type", "f31"}}); }, "unknown element type 'f31'");
    expect_error<ModelError>([] { read({{"shape", "1,x"}}); }, "can't read 'x' as an extent");
}

TEST(AttributeText, WritesFloatsSoThatTheyComeBack) {
    for (const float value : {0.0f, -0.0f, 0.1f, 1e-45f, 3.4028235e38f, 1.0f / 3}) {
        EXPECT_EQ(read({{"real", attribute_text(value)}}).real, value);
    }
    EXPECT_EQ(attribute_text(1), "1");
}

TEST(AttributeText, WritesShortFloatsInLists) {
    Everything object;
    object.reals = {0.1f, 1, 2.5e-8f, 1.7159f, 1.0f / 3, 3.4028235e38f, 1e-45f, -0.0f};
    const auto texts = written(object);
    const auto at = std::find_if(texts.begin(), texts.end(),
                                 [](const auto& text) { return text.first == "reals"; });
    EXPECT_EQ(at->second, "0.1, 1, 2.5e-08, 1.7159, 0.33333334, 3.4028235e+38, 1e-45, -0");
    EXPECT_EQ(read({{"reals", at->second}}).reals, object.reals);
}

TEST(AttributeText, NamesTheAttributeWhoseTypeOrShapeIsBad) {
    expect_error<ModelError>([] { read({{"type", "f31"}}); }, "attribute 'type': unknown element");
    expect_error<UnsupportedError>(
        [] {
            read({{"type", "string"}});
        },
        "attribute 'type': element type 'string'");
    expect_error<ModelError>([] { read({{"shape", "1,x"}}); }, "attribute 'shape': can't read 'x'");
}

}  // namespace
}  // namespace rondo::attribute_text_test
