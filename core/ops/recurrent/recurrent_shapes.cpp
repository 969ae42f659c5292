// RecurrentOp::infer(): checks attributes, types and shapes, and sets the outputs.
#include <array>

#include "core/graph/attribute_text.hpp"
#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/support/limits.hpp"
#include "rondo/error.hpp"

namespace rondo::ops {
namespace {

// The sizes that ports share.
enum Extent : std::size_t { kBatch, kTime, kDirections, kInput, kHidden, kExtents };

struct Axis {
    Extent extent;
    std::size_t times = 1;
};

struct Port {
    std::size_t index;
    std::string name;
    std::vector<Axis> axes;
};

// Every input by port; cells have neither time nor directions.
std::vector<Port> ports_of(const RecurrentOp& op, bool peepholes) {
    const bool lstm = op.cell_type() == CellType::lstm;
    const Axis gates{kHidden, op.gate_count()};
    std::vector<Axis> x = {{kBatch}, {kInput}};
    std::vector<Axis> state = {{kBatch}, {kHidden}};
    std::vector<Port> weights = {{op.w_port(), "W", {gates, {kInput}}},
                                 {op.r_port(), "R", {gates, {kHidden}}},
                                 {op.b_port(), "B", {{kHidden, op.bias_gate_count()}}}};
    if (peepholes) weights.push_back({op.b_port() + 1, "P", {{kHidden, 3}}});
    if (op.is_sequence()) {
        x.insert(x.begin() + 1, {kTime});
        state.insert(state.begin() + 1, {kDirections});
        for (auto& port : weights) port.axes.insert(port.axes.begin(), {kDirections});
    }
    const std::string initial = op.is_sequence() ? "0" : "";
    std::vector<Port> ports = {{op.x_port(), "X", x}, {op.h_port(), "H" + initial, state}};
    if (lstm) ports.push_back({op.c_port(), "C" + initial, state});
    if (op.is_sequence()) ports.push_back({op.lengths_port(), "lengths", {{kBatch}}});
    ports.insert(ports.end(), weights.begin(), weights.end());
    return ports;
}

// Finds the common sizes of all ports, and says which port contradicts what.
class SizeFinder {
public:
    SizeFinder(const RecurrentOp& op, const InferContext& context) : op_(op), context_(context) {
        sizes_[kDirections] = static_cast<std::int64_t>(op.num_directions());
        const std::int64_t hidden = op.attributes().hidden_size;
        sizes_[kHidden] = hidden == 0 ? Dimension(1, kMaxHiddenSize) : Dimension(hidden);
    }

    Dimension operator[](Extent extent) const {
        const Dimension& size = sizes_[extent];
        const bool unbounded =
            extent == kHidden && size.max() == kMaxHiddenSize && !size.is_static();
        return unbounded ? Dimension() : size;
    }

    void add(const Port& port) {
        context_.check_rank(port.index, port.axes.size(), port.name);
        const PartialShape& shape = context_.shape(port.index);
        if (!shape.has_rank()) return;
        for (std::size_t i = 0; i < port.axes.size(); ++i) {
            Dimension& size = sizes_[port.axes[i].extent];
            const auto common = expected(port.axes[i]).intersect(shape[i]);
            const auto times = static_cast<std::int64_t>(port.axes[i].times);
            const auto each = common ? divide_extent(*common, times) : std::nullopt;
            const auto narrowed = each ? size.intersect(*each) : std::nullopt;
            if (!narrowed) fail(port, port.axes[i].extent);
            size = *narrowed;
        }
    }

private:
    Dimension expected(const Axis& axis) const {
        const Dimension& size = sizes_[axis.extent];
        const auto times = static_cast<std::int64_t>(axis.times);
        return {saturating_multiply(times, size.min()), saturating_multiply(times, size.max())};
    }

    std::string reason(const Port& port, Extent extent) const {
        switch (extent) {
            case kHidden: break;
            case kDirections:
                return "direction is '" + std::string(to_string(op_.attributes().direction)) + "'";
            case kInput: return "the input size is " + to_string(sizes_[kInput]);
            default: return "the batch size is " + to_string(sizes_[kBatch]);
        }
        std::string text = op_.attributes().hidden_size == 0 ? "the hidden size" : "hidden_size";
        text += " is " + to_string(sizes_[kHidden]);
        if (op_.cell_type() == CellType::gru && port.index == op_.b_port()) {
            text += std::string(" and linear_before_reset is ") +
                    (op_.attributes().linear_before_reset ? "true" : "false");
        }
        return text;
    }

