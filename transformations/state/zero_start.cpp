#include "transformations/state/zero_start.hpp"

#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/source/constant.hpp"
#include "core/ops/source/shape_of.hpp"

namespace rondo::passes {
namespace {

// The extent as a vector of one i64.
Output make_extent(Rewriter& rewriter, const std::string& name, const ShapeElement& extent) {
    if (extent.number) return rewriter.make_ints(name + "/extent", {*extent.number});
    const Output shape = rewriter.make<ops::ShapeOf>(name + "/shape", extent.tensor);
    const Output index =
        rewriter.make_ints(name + "/index", {static_cast<std::int64_t>(extent.axis)});
    const Output axis = rewriter.make_constant(name + "/axis", Tensor(ElementType::i64, {}));
    return rewriter.make<ops::Gather>(name + "/extent", shape, index, axis);
}

}  // namespace

Output make_zeros(Rewriter& rewriter, const std::string& name, ElementType type,
                  const std::vector<ShapeElement>& extents) {
    std::vector<Output> parts;
    for (const ShapeElement& extent : extents) {
        parts.push_back(make_extent(rewriter, name, extent));
    }
    const Output zero = rewriter.make_constant(name + "/zero", Tensor(type, {}));
    const Output shape = rewriter.make<ops::Concat>(name + "/init_shape", parts, 0);
    return rewriter.make<ops::Broadcast>(name + "/init", zero, shape);
}

}  // namespace rondo::passes
