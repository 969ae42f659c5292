// Bytes of .npz archives, as NumPy writes them and as hostile files have them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rondo::test {

/// `size` bytes, little-endian.
inline std::string zip_number(std::uint64_t value, int size) {
    std::string bytes;
    for (int i = 0; i < size; ++i, value >>= 8) bytes += static_cast<char>(value & 0xff);
    return bytes;
}

/// A member as NumPy writes it: a field for 64-bit sizes follows its name.
inline std::string zip_member(const std::string& name, const std::string& bytes) {
    return "PK\3\4" + zip_number(0, 22) + zip_number(name.size(), 2) + zip_number(20, 2) + name +
           zip_number(0, 20) + bytes;
}

/// An entry of the directory: `size` bytes, whose member begins at byte `at`.
struct ZipEntry {
    std::string name;
    std::size_t size = 0;
    std::size_t at = 0;
    int method = 0;  ///< not 0: compressed
};

/// `members` one after the other, and the directory after them.
inline std::string zip_archive(const std::string& members, const std::vector<ZipEntry>& entries) {
    std::string directory;
    for (const ZipEntry& entry : entries) {
        directory += "PK\1\2" + zip_number(0, 6) +
                     zip_number(static_cast<std::uint64_t>(entry.method), 2) + zip_number(0, 8) +
                     zip_number(entry.size, 4) + zip_number(entry.size, 4) +
                     zip_number(entry.name.size(), 2) + zip_number(0, 12) +
                     zip_number(entry.at, 4) + entry.name;
    }
    return members + directory + "PK\5\6" + zip_number(0, 4) + zip_number(entries.size(), 2) +
           zip_number(entries.size(), 2) + zip_number(directory.size(), 4) +
           zip_number(members.size(), 4) + zip_number(0, 2);
}

/// Two members with the same bytes, of these names.
inline std::string npz_of_two(const std::string& first, const std::string& second,
                              const std::string& npy) {
    const std::string member = zip_member(first, npy);
    return zip_archive(member + zip_member(second, npy),
                       {{first, npy.size(), 0}, {second, npy.size(), member.size()}});
}

}  // namespace rondo::test
