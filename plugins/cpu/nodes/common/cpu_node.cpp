#include "plugins/cpu/nodes/common/cpu_node.hpp"

#include "core/support/errors.hpp"

namespace rondo::cpu {
namespace {

class FunctionNode final : public CpuNode {
public:
    FunctionNode(const Node& node, NodeFacts facts, PrepareCall prepare, MakeExtentFinder finder)
        : CpuNode(node, std::move(facts.kernel_name), std::move(facts.reason)),
          outlook_(std::move(facts.outlook)),
          skips_outputs_(facts.skips_outputs),
          prepare_(std::move(prepare)),
          finder_(std::move(finder)) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override { return prepare_(site); }
    ExtentFinder make_extent_finder(std::span<const TensorInfo* const> inputs) const override {
        return finder_ ? finder_(inputs) : ExtentFinder();
    }
    bool may_skip_output(std::size_t) const override { return skips_outputs_; }
    std::string outlook(int) const override { return outlook_; }

private:
    std::string outlook_;
    bool skips_outputs_;
    PrepareCall prepare_;
    MakeExtentFinder finder_;
};

}  // namespace

std::unique_ptr<CpuNode> make_function_node(const Node& node, NodeFacts facts, PrepareCall prepare,
                                            MakeExtentFinder finder) {
    return std::make_unique<FunctionNode>(node, std::move(facts), std::move(prepare),
                                          std::move(finder));
}

void CpuNode::show_parts() {
    const auto* fused = dynamic_cast<const FusedOp*>(&node_);
    if (fused == nullptr) return;
    first_ = fused->parts().front().op.get();
    for (const FusedPart& part : std::span(fused->parts()).subspan(1)) {
        add_part({*part.op, kernel_name_});
    }
}

InferredNode CpuNode::infer(std::span<const TensorInfo* const> inputs) const {
    InferContext context = context_of(node_, inputs);
    node_.check_and_infer(context);
    internal_check(context.outputs().size() >= node_.output_count(), "an output wasn't inferred");
    InferredNode inferred{{}, context.missing_values()};
    std::vector<TensorInfo> outputs;
    outputs.reserve(context.outputs().size());
    inferred.types.reserve(context.outputs().size());
    for (const auto& output : context.outputs()) inferred.types.push_back(output.type);
    for (const auto& output : context.outputs()) {
        if (!output.shape.is_static() || output.type == ElementType::dynamic) return inferred;
        outputs.push_back({output.type, output.shape.to_shape(), {}, true});
    }
    inferred.outputs = std::move(outputs);
    return inferred;
}

InferContext context_of(const Node& node, std::span<const TensorInfo* const> inputs) {
    std::vector<InferInput> seen;
    seen.reserve(inputs.size());
    for (const auto* input : inputs) seen.push_back({input->type, input->shape, input->value});
    return InferContext(node, std::move(seen));
}

InferContext context_of(const Node& node, const CallSite& site) {
    std::vector<const TensorInfo*> inputs;
    inputs.reserve(site.inputs.size());
    for (const auto& input : site.inputs) inputs.push_back(&input);
    return context_of(node, inputs);
}

std::string kernel_suffix(Isa isa, ElementType type) {
    return std::string(name_of(isa)) + "_" + std::string(to_string(type));
}

}  // namespace rondo::cpu
