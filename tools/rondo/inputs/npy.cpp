#include "inputs/npy.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>
#include <vector>

#include "files.hpp"
#include "rondo/error.hpp"

namespace rondo::tool {

namespace {

constexpr char kMagic[] = "\x93NUMPY";
constexpr std::size_t kMagicSize = 6;

struct TypeName {
    ElementType type;
    const char* name;
};
constexpr TypeName kTypes[] = {
    {ElementType::boolean, "b1"}, {ElementType::i8, "i1"},  {ElementType::i16, "i2"},
    {ElementType::i32, "i4"},     {ElementType::i64, "i8"}, {ElementType::u8, "u1"},
    {ElementType::u16, "u2"},     {ElementType::u32, "u4"}, {ElementType::u64, "u8"},
    {ElementType::f16, "f2"},     {ElementType::f32, "f4"}, {ElementType::f64, "f8"},
};

[[noreturn]] void fail(const std::string& path, const std::string& fault) {
    throw ModelError(path + ": not a readable .npy file: " + fault);
}

std::uint64_t little_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    }
    return value;
}

// The text after `key` in the header's dictionary.
std::string value_of(const std::string& path, const std::string& header, const std::string& key) {
    const auto at = header.find("'" + key + "'");
    const auto colon = at == std::string::npos ? at : header.find(':', at);
    if (colon == std::string::npos) fail(path, "its header has no '" + key + "'");
    const auto begin = header.find_first_not_of(' ', colon + 1);
    return begin == std::string::npos ? std::string() : header.substr(begin);
}

ElementType type_of(const std::string& path, const std::string& text) {
    const std::string name = text.substr(0, text.find('\'', 1));
    if (name.size() == 4 && (name[1] == '<' || name[1] == '>' || name[1] == '|')) {
        for (const auto& known : kTypes) {
            if (name.substr(2) == known.name) return known.type;
        }
    }
    fail(path, "element type " + name + "' is not one of <f4, <f8, <f2, <i8, ...");
}

Shape shape_of(const std::string& path, const std::string& text) {
    const auto end = text.find(')');
    if (text.empty() || text.front() != '(' || end == std::string::npos) {
        fail(path, "its header has no shape");
    }
    Shape shape;
    std::size_t extent = 0;
    bool digits = false;
    for (std::size_t i = 1; i <= end; ++i) {
        const char c = text[i];
        if (c >= '0' && c <= '9') {
            if (extent > (std::size_t{1} << 50)) fail(path, "its shape is too large");
            extent = extent * 10 + static_cast<std::size_t>(c - '0');
            digits = true;
        } else if (c == ',' || c == ')') {
            if (digits) shape.push_back(extent);
            extent = 0;
            digits = false;
        } else if (c != ' ' && c != 'L') {
            fail(path, "its shape holds '" + std::string(1, c) + "'");
        }
    }
    return shape;
}

struct Header {
    ElementType type;
    Shape shape;
    bool fortran_order;
    bool big_endian;
    std::size_t data_offset;
};

Header read_header(const std::string& path, std::string_view bytes) {
    if (bytes.size() < 12 || std::memcmp(bytes.data(), kMagic, kMagicSize) != 0) {
        fail(path, "it does not begin with NumPy's mark");
    }
    const int version = bytes[6];
    if (version < 1 || version > 3) fail(path, "format version " + std::to_string(version));
    const std::size_t length_bytes = version == 1 ? 2 : 4;
    const std::size_t length = little_endian(bytes.substr(8, length_bytes));
    const std::size_t begin = 8 + length_bytes;
    if (length > bytes.size() - begin) fail(path, "it is truncated");
    const std::string text(bytes.data() + begin, length);
    const std::string descr = value_of(path, text, "descr");
    return {type_of(path, descr), shape_of(path, value_of(path, text, "shape")),
            value_of(path, text, "fortran_order").starts_with("True"), descr.starts_with("'>"),
            begin + length};
}

