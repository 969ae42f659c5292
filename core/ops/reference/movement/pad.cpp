// Evaluates Pad.
#include "core/ops/movement/pad.hpp"

#include <cstring>

#include "core/ops/reference/common/context.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/movement/evaluators.hpp"

namespace rondo::reference {
namespace {

// The byte of data that the element at `index` of the output comes from, or -1 for the pad value.
std::ptrdiff_t source_of(const std::vector<ops::PadRange>& ranges, ops::PadMode mode,
                         const std::vector<std::size_t>& index, const Strides& strides) {
    std::ptrdiff_t offset = 0;
    for (std::size_t axis = 0; axis < ranges.size(); ++axis) {
        const auto place = static_cast<std::int64_t>(index[axis]);
        const std::int64_t element = ops::padded_source(mode, ranges[axis], place);
        if (element < 0) return -1;
        offset += element * strides[axis];
    }
    return offset;
}

}  // namespace

void pad(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const ops::PadMode mode = static_cast<const ops::Pad&>(node).mode();
    const auto ranges = ops::pad_ranges(known_context(node, inputs), mode).value();
    const Shape& shape = outputs[0].shape();
    const std::size_t bytes = size_of(outputs[0].element_type());
    const Tensor value = inputs.size() > 3 ? inputs[3] : Tensor(outputs[0].element_type(), Shape{});
    const auto* from = static_cast<const char*>(inputs[0].data());
    auto* to = static_cast<char*>(outputs[0].data());
    std::vector<std::size_t> index(shape.size());
    for (std::size_t i = 0; i < outputs[0].size(); ++i, to += bytes) {
        const std::ptrdiff_t offset = source_of(ranges, mode, index, inputs[0].strides());
        std::memcpy(to, offset < 0 ? value.data() : from + offset, bytes);
        next_index(index, shape);
    }
}

}  // namespace rondo::reference
