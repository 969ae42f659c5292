// Nodes and constants that recipes of several kinds make.
#pragma once

#include "tests/random/model_maker.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {

/// A node of this domain with one output; `attributes` sets what it has.
inline Value microsoft(ModelMaker& maker, const char* op, const std::vector<Value>& inputs,
                       const Extents& shape,
                       const std::function<void(NodeBuilder&)>& attributes = {},
                       ElementType type = ElementType::f32) {
    return maker.add(op, inputs, shape, type, [&](NodeBuilder& node) {
        node.domain("com.microsoft");
        if (attributes) attributes(node);
    });
}

inline std::size_t channels_of(const Value& x) {
    return static_cast<std::size_t>(x.shape[1].factor);
}

inline Value scale(ModelMaker& maker, const Shape& shape = {}, double least = 0.01,
                   double most = 0.03) {
    return maker.constant(random_tensor(ElementType::f32, shape, maker.rng(), least, most));
}

/// Near the middle of u8 or i8.
inline Value zero_point(ModelMaker& maker, ElementType type, const Shape& shape = {}) {
    const double middle = type == ElementType::u8 ? 128 : 0;
    return maker.constant(random_tensor(type, shape, maker.rng(), middle - 9, middle + 9));
}

}  // namespace rondo::test
