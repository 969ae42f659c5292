#include "tests/support/files/npy.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test::npy_test {
namespace {

// A file that is removed when the test ends.
class Npy : public ::testing::Test {
protected:
    ~Npy() override { std::filesystem::remove(path_); }

    void put(const std::string& header, const std::string& elements, char version = '\1') {
        std::ofstream file(path_, std::ios::binary);
        file << "\x93NUMPY" << version << '\0';
        const std::size_t width = version == '\1' ? 2 : 4;
        for (std::size_t i = 0; i < width; ++i) {
            file << static_cast<char>(header.size() >> (8 * i) & 0xff);
        }
        file << header << elements;
    }
    void put_bytes(const std::string& bytes) { std::ofstream(path_, std::ios::binary) << bytes; }
    Tensor read() const { return read_npy(path_); }

    const std::string path_ = temporary_path("array.npy");
};

std::string header(const std::string& type, const std::string& shape,
                   const std::string& fortran = "False") {
    return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape +
           ", }\n";
}

TEST_F(Npy, GivesBackWhatWasWritten) {
    auto rng = test_rng();
    for (const ElementType type :
         {ElementType::boolean, ElementType::f64, ElementType::f32, ElementType::f16,
          ElementType::i64, ElementType::i32, ElementType::i16, ElementType::i8, ElementType::u64,
          ElementType::u32, ElementType::u16, ElementType::u8}) {
        for (const Shape& shape : {Shape{}, Shape{3}, Shape{2, 0}, Shape{2, 1, 5}}) {
            const auto tensor = random_tensor(type, shape, rng, 0, 100);
            write_npy(path_, tensor);
            expect_same(read(), tensor);
        }
    }
}

TEST_F(Npy, AlignsTheElements) {
    write_npy(path_, tensor_of<std::uint8_t>({2}, {1, 2}));
    EXPECT_EQ(std::filesystem::file_size(path_) % 64, 2u);
}

TEST_F(Npy, ReadsTheLongerHeader) {
    put(header("<i2", "(2,)"), std::string("\1\0\2\0", 4), '\2');
    expect_same(read(), tensor_of<std::int16_t>({2}, {1, 2}));
}

TEST_F(Npy, RefusesBrokenFiles) {
    put_bytes("hello");
    expect_error<ModelError>([&] { read(); }, "it doesn't start with \\x93NUMPY");
    put_bytes(std::string("\x93NUMPY\1\0", 8));
    expect_error<ModelError>([&] { read(); }, "it ends inside its header");
    put_bytes(std::string("\x93NUMPY\1\0\xff\xff{}", 12));
    expect_error<ModelError>([&] { read(); }, "it ends inside its header");
    put(header("<i2", "(1,)"), "ab", '\7');
    expect_error<ModelError>([&] { read(); }, "its format is 7");
    put("{'descr': '<i2', 'fortran_order': False}\n", "");
    expect_error<ModelError>([&] { read(); }, "its header has no 'shape'");
    put(header("<i2", "7"), "");
    expect_error<ModelError>([&] { read(); }, "its header has no shape");
    put(header("<i2", "(-1,)"), "");
    expect_error<ModelError>([&] { read(); }, "its shape holds '-1'");
    put(header("<i2", "(2,)"), "abc");
    expect_error<ModelError>([&] { read(); }, "it holds 3 bytes of elements, but i16[2] takes 4");
    put(header("<i2", "(9999999999,9999999999)"), "abc");
    expect_error<ModelError>([&] { read(); }, "has too many elements");
    put(header("<i2", "(1,)", "Maybe"), "ab");
    expect_error<ModelError>([&] { read(); }, "neither True nor False");
}

TEST_F(Npy, RefusesWhatItDoesNotKnow) {
    put(header("<i2", "(1,)", "True"), "ab");
    expect_error<UnsupportedError>([&] { read(); }, "Fortran order can't be read");
    put(header(">i2", "(1,)"), "ab");
    expect_error<UnsupportedError>([&] { read(); }, "elements of type '>i2' can't be read");
    expect_error<UnsupportedError>([&] { write_npy(path_, Tensor(ElementType::bf16, {1})); },
                                   "NumPy has no type for bf16");
    expect_error<ModelError>([] { write_npy("/nowhere/x.npy", Tensor(ElementType::f32, {1})); },
                             "/nowhere/x.npy: can't be written");
    expect_error<ModelError>([] { read_npy("/nowhere/x.npy"); }, "/nowhere/x.npy");
}

}  // namespace
}  // namespace rondo::test::npy_test
