#include "plugins/cpu/ops/implied_input.hpp"

#include <utility>

namespace rondo::cpu {

Tensor implied_input(ElementType type) { return {type, {0, 0}}; }

bool is_implied(const Shape& shape) { return shape == Shape{0, 0}; }

bool is_implied(const Output& input) {
    return input.shape().is_static() && is_implied(input.shape().to_shape());
}

InferInput seen_by_sequence(InferInput given, ElementType type) {
    if (!given.shape.is_static() || !is_implied(given.shape.to_shape())) return given;
    return {type, PartialShape(), {}};
}

}  // namespace rondo::cpu
