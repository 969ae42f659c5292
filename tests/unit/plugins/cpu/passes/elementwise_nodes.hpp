// Elementwise ops for the tests of the passes that fuse them.
#pragma once

#include <string>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::test {

inline Output unary(GraphBuilder& b, ops::UnaryFunction function, const Output& x,
                    const std::string& name = "") {
    return b.make<ops::Unary>(name, function, x);
}

inline Output binary(GraphBuilder& b, ops::BinaryFunction function, const Output& x,
                     const Output& y, const std::string& name = "") {
    return b.make<ops::Binary>(name, function, x, y);
}

}  // namespace rondo::test
