#include "tools/rondo/inputs/npy.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::tool::npy_test {
namespace {

using test::expect_error;
using test::temporary_path;
using test::tensor_of;

std::string file_with(const std::string& name, const std::string& bytes) {
    std::ofstream(temporary_path(name), std::ios::binary) << bytes;
    return temporary_path(name);
}

// A version 1 file with that dictionary and `bytes` of elements.
std::string npy(const std::string& dictionary, const std::string& bytes) {
    const std::string header = dictionary + "\n";
    std::string file = "\x93NUMPY";
    file += {1, 0, static_cast<char>(header.size()), 0};
    return file + header + bytes;
}

TEST(Npy, RoundTripKeepsTypeShapeAndElements) {
    for (const auto type :
         {ElementType::boolean, ElementType::f64, ElementType::f32, ElementType::f16,
          ElementType::i64, ElementType::i32, ElementType::i16, ElementType::i8, ElementType::u64,
          ElementType::u32, ElementType::u16, ElementType::u8}) {
        for (const Shape& shape : {Shape{}, Shape{3}, Shape{2, 3}, Shape{2, 0, 3}}) {
            Tensor tensor(type, shape);
            auto* bytes = static_cast<unsigned char*>(tensor.data());
            for (std::size_t i = 0; i < tensor.byte_size(); ++i) bytes[i] = i % 2;
            const std::string path = temporary_path("round_trip.npy");
            write_npy(path, tensor);
            const Tensor read = read_npy(path);
            EXPECT_EQ(read.element_type(), type);
            EXPECT_EQ(read.shape(), shape);
            EXPECT_EQ(std::memcmp(read.data(), tensor.data(), tensor.byte_size()), 0);
        }
    }
}

TEST(Npy, ElementsBeginAtAMultipleOf64) {
    const std::string path = temporary_path("aligned.npy");
    write_npy(path, tensor_of<float>({2}, {1, 2}));
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ((bytes.size() - 8) % 64, 0u);
    EXPECT_NE(bytes.find("'shape': (2, ), }"), std::string::npos);
}

// Two bytes for the length of the header end at a rank of about 20,000.
TEST(Npy, AnyRankIsWritten) {
    const std::string path = temporary_path("deep.npy");
    for (std::size_t rank = 21800; rank < 21850; ++rank) {
        const Tensor tensor(ElementType::u8, Shape(rank, 1));
        write_npy(path, tensor);
        ASSERT_EQ(read_npy(path).shape(), tensor.shape());
        EXPECT_EQ(std::filesystem::file_size(path) % 64, 1u) << rank;
    }
}

TEST(Npy, Bfloat16IsWrittenWide) {
    const std::string path = temporary_path("bf16.npy");
    Tensor tensor(ElementType::bf16, {1});
    tensor.data<bfloat16>()[0] = bfloat16(1.5f);
    write_npy(path, tensor);
    EXPECT_EQ(read_npy(path).data<float>()[0], 1.5f);
}

TEST(Npy, NarrowTypesAreRefused) {
    const std::string path = temporary_path("narrow.npy");
    for (const ElementType type : {ElementType::f8e4m3, ElementType::i4, ElementType::u2}) {
        expect_error<UnsupportedError>(
            [&] { write_npy(path, Tensor(type, {2})); },
            "NumPy has no type for elements of " + std::string(to_string(type)));
        EXPECT_FALSE(std::filesystem::exists(path));
    }
}

TEST(Npy, ReadsFortranOrder) {
    const std::string path =
        file_with("fortran.npy", npy("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3)}",
                                     std::string("\x01\x04\x02\x05\x03\x06", 6)));
    test::expect_near(read_npy(path), tensor_of<std::int8_t>({2, 3}, {1, 2, 3, 4, 5, 6}), 0);
}

TEST(Npy, ReadsBigEndianElements) {
    const std::string bytes("\x01\x02\xff\xfe\x00\x03", 6);
    const auto read = [&](const std::string& rest) {
        return read_npy(
            file_with("big.npy", npy("{'descr': '>i2', 'fortran_order': " + rest, bytes)));
    };
    test::expect_near(read("False, 'shape': (3,)}"), tensor_of<std::int16_t>({3}, {258, -2, 3}), 0);
    test::expect_near(read("True, 'shape': (1, 3)}"), tensor_of<std::int16_t>({1, 3}, {258, -2, 3}),
                      0);
}

TEST(Npy, RefusesBrokenFiles) {
    const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}";
    const auto refused = [](const std::string& bytes, const std::string& why) {
        const std::string path = file_with("broken.npy", bytes);
        expect_error<ModelError>([&] { read_npy(path); }, why);
    };
    refused("", "does not begin with NumPy's mark");
    refused(npy(good, "1234567"), "holds 7 bytes of elements; shape [2] needs 8");
    refused(npy(good, "").substr(0, 30), "is truncated");
    refused(npy("{'descr': '=f4', 'fortran_order': False, 'shape': (2,)}", ""), "element type");
    refused(npy("{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}", "1234567"),
            "holds 7 bytes");
    refused(npy("{'descr': '<c8', 'fortran_order': False, 'shape': (2,)}", ""), "element type");
    refused(npy("{'descr': '<f4', 'fortran_order': False}", ""), "has no 'shape'");
    refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}", ""), "holds '-'");
    refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 9999999999)}", ""),
            "too many elements");
    expect_error<ModelError>([] { read_npy("/nowhere/x.npy"); }, "/nowhere/x.npy: can't read");
    expect_error<ModelError>([] { write_npy("/nowhere/x.npy", Tensor(ElementType::u8, {1})); },
                             "/nowhere/x.npy: can't write");
}

TEST(Npy, RefusesFilesThatAreCutOff) {
    const std::string path = temporary_path("whole.npy");
    write_npy(path, tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6}));
    std::ifstream file(path, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    EXPECT_NO_THROW(parse_npy(path, bytes));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_THROW(parse_npy(path, std::string_view(bytes).substr(0, size)), ModelError) << size;
    }
}

}  // namespace
}  // namespace rondo::tool::npy_test