Tensor stored(const Header& header, std::string_view elements) {
    Tensor tensor(header.type, header.shape);
    if (!header.fortran_order) {
        if (!elements.empty()) std::memcpy(tensor.data(), elements.data(), elements.size());
        return tensor;
    }
    Strides strides;
    auto stride = static_cast<std::ptrdiff_t>(size_of(header.type));
    for (const std::size_t extent : header.shape) {
        strides.push_back(stride);
        stride *= static_cast<std::ptrdiff_t>(extent);
    }
    const Tensor view(header.type, header.shape, const_cast<char*>(elements.data()), strides);
    view.copy_to(tensor);
    return tensor;
}

void swap_bytes(Tensor& tensor) {
    const std::size_t size = size_of(tensor.element_type());
    auto* bytes = static_cast<char*>(tensor.data());
    for (std::size_t i = 0; i < tensor.size(); ++i)
        std::reverse(bytes + i * size, bytes + (i + 1) * size);
}

}  // namespace

Tensor read_npy(const std::string& path) { return parse_npy(path, file_bytes(path)); }

Tensor parse_npy(const std::string& path, std::string_view bytes) {
    const Header header = read_header(path, bytes);
    const std::size_t expected = element_count(header.shape) * size_of(header.type);
    const std::size_t got = bytes.size() - header.data_offset;
    if (got != expected) {
        fail(path, "it holds " + std::to_string(got) + " bytes of elements; shape " +
                       to_string(header.shape) + " needs " + std::to_string(expected));
    }
    Tensor tensor = stored(header, bytes.substr(header.data_offset));
    if (header.big_endian) swap_bytes(tensor);
    return tensor;
}

namespace {

Tensor widened(const Tensor& tensor) {
    Tensor wide(ElementType::f32, tensor.shape());
    const auto* from = tensor.data<bfloat16>();
    std::transform(from, from + tensor.size(), wide.data<float>(),
                   [](bfloat16 value) { return static_cast<float>(value); });
    return wide;
}

// "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
std::string dictionary(const std::string& path, const Tensor& tensor) {
    const auto* known = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const auto& entry) {
        return entry.type == tensor.element_type();
    });
    if (known == std::end(kTypes)) {
        throw UnsupportedError(path + ": NumPy has no type for elements of " +
                               std::string(to_string(tensor.element_type())) +
                               "; let the model convert them, to i8 or f32, say");
    }
    std::string shape;
    for (const std::size_t extent : tensor.shape()) shape += std::to_string(extent) + ", ";
    if (tensor.shape().size() > 1) shape.resize(shape.size() - 2);
    const bool one_byte = size_of(tensor.element_type()) == 1;
    return std::string("{'descr': '") + (one_byte ? "|" : "<") + known->name +
           "', 'fortran_order': False, 'shape': (" + shape + "), }";
}

// What comes before the elements, which begin at a multiple of 64. Version 1 has two bytes for the
// dictionary's length, version 2 four.
std::string start_of(std::string dictionary) {
    constexpr std::size_t kMostOfVersion1 = 65535 - 64;
    const bool is_long = dictionary.size() > kMostOfVersion1;
    const std::size_t before = kMagicSize + 2 + (is_long ? 4 : 2);
    dictionary.append(63 - (before + dictionary.size()) % 64, ' ').append("\n");
    std::string start = std::string(kMagic) + (is_long ? '\2' : '\1') + '\0';
    for (std::size_t at = start.size(); at < before; ++at) {
        start += static_cast<char>(dictionary.size() >> 8 * (at - kMagicSize - 2) & 0xff);
    }
    return start + dictionary;
}

}  // namespace

void write_npy(const std::string& path, const Tensor& source) {
    const Tensor dense = source.contiguous();
    const Tensor tensor = dense.element_type() == ElementType::bf16 ? widened(dense) : dense;
    write_file(path, {start_of(dictionary(path, tensor)),
                      {static_cast<const char*>(tensor.data()), tensor.byte_size()}});
}

namespace {

// The ZIP format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
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
        return little_endian(part(at, size));
    }

    // Where the end of the directory begins: it may have a comment after it.
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
