// Evaluates the ops whose elements move one by one or in rows: Gather, Pad, ReverseSequence and
// Tile.
#include <cstring>
#include <numeric>
#include <string>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/indices.hpp"

namespace rondo::reference {
namespace {

std::size_t product(const Shape& shape, std::size_t first, std::size_t last) {
    const auto begin = shape.begin();
    return std::accumulate(begin + static_cast<std::ptrdiff_t>(first),
                           begin + static_cast<std::ptrdiff_t>(last), std::size_t{1},
                           std::multiplies<>());
}

}  // namespace

void gather(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const InferContext context = known_context(node, inputs);
    const Shape& data = inputs[0].shape();
    const Shape& shape = inputs[1].shape();
    const std::int64_t batch_dims = static_cast<const ops::Gather&>(node).batch_dims();
    const auto batch = static_cast<std::size_t>(
        batch_dims < 0 ? batch_dims + static_cast<std::int64_t>(shape.size()) : batch_dims);
    const std::size_t axis = normalize_axis(context, to_int64_vector(inputs[2]).at(0), data.size());
    const auto indices = places_on_axis(context, inputs[1], data[axis]);
    if (outputs[0].size() == 0) return;
    const std::size_t batches = product(shape, 0, batch);
    const std::size_t rows = product(data, batch, axis);
    const std::size_t count = product(shape, batch, shape.size());
    const std::size_t bytes =
        product(data, axis + 1, data.size()) * size_of(inputs[0].element_type());
    const auto* from = static_cast<const char*>(inputs[0].data());
    auto* to = static_cast<char*>(outputs[0].data());
    for (std::size_t row = 0; row < batches * rows; ++row) {
        const std::size_t first = row / rows * count;
        for (std::size_t i = first; i < first + count; ++i, to += bytes) {
            std::memcpy(to, from + (row * data[axis] + indices[i]) * bytes, bytes);
        }
    }
}

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

namespace {

std::vector<std::size_t> checked_lengths(const InferContext& context, const Tensor& lengths,
                                         std::size_t extent) {
    std::vector<std::size_t> result;
    for (const std::int64_t length : to_int64_vector(lengths)) {
        // A u64 above 2^63 arrives here below 0.
        context.check(length >= 0 && length <= static_cast<std::int64_t>(extent),
                      "the length of row " + std::to_string(result.size()) + " is " +
                          std::to_string(length) + "; expected 0 to " + std::to_string(extent));
        result.push_back(static_cast<std::size_t>(length));
    }
    return result;
}

}  // namespace

void reverse_sequence(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const InferContext context = known_context(node, inputs);
    const auto& op = static_cast<const ops::ReverseSequence&>(node);
    const Tensor& data = inputs[0];
    const Shape& shape = data.shape();
    const std::size_t batch = normalize_axis(context, op.batch_axis(), shape.size());
    const std::size_t sequence = normalize_axis(context, op.seq_axis(), shape.size());
    const auto lengths = checked_lengths(context, inputs[1], shape[sequence]);
    const std::size_t bytes = size_of(data.element_type());
    auto* to = static_cast<char*>(outputs[0].data());
    std::vector<std::size_t> index(shape.size());
    for (std::size_t i = 0; i < data.size(); ++i, to += bytes) {
        std::vector<std::size_t> from = index;
        const std::size_t length = lengths[index[batch]];
        if (from[sequence] < length) from[sequence] = length - 1 - from[sequence];
        std::ptrdiff_t offset = 0;
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            offset += static_cast<std::ptrdiff_t>(from[axis]) * data.strides()[axis];
        }
        std::memcpy(to, static_cast<const char*>(data.data()) + offset, bytes);
        next_index(index, shape);
    }
}

void tile(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const Tensor& data = inputs[0];
    const Shape& shape = outputs[0].shape();
    const std::size_t first = shape.size() - data.shape().size();
    const std::size_t bytes = size_of(data.element_type());
    auto* to = static_cast<char*>(outputs[0].data());
    std::vector<std::size_t> index(shape.size());
    for (std::size_t i = 0; i < outputs[0].size(); ++i, to += bytes) {
        std::ptrdiff_t offset = 0;
        for (std::size_t axis = 0; axis < data.shape().size(); ++axis) {
            const std::size_t place = index[first + axis] % data.shape()[axis];
            offset += static_cast<std::ptrdiff_t>(place) * data.strides()[axis];
        }
        std::memcpy(to, static_cast<const char*>(data.data()) + offset, bytes);
        next_index(index, shape);
    }
}

}  // namespace rondo::reference
