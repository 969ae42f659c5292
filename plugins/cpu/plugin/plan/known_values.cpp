// Computes, while planning, outputs whose elements follow from shapes and constants alone.
#include "plugins/cpu/plugin/plan/program.hpp"

#include <algorithm>
#include <cstring>

#include "core/ops/reference/evaluate.hpp"
#include "core/support/errors.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/ops/compressed_matrix.hpp"
#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {
namespace {

// Shape arithmetic and initial states are small; larger values are left to the run.
constexpr std::size_t kLargestKnownValue = 1 << 22;

using Infos = std::span<const TensorInfo* const>;

// For ops that read shapes only and for packed weights; the elements are never read.
Tensor stand_in(const TensorInfo& input) {
    static char nowhere = 0;
    return Tensor(input.type, input.shape, static_cast<void*>(&nowhere));
}

std::size_t bytes_of(const TensorInfo& info) {
    return element_count(info.shape) * size_of(info.type);
}

// Throws ModelError naming the node where there are more elements than a tensor may have.
bool is_small(const Node& node, std::span<const TensorInfo> outputs) {
    std::size_t bytes = 0;
    at_place([&] { return describe(node); },
             [&] {
                 for (const TensorInfo& output : outputs) bytes += bytes_of(output);
             });
    return bytes <= kLargestKnownValue;
}

// Whether the reference may round a number otherwise than the kernel.
bool may_round(const Node& node, std::span<const TensorInfo> outputs) {
    return !node.traits().moves_elements && std::ranges::any_of(outputs, [](const TensorInfo& one) {
        return is_floating(one.type);
    });
}

// Ops without an evaluator replace other ops, and their outputs may be no plain numbers.
bool has_evaluator(const Node& node) {
    if (as_op<CompressedMatrix>(node) != nullptr) return false;
    if (const auto* fused = dynamic_cast<const FusedOp*>(&node)) return fused->has_evaluators();
    return reference::find_evaluator(node.op_type()) != nullptr;
}

void evaluate(const Node& node, std::span<const Tensor> values, std::span<Tensor> results) {
    if (const auto* fused = dynamic_cast<const FusedOp*>(&node)) {
        fused->evaluate(values, results);
    } else {
        reference::find_evaluator(node.op_type())(node, values, results);
    }
}

void run_kernel(const CpuNode& kernel, std::span<const Tensor> values,
                std::span<const TensorInfo> outputs, std::span<Tensor> results) {
    std::vector<TensorInfo> inputs;
    std::vector<const void*> read;
    for (const Tensor& value : values) {
        inputs.push_back({value.element_type(), value.shape(), value, true});
        read.push_back(value.data());
    }
    const auto call = kernel.prepare({inputs, outputs, 1});
    std::vector<void*> written;
    for (Tensor& result : results) written.push_back(result.data());
    AlignedBytes scratch(call->scratch_bytes());
    SerialTeam team;
    call->run({read, written, scratch.data(), team});
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto view = call->view(i);
        if (!view || bytes_of(outputs[i]) == 0) continue;
        std::memcpy(written[i], static_cast<const char*>(read[view->input]) + view->byte_offset,
                    bytes_of(outputs[i]));
    }
}

}  // namespace

bool find_values(const Step& step, Infos inputs, std::span<TensorInfo> outputs) {
    const Node& node = step.node();
    if (node.traits().random || !is_small(node, outputs) || !has_evaluator(node)) return false;
    const bool by_kernel = may_round(node, outputs);
    // Calls of ops with bodies need a run around them.
    if (by_kernel && !step.kernel->bodies().empty()) return false;
    std::vector<Tensor> values;
    for (const TensorInfo* input : inputs) {
        const bool is_unread = node.traits().reads_shapes_only || (by_kernel && input->packed);
        if (!input->value && !is_unread) return false;
        values.push_back(input->value ? input->value.contiguous() : stand_in(*input));
    }
    std::vector<Tensor> results;
    for (const TensorInfo& output : outputs) results.emplace_back(output.type, output.shape);
    if (by_kernel) {
        run_kernel(*step.kernel, values, outputs, results);
    } else {
        evaluate(node, values, results);
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i].value = results[i];
    return true;
}

}  // namespace rondo::cpu
