// NumPy's archives.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/npz_bytes.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/tensors.hpp"
#include "tools/rondo/inputs/npy.hpp"

namespace rondo::tool::npz_test {
namespace {

using test::expect_error;

std::string npy_bytes(const Tensor& tensor) {
    const std::string path = test::temporary_path("member.npy");
    write_npy(path, tensor);
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string saved(const std::string& bytes) {
    std::string path = test::temporary_path("test.npz");
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

const Tensor& three() {
    static const Tensor tensor = test::tensor_of<float>({3}, {1, 2, 3});
    return tensor;
}

std::string archive(const std::string& name) {
    return test::npz_of_two(name, "second.npy", npy_bytes(three()));
}

TEST(Npz, HoldsArraysByName) {
    const auto tensors = read_npz(saved(archive("x.npy")));
    ASSERT_EQ(tensors.size(), 2u);
    test::expect_near(tensors.at("x"), three(), 0);
    test::expect_near(tensors.at("second"), three(), 0);
}

TEST(Npz, FaultsAreNamed) {
    const std::string packed =
        test::zip_archive(test::zip_member("x.npy", ""), {{"x.npy", 0, 0, 8}});
    expect_error<ModelError>([&] { read_npz(saved(packed)); }, "'x.npy' is compressed");
    expect_error<ModelError>([] { read_npz(saved(archive("second.npy"))); },
                             "'second' is there twice");
    expect_error<ModelError>([] { read_npz(saved("no archive")); }, "it has no directory");
    expect_error<ModelError>([] { read_npz("/nowhere/x.npz"); }, "can't read the file");
}

TEST(Npz, MembersShareNoBytes) {
    const std::string npy = npy_bytes(Tensor(ElementType::u8, {4096}));
    const auto read_shared = [&](std::size_t count) {
        std::vector<test::ZipEntry> entries;
        for (std::size_t i = 0; i < count; ++i) {
            entries.push_back({std::to_string(i) + ".npy", npy.size(), 0});
        }
        return read_npz(saved(test::zip_archive(test::zip_member("x.npy", npy), entries)));
    };
    EXPECT_EQ(read_shared(1).size(), 1u);
    for (const std::size_t count : {2, 60000}) {
        expect_error<ModelError>([&] { read_shared(count); }, "overlap");
    }
}

TEST(Npz, NoMemberLiesInAnother) {
    const std::string inner = test::zip_member("inner.npy", npy_bytes(three()));
    Tensor elements(ElementType::u8, {inner.size()});
    std::copy(inner.begin(), inner.end(), static_cast<char*>(elements.data()));
    const std::string npy = npy_bytes(elements);
    const std::string outer = test::zip_member("outer.npy", npy);
    const std::string bytes =
        test::zip_archive(outer, {{"inner.npy", npy_bytes(three()).size(), outer.find(inner)},
                                  {"outer.npy", npy.size(), 0}});
    expect_error<ModelError>([&] { read_npz(saved(bytes)); },
                             "'outer.npy' and 'inner.npy' overlap");
}

TEST(Npz, NoDamageIsMoreThanAnError) {
    const std::string whole = archive("x.npy");
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
}  // namespace rondo::tool::npz_test
