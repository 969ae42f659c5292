#include "core/runtime/ports.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/runtime/fake_device.hpp"

namespace rondo::test::ports_test {
namespace {

TEST(Ports, ComeWithNamesTypesAndShapes) {
    const auto graph = identity_graph();
    const auto inputs = input_ports(*graph);
    ASSERT_EQ(inputs.size(), 1u);
    EXPECT_EQ(inputs[0].any_name(), "x");
    EXPECT_EQ(to_string(inputs[0].shape), "[?,2]");
    EXPECT_EQ(inputs[0].element_type, ElementType::f32);
    EXPECT_EQ(output_ports(*graph)[0].any_name(), "y");
}

TEST(Ports, AResultWithoutNamesTakesItsProducers) {
    const auto graph = identity_graph();
    graph->results()[0]->output(0).set_names({});
    EXPECT_EQ(output_ports(*graph)[0].any_name(), "x");
    graph->parameters()[0]->output(0).set_names({});
    graph->parameters()[0]->set_name("node");
    EXPECT_EQ(output_ports(*graph)[0].any_name(), "node");
}

TEST(Ports, AreFoundByAnyOfTheirNames) {
    const auto graph = identity_graph();
    graph->parameters()[0]->output(0).set_names({"b", "a"});
    const auto ports = input_ports(*graph);
    EXPECT_EQ(find_port(ports, "a", "input"), 0u);
    EXPECT_EQ(find_port(ports, "b", "input"), 0u);
    expect_error<ModelError>([&] { find_port(ports, "c", "input"); },
                             "no input 'c'; there are: 'a', 'b'");
}

TEST(Ports, OfSeveralListsAreFoundInOrder) {
    const std::vector<PortInfo> inputs = {{{"a", "b"}, ElementType::f32, {}},
                                          {{"c"}, ElementType::f32, {}}};
    const std::vector<PortInfo> outputs = {{{"d", "b"}, ElementType::f32, {}}};
    const PortNames names({inputs, outputs});
    EXPECT_EQ(names.place_of("a", "port"), 0u);
    EXPECT_EQ(names.place_of("b", "port"), 0u);
    EXPECT_EQ(names.place_of("c", "port"), 1u);
    EXPECT_EQ(names.place_of("d", "port"), 2u);
    expect_error<ModelError>([&] { names.place_of("e", "port"); },
                             "no port 'e'; there are: 'a', 'b', 'c', 'd', 'b'");
}

TEST(Ports, CheckTypesAndShapes) {
    const auto port = input_ports(*identity_graph())[0];
    check_fits(port, "input", ElementType::f32, {7, 2});
    expect_error<ModelError>([&] { check_fits(port, "input", ElementType::f32, {2}); },
                             "input 'x': got f32[2]; expected f32[?,2]");
    expect_error<ModelError>(
        [&] {
            check_fits(port, "input", ElementType::f64, {1, 2});
        },
        "got f64[1,2]");
}

TEST(Ports, AScalarTakesOneElementOfAnyRank) {
    const PortInfo scalar{{"s"}, ElementType::i64, PartialShape::parse("[]")};
    for (const Shape& shape : {Shape{}, Shape{1}, Shape{1, 1}, Shape{1, 1, 1, 1}}) {
        EXPECT_TRUE(scalar.takes(shape)) << to_string(shape);
        EXPECT_EQ(input_shape(scalar, Tensor(ElementType::i64, shape)), Shape{});
    }
    for (const Shape& shape : {Shape{0}, Shape{2}, Shape{1, 2}}) {
        EXPECT_FALSE(scalar.takes(shape)) << to_string(shape);
        expect_error<ModelError>([&] { input_shape(scalar, Tensor(ElementType::i64, shape)); },
                                 "input 's': got i64" + to_string(shape) + "; expected i64[]");
    }
    expect_error<ModelError>([&] { input_shape(scalar, Tensor(ElementType::i32, {1})); },
                             "input 's': got i32[1]; expected i64[]");
}

TEST(Ports, OthersThanScalarsTakeWhatTheirShapeContains) {
    const PortInfo one{{"x"}, ElementType::f32, PartialShape::parse("[1]")};
    EXPECT_TRUE(one.takes({1}));
    EXPECT_FALSE(one.takes({}));
    EXPECT_FALSE(one.takes({1, 1}));
    const PortInfo any{{"x"}, ElementType::f32, PartialShape()};
    EXPECT_EQ(input_shape(any, Tensor(ElementType::f32, {1, 1})), (Shape{1, 1}));
}

}  // namespace
}  // namespace rondo::test::ports_test
