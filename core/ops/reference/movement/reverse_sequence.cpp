// Evaluates ReverseSequence.
#include "core/ops/movement/reverse_sequence.hpp"

#include <cstring>
#include <string>

#include "core/ops/reference/common/context.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/movement/evaluators.hpp"

namespace rondo::reference {
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

}  // namespace rondo::reference
