// The ZIP format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
#include "inputs/npz.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "files.hpp"
#include "inputs/npy.hpp"
#include "rondo/error.hpp"

namespace rondo::tool {
namespace {

constexpr std::uint64_t kEndMark = 0x06054b50;
constexpr std::uint64_t kEntryMark = 0x02014b50;
constexpr std::uint64_t kMemberMark = 0x04034b50;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kEntrySize = 46;
constexpr std::size_t kMemberSize = 30;

// Bytes of the archive, checked against its end.
class Archive {
public:
    Archive(const std::string& path, std::string_view bytes) : path_(path), bytes_(bytes) {}

    [[noreturn]] void fail(const std::string& fault) const {
        throw ModelError(path_ + ": not a readable .npz file: " + fault);
    }

    std::string_view part(std::uint64_t begin, std::uint64_t size) const {
        if (begin > bytes_.size() || size > bytes_.size() - begin) fail("it is truncated");
        return bytes_.substr(begin, size);
    }

    // A number of `size` bytes, little-endian.
    std::uint64_t number(std::uint64_t at, std::size_t size) const {
        std::uint64_t value = 0;
        const std::string_view digits = part(at, size);
        for (std::size_t i = 0; i < size; ++i) {
            value |= std::uint64_t{static_cast<unsigned char>(digits[i])} << (8 * i);
        }
        return value;
    }

    // Where the end of the directory begins: it may have a comment behind it.
    std::uint64_t find_end() const {
        for (std::size_t at = bytes_.size(); at-- > 0;) {
            if (bytes_.size() - at >= kEndSize && number(at, 4) == kEndMark) return at;
        }
        fail("it has no directory");
    }

private:
    const std::string& path_;
    std::string_view bytes_;
};

// One entry of the directory.
struct Member {
    std::string name;
    std::string_view bytes;
    std::uint64_t begin = 0;  // of what the archive holds for it, with its header
    std::uint64_t end = 0;
    std::uint64_t next = 0;  // where the next entry begins
};

Member read_member(const Archive& archive, std::uint64_t entry) {
    if (archive.number(entry, 4) != kEntryMark) archive.fail("its directory is damaged");
    Member member;
    const std::uint64_t name_size = archive.number(entry + 28, 2);
    member.name = archive.part(entry + kEntrySize, name_size);
    member.next = entry + kEntrySize + name_size + archive.number(entry + 30, 2) +
                  archive.number(entry + 32, 2);
    if (archive.number(entry + 10, 2) != 0) {
        archive.fail("'" + member.name + "' is compressed; np.savez() writes it as it is");
    }
    const std::uint64_t size = archive.number(entry + 24, 4);
    const std::uint64_t at = archive.number(entry + 42, 4);
    if (size == 0xffffffff || at == 0xffffffff) archive.fail("it has more than 4 GB");
    if (archive.number(at, 4) != kMemberMark) archive.fail("'" + member.name + "' is damaged");
    const std::uint64_t begin =
        at + kMemberSize + archive.number(at + 26, 2) + archive.number(at + 28, 2);
    member.bytes = archive.part(begin, size);
    member.begin = at;
    member.end = begin + size;
    return member;
}

// Members that share bytes could make many arrays of a small file; without them, all arrays
// together are smaller than the file.
void check_apart(const Archive& archive, std::vector<Member> members) {
    std::sort(members.begin(), members.end(),
              [](const Member& a, const Member& b) { return a.begin < b.begin; });
    for (std::size_t i = 1; i < members.size(); ++i) {
        if (members[i].begin >= members[i - 1].end) continue;
        archive.fail("'" + members[i - 1].name + "' and '" + members[i].name + "' overlap");
    }
}

std::vector<Member> read_members(const Archive& archive) {
    const std::uint64_t end = archive.find_end();
    const std::uint64_t count = archive.number(end + 10, 2);
    std::uint64_t entry = archive.number(end + 16, 4);
    std::vector<Member> members;
    for (std::uint64_t i = 0; i < count; ++i) {
        members.push_back(read_member(archive, entry));
        entry = members.back().next;
    }
    check_apart(archive, members);
    return members;
}

}  // namespace

std::map<std::string, Tensor> read_npz(const std::string& path) {
    const std::string bytes = file_bytes(path);
    const Archive archive(path, bytes);
    std::map<std::string, Tensor> tensors;
    for (const Member& member : read_members(archive)) {
        std::string name = member.name;
        if (name.ends_with(".npy")) name.resize(name.size() - 4);
        const Tensor tensor = parse_npy(path + " (" + member.name + ")", member.bytes);
        if (!tensors.emplace(name, tensor).second) archive.fail("'" + name + "' is there twice");
    }
    return tensors;
}

}  // namespace rondo::tool
