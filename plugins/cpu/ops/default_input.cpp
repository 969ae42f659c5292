#include "plugins/cpu/ops/default_input.hpp"

#include <utility>

namespace rondo::cpu {

Tensor default_input(ElementType type) { return {type, {0, 0}}; }

bool is_default(const Shape& shape) { return shape == Shape{0, 0}; }

bool is_default(const Output& input) {
    return input.shape().is_static() && is_default(input.shape().to_shape());
}

InferInput seen_by_sequence(InferInput given, ElementType type) {
    if (!given.shape.is_static() || !is_default(given.shape.to_shape())) return given;
    return {type, PartialShape(), {}};
}

}  // namespace rondo::cpu
