#include "plugins/cpu/nodes/recurrent/recurrent_config.hpp"

#include <algorithm>

#include "core/graph/rt_info_keys.hpp"
#include "core/support/errors.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/recurrent/shared_gate.hpp"
#include "plugins/cpu/ops/default_input.hpp"
#include "transformations/recurrent/stored_weights.hpp"

namespace rondo::cpu {
namespace {

Tensor constant_of(const ops::RecurrentOp& op, std::size_t port) {
    return known_value(op.input(port)).contiguous();
}

// The strides of a state [D,N,H], where `args` has those of [N,D,H].
StateStrides directions_first(const SequenceArgs& args) {
    const std::int64_t hidden = args.y_time_stride;
    return {hidden, args.batch * hidden};
}

// Rows have as many bits as the model allows.
WeightFormat format_of(const ops::RecurrentOp& op, const Tensor& weights) {
    if (weights.element_type() != ElementType::i8) return weights.element_type();
    const auto mark = op.rt_info().find(kDynamicQuantization);
    const bool words = mark != op.rt_info().end() && mark->second == kRowsOf16Bits;
    return words ? kW8R16 : kW8R8;
}

}  // namespace

SequenceConfig sequence_config(const ops::RecurrentOp& op, const LayerSizes& sizes) {
    SequenceConfig config;
    config.direction = op.attributes().direction;
    config.data = op.output_type(0);
    config.input_weights = config.data;
    for (const auto& functions : op.resolved_activations()) {
        internal_check(!functions.empty(), "a recurrent op without activation functions");
        CellConfig cell = default_cell(op.cell_kind(), sizes.input, sizes.hidden);
        cell.f = functions[0];
        if (functions.size() > 1) cell.g = functions[1];
        if (functions.size() > 2) cell.h = functions[2];
        cell.clip = op.attributes().clip;
        cell.input_forget = op.attributes().input_forget;
        cell.peephole = op.p_port() != ops::RecurrentOp::npos;
        cell.weights = config.data;
        config.cells.push_back(cell);
    }
    return config;
}

SequenceArgs sequence_args(const ops::RecurrentOp& op, const SequenceConfig& config,
                           const Shape& x) {
    const auto time = op.is_sequence() ? static_cast<std::int64_t>(x[1]) : 1;
    return dense_args(config, static_cast<std::int64_t>(x[0]), time);
}

SequenceArgs sequence_args(const SequenceOrder& order, const SequenceConfig& config,
                           const Shape& x) {
    const std::size_t n = order.x[0], t = order.x[1];
    SequenceArgs args =
        dense_args(config, static_cast<std::int64_t>(x[n]), static_cast<std::int64_t>(x[t]));
    const Strides of_x = dense_strides(x, 1);
    args.x_batch_stride = of_x[n];
    args.x_time_stride = of_x[t];
    const auto hidden = static_cast<std::size_t>(config.cells[0].hidden_size);
    const Shape y{x[n], config.cells.size(), x[t], hidden};
    if (order.first[0] == 1) args.first = directions_first(args);
    if (order.last[0] == 1) args.last = directions_first(args);
    Shape outside;
    for (const std::size_t axis : order.y) outside.push_back(y[axis]);
    const Strides of_outside = dense_strides(outside, 1);
    std::int64_t* const strides[] = {&args.y_batch_stride, &args.y_direction_stride,
                                     &args.y_time_stride};
    for (std::size_t i = 0; i + 1 < order.y.size(); ++i) *strides[order.y[i]] = of_outside[i];
    return args;
}

ConstantLayer::ConstantLayer(const ops::RecurrentOp& op, const CompileContext& context)
    : w_(passes::stored_weights(op, op.w_port()).contiguous()),
      r_(passes::stored_weights(op, op.r_port()).contiguous()),
      b_(constant_of(op, op.b_port())),
      w_scales_(passes::scales_of_weights(op, op.w_port())),
      r_scales_(passes::scales_of_weights(op, op.r_port())),
      config_(sequence_config(op, {static_cast<std::int64_t>(w_.shape().back()),
                                   static_cast<std::int64_t>(r_.shape().back())})) {
    if (op.p_port() != ops::RecurrentOp::npos) p_ = constant_of(op, op.p_port());
    config_.input_weights = format_of(op, w_);
    drop_reset_gate(op);
    for (CellConfig& cell : config_.cells) cell.weights = format_of(op, r_);
    if (!context.bf16 || !can_round()) return;
    for (Tensor* weights : {&w_, &r_}) *weights = rounded_to_bf16(*weights);
    config_.input_weights = kBf16;
    for (CellConfig& cell : config_.cells) cell.weights = kBf16;
}

// Layers of floating types but f64.
bool ConstantLayer::can_round() const {
    const CellConfig& cell = config_.cells[0];
    return precision_of(config_.data) == Precision::f32 && !cell.weights.rounds_rows() &&
           std::max(cell.input_size, cell.hidden_size) <= kMaxQuantized;
}

// r needs no sum of its own where that is z's, or, for sigmoids, its negative.
void ConstantLayer::drop_reset_gate(const ops::RecurrentOp& op) {
    if (op.cell_kind() != CellKind::gru || r_scales_) return;
    const std::size_t gates = op.is_sequence() ? 1 : 0;
    const auto shares = [&](bool negative) {
        return has_shared_sum(w_, gates, negative) && has_shared_sum(r_, gates, negative) &&
               has_shared_sum(b_, gates, negative);
    };
    const bool is_same = shares(false);
    const auto& cells = config_.cells;
    const bool are_sigmoids = std::all_of(cells.begin(), cells.end(), [](const CellConfig& cell) {
        return cell.f.kind == ActivationKind::sigmoid;
    });
    if (!is_same && !(are_sigmoids && shares(true))) return;
    for (Tensor* weights : {&w_, &r_, &b_}) *weights = without_reset_gate(*weights, gates);
    for (CellConfig& cell : config_.cells) {
        cell.reset = is_same ? ResetSum::of_z : ResetSum::negative_of_z;
    }
}

SequenceWeights ConstantLayer::weights() const {
    const auto scales = [](const Tensor& of) { return of ? of.data<float>() : nullptr; };
    return {w_.data(),         r_.data(),        b_.data(), p_ ? p_.data() : nullptr,
            scales(w_scales_), scales(r_scales_)};
}

std::vector<ReadPort> packed_ports(const ops::RecurrentOp& op) {
    std::vector<ReadPort> ports;
    for (std::size_t i = op.w_port(); i < op.inputs().size(); ++i) ports.push_back({&op, i});
    return ports;
}

std::string strategy_text(const StrategyChoice& choice) {
    const std::string slices = choice.slices > 1 ? " " + std::to_string(choice.slices) : "";
    return to_string(choice.strategy) + slices;
}

std::string with_data_note(const ops::RecurrentOp& op, std::string reason) {
    const ElementType data = op.input(op.x_port()).element_type();
    if (size_of(data) != 2) return reason;
    return reason + "; " + std::string(to_string(data)) + " data is widened to f32 on the way";
}

SequenceLengths::SequenceLengths(const ops::RecurrentOp& op, const TensorInfo& lengths,
                                 std::int64_t batch, std::int64_t time)
    : op_(op), batch_(batch), time_(time), type_(lengths.type) {
    if (is_default(lengths.shape)) full_ = true;
    if (full_ || !lengths.value) return;
    // Known before the run: a batch without padding needs no lengths at all.
    const auto values = to_int64_vector(lengths.value);
    op.check_lengths(values, time);
    full_ = std::all_of(values.begin(), values.end(), [&](auto v) { return v == time; });
}

std::size_t SequenceLengths::scratch_bytes() const {
    return needs_widening() ? whole_lines(static_cast<std::size_t>(batch_) * 8) : 0;
}

const std::int64_t* SequenceLengths::read(const void* data, void* scratch) const {
    if (full_) return nullptr;
    const auto* lengths = static_cast<const std::int64_t*>(data);
    if (needs_widening()) {
        auto* wide = static_cast<std::int64_t*>(scratch);
        std::copy_n(static_cast<const std::int32_t*>(data), batch_, wide);
        lengths = wide;
    }
    op_.check_lengths({lengths, static_cast<std::size_t>(batch_)}, time_);
    const bool full =
        std::all_of(lengths, lengths + batch_, [&](std::int64_t v) { return v == time_; });
    return full ? nullptr : lengths;
}

}  // namespace rondo::cpu
