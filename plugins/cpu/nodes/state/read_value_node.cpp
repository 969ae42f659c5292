// ReadValue: the init input of a variable.
#include "plugins/cpu/nodes/state/makers.hpp"

namespace rondo::cpu {
namespace {

// The plan reads a variable in place; this is called only if it starts from its init input.
class ReadValueNode final : public CpuNode {
public:
    explicit ReadValueNode(const Node& node)
        : CpuNode(node, "variable", "read in place: the request keeps it between inferences") {}

    std::unique_ptr<Call> prepare(const CallSite&) const override {
        return std::make_unique<ViewCall>(std::vector<View>{{0, 0}});
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_read_value_node(const Node& node, const CompileContext&) {
    return std::make_unique<ReadValueNode>(node);
}

}  // namespace rondo::cpu
