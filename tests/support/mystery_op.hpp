// An op that no reader, writer or device knows.
#pragma once

#include "core/graph/clonable.hpp"
#include "core/graph/infer_context.hpp"

namespace rondo::test {

/// One output with the type and the shape of its one input.
class Mystery final : public Op<Mystery> {
public:
    static constexpr OpType kType{"Mystery", 0};
    using Op::Op;
    void infer(InferContext& context) const override {
        context.set_output(0, context.type(0), context.shape(0));
    }
};

}  // namespace rondo::test
