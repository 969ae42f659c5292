// An output of the model.
#pragma once

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Input and output: the same tensor; the output exists so that the graph knows its type and shape.
class Result final : public Op<Result> {
public:
    static constexpr OpType kType{"Result", 1};

    Result() = default;
    explicit Result(const Output& value) : Op({value}) {}

    OpTraits traits() const override { return {.takes_narrow_types = true}; }
    void infer(InferContext& context) const override;
};

/// True where a Result reads the value.
bool feeds_result(const Output& value);

}  // namespace rondo::ops
