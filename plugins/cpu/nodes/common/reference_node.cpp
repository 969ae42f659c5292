#include "plugins/cpu/nodes/common/reference_node.hpp"

#include <cstring>

#include "core/ops/reference/evaluate.hpp"
#include "core/support/check.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

class ReferenceCall final : public Call {
public:
    ReferenceCall(const Node& node, const CallSite& site)
        : node_(node),
          evaluator_(reference::find_evaluator(node.op_type())),
          inputs_(site.inputs.begin(), site.inputs.end()),
          outputs_(site.outputs.begin(), site.outputs.end()) {
        internal_check(evaluator_ != nullptr, "a node without evaluator got past compile()");
    }

    void run(const RunArgs& args) const override {
        std::vector<Tensor> inputs;
        std::vector<Tensor> outputs;
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            inputs.push_back(borrow(inputs_[i], args.inputs[i]));
        }
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            outputs.push_back(borrow(outputs_[i], args.outputs[i]));
            // Evaluators expect new tensors, which are zeroed.
            if (outputs[i].size() > 0) std::memset(outputs[i].data(), 0, outputs[i].byte_size());
        }
        evaluator_(node_, inputs, outputs);
    }

    std::string detail() const override { return "reference"; }

private:
    static Tensor borrow(const TensorInfo& info, const void* data) {
        return Tensor(info.type, info.shape, const_cast<void*>(data));
    }

    const Node& node_;
    reference::Evaluator evaluator_;
    std::vector<TensorInfo> inputs_;
    std::vector<TensorInfo> outputs_;
};

class ReferenceNode final : public CpuNode {
public:
    using CpuNode::CpuNode;
    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        return make_reference_call(node(), site);
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_reference_node(const Node& node, std::string reason) {
    if (reference::find_evaluator(node.op_type()) == nullptr) {
        throw UnsupportedError(describe(node) + ": the CPU device can't run this op (" +
                               std::string(node.op_type().opset_name()) +
                               "): it has neither a kernel nor a reference evaluator");
    }
    return std::make_unique<ReferenceNode>(node, "reference", std::move(reason));
}

std::unique_ptr<Call> make_reference_call(const Node& node, const CallSite& site) {
    return std::make_unique<ReferenceCall>(node, site);
}

}  // namespace rondo::cpu
