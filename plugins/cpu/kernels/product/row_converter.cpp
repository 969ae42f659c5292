#include "plugins/cpu/kernels/product/row_converter.hpp"

#include <cstring>

#include "plugins/cpu/kernels/product/avx_loops.hpp"

namespace rondo::cpu {
namespace {

template <typename T>
void load_as(bool vectors, const void* from, void* to, std::int64_t count) {
    const auto* halves = static_cast<const T*>(from);
    auto* floats = static_cast<float*>(to);
    vectors ? avx::widen(halves, floats, count) : widen_rest(halves, floats, 0, count);
}

template <typename T>
void store_as(bool vectors, const void* from, void* to, std::int64_t count) {
    const auto* floats = static_cast<const float*>(from);
    auto* halves = static_cast<T*>(to);
    vectors ? avx::narrow(floats, halves, count) : narrow_rest(floats, halves, 0, count);
}

}  // namespace

void RowConverter::load(const void* from, void* to, std::int64_t count) const {
    if (type_ == ElementType::f16) return load_as<float16>(vectors_, from, to, count);
    if (type_ == ElementType::bf16) return load_as<bfloat16>(vectors_, from, to, count);
    std::memcpy(to, from, static_cast<std::size_t>(count) * element_bytes_);
}

void RowConverter::store(const void* from, void* to, std::int64_t count) const {
    if (type_ == ElementType::f16) return store_as<float16>(vectors_, from, to, count);
    if (type_ == ElementType::bf16) return store_as<bfloat16>(vectors_, from, to, count);
    std::memcpy(to, from, static_cast<std::size_t>(count) * element_bytes_);
}

}  // namespace rondo::cpu
