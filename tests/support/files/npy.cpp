#include "tests/support/files/npy.hpp"

#include <array>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>

#include "core/support/mapped_file.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo::test {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;  // of the first element in the file

struct TypeName {
    ElementType type;
    std::string_view name;
};

constexpr std::array kTypes = {
    TypeName{ElementType::boolean, "|b1"}, TypeName{ElementType::f64, "<f8"},
    TypeName{ElementType::f32, "<f4"},     TypeName{ElementType::f16, "<f2"},
    TypeName{ElementType::i64, "<i8"},     TypeName{ElementType::i32, "<i4"},
    TypeName{ElementType::i16, "<i2"},     TypeName{ElementType::i8, "|i1"},
    TypeName{ElementType::u64, "<u8"},     TypeName{ElementType::u32, "<u4"},
    TypeName{ElementType::u16, "<u2"},     TypeName{ElementType::u8, "|u1"},
};

[[noreturn]] void broken(const std::string& path, const std::string& why) {
    throw ModelError(path + ": " + why + "; expected a .npy file");
}

// The little-endian number in the first `width` bytes.
std::size_t little_endian(std::string_view bytes, std::size_t width) {
    std::size_t value = 0;
    for (std::size_t i = width; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

struct Parts {
    std::string_view header;
    std::string_view elements;
};

Parts split_file(const std::string& path, std::string_view bytes) {
    if (!bytes.starts_with(kMagic)) broken(path, "it doesn't start with \\x93NUMPY");
    if (bytes.size() < 12) broken(path, "it ends inside its header");
    const int version = bytes[6];
    if (version < 1 || version > 3) broken(path, "its format is " + std::to_string(version));
    const std::size_t width = version == 1 ? 2 : 4;
    const std::size_t start = 8 + width;
    const std::size_t length = little_endian(bytes.substr(8), width);
    if (length > bytes.size() - start) broken(path, "it ends inside its header");
    return {bytes.substr(start, length), bytes.substr(start + length)};
}

std::string quoted(std::string_view text) { return std::string("'").append(text).append("'"); }

// The text after `'key':` in the header's dictionary.
std::string_view value_of(const std::string& path, std::string_view header, std::string_view key) {
    const std::string name = quoted(key);
    const auto at = header.find(name);
    if (at == std::string_view::npos) broken(path, "its header has no " + name);
    std::string_view rest = trim(header.substr(at + name.size()));
    if (!rest.starts_with(':')) broken(path, "its header has no value for " + name);
    return trim(rest.substr(1));
}

ElementType parse_type(const std::string& path, std::string_view header) {
    const std::string_view text = value_of(path, header, "descr");
    for (const auto& known : kTypes) {
        if (text.starts_with(quoted(known.name))) return known.type;
    }
    throw UnsupportedError(path + ": elements of type " +
                           std::string(text.substr(0, text.find(','))) + " can't be read");
}

Shape parse_shape(const std::string& path, std::string_view header) {
    const std::string_view text = value_of(path, header, "shape");
    const auto end = text.find(')');
    if (!text.starts_with('(') || end == std::string_view::npos) {
        broken(path, "its header has no shape");
    }
    Shape shape;
    for (const auto& part : split(text.substr(1, end - 1), ',')) {
        if (part.empty()) continue;  // after the comma of "(3,)"
        long long extent = 0;
        if (!parse_int(part, extent) || extent < 0) broken(path, "its shape holds '" + part + "'");
        shape.push_back(static_cast<std::size_t>(extent));
    }
    return shape;
}

std::string header_of(const Tensor& tensor) {
    std::optional<std::string_view> name;
    for (const auto& known : kTypes) {
        if (known.type == tensor.element_type()) name = known.name;
    }
    if (!name) {
        throw UnsupportedError("NumPy has no type for " +
                               std::string(to_string(tensor.element_type())));
    }
    std::string shape = "(";
    for (const std::size_t extent : tensor.shape()) shape += std::to_string(extent) + ",";
    return "{'descr': '" + std::string(*name) + "', 'fortran_order': False, 'shape': " + shape +
           "), }";
}

}  // namespace

Tensor read_npy(const std::string& path) {
    const MappedFile file = map_file(path);
    const auto parts = split_file(path, {reinterpret_cast<const char*>(file.data), file.size});
    const std::string_view order = value_of(path, parts.header, "fortran_order");
    if (order.starts_with("True")) {
        throw UnsupportedError(path + ": Fortran order can't be read; save it in C order");
    }
    if (!order.starts_with("False")) broken(path, "its fortran_order is neither True nor False");
    const ElementType type = parse_type(path, parts.header);
    const Shape shape = parse_shape(path, parts.header);
    const std::size_t bytes = element_count(shape) * size_of(type);
    if (bytes != parts.elements.size()) {
        broken(path, "it holds " + std::to_string(parts.elements.size()) +
                         " bytes of elements, but " + std::string(to_string(type)) +
                         to_string(shape) + " takes " + std::to_string(bytes));
    }
    Tensor tensor(type, shape);
    if (bytes > 0) std::memcpy(tensor.data(), parts.elements.data(), bytes);
    return tensor;
}

void write_npy(const std::string& path, const Tensor& tensor) {
    std::string header = header_of(tensor);
    const bool is_long = header.size() + kAlignment > 0xffff;
    const std::size_t width = is_long ? 4 : 2;
    while ((kMagic.size() + 2 + width + header.size() + 1) % kAlignment != 0) header += ' ';
    header += '\n';
    std::string start(kMagic);
    start += {is_long ? '\2' : '\1', '\0'};
    for (std::size_t i = 0; i < width; ++i) {
        start += static_cast<char>(header.size() >> (8 * i) & 0xff);
    }
    const Tensor dense = tensor.contiguous();
    std::ofstream file(path, std::ios::binary);
    file << start << header;
    file.write(static_cast<const char*>(dense.data()),
               static_cast<std::streamsize>(dense.byte_size()));
    file.close();
    if (!file) throw ModelError(path + ": can't be written");
}

}  // namespace rondo::test
