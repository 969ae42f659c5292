// Sequences of tensors, and optional values without one, while a model is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/graph/node.hpp"

namespace rondo::onnx {

struct LoopList;

/// What a sequence is while its readers take its tensors.
struct SequenceForm {
    /// list: its inputs are its tensors, whose number is known. joined: the run decides how many
    /// tensors there are; one input, the whole, holds them joined along an axis, and the inputs
    /// around it are tensors that were added in front and at the end. nothing: an optional value
    /// without element.
    enum class Kind : std::uint8_t { nothing, list, joined };

    Kind kind = Kind::list;
    ElementType type = ElementType::dynamic;  ///< of the tensors that come into an empty list

    /// A joined one is a stack of tensors of one shape along a new axis 0, [n, ...]. Else their
    /// extents along `axis` may differ, and readers can only join them there.
    bool is_stack = true;
    std::int64_t axis = 0;
    std::size_t front = 0;  ///< tensors in front of the whole
    /// That of the loop whose body is read, if the loop carries the sequence.
    std::shared_ptr<LoopList> list = {};
};

/// ONNX's sequence, until its readers have taken the tensors; none stays in a graph.
class Sequence final : public Op<Sequence> {
public:
    static constexpr OpType kType{"Sequence", 0};

    explicit Sequence(std::vector<Output> inputs, SequenceForm form = {})
        : Op(std::move(inputs)), form_(std::move(form)) {}

    const SequenceForm& form() const { return form_; }
    bool is_list() const { return form_.kind == SequenceForm::Kind::list; }
    bool is_joined() const { return form_.kind == SequenceForm::Kind::joined; }
    bool is_nothing() const { return form_.kind == SequenceForm::Kind::nothing; }

    /// The tensors of a joined one in one, without those that were added in front and at the end.
    const Output& whole() const { return input(form_.front); }
    std::span<const Output> front() const { return std::span(inputs()).first(form_.front); }
    std::span<const Output> back() const { return std::span(inputs()).subspan(form_.front + 1); }

    void infer(InferContext& context) const override {
        context.set_output(0, ElementType::dynamic, PartialShape());
    }

private:
    SequenceForm form_;
};

/// The value as a sequence or optional value; null for a tensor of the IR. Only tensors can be read
/// by most operators, or leave a graph.
const Sequence* find_sequence(const Output& value);

/// A sequence whose tensors are joined in `whole`.
Output make_joined(const Output& whole, SequenceForm form);

/// A sequence that a loop carries, while the loop's body is read.
struct LoopList {
    Output start = {};  ///< the sequence of the graph around the loop
    /// What is known of the tensors: as the body adds them, and as its input is declared.
    bool has_added = false;
    ElementType type = ElementType::dynamic;
    PartialShape shape = {};
    std::optional<std::size_t> declared_rank = {};
};

/// Notes that a body adds such a tensor to a joined sequence, if a loop carries that. Throws
/// UnsupportedError for a tensor that can't be stacked on those before it.
void note_added(const SequenceForm& form, ElementType type, const PartialShape& shape);

/// Leaves the reader of a body that reads a loop's sequence in another form than it has, or before
/// the type and rank of its tensors are known. It is no Error: the reader of that loop reads the
/// body again.
struct ListIsRead {
    std::shared_ptr<LoopList> list;
    bool needs_stack = false;
};

/// The shape of so many tensors, stacked along a new axis 0.
PartialShape stacked_shape(const PartialShape& tensor, const Dimension& count);

/// Throws UnsupportedError if a part can't be joined to the whole. A whole without elements may
/// have any other extents.
void check_extents(const PartialShape& whole, const PartialShape& part, std::int64_t axis);

}  // namespace rondo::onnx
