// ShapeOf: the shape is known when the call is made.
#include "core/ops/source/shape_of.hpp"

#include "plugins/cpu/nodes/common/fill_call.hpp"
#include "plugins/cpu/nodes/source/makers.hpp"

namespace rondo::cpu {
namespace {

class ShapeOfNode final : public CpuNode {
public:
    explicit ShapeOfNode(const Node& node)
        : CpuNode(node, "shape", "known when shapes are: no elements are read") {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        return make_value_call(ops::shape_tensor(site.inputs[0].shape, site.outputs[0].type));
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_shape_of_node(const Node& node, const CompileContext&) {
    return std::make_unique<ShapeOfNode>(node);
}

}  // namespace rondo::cpu
