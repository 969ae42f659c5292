#include "plugins/cpu/nodes/recurrent/shared_gate.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace rondo::cpu {
namespace {

constexpr std::size_t kGates = 3;

// The rows of each gate, one direction after another.
class GateRows {
public:
    GateRows(const Tensor& weights, std::size_t gates)
        : data_(static_cast<const char*>(weights.data())),
          directions_(gates == 0 ? 1 : weights.shape()[0]),
          bytes_(weights.byte_size() / (directions_ * kGates)) {}

    std::size_t directions() const { return directions_; }
    std::size_t bytes() const { return bytes_; }
    const char* at(std::size_t direction, std::size_t gate) const {
        return data_ + (direction * kGates + gate) * bytes_;
    }

private:
    const char* data_;
    std::size_t directions_;
    std::size_t bytes_;
};

// Whether both are the same number, of which zeros may have either sign. `Bits`: of a floating
// number, whose sign is the highest.
template <typename Bits>
bool are_equal(Bits z, Bits r, bool negative) {
    constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
    if (((z | r) & ~kSign) == 0) return true;
    return r == static_cast<Bits>(negative ? z ^ kSign : z);
}

template <typename Bits>
bool shares_sum(const Tensor& weights, std::size_t gates, bool negative) {
    const GateRows rows(weights, gates);
    for (std::size_t i = 0; i < rows.directions(); ++i) {
        const auto* z = reinterpret_cast<const Bits*>(rows.at(i, 0));
        const auto* r = reinterpret_cast<const Bits*>(rows.at(i, 1));
        const std::size_t count = rows.bytes() / sizeof(Bits);
        const bool same =
            std::equal(z, z + count, r, [&](Bits a, Bits b) { return are_equal(a, b, negative); });
        if (!same) return false;
    }
    return true;
}

}  // namespace

bool has_shared_sum(const Tensor& weights, std::size_t gates, bool negative) {
    switch (size_of(weights.element_type())) {
        case 2: return shares_sum<std::uint16_t>(weights, gates, negative);
        case 4: return shares_sum<std::uint32_t>(weights, gates, negative);
        case 8: return shares_sum<std::uint64_t>(weights, gates, negative);
        default: return false;
    }
}

Tensor without_reset_gate(const Tensor& weights, std::size_t gates) {
    const GateRows rows(weights, gates);
    Shape shape = weights.shape();
    shape[gates] = shape[gates] / kGates * (kGates - 1);
    Tensor rest(weights.element_type(), shape);
    auto* out = static_cast<char*>(rest.data());
    for (std::size_t i = 0; i < rows.directions(); ++i) {
        std::memcpy(out, rows.at(i, 0), rows.bytes());
        std::memcpy(out + rows.bytes(), rows.at(i, 2), rows.bytes());
        out += 2 * rows.bytes();
    }
    return rest;
}

}  // namespace rondo::cpu
