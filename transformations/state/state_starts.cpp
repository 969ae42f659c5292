#include "transformations/state/state_starts.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/reverse_sequence.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/movement/transpose.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/source/constant.hpp"
#include "core/ops/source/parameter.hpp"
#include "core/ops/source/shape_of.hpp"
#include "core/ops/state/variables.hpp"
#include "transformations/common/views.hpp"
#include "transformations/parts/axis_part.hpp"
#include "transformations/pass/constants.hpp"

namespace rondo::passes {
namespace {

// Where an axis of a node's first output lies in its first input, as far as that is known.
std::optional<std::size_t> axis_before(const Node& node, std::size_t axis) {
    if (node.input_count() == 0 || !node.input(0).shape().has_rank()) return {};
    const std::size_t rank = node.output_shape(0).rank();
    if (const auto* transpose = as_op<ops::Transpose>(node)) {
        const auto order = order_of(*transpose);
        return order ? std::optional((*order)[axis]) : std::nullopt;
    }
    if (const auto axes = view_axes(node)) {
        const bool inserts = as_op<ops::Unsqueeze>(node) != nullptr;
        for (const std::size_t one : *axes) {  // sorted
            if (inserts && one == axis) return {};
            if (!inserts && one <= axis) ++axis;
        }
        const auto before =
            std::count_if(axes->begin(), axes->end(), [&](std::size_t one) { return one < axis; });
        return inserts ? axis - static_cast<std::size_t>(before) : axis;
    }
    const bool keeps = node.traits().elementwise || as_op<ops::MatMul>(node) != nullptr ||
                       as_op<ops::ReverseSequence>(node) != nullptr;
    const bool is_last = axis + 1 == rank;
    const bool moves_last = as_op<ops::MatMul>(node) != nullptr && is_last;
    return keeps && !moves_last && node.input(0).shape().rank() == rank ? std::optional(axis)
                                                                        : std::nullopt;
}

// Whether rows are turned round along the axis, each in its own length.
bool turns_rows_round(const Node& node, std::size_t axis) {
    const auto* reversal = as_op<ops::ReverseSequence>(node);
    if (reversal == nullptr || !node.input(0).shape().has_rank()) return false;
    const auto axes = normalized_axes({reversal->seq_axis()}, node.input(0).shape().rank());
    return axes && axes->front() == axis;
}

bool is_turned_round(Output value, std::size_t axis) {
    while (value.shape().has_rank()) {
        const Node& node = value.node();
        if (reversed_axis(node) == axis || turns_rows_round(node, axis)) return true;
        const auto before = axis_before(node, axis);
        if (!before) return false;
        axis = *before;
        value = node.input(0);
    }
    return false;
}

bool has_zeros_alone(const Tensor& tensor) {
    const auto* bytes = static_cast<const std::byte*>(tensor.data());
    return std::all_of(bytes, bytes + tensor.byte_size(),
                       [](std::byte byte) { return byte == std::byte{0}; });
}

// Calls `visit` for each node from the value up: it says how many of the node's inputs are looked
// at, or that the search ends. False where it ended.
template <typename Visit>
bool walk_up(const Output& value, const Visit& visit) {
    std::vector<const Node*> open{&value.node()};
    std::set<const Node*> seen;
    while (!open.empty()) {
        const Node* node = open.back();
        open.pop_back();
        if (!seen.insert(node).second) continue;
        const auto [goes_on, inputs] = visit(*node);
        if (!goes_on) return false;
        for (std::size_t i = 0; i < inputs; ++i) open.push_back(&node->input(i).node());
    }
    return true;
}

using Step = std::pair<bool, std::size_t>;

bool is_source(const Node& node) {
    return as_op<ops::Parameter>(node) != nullptr || as_op<ops::ReadValueBase>(node) != nullptr;
}

}  // namespace

bool is_zero(const Output& value) {
    return walk_up(value, [](const Node& node) -> Step {
        if (const auto* op = as_op<ops::Constant>(node)) return {has_zeros_alone(op->value()), 0};
        const std::size_t moved = moved_inputs(node);
        return {moved != 0, moved};
    });
}

bool is_always_the_same(const Output& value) {
    return walk_up(value, [](const Node& node) -> Step {
        if (is_source(node) || node.traits().random) return {false, 0};
        return {true, node.traits().reads_shapes_only ? 0 : node.input_count()};
    });
}

bool is_fed(const Output& value) {
    return walk_up(value, [](const Node& node) -> Step {
        if (is_source(node) || as_op<ops::Constant>(node) != nullptr) return {true, 0};
        const std::size_t moved = moved_inputs(node);
        return {moved != 0, moved};
    });
}

bool is_kept(const Output& value) {
    return !walk_up(value, [](const Node& node) -> Step {
        return {as_op<ops::ReadValueBase>(node) == nullptr, moved_inputs(node)};
    });
}

const ops::RecurrentOp* next_layer(const ops::RecurrentOp& op) {
    std::vector<std::pair<const Node*, std::size_t>> open;
    for (std::size_t i = op.is_sequence() ? 1 : 0; i < op.output_count(); ++i) {
        open.emplace_back(&op, i);
    }
    std::set<const Node*> seen;
    while (!open.empty()) {
        const auto [node, output] = open.back();
        open.pop_back();
        for (const Consumer& reader : node->consumers(output)) {
            const auto* layer = as_op<ops::RecurrentOp>(*reader.node);
            const bool starts = layer != nullptr && (reader.input == layer->h_port() ||
                                                     reader.input == layer->c_port());
            if (starts) return layer;
            if (reader.input >= moved_inputs(*reader.node)) continue;
            if (!seen.insert(reader.node).second) continue;
            for (std::size_t i = 0; i < reader.node->output_count(); ++i) {
                open.emplace_back(reader.node, i);
            }
        }
    }
    return nullptr;
}

PartialShape shape_of_state(ops::RecurrentOp& op, std::size_t port) {
    const PartialShape& before = op.input(port).shape();
    return before.intersect(last_state(op, port).shape()).value_or(before);
}

Output last_state(ops::RecurrentOp& op, std::size_t port) {
    const std::size_t first = op.is_sequence() ? 1 : 0;
    return op.output(port == op.c_port() ? first + 1 : first);
}

Output last_value(ops::IteratedOp& loop, std::size_t result) {
    ops::BodyPorts ports = loop.body_ports();
    for (const ops::BodyOutput& port : ports.outputs) {
        if (port.result == result && !port.concat) return loop.output(port.output);
    }
    const std::size_t added = ports.outputs.size();
    ports.outputs.push_back({added, result, {}});
    loop.set_ports(0, std::move(ports));
    loop.validate();
    return loop.output(added);
}

bool runs_backwards(const ops::RecurrentOp& op) {
    if (!op.is_sequence()) return false;
    constexpr std::size_t kTime = 1;  // of X [N,T,I]
    return op.attributes().direction != ops::Direction::forward ||
           is_turned_round(op.input(op.x_port()), kTime);
}

bool runs_backwards(const ops::IteratedOp& loop) {
    const auto& ports = loop.body_ports();
    const auto reversed = [](const auto& range) { return range && range->is_reversed(); };
    return std::any_of(ports.inputs.begin(), ports.inputs.end(),
                       [&](const auto& port) { return reversed(port.slice); }) ||
           std::any_of(ports.outputs.begin(), ports.outputs.end(),
                       [&](const auto& port) { return reversed(port.concat); });
}

namespace {

// The extent as a vector of one i64.
Output make_extent(Rewriter& rewriter, const std::string& name, const ShapeElement& extent) {
    if (extent.number) return rewriter.make_ints(name + "/extent", {*extent.number});
    const Output shape = rewriter.make<ops::ShapeOf>(name + "/shape", extent.tensor);
    const Output index =
        rewriter.make_ints(name + "/index", {static_cast<std::int64_t>(extent.axis)});
    const Output axis = rewriter.make_constant(name + "/axis", Tensor(ElementType::i64, {}));
    return rewriter.make<ops::Gather>(name + "/extent", shape, index, axis);
}

}  // namespace

Output make_zeros(Rewriter& rewriter, const std::string& name, ElementType type,
                  const std::vector<ShapeElement>& extents) {
    std::vector<Output> parts;
    for (const ShapeElement& extent : extents) {
        parts.push_back(make_extent(rewriter, name, extent));
    }
    const Output zero = rewriter.make_constant(name + "/zero", Tensor(type, {}));
    const Output shape = rewriter.make<ops::Concat>(name + "/init_shape", parts, 0);
    return rewriter.make<ops::Broadcast>(name + "/init", zero, shape);
}

}  // namespace rondo::passes
