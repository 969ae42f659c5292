#include "tests/unit/plugins/cpu/nodes/op_runs.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/ops/reference/evaluate.hpp"
#include "core/ops/source/source_ops.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/nodes/node_list.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

using cpu::CallSite;
using cpu::TensorInfo;

Tensor value_of(const SampleInput& input, ElementType type, Rng& rng) {
    switch (input.kind) {
        case SampleInput::Kind::integers: return tensor_of<std::int64_t>(input.shape, input.values);
        case SampleInput::Kind::booleans:
            return random_tensor(ElementType::boolean, input.shape, rng);
        case SampleInput::Kind::data: break;
    }
    const bool is_unsigned = type == ElementType::u64 || type == ElementType::u32 ||
                             type == ElementType::u16 || type == ElementType::u8;
    return random_tensor(type, input.shape, rng, is_unsigned ? std::max(input.lo, 0.0) : input.lo,
                         input.hi);
}

}  // namespace

bool computes(std::string_view op) {
    if (op == "If" || op == "Loop" || op == "TensorIterator") return false;
    return op != "Assign" && op != "Const" && op != "Parameter" && op != "ReadValue" &&
           op != "Result";
}

std::vector<Tensor> values_of(const OpSample& sample, ElementType type) {
    auto rng = test_rng();
    std::vector<Tensor> values;
    for (const auto& input : sample.inputs) values.push_back(value_of(input, type, rng));
    return values;
}

NodePtr make_op(const ops::OpEntry& entry, const OpSample& sample,
                const std::vector<Tensor>& values, bool is_open) {
    const NodePtr node = entry.make();
    std::vector<Output> inputs;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (sample.inputs[i].is_known) {
            inputs.push_back(make_node<ops::Constant>(values[i]));
        } else {
            const bool opens = is_open && sample.inputs[i].kind == SampleInput::Kind::data;
            inputs.push_back(
                make_node<ops::Parameter>(opens ? ElementType::dynamic : values[i].element_type(),
                                          PartialShape(values[i].shape())));
        }
    }
    node->set_inputs(std::move(inputs));
    node->set_name("n");
    read_attributes(*node, sample.attributes);
    node->validate();
    return node;
}

const ops::OpEntry* entry_of(const OpSample& sample) {
    const ops::OpEntry* standard = ops::find_op(sample.op, "opset15");
    return standard != nullptr ? standard : ops::find_op(sample.op, kRondoOpset);
}

std::vector<Tensor> run_on_cpu(const Node& node, const OpSample& sample,
                               const std::vector<Tensor>& values, cpu::Isa isa) {
    return run_kernel(*cpu::make_cpu_node(node, {isa}), node, sample, values);
}

std::vector<Tensor> run_kernel(const cpu::CpuNode& kernel, const Node& node, const OpSample& sample,
                               const std::vector<Tensor>& values) {
    std::vector<TensorInfo> inputs, outputs;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Tensor known = sample.inputs[i].is_known ? values[i] : Tensor();
        inputs.push_back({values[i].element_type(), values[i].shape(), known, true});
    }
    std::vector<Tensor> results;
    for (const auto& [type, shape] : reference::infer_outputs(node, values)) {
        outputs.push_back({type, shape, {}, true});
        results.emplace_back(type, shape);
    }
    const auto call = kernel.prepare({inputs, outputs, 1});
    cpu::AlignedBytes scratch(call->scratch_bytes() + 1);
    std::vector<const void*> from;
    std::vector<void*> to;
    for (const auto& value : values) from.push_back(value.data());
    for (auto& result : results) to.push_back(result.data());
    cpu::SerialTeam team;
    call->run({from, to, scratch.data(), team});
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto view = call->view(i);
        if (!view) continue;
        std::memcpy(results[i].data(),
                    static_cast<const char*>(from[view->input]) + view->byte_offset,
                    results[i].byte_size());
    }
    return results;
}

double epsilon_of(ElementType type) {
    switch (type) {
        case ElementType::f64: return std::ldexp(1.0, -52);
        case ElementType::f32: return std::ldexp(1.0, -23);
        case ElementType::f16: return std::ldexp(1.0, -10);
        case ElementType::bf16: return std::ldexp(1.0, -7);
        default: return 0;
    }
}

bool is_about_types(const Error& error) {
    const std::string message = error.what();
    const auto has = [&](const char* word) { return message.find(word) != std::string::npos; };
    return has("expected") && (has("type") || has("boolean") || has("number") || has("float"));
}

}  // namespace rondo::test
