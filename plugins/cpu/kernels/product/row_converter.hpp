// Moves rows between a tensor's element type and the type that kernels compute in.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu {

/// True for f16 and bf16.
inline bool is_half(ElementType type) { return is_floating(type) && size_of(type) == 2; }

/// f16 and bf16 are widened to f32 and rounded to nearest even on the way back; f32 and f64 are
/// copied. The same bits from every instruction set.
class RowConverter {
public:
    RowConverter(Isa isa, ElementType type)
        : vectors_(isa != Isa::plain), type_(type), element_bytes_(size_of(type)) {}

    ElementType type() const { return type_; }
    std::size_t element_bytes() const { return element_bytes_; }
    /// False where rows can be used in place.
    bool converts() const { return element_bytes_ == 2; }

    /// The address of element `index`.
    const void* at(const void* base, std::int64_t index) const {
        return static_cast<const char*>(base) + index * static_cast<std::int64_t>(element_bytes_);
    }
    void* at(void* base, std::int64_t index) const {
        return static_cast<char*>(base) + index * static_cast<std::int64_t>(element_bytes_);
    }

    /// `count` elements from the tensor.
    void load(const void* from, void* to, std::int64_t count) const;
    /// `count` elements to the tensor.
    void store(const void* from, void* to, std::int64_t count) const;

private:
    bool vectors_;
    ElementType type_;
    std::size_t element_bytes_;
};

}  // namespace rondo::cpu
