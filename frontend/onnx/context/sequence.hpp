// Sequences of tensors, and optional values without one, while a model is read.
#pragma once

#include <string>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/graph/node.hpp"
#include "core/support/unique_names.hpp"
#include "frontend/onnx/context/body_graph.hpp"

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

/// A sequence of tensors of one shape, whose number comes with the run: the rows of its input,
/// [n, ...].
class Rows final : public Op<Rows> {
public:
    static constexpr OpType kType{"Rows", 0};

    explicit Rows(const Output& rows) : Op({rows}) {}

    void infer(InferContext& context) const override {
        context.set_output(0, ElementType::dynamic, PartialShape());
    }
};

/// The sequence that a body adds a tensor to: as it came, or with its input behind it.
class Growing final : public Op<Growing> {
public:
    static constexpr OpType kType{"Growing", 0};
    /// The slot of a sequence of a graph around, which can't grow here.
    static constexpr std::size_t kForeign = static_cast<std::size_t>(-1);

    explicit Growing(std::size_t slot) : slot_(slot) {}
    Growing(std::size_t slot, const Output& added) : Op({added}), slot_(slot) {}

    std::size_t slot() const { return slot_; }

    void infer(InferContext& context) const override {
        context.set_output(0, ElementType::dynamic, PartialShape());
    }

private:
    std::size_t slot_;
};

/// ONNX's optional value that holds nothing. One that holds something is that tensor or sequence.
class EmptyOptional final : public Op<EmptyOptional> {
public:
    static constexpr OpType kType{"EmptyOptional", 0};

    void infer(InferContext& context) const override {
        context.set_output(0, ElementType::dynamic, PartialShape());
    }
};

/// Whether a value is a tensor of the IR: only these can be read by most operators, or leave a
/// graph.
bool is_tensor(const Output& value);

/// The value as an output of a body: its tensors, and what they are. Throws UnsupportedError for
/// what no output can be.
struct OutputParts {
    BodyOutput output;
    std::vector<Output> tensors;
};
OutputParts parts_of(const Output& value);

/// The output of that name with one more axis of one element.
Output with_extra_axis(const Output& value, std::int64_t axis, const std::string& name,
                       UniqueNames& names);

/// The input of that name without its axis of one element.
Output without_axis(const Output& value, std::int64_t axis, const std::string& name,
                    UniqueNames& names);

/// What the body's input of that name is, for a form other than a tensor; its tensors become
/// parameters.
Output make_body_sequence(const std::string& name, const BodyValue& value, UniqueNames& names,
                          std::vector<NodePtr>& parameters);

}  // namespace rondo::onnx
