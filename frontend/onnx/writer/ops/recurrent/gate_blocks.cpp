#include "frontend/onnx/writer/ops/recurrent/gate_blocks.hpp"

#include <algorithm>
#include <cstring>

#include "core/ops/movement/broadcast.hpp"

namespace rondo::onnx {
namespace {

bool holds_zeros(const Tensor& value) {
    if (!value || !value.is_contiguous()) return false;
    const auto* bytes = static_cast<const unsigned char*>(value.data());
    return std::all_of(bytes, bytes + value.byte_size(), [](unsigned char b) { return b == 0; });
}

bool keeps_order(const GateBlocks& blocks) {
    if (blocks.order.size() != blocks.count) return false;
    return std::is_sorted(blocks.order.begin(), blocks.order.end()) && blocks.order[0] == 0;
}

// [D, count * H, ...]: the blocks of each direction.
Tensor ordered(const Tensor& value, const GateBlocks& blocks) {
    Shape shape = value.shape();
    const std::size_t block = value.byte_size() / (shape[0] * blocks.count);
    shape[1] = shape[1] / blocks.count * blocks.order.size();
    Tensor result(value.element_type(), shape);  // zeros
    const auto* from = static_cast<const char*>(value.data());
    auto* to = static_cast<char*>(result.data());
    for (std::size_t d = 0; d < shape[0]; ++d) {
        for (const int number : blocks.order) {
            const auto k = static_cast<std::size_t>(number);
            if (number != kZeros) std::memcpy(to, from + (d * blocks.count + k) * block, block);
            to += block;
        }
    }
    return result;
}

std::string ordered_at_run_time(WriteContext& context, const GateBlocks& blocks,
                                const std::string& value) {
    if (keeps_order(blocks)) return value;
    const Names parts = context.emit("Split", {value}, blocks.count)
                            .with_int("axis", 1)
                            .with_int("num_outputs", static_cast<std::int64_t>(blocks.count))
                            .outputs();
    std::string zeros;
    Names chosen;
    for (const int number : blocks.order) {
        if (number == kZeros && zeros.empty()) {
            zeros = context.emit("Expand", {context.number(context.type(blocks.input), 0),
                                            context.shape_of(parts[0])});
        }
        chosen.push_back(number == kZeros ? zeros : parts[static_cast<std::size_t>(number)]);
    }
    return context.joined(chosen, 1);
}

}  // namespace

std::string ordered_gates(WriteContext& context, const GateBlocks& blocks, bool is_cell) {
    const Tensor known = context.known(blocks.input);
    const Output& source = context.node().input(blocks.input);
    const bool compresses = context.draft().file().weights != ElementType::f32;
    if (!known || known.size() == 0 || compresses) {
        const std::string value = context.input(blocks.input);
        return ordered_at_run_time(context, blocks,
                                   is_cell ? context.unsqueeze(value, {0}) : value);
    }
    Shape shape = known.shape();
    if (is_cell) shape.insert(shape.begin(), 1);
    const Tensor value = known.contiguous().reshaped(shape);
    return context.constant(keeps_order(blocks) ? value : ordered(value, blocks),
                            source.node().name());
}

bool is_zero(const WriteContext& context, std::size_t input) {
    if (holds_zeros(context.known(input))) return true;
    const auto* broadcast = as_op<ops::Broadcast>(context.node().input(input).node());
    return broadcast != nullptr && holds_zeros(known_value(broadcast->input(0)));
}

}  // namespace rondo::onnx
