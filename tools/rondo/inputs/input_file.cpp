#include "inputs/input_file.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "files.hpp"
#include "inputs/npy.hpp"
#include "rondo/error.hpp"

namespace rondo::tool {
namespace {

bool is_float(ElementType type) {
    return type == ElementType::f64 || type == ElementType::f32 || type == ElementType::f16 ||
           type == ElementType::bf16;
}

// Bits of the integers that the type holds all of: {those of negative ones, of positive ones}.
struct IntegerBits {
    int negative;
    int positive;

    bool holds(const IntegerBits& other) const {
        return negative >= other.negative && positive >= other.positive;
    }
};

IntegerBits integer_bits(ElementType type) {
    switch (type) {
        case ElementType::boolean: return {0, 1};
        case ElementType::u8: return {0, 8};
        case ElementType::u16: return {0, 16};
        case ElementType::u32: return {0, 32};
        case ElementType::u64: return {0, 64};
        case ElementType::i8: return {7, 7};
        case ElementType::i16: return {15, 15};
        case ElementType::i32: return {31, 31};
        case ElementType::i64: return {63, 63};
        case ElementType::f16: return {11, 11};
        case ElementType::bf16: return {8, 8};
        case ElementType::f32: return {24, 24};
        case ElementType::f64: return {53, 53};
        default: return {0, 0};
    }
}

bool keeps_values(ElementType from, ElementType to) {
    if (from == to) return true;
    if (is_float(from)) {
        if (to == ElementType::f64) return true;
        return to == ElementType::f32 && from != ElementType::f64;
    }
    const IntegerBits bits = integer_bits(from);
    return bits.positive > 0 && to != ElementType::boolean && integer_bits(to).holds(bits);
}

template <typename T>
constexpr bool kIsHalf = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

template <typename From, typename To>
void convert_elements(const Tensor& from, Tensor& to) {
    const From* source = from.data<From>();
    std::transform(source, source + from.size(), to.data<To>(), [](From value) {
        if constexpr (kIsHalf<From> || kIsHalf<To>) {
            return static_cast<To>(static_cast<float>(value));
        } else {
            return static_cast<To>(value);
        }
    });
}

template <typename From>
void convert_from(const Tensor& from, Tensor& to) {
    switch (to.element_type()) {
        case ElementType::f64: return convert_elements<From, double>(from, to);
        case ElementType::f32: return convert_elements<From, float>(from, to);
        default: break;
    }
    if constexpr (std::is_integral_v<From>) {
        switch (to.element_type()) {
            case ElementType::f16: return convert_elements<From, float16>(from, to);
            case ElementType::bf16: return convert_elements<From, bfloat16>(from, to);
            case ElementType::i64: return convert_elements<From, std::int64_t>(from, to);
            case ElementType::i32: return convert_elements<From, std::int32_t>(from, to);
            case ElementType::i16: return convert_elements<From, std::int16_t>(from, to);
            case ElementType::i8: return convert_elements<From, std::int8_t>(from, to);
            case ElementType::u64: return convert_elements<From, std::uint64_t>(from, to);
            case ElementType::u32: return convert_elements<From, std::uint32_t>(from, to);
            case ElementType::u16: return convert_elements<From, std::uint16_t>(from, to);
            case ElementType::u8: return convert_elements<From, std::uint8_t>(from, to);
            default: break;
        }
    }
    throw ModelError("can't convert " + std::string(to_string(from.element_type())) + " to " +
                     std::string(to_string(to.element_type())));
}

void convert(const Tensor& from, Tensor& to) {
    switch (from.element_type()) {
        case ElementType::f32: return convert_from<float>(from, to);
        case ElementType::f16: return convert_from<float16>(from, to);
        case ElementType::boolean: return convert_from<bool>(from, to);
        case ElementType::i8: return convert_from<std::int8_t>(from, to);
        case ElementType::i16: return convert_from<std::int16_t>(from, to);
        case ElementType::i32: return convert_from<std::int32_t>(from, to);
        case ElementType::i64: return convert_from<std::int64_t>(from, to);
        case ElementType::u8: return convert_from<std::uint8_t>(from, to);
        case ElementType::u16: return convert_from<std::uint16_t>(from, to);
        case ElementType::u32: return convert_from<std::uint32_t>(from, to);
        default: return convert_from<std::uint64_t>(from, to);
    }
}

// The shape of a file of so many elements.
Shape shape_for(const std::string& path, const PortInfo& input, std::size_t bytes) {
    const std::size_t each = size_of(input.element_type);
    const std::string place = "input '" + input.any_name() + "' " +
                              std::string(to_string(input.element_type)) + to_string(input.shape);
    if (each == 0 || !input.shape.has_rank()) {
        throw ModelError(path + ": a .bin file can't give " + place + "; use .npy");
    }
    Shape shape;
    std::size_t known = 1;
    std::size_t open = input.shape.rank();
    for (std::size_t i = 0; i < input.shape.rank(); ++i) {
        const Dimension& extent = input.shape[i];
        if (!extent.is_static() && open != input.shape.rank()) {
            throw ModelError(path + ": several extents of " + place +
                             " are open; a .bin file gives one, .npy all of them");
        }
        if (!extent.is_static()) open = i;
        shape.push_back(extent.is_static() ? static_cast<std::size_t>(extent.min()) : 1);
        known *= shape.back();
    }
    const bool fits =
        open == shape.size() ? bytes == known * each : known > 0 && bytes % (known * each) == 0;
    if (!fits) {
        throw ModelError(path + ": holds " + std::to_string(bytes) + " bytes, which don't fit " +
                         place);
    }
    if (open != shape.size()) shape[open] = bytes / (known * each);
    return shape;
}

Tensor read_bin(const std::string& path, const PortInfo& input) {
    const std::string bytes = file_bytes(path);
    Tensor tensor(input.element_type, shape_for(path, input, bytes.size()));
    if (!bytes.empty()) std::memcpy(tensor.data(), bytes.data(), bytes.size());
    return tensor;
}

struct NumpyName {
    ElementType type;
    const char* name;
};
constexpr NumpyName kNumpyNames[] = {
    {ElementType::f64, "float64"}, {ElementType::f32, "float32"}, {ElementType::f16, "float16"},
    {ElementType::i64, "int64"},   {ElementType::i32, "int32"},   {ElementType::i16, "int16"},
    {ElementType::i8, "int8"},     {ElementType::u64, "uint64"},  {ElementType::u32, "uint32"},
    {ElementType::u16, "uint16"},  {ElementType::u8, "uint8"},    {ElementType::boolean, "bool"},
};

// Which types an input of this type takes besides, and what to do with others.
std::string way_out(ElementType type) {
    std::string taken;
    std::string convert_it;
    for (const NumpyName& known : kNumpyNames) {
        if (known.type == type) {
            convert_it = std::string("; convert the array: x.astype(\"") + known.name + "\")";
        } else if (keeps_values(known.type, type)) {
            taken += (taken.empty() ? "" : ", ") + std::string(to_string(known.type));
        }
    }
    if (taken.empty()) return convert_it;
    return ", or a type that it holds all values of (" + taken + ")" + convert_it;
}

}  // namespace

Tensor fitted(const Tensor& tensor, const PortInfo& input, const std::string& place) {
    const ElementType type = input.element_type;
    const bool fits = input.shape.contains(tensor.shape());
    const bool keeps = keeps_values(tensor.element_type(), type);
    if (fits && tensor.element_type() == type) return tensor;
    if (fits && keeps) {
        Tensor wide(type, tensor.shape());
        convert(tensor, wide);
        return wide;
    }
    throw ModelError("input '" + input.any_name() + "': " + place + " holds " +
                     std::string(to_string(tensor.element_type())) + to_string(tensor.shape()) +
                     "; expected " + std::string(to_string(type)) + to_string(input.shape) +
                     (keeps ? "" : way_out(type)));
}

Tensor read_input_file(const std::string& path, const PortInfo& input) {
    if (path.ends_with(".bin")) return fitted(read_bin(path, input), input, path);
    return fitted(read_npy(path), input, path);
}

}  // namespace rondo::tool
