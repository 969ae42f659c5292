// The logarithms of the fractions that SoftMax makes.
#pragma once

#include "core/ops/reduction/softmax.hpp"

namespace rondo::ops {

/// Input: x of a floating type. Output: x - log(sum(exp(x))) along `axis`; same type and shape.
/// A negative axis counts from the end.
class LogSoftmax final : public Op<LogSoftmax, SoftmaxBase> {
public:
    static constexpr OpType kType{"LogSoftmax", 5};
    using Op::Op;
};

}  // namespace rondo::ops
