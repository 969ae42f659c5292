#include "inputs/npy.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>

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
    std::size_t length = 0;
    for (std::size_t i = 0; i < length_bytes; ++i) {
        length |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[8 + i])) << (8 * i);
    }
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

// What stands before the elements, which begin at a multiple of 64. Version 1 has two bytes for the
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

}  // namespace rondo::tool
