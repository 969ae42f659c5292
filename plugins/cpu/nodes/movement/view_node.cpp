// Reshape, Squeeze and Unsqueeze: views of their input.
#include "plugins/cpu/nodes/movement/makers.hpp"

namespace rondo::cpu {
namespace {

// Reshape, Squeeze, Unsqueeze: the same bytes under another shape.
class ViewNode final : public CpuNode {
public:
    explicit ViewNode(const Node& node)
        : CpuNode(node, "view", "the same elements under another shape") {}

    std::unique_ptr<Call> prepare(const CallSite&) const override {
        return std::make_unique<ViewCall>(std::vector<View>{{0, 0}});
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_view_node(const Node& node, const CompileContext&) {
    return std::make_unique<ViewNode>(node);
}

}  // namespace rondo::cpu
