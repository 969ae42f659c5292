// One input from a file.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/tensors.hpp"
#include "tools/rondo/inputs/inputs.hpp"

namespace rondo::tool::input_file_test {
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

// What fitted() gives, with what it writes to the standard error stream.
std::pair<Tensor, std::string> noted(const Tensor& tensor, ElementType type) {
    testing::internal::CaptureStderr();
    Tensor result = fitted(tensor, {{"x"}, type, tensor.shape()}, "x.npy");
    return {result, testing::internal::GetCapturedStderr()};
}

TEST(InputFile, ConvertsWhatKeepsItsValuesSilently) {
    const Tensor bytes = test::tensor_of<std::int8_t>({3}, {-128, 0, 127});
    for (const ElementType type : {ElementType::f16, ElementType::f32, ElementType::f64,
                                   ElementType::i16, ElementType::i32, ElementType::i64}) {
        const auto [wide, note] = noted(bytes, type);
        EXPECT_EQ(wide.element_type(), type);
        EXPECT_EQ(elements_of(wide), (std::vector<double>{-128, 0, 127})) << to_string(type);
        EXPECT_EQ(note, "");
    }
    const auto halves = noted(test::tensor_of<double>({2}, {0.5, -1e30}), ElementType::f64);
    EXPECT_EQ(elements_of(halves.first), (std::vector<double>{0.5, -1e30}));
    const auto [words, note] =
        noted(test::tensor_of<std::int64_t>({2}, {16000, 1 << 24}), ElementType::f32);
    EXPECT_EQ(elements_of(words), (std::vector<double>{16000, 1 << 24}));
    EXPECT_EQ(note, "");
    const Tensor flags = test::tensor_of<std::int64_t>({2}, {0, 1});
    EXPECT_EQ(noted(flags, ElementType::boolean).second, "");
}

TEST(InputFile, SaysWhichNumbersWereRounded) {
    const auto [floats, note] =
        noted(test::tensor_of<double>({2, 2}, {0.5, 0.1, 1e-46, 3}), ElementType::f32);
    EXPECT_EQ(floats.data<float>()[1], 0.1F);
    EXPECT_EQ(note,
              "rondo: input 'x': x.npy: 2 of 4 numbers were rounded from f64 to f32, most at "
              "[1,0]: 1e-46 became 0\n");
    const auto [words, other] =
        noted(test::tensor_of<std::int64_t>({2}, {16777217, 9007199254740993}), ElementType::f32);
    EXPECT_EQ(words.data<float>()[0], 16777216);
    EXPECT_EQ(other,
              "rondo: input 'x': x.npy: 2 of 2 numbers were rounded from i64 to f32, most at [0]: "
              "16777217 became 16777216\n");
}

TEST(InputFile, RefusesWhatTheTypeCanNotHold) {
    const auto refuses = [](const Tensor& tensor, ElementType type, const std::string& what) {
        expect_error<ModelError>([&] { fitted(tensor, port(type, "?"), "x.npy"); }, what);
    };
    refuses(test::tensor_of<double>({2}, {1, 1e39}), ElementType::f32,
            "input 'x': x.npy holds f64[2]; expected f32[?], which can't hold ");
    refuses(test::tensor_of<std::int64_t>({2}, {1, 70000}), ElementType::f16,
            "which can't hold 70000 at [1]");
    refuses(test::tensor_of<std::int64_t>({2}, {3000000000, 0}), ElementType::i32,
            "which can't hold 3000000000 at [0]");
    refuses(test::tensor_of<std::int8_t>({1}, {-1}), ElementType::u16, "can't hold -1 at [0]");
    refuses(test::tensor_of<std::uint8_t>({1}, {2}), ElementType::boolean, "can't hold 2 at [0]");
    refuses(test::tensor_of<float>({1}, {1}), ElementType::i64,
            "holds f32[1]; expected i64[?]: floating numbers don't become whole ones; convert the "
            "array: x.astype(\"int64\")");
    refuses(test::tensor_of<float>({1}, {1}), ElementType::boolean, "x.astype(\"bool\")");
    refuses(test::tensor_of<float>({1}, {1}), ElementType::u8, "x.astype(\"uint8\")");
    refuses(Tensor(ElementType::f32, {1}), ElementType::i4, "expected i4[?]");
    expect_error<ModelError>(
        [&] { fitted(Tensor(ElementType::f32, {2}), port(ElementType::f32, "3"), "file"); },
        "expected f32[3]");
}

TEST(InputFile, AScalarTakesOneElementOfAnyRank) {
    for (const Shape& shape : {Shape{}, Shape{1}, Shape{1, 1}}) {
        const Tensor rate = test::tensor_of<std::int32_t>(shape, {16000});
        const Tensor scalar = fitted(rate, port(ElementType::i64, ""), "sr.npy");
        test::expect_same(scalar, test::tensor_of<std::int64_t>({}, {16000}));
    }
    expect_error<ModelError>(
        [&] { fitted(Tensor(ElementType::i64, {2}), port(ElementType::i64, ""), "sr.npy"); },
        "holds i64[2]; expected i64[]");
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
}  // namespace rondo::tool::input_file_test
