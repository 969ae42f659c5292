// Recurrent layers in plain loops and double: the truth that the kernels are compared with.
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/cpu/kernels/sequence/recurrent_sequence.hpp"

namespace rondo::cpu::tests {

/// Tensors as in the IR: X [N,T,I], states [N,D,H], W [D,G*H,I], R [D,G*H,H], B, P; empty = absent.
/// Values are those that the layer's element types can hold; weights that are scaled are multiples
/// of their row's scale.
struct SequenceData {
    std::int64_t batch = 0;
    std::int64_t time = 0;
    std::vector<double> x, h0, c0, w, r, b, p;
    std::vector<float> w_scale, r_scale;  // [D,G*H] or empty
    std::vector<std::int64_t> lengths;
};

struct SequenceResult {
    std::vector<double> y, ho, co;
};

double reference_activation(const Activation& activation, double x);

SequenceResult reference_sequence(const SequenceConfig& config, const SequenceData& data);

}  // namespace rondo::cpu::tests