    [[noreturn]] void fail(const Port& port, Extent extent) const {
        std::vector<Dimension> wanted;
        for (const auto& axis : port.axes) wanted.push_back(expected(axis));
        context_.fail(reason(port, extent) + " but " + port.name + " has shape " +
                      to_string(context_.shape(port.index)) + "; expected " +
                      to_string(PartialShape(std::move(wanted))));
    }

    const RecurrentOp& op_;
    const InferContext& context_;
    std::array<Dimension, kExtents> sizes_;
};

void check_attributes(const RecurrentOp& op, const InferContext& context) {
    const auto& attributes = op.attributes();
    context.check(attributes.hidden_size >= 0 && attributes.hidden_size <= kMaxHiddenSize,
                  "hidden_size is " + std::to_string(attributes.hidden_size) + "; expected 1 to " +
                      std::to_string(kMaxHiddenSize));
    context.check(attributes.clip >= 0,
                  "clip is " + attribute_text(attributes.clip) + "; expected 0 (no clip) or more");
    context.check(op.is_sequence() || attributes.direction == Direction::forward,
                  "a cell has no direction; expected 'forward'");
    context.check(!attributes.linear_before_reset || op.cell_type() == CellType::gru,
                  "linear_before_reset is set; only GRU has it");
    context.check(!attributes.input_forget || op.cell_type() == CellType::lstm,
                  "input_forget is set; only LSTM has it");
    op.resolved_activations();
}

void check_lengths_type(const InferContext& context, std::size_t port) {
    const ElementType type = context.type(port);
    context.check(
        type == ElementType::dynamic || type == ElementType::i32 || type == ElementType::i64,
        "lengths has type " + std::string(to_string(type)) + "; expected i32 or i64");
}

// The one floating type of all ports but lengths; dynamic while none is known.
ElementType common_type(const RecurrentOp& op, const InferContext& context,
                        const std::vector<Port>& ports) {
    ElementType common = ElementType::dynamic;
    std::string where;
    for (const auto& port : ports) {
        const ElementType type = context.type(port.index);
        if (port.index == op.lengths_port() || type == ElementType::dynamic) continue;
        const std::string got = port.name + " has type " + std::string(to_string(type));
        context.check(is_floating(type), got + "; expected f64, f32, f16 or bf16");
        context.check(
            common == ElementType::dynamic || type == common,
            got + "; expected " + std::string(to_string(common)) + " as " + where + " has");
        if (common == ElementType::dynamic) where = port.name;
        common = type;
    }
    return common;
}

void check_known_lengths(const RecurrentOp& op, const InferContext& context,
                         const Dimension& time) {
    if (const auto lengths = context.ints(op.lengths_port())) {
        op.check_lengths(*lengths, time.max());
    }
}

}  // namespace

void RecurrentOp::infer(InferContext& context) const {
    const bool lstm = cell_type() == CellType::lstm;
    const std::size_t required = b_port() + 1;
    context.check_input_count(required, required + (lstm ? 1 : 0));
    check_attributes(*this, context);
    const auto ports = ports_of(*this, context.input_count() > required);
    const ElementType type = common_type(*this, context, ports);
    SizeFinder sizes(*this, context);
    // R first: a wrong hidden_size contradicts R above all.
    for (const auto& port : ports) {
        if (port.index == r_port()) sizes.add(port);
    }
    for (const auto& port : ports) sizes.add(port);

    std::size_t output = 0;
    PartialShape state = {sizes[kBatch], sizes[kHidden]};
    if (is_sequence()) {
        check_lengths_type(context, lengths_port());
        check_known_lengths(*this, context, sizes[kTime]);
        state = {sizes[kBatch], sizes[kDirections], sizes[kHidden]};
        context.set_output(output++, type,
                           {sizes[kBatch], sizes[kDirections], sizes[kTime], sizes[kHidden]});
    }
    context.set_output(output++, type, state);
    if (lstm) context.set_output(output, type, state);
}

}  // namespace rondo::ops
