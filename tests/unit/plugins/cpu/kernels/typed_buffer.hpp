// Tensors of any floating type, i8 and i16, for kernel tests: encoded from doubles, between guards.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "rondo/element_type.hpp"

namespace rondo::cpu::tests {

/// The nearest number that the type has.
double rounded(double value, ElementType type);

/// All of them, in place.
void round_all(std::vector<double>& values, ElementType type);

/// Elements of one type between guards; check() fails where a guard was written.
class TypedBuffer {
public:
    TypedBuffer(ElementType type, std::int64_t size);
    TypedBuffer(ElementType type, const std::vector<double>& values);

    void* data() { return memory_.data() + kGuardBytes; }
    /// data(), or null where there are no elements.
    void* data_or_null() { return size_ == 0 ? nullptr : data(); }
    std::vector<double> values() const;
    void check(const std::string& what) const;
    /// Overwrites all elements: floats become NaN.
    void spoil() { std::fill(memory_.begin() + kGuardBytes, memory_.end() - kGuardBytes, 0xff); }

private:
    static constexpr std::size_t kGuardBytes = 128;
    static constexpr unsigned char kGuard = 0xa5;
    ElementType type_;
    std::size_t size_;
    std::vector<unsigned char> memory_;
};

}  // namespace rondo::cpu::tests
