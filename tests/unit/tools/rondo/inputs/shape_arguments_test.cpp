#include "tools/rondo/inputs/shape_arguments.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::tool::shape_arguments_test {
namespace {

using test::expect_error;

std::vector<PortInfo> ports() {
    return {{{"x", "x_alias"}, ElementType::f32, PartialShape::parse("?,?,8")},
            {{"h"}, ElementType::f32, PartialShape::parse("1,?,4")}};
}

TEST(ShapeArguments, ReadShapesByName) {
    const auto shapes = parse_shapes("x_alias[1,?,8], h[1,1..4,4]", ports());
    EXPECT_EQ(to_string(shapes.at("x")), "[1,?,8]");
    EXPECT_EQ(to_string(shapes.at("h")), "[1,1..4,4]");
    EXPECT_TRUE(parse_shapes("", ports()).empty());
}

TEST(ShapeArguments, ReadNamesOfAnyCharacters) {
    const std::vector<PortInfo> odd{{{"x,y z"}, ElementType::f32, PartialShape::parse("?")},
                                    {{"p"}, ElementType::f32, PartialShape::parse("?")},
                                    {{"p[1]"}, ElementType::f32, PartialShape::parse("?")}};
    const auto shapes = parse_data_shapes(" x,y z [2][3], p[1][4] ,p[5]", odd);
    EXPECT_EQ(shapes.at("x,y z"), (std::vector<Shape>{{2}, {3}}));
    EXPECT_EQ(shapes.at("p[1]"), (std::vector<Shape>{{4}}));
    EXPECT_EQ(shapes.at("p"), (std::vector<Shape>{{5}}));
    EXPECT_EQ(to_string(parse_shapes("p[1][2]", odd).at("p[1]")), "[2]");
    EXPECT_EQ(to_string(parse_shapes("p[1]", odd).at("p")), "[1]");
    expect_error<ModelError>([&] { parse_shapes(" a b [1]", odd); }, "has no input 'a b'");
    expect_error<ModelError>([&] { parse_shapes(" ", odd); }, "is not a list of shapes");
    expect_error<ModelError>([&] { parse_shapes(" [1]", odd); }, "needs names");
}

TEST(ShapeArguments, ASoleInputNeedsNoName) {
    const std::vector<PortInfo> one{ports()[0]};
    EXPECT_EQ(to_string(parse_shapes("[2,3,8]", one).at("x")), "[2,3,8]");
}

TEST(ShapeArguments, AScalarIsOneWhateverTheRank) {
    const std::vector<PortInfo> scalar = {{{"sr"}, ElementType::i64, PartialShape::parse("")}};
    const auto shapes = parse_data_shapes("sr[][1][1,1][2]", scalar);
    EXPECT_EQ(shapes.at("sr"), (std::vector<Shape>{{}, {}, {}, {2}}));
}

TEST(ShapeArguments, ReadSeveralDataShapes) {
    const auto shapes = parse_data_shapes("x[1,9,8][1,5,8],h[1,1,4]", ports());
    EXPECT_EQ(shapes.at("x"), (std::vector<Shape>{{1, 9, 8}, {1, 5, 8}}));
    EXPECT_EQ(shapes.at("h"), (std::vector<Shape>{{1, 1, 4}}));
}

TEST(ShapeArguments, TheBatchGoesWhereTheLayoutSays) {
    const auto layouts = parse_layouts("x[TNC]", ports());
    const auto shapes = with_batch(ports(), layouts, 5);
    EXPECT_EQ(to_string(shapes.at("x")), "[?,5,8]");
    EXPECT_EQ(to_string(shapes.at("h")), "[1,5,4]");  // its first open axis
}

TEST(ShapeArguments, ABatchNeedsAnAxis) {
    const auto port = [](const char* shape) {
        return std::vector<PortInfo>{{{"x"}, ElementType::f32, PartialShape::parse(shape)}};
    };
    EXPECT_EQ(to_string(with_batch(port("1,100,8"), {}, 4).at("x")), "[4,100,8]");
    expect_error<ModelError>([&] { with_batch(port("100,1,8"), {}, 4); },
                             "-b: input 'x' [100,1,8] has no open axis; say which");
    expect_error<ModelError>(
        [&] {
            with_batch(port("?,8"), {{"x", "TC"}}, 4);
        },
        "-b: no input has a batch axis");
}

TEST(ShapeArguments, RefuseWhatTheyCannotRead) {
    expect_error<ModelError>([] { parse_shapes("y[1]", ports()); },
                             "the model has no input 'y'; there are: 'x', 'h'");
    expect_error<ModelError>([] { parse_shapes("[1]", ports()); }, "needs names");
    expect_error<ModelError>([] { parse_shapes("x[1,2", ports()); }, "lacks a ]");
    expect_error<ModelError>([] { parse_shapes("x", ports()); }, "is not a list of shapes");
    expect_error<ModelError>([] { parse_shapes("x[a]", ports()); }, "can't read 'a' as an extent");
    expect_error<ModelError>([] { parse_shapes("x[1][2]", ports()); }, "one shape for 'x'");
    expect_error<ModelError>([] { parse_data_shapes("x[?,1,8]", ports()); }, "needs every extent");
    expect_error<ModelError>(
        [] {
            with_batch(ports(), {{"x", "TNC"}, {"h", "abcN"}}, 2);
        },
        "more axes");
    expect_error<ModelError>([] { with_batch(ports(), {}, 2); },
                             "-b: input 'x' [?,?,8] has several open axes");
}

TEST(ChunkShapes, OfOneStepOfALiveStream) {
    const auto port = [](const char* name, const char* shape) {
        return PortInfo{{name}, ElementType::f32, PartialShape::parse(shape)};
    };
    const auto shapes = chunk_shapes({port("a", "[?,?,3]"), port("b", "[1,?]"),
                                      port("c", "[2,?,128]"), port("d", "[]"), port("e", "[...]")},
                                     7);
    EXPECT_EQ(shapes.at("a"), (Shape{1, 7, 3}));
    EXPECT_EQ(shapes.at("b"), (Shape{1, 7}));
    EXPECT_EQ(shapes.at("c"), (Shape{2, 1, 128}));
    EXPECT_EQ(shapes.at("d"), Shape{});
    EXPECT_EQ(shapes.count("e"), 0U);
    expect_error<ModelError>([&] { chunk_shapes({port("b", "[1,?]")}, 0); },
                             "input 'b' has the shape [1,?]; give --chunk");
}

}  // namespace
}  // namespace rondo::tool::shape_arguments_test
