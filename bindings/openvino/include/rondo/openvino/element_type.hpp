// OpenVINO's element types and errors, for rondo/openvino.hpp.
#pragma once

#include <cstddef>
#include <istream>
#include <ostream>
#include <string>
#include <type_traits>

#include "rondo/element_type.hpp"
#include "rondo/error.hpp"

namespace rondo::ov {

using Exception = rondo::Error;
using Cancelled = rondo::CancelledError;

/// They convert to and from float explicitly.
using float16 = rondo::float16;
using bfloat16 = rondo::bfloat16;

namespace element {

/// Without u1, u3, u6, nf4 and string, which Rondo doesn't have.
using Type_t = rondo::ElementType;

/// An element type. One of 4 or 2 bits takes a byte in Rondo's tensors.
class Type {
public:
    constexpr Type() = default;
    constexpr Type(Type_t type) : type_(type) {}  // NOLINT: implicit on purpose
    /// Throws ov::Exception for an unknown name.
    explicit Type(const std::string& name) : type_(element_type_from_string(name)) {}

    constexpr operator Type_t() const { return type_; }  // NOLINT: implicit on purpose

    std::size_t size() const { return size_of(type_); }
    /// Those that count: i4 has 4, though an element takes a byte.
    std::size_t bitwidth() const {
        switch (type_) {
            case Type_t::f4e2m1:
            case Type_t::i4:
            case Type_t::u4: return 4;
            case Type_t::i2:
            case Type_t::u2: return 2;
            default: return 8 * size();
        }
    }
    bool is_static() const { return type_ != Type_t::dynamic; }
    bool is_dynamic() const { return !is_static(); }
    bool is_real() const { return is_floating(type_) || to_string().front() == 'f'; }
    bool is_integral() const { return !is_real(); }
    bool is_integral_number() const { return is_integral() && type_ != Type_t::boolean; }
    bool is_signed() const { return is_real() || to_string().front() == 'i'; }
    bool compatible(const Type& other) const {
        return is_dynamic() || other.is_dynamic() || type_ == other.type_;
    }
    std::string to_string() const { return std::string(rondo::to_string(type_)); }
    std::string get_type_name() const { return to_string(); }

private:
    Type_t type_ = Type_t::dynamic;
};

inline std::ostream& operator<<(std::ostream& stream, const Type& type) {
    return stream << type.to_string();
}

inline std::istream& operator>>(std::istream& stream, Type& type) {
    std::string name;
    stream >> name;
    type = Type(name);
    return stream;
}

inline constexpr Type dynamic(Type_t::dynamic);
inline constexpr Type boolean(Type_t::boolean);
inline constexpr Type bf16(Type_t::bf16);
inline constexpr Type f16(Type_t::f16);
inline constexpr Type f32(Type_t::f32);
inline constexpr Type f64(Type_t::f64);
inline constexpr Type i2(Type_t::i2);
inline constexpr Type i4(Type_t::i4);
inline constexpr Type i8(Type_t::i8);
inline constexpr Type i16(Type_t::i16);
inline constexpr Type i32(Type_t::i32);
inline constexpr Type i64(Type_t::i64);
inline constexpr Type u2(Type_t::u2);
inline constexpr Type u4(Type_t::u4);
inline constexpr Type u8(Type_t::u8);
inline constexpr Type u16(Type_t::u16);
inline constexpr Type u32(Type_t::u32);
inline constexpr Type u64(Type_t::u64);
inline constexpr Type f8e4m3(Type_t::f8e4m3);
inline constexpr Type f8e5m2(Type_t::f8e5m2);
inline constexpr Type f8e8m0(Type_t::f8e8m0);
inline constexpr Type f4e2m1(Type_t::f4e2m1);

/// The type of a C++ type: from<float>() is f32.
template <typename T>
constexpr Type from() {
    return element_type_of<std::remove_cv_t<T>>();
}

}  // namespace element
}  // namespace rondo::ov
