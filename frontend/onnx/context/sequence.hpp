// Sequences of tensors, and optional values without one, while a model is read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/graph/node.hpp"
#include "core/support/unique_names.hpp"
#include "frontend/onnx/context/body_graph.hpp"
#include "frontend/onnx/messages/message.hpp"

namespace rondo::onnx {

/// A sequence whose number of tensors is known while the model is read: its inputs. It stands for
/// ONNX's sequence until its readers have taken the tensors; none stays in a graph.
class Sequence final : public Op<Sequence> {
public:
    static constexpr OpType kType{"Sequence", 0};

    Sequence() = default;
    explicit Sequence(std::vector<Output> tensors) : Op(std::move(tensors)) {}
    /// Without tensors: those that come will have this type.
    explicit Sequence(ElementType type) : type_(type) {}

    ElementType element_type() const {
        return input_count() == 0 ? type_ : input(0).element_type();
    }
    void infer(InferContext& context) const override {
        context.set_output(0, ElementType::dynamic, PartialShape());
    }

private:
    ElementType type_ = ElementType::dynamic;
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

/// A sequence whose readers only join it along one axis: its input, the tensors joined so. Their
/// extents along that axis may differ.
class Joined final : public Op<Joined> {
public:
    static constexpr OpType kType{"Joined", 0};

    /// `list` is there inside the loop that fills the sequence.
    Joined(const Output& whole, std::int64_t axis, LoopListPtr list = {})
        : Op({whole}), axis_(axis), list_(std::move(list)) {}

    std::int64_t axis() const { return axis_; }
    const LoopListPtr& list() const { return list_; }

    void infer(InferContext& context) const override {
        context.set_output(0, ElementType::dynamic, PartialShape());
    }

private:
    std::int64_t axis_;
    LoopListPtr list_;
};

/// The sequence that a loop's body adds tensors to. Its inputs are the tensors that `counts`
/// describes.
class Growing final : public Op<Growing> {
public:
    static constexpr OpType kType{"Growing", 0};

    Growing(LoopListPtr list, AddedCounts counts, std::vector<Output> tensors)
        : Op(std::move(tensors)), list_(std::move(list)), counts_(counts) {}

    const LoopListPtr& list() const { return list_; }
    const AddedCounts& counts() const { return counts_; }

    void infer(InferContext& context) const override {
        context.set_output(0, ElementType::dynamic, PartialShape());
    }

private:
    LoopListPtr list_;
    AddedCounts counts_;
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

/// The value as output `index` of a body called `name`: its tensors, and what they are. Throws
/// UnsupportedError for what no output can be.
struct OutputParts {
    BodyOutput output;
    std::vector<Output> tensors;
};
OutputParts parts_of(const Output& value, const BodyRequest& request, std::size_t index,
                     const std::string& name, UniqueNames& names);

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

// Lists that loops fill: which form each one has while the loop's body is read.

/// Notes a tensor that the body adds to the list.
void note_added(LoopList& list, ElementType type, const PartialShape& shape);

/// Gives the list its next form among the inputs of the body; false where it is none of them.
/// Throws UnsupportedError where there is no further form.
bool give_next_form(const ListIsRead& read, BodyRequest& request);

/// Whether the tensors may have different extents along the axis of the list's readers.
bool is_ragged(const LoopList& list);

/// Makes the list of that input one tensor: its tensors as rows, or joined along its axis. Throws
/// UnsupportedError where their type or rank isn't known.
void make_rows(BodyValue& value);
void make_joined(BodyValue& value);

// What the nodes of a graph do with a sequence, before they are read.

/// The axis along which ConcatFromSequence joins the tensors of the sequence of that name, if its
/// readers are only such nodes of one axis, with SequenceInsert and Identity in between.
std::optional<std::int64_t> joined_axis_of(const rondo_onnx::GraphProto& graph,
                                           const std::string& name);

}  // namespace rondo::onnx
