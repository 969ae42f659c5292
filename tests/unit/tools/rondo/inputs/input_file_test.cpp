#include "tools/rondo/inputs/input_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::tool {
namespace {

using test::expect_error;

PortInfo port(ElementType type, const std::string& shape) {
    return {{"x"}, type, PartialShape::parse(shape)};
}

std::vector<double> elements_of(const Tensor& tensor) {
    std::vector<double> elements;
    for (std::size_t i = 0; i < tensor.size(); ++i) {
        elements.push_back(static_cast<double>(test::element_at(tensor, i)));
    }
    return elements;
}

std::string bin_of(std::size_t size) {
    std::string path = test::temporary_path("elements.bin");
    std::ofstream(path, std::ios::binary) << std::string(size, '\1');
    return path;
}

TEST(InputFile, WidensWhatKeepsItsValues) {
    const Tensor bytes = test::tensor_of<std::int8_t>({3}, {-128, 0, 127});
    for (const ElementType type : {ElementType::f16, ElementType::f32, ElementType::f64,
                                   ElementType::i16, ElementType::i32, ElementType::i64}) {
        const Tensor wide = fitted(bytes, port(type, "3"), "file");
        EXPECT_EQ(wide.element_type(), type);
        EXPECT_EQ(elements_of(wide), (std::vector<double>{-128, 0, 127})) << to_string(type);
    }
    const Tensor half = test::tensor_of<float16>({1}, {float16(0.5F)});
    EXPECT_EQ(elements_of(fitted(half, port(ElementType::f64, "1"), "file"))[0], 0.5);
    const Tensor words = test::tensor_of<std::uint16_t>({1}, {65535});
    EXPECT_EQ(elements_of(fitted(words, port(ElementType::f32, "?"), "file"))[0], 65535);
}

TEST(InputFile, RefusesWhatDoesNot) {
    const auto refuses = [](ElementType from, ElementType to) {
        expect_error<ModelError>([&] { fitted(Tensor(from, {2}), port(to, "2"), "file"); },
                                 "file holds " + std::string(to_string(from)));
    };
    refuses(ElementType::f64, ElementType::f32);
    refuses(ElementType::f32, ElementType::f16);
    refuses(ElementType::f32, ElementType::i64);
    refuses(ElementType::i8, ElementType::u16);
    refuses(ElementType::u8, ElementType::i8);
    refuses(ElementType::i32, ElementType::f32);
    refuses(ElementType::i64, ElementType::f64);
    refuses(ElementType::u8, ElementType::boolean);
    expect_error<ModelError>(
        [&] { fitted(Tensor(ElementType::f32, {2}), port(ElementType::f32, "3"), "file"); },
        "expected f32[3]");
}

TEST(InputFile, SaysWhichTypesItTakes) {
    const auto refuses = [](ElementType from, ElementType to, const std::string& what) {
        expect_error<ModelError>([&] { fitted(Tensor(from, {2}), port(to, "2"), "x.npy"); }, what);
    };
    refuses(ElementType::i32, ElementType::f32,
            "x.npy holds i32[2]; expected f32[2], or a type that it holds all values of (f16, i16, "
            "i8, u16, u8, boolean); convert the array: x.astype(\"float32\")");
    refuses(ElementType::f32, ElementType::boolean,
            "expected boolean[2]; convert the array: x.astype(\"bool\")");
    refuses(ElementType::i32, ElementType::bf16,
            "expected bf16[2], or a type that it holds all values of (i8, u8, boolean)");
}

TEST(InputFile, TakesElementsAlone) {
    const Tensor known = read_input_file(bin_of(6), port(ElementType::i16, "1,3"));
    EXPECT_EQ(known.shape(), (Shape{1, 3}));
    EXPECT_EQ(known.data<std::int16_t>()[2], 257);
    const Tensor open = read_input_file(bin_of(12), port(ElementType::u8, "2,?,3"));
    EXPECT_EQ(open.shape(), (Shape{2, 2, 3}));
    EXPECT_EQ(read_input_file(bin_of(0), port(ElementType::f32, "?,3")).shape(), (Shape{0, 3}));
}

TEST(InputFile, NamesWhatElementsAloneLack) {
    const auto refuses = [](std::size_t size, const PortInfo& input, const std::string& what) {
        expect_error<ModelError>([&] { read_input_file(bin_of(size), input); }, what);
    };
    refuses(5, port(ElementType::i16, "1,3"), "holds 5 bytes, which don't fit");
    refuses(7, port(ElementType::u8, "2,?,3"), "holds 7 bytes, which don't fit");
    refuses(4, port(ElementType::u8, "?,?"), "several extents of");
    refuses(4, port(ElementType::u8, "0,?"), "holds 4 bytes, which don't fit");
    expect_error<ModelError>([] { read_input_file("/nowhere/x.bin", port(ElementType::u8, "1")); },
                             "can't read the file");
}

}  // namespace
}  // namespace rondo::tool
