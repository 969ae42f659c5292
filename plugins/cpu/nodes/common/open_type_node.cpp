#include "plugins/cpu/nodes/common/open_type_node.hpp"

#include "core/ops/source/parameter.hpp"

namespace rondo::cpu {
namespace {

// Keeps what the call refers to.
class OwningCall final : public Call {
public:
    OwningCall(std::shared_ptr<const Node> op, std::unique_ptr<CpuNode> node, const CallSite& site)
        : op_(std::move(op)), node_(std::move(node)), call_(node_->prepare(site)) {}

    void run(const RunArgs& args) const override { call_->run(args); }
    std::size_t scratch_bytes() const override { return call_->scratch_bytes(); }
    std::optional<View> view(std::size_t output) const override { return call_->view(output); }
    std::string detail() const override { return call_->detail(); }
    std::string reason() const override { return call_->reason(); }

private:
    std::shared_ptr<const Node> op_;
    std::unique_ptr<CpuNode> node_;
    std::unique_ptr<Call> call_;
};

class OpenTypeNode final : public CpuNode {
public:
    OpenTypeNode(const Node& node, const CompileContext& context, MakeNode make)
        : CpuNode(node, "open", "an element type is open: the kernel is chosen when it is known"),
          context_(context),
          make_(make) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        std::vector<Output> inputs = node().inputs();
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (known_value(inputs[i])) continue;
            inputs[i] =
                make_node<ops::Parameter>(site.inputs[i].type, PartialShape(site.inputs[i].shape));
        }
        const NodePtr op = node().clone_with(std::move(inputs));
        op->set_name(node().name());
        op->validate();
        return std::make_unique<OwningCall>(op, make_(*op, context_), site);
    }

private:
    CompileContext context_;
    MakeNode make_;
};

}  // namespace

bool has_open_type(const Node& node) {
    for (const auto& input : node.inputs()) {
        if (input.element_type() == ElementType::dynamic) return true;
    }
    for (std::size_t i = 0; i < node.output_count(); ++i) {
        if (node.output_type(i) == ElementType::dynamic) return true;
    }
    return false;
}

std::unique_ptr<CpuNode> make_open_type_node(const Node& node, const CompileContext& context,
                                             MakeNode make) {
    return std::make_unique<OpenTypeNode>(node, context, make);
}

}  // namespace rondo::cpu
