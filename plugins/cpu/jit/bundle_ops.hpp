// Emits vector arithmetic on one or two vectors at a time, with their instructions interleaved.
#pragma once

#include <array>
#include <utility>

#include "plugins/cpu/jit/vector_ops.hpp"

namespace rondo::cpu::jit {

constexpr int kMaxBundle = 2;

/// The same quantity of some vectors of hidden units.
using Bundle = std::array<Vec, kMaxBundle>;

/// VectorOps on each vector of a bundle. The update of a cell is a long chain of operations; with
/// two independent chains the processor has twice as many instructions that are ready.
class BundleOps {
public:
    using Value = Bundle;

    /// `width`: vectors in a bundle, 1 or 2.
    BundleOps(VectorOps& ops, int width) : ops_(ops), width_(width) {}

    int width() const { return width_; }
    VectorOps& single() { return ops_; }
    Precision precision() const { return ops_.precision(); }

    Bundle constant(double value) {
        return each([&](std::size_t) { return ops_.constant(value); });
    }
    Bundle add(Bundle a, Bundle b) { return binary(&VectorOps::add, a, b); }
    Bundle sub(Bundle a, Bundle b) { return binary(&VectorOps::sub, a, b); }
    Bundle mul(Bundle a, Bundle b) { return binary(&VectorOps::mul, a, b); }
    Bundle div(Bundle a, Bundle b) { return binary(&VectorOps::div, a, b); }
    Bundle max(Bundle a, Bundle b) { return binary(&VectorOps::max, a, b); }
    Bundle min(Bundle a, Bundle b) { return binary(&VectorOps::min, a, b); }
    Bundle bit_xor(Bundle a, Bundle b) { return binary(&VectorOps::bit_xor, a, b); }
    Bundle copy_sign(Bundle a, Bundle b) { return binary(&VectorOps::copy_sign, a, b); }
    Bundle abs(Bundle x) { return unary(&VectorOps::abs, x); }
    Bundle negative_abs(Bundle x) { return unary(&VectorOps::negative_abs, x); }
    Bundle power_of_two(Bundle x) { return unary(&VectorOps::power_of_two, x); }
    Bundle load(Bundle x) { return unary(&VectorOps::load, x); }
    Bundle fma(Bundle a, Bundle b, Bundle c) { return ternary(&VectorOps::fma, a, b, c); }
    Bundle sub_product(Bundle c, Bundle a, Bundle b) {
        return ternary(&VectorOps::sub_product, c, a, b);
    }
    Bundle select_negative(Bundle x, Bundle negative, Bundle otherwise) {
        return ternary(&VectorOps::select_negative, x, negative, otherwise);
    }
    Bundle select_less_equal(Bundle x, Bundle y, Bundle yes, Bundle otherwise) {
        return each([&](std::size_t i) {
            return ops_.select_less_equal(std::move(x[i]), std::move(y[i]), std::move(yes[i]),
                                          std::move(otherwise[i]));
        });
    }

private:
    template <typename Make>
    Bundle each(Make make) {
        Bundle result;
        for (std::size_t i = 0; i < static_cast<std::size_t>(width_); ++i) result[i] = make(i);
        return result;
    }
    Bundle unary(Vec (VectorOps::*op)(Vec), Bundle& x) {
        return each([&](std::size_t i) { return (ops_.*op)(std::move(x[i])); });
    }
    Bundle binary(Vec (VectorOps::*op)(Vec, Vec), Bundle& a, Bundle& b) {
        return each([&](std::size_t i) { return (ops_.*op)(std::move(a[i]), std::move(b[i])); });
    }
    Bundle ternary(Vec (VectorOps::*op)(Vec, Vec, Vec), Bundle& a, Bundle& b, Bundle& c) {
        return each([&](std::size_t i) {
            return (ops_.*op)(std::move(a[i]), std::move(b[i]), std::move(c[i]));
        });
    }

    VectorOps& ops_;
    int width_;
};

}  // namespace rondo::cpu::jit
