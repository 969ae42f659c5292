// Sequences of tensors, and optional values without one, while a model is read.
#pragma once

#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/graph/node.hpp"

namespace rondo::onnx {

/// A sequence whose number of tensors is known while the model is read: its inputs. It stands for
/// ONNX's sequence until its readers have taken the tensors; none stays in a graph.
class Sequence final : public Op<Sequence> {
public:
    static constexpr OpType kType{"Sequence", 0};

    Sequence() = default;
    explicit Sequence(std::vector<Output> tensors) : Op(std::move(tensors)) {}

    void infer(InferContext& context) const override {
        context.set_output(0, ElementType::dynamic, PartialShape());
    }
};

/// ONNX's optional value that holds nothing. One that holds something is that tensor or sequence.
class EmptyOptional final : public Op<EmptyOptional> {
public:
    static constexpr OpType kType{"EmptyOptional", 0};

    void infer(InferContext& context) const override {
        context.set_output(0, ElementType::dynamic, PartialShape());
    }
};

/// Whether a value is neither: only tensors can be read by most operators, or leave a graph.
inline bool is_tensor(const Output& value) {
    return !as_op<Sequence>(value.node()) && !as_op<EmptyOptional>(value.node());
}

}  // namespace rondo::onnx
