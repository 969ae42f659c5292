// Evaluates Unique.
#include "core/ops/indexing/unique.hpp"

#include "core/ops/reference/common/context.hpp"
#include "core/ops/reference/indexing/evaluators.hpp"

namespace rondo::reference {

void unique(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const Tensor& data = inputs[0];
    const auto axis = ops::unique_axis(known_context(node, inputs), data.shape().size());
    const ops::SliceSizes sizes = ops::slice_sizes(data.shape(), axis);
    const auto found =
        ops::find_unique(data, sizes, static_cast<const ops::Unique&>(node).attributes().sorted);
    ops::copy_slices(data, sizes, found.first, outputs[0].data());
    ops::write_integers(found.first, outputs[1].element_type(), outputs[1].data());
    ops::write_integers(found.inverse, outputs[2].element_type(), outputs[2].data());
    ops::write_integers(found.counts, outputs[3].element_type(), outputs[3].data());
}

}  // namespace rondo::reference
