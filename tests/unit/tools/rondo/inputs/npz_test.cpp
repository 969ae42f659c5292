#include "tools/rondo/inputs/npz.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tools/rondo/inputs/npy.hpp"

namespace rondo::tool {
namespace {

using test::expect_error;

std::string number(std::uint64_t value, int size) {
    std::string bytes;
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
    return bytes;
}

std::string npy_bytes(const Tensor& tensor) {
    const std::string path = ::testing::TempDir() + "member.npy";
    write_npy(path, tensor);
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// A member as NumPy writes it: a field for 64-bit sizes stands behind its name.
std::string local_part(const std::string& name, const std::string& bytes) {
    return "PK\3\4" + number(0, 22) + number(name.size(), 2) + number(20, 2) + name +
           number(0, 20) + bytes;
}

std::string entry_part(const std::string& name, std::size_t size, std::size_t at, int method) {
    return "PK\1\2" + number(0, 6) + number(static_cast<std::uint64_t>(method), 2) + number(0, 8) +
           number(size, 4) + number(size, 4) + number(name.size(), 2) + number(0, 12) +
           number(at, 4) + name;
}

std::string archive(const std::string& name, const Tensor& tensor, int method = 0) {
    const std::string bytes = npy_bytes(tensor);
    const std::string first = local_part(name, bytes);
    const std::string second = local_part("second.npy", bytes);
    const std::string entries = entry_part(name, bytes.size(), 0, method) +
                                entry_part("second.npy", bytes.size(), first.size(), 0);
    return first + second + entries + "PK\5\6" + number(0, 4) + number(2, 2) + number(2, 2) +
           number(entries.size(), 4) + number(first.size() + second.size(), 4) + number(0, 2);
}

std::string saved(const std::string& bytes) {
    std::string path = ::testing::TempDir() + "test.npz";
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

const Tensor& three() {
    static const Tensor tensor = test::tensor_of<float>({3}, {1, 2, 3});
    return tensor;
}

TEST(Npz, HoldsArraysByName) {
    const auto tensors = read_npz(saved(archive("x.npy", three())));
    ASSERT_EQ(tensors.size(), 2u);
    test::expect_near(tensors.at("x"), three(), 0);
    test::expect_near(tensors.at("second"), three(), 0);
}

TEST(Npz, FaultsAreNamed) {
    expect_error<ModelError>([] { read_npz(saved(archive("x.npy", three(), 8))); },
                             "'x.npy' is compressed");
    expect_error<ModelError>([] { read_npz(saved(archive("second.npy", three()))); },
                             "'second' is there twice");
    expect_error<ModelError>([] { read_npz(saved("no archive")); }, "it has no directory");
    expect_error<ModelError>([] { read_npz("/nowhere/x.npz"); }, "can't read the file");
}

TEST(Npz, NoDamageIsMoreThanAnError) {
    const std::string whole = archive("x.npy", three());
    for (std::size_t i = 0; i < whole.size(); ++i) {
        for (const char value : {'\0', '\x7f', '\xff'}) {
            std::string damaged = whole;
            damaged[i] = value;
            try {
                read_npz(saved(damaged));
            } catch (const ModelError&) {
            }
        }
        EXPECT_THROW(read_npz(saved(whole.substr(0, i))), ModelError) << i;
    }
}

}  // namespace
}  // namespace rondo::tool
