// Evaluates the ops whose elements move one by one or in rows: Gather, Pad, ReverseSequence, Roll
// and Tile.
#include <cstring>
#include <string>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/indices.hpp"

namespace rondo::reference {
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
    const Tensor value = inputs.size() > 3 ? inputs[3] : Tensor(outputs[0].element_type(), Shape{});
    const auto* from = static_cast<const char*>(inputs[0].data());
    copy_each(outputs[0], [&](const auto& index) -> const void* {
        const std::ptrdiff_t offset = source_of(ranges, mode, index, inputs[0].strides());
        return offset < 0 ? value.data() : from + offset;
    });
}

void roll(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const InferContext context = known_context(node, inputs);
    const Shape& data = inputs[0].shape();
    const auto shift = to_int64_vector(inputs[1]);
    const auto axes = to_int64_vector(inputs[2]);
    std::vector<std::int64_t> shifts(data.size());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        ops::add_shift(context, axes[i], shift[shift.size() == 1 ? 0 : i], data, shifts);
    }
    const auto* from = static_cast<const char*>(inputs[0].data());
    copy_each(outputs[0], [&](const auto& index) {
        std::ptrdiff_t offset = 0;
        for (std::size_t axis = 0; axis < data.size(); ++axis) {
            const std::size_t extent = data[axis];
            const std::size_t back = extent - static_cast<std::size_t>(shifts[axis]);
            offset += static_cast<std::ptrdiff_t>((index[axis] + back) % extent) *
                      inputs[0].strides()[axis];
        }
        return from + offset;
    });
}

namespace {

const void* element_at(const Tensor& data, const std::vector<std::size_t>& index) {
    std::ptrdiff_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
        offset += static_cast<std::ptrdiff_t>(index[axis]) * data.strides()[axis];
    }
    return static_cast<const char*>(data.data()) + offset;
}

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
    copy_each(outputs[0], [&](const auto& index) {
        std::vector<std::size_t> from = index;
        const std::size_t length = lengths[index[batch]];
        if (from[sequence] < length) from[sequence] = length - 1 - from[sequence];
        return element_at(data, from);
    });
}

void tile(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const Tensor& data = inputs[0];
    const std::size_t first = outputs[0].shape().size() - data.shape().size();
    std::vector<std::size_t> from(data.shape().size());
    copy_each(outputs[0], [&](const auto& index) {
        for (std::size_t axis = 0; axis < from.size(); ++axis) {
            from[axis] = index[first + axis] % data.shape()[axis];
        }
        return element_at(data, from);
    });
}

}  // namespace rondo::reference
