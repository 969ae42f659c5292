#include "frontend/onnx/context/sequence.hpp"

#include "core/graph/clonable.hpp"
#include "core/ops/control/control_ops.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
const Sequence* find_sequence(const Output& value) { return as_op<Sequence>(value.node()); }

PartialShape stacked_shape(const PartialShape& tensor, const Dimension& count) {
    if (!tensor.has_rank()) return {};
    std::vector<Dimension> extents{count};
    extents.insert(extents.end(), tensor.dimensions().begin(), tensor.dimensions().end());
    return {std::move(extents)};
}

Output make_joined(const Output& whole, SequenceForm form) {
    form.kind = SequenceForm::Kind::joined;
    form.front = 0;
    return make_node<Sequence>(std::vector<Output>{whole}, std::move(form));
}

void check_extents(const PartialShape& whole, const PartialShape& part, std::int64_t axis) {
    if (!whole.has_rank()) return;
    PartialShape expected = whole;
    Dimension& extent =
        expected[normalize_axis(InferContext("", "join", {}), axis, expected.rank())];
    if (extent.max() == 0) return;
    extent = Dimension();
    if (part.intersect(expected)) return;
    throw UnsupportedError("tensors of different shapes are in one sequence: " + to_string(part) +
                           " can't be joined to " + to_string(whole) + " along axis " +
                           std::to_string(axis));
}

void note_added(const SequenceForm& form, ElementType type, const PartialShape& shape) {
    if (!form.list) return;
    LoopList& list = *form.list;
    if (list.type == ElementType::dynamic) list.type = type;
    if (list.has_added && form.is_stack) {
        check_extents(stacked_shape(list.shape, Dimension()), stacked_shape(shape, 1), 0);
    }
    list.shape = list.has_added ? ops::common_shape(list.shape, shape) : shape;
    list.has_added = true;
}

}  // namespace rondo::onnx

namespace rondo {

template class Clonable<onnx::Sequence>;

}  // namespace rondo
