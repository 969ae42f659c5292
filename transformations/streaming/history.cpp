#include "transformations/streaming/history.hpp"

#include <cmath>
#include <limits>

#include "core/ops/elementwise/convert.hpp"
#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "core/ops/source/constant.hpp"
#include "transformations/shapes/extents.hpp"

namespace rondo::passes {
namespace {

// A scalar of any type.
Tensor scalar_of(double number, ElementType type) {
    Tensor value(ElementType::f64, {});
    *value.data<double>() = number;
    const auto source = make_node<ops::Constant>(value);
    return reference::evaluate(*make_node<ops::Convert>(source, type), {{value}}).front();
}

bool is_plain_zero(double number) { return number == 0 && !std::signbit(number); }

}  // namespace

std::vector<Output> splat_like(TimeWalk& walk, const std::string& name, const Output& like,
                               const PartialShape& shape, double number) {
    if (shape.is_static() && is_plain_zero(number)) return {};
    std::vector<ShapeElement> elements;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        elements.push_back(shape[i].is_static() ? ShapeElement{shape[i].length()}
                                                : extent_element(like, i));
    }
    Rewriter& rewriter = walk.rewriter();
    const Output target = make_shape(rewriter, elements, name + "/shape");
    const Output value =
        rewriter.make_constant(name + "/value", scalar_of(number, like.element_type()));
    return {rewriter.make<ops::Broadcast>(name + "/init", value, target)};
}

Output slice_frames(TimeWalk& walk, const std::string& name, const Output& data, std::size_t axis,
                    std::int64_t start, std::int64_t stop) {
    Rewriter& rewriter = walk.rewriter();
    const std::int64_t end = stop == 0 ? std::numeric_limits<std::int64_t>::max() : stop;
    return rewriter.make<ops::Slice>(
        name, data, rewriter.make_ints(name + "/start", {start}),
        rewriter.make_ints(name + "/stop", {end}), rewriter.make_ints(name + "/step", {1}),
        rewriter.make_ints(name + "/axes", {static_cast<std::int64_t>(axis)}));
}

Output with_history(TimeWalk& walk, const std::string& name, const Output& data, std::int64_t count,
                    const FirstFrames& first) {
    TimeFact fact = walk.fact(data);
    if (count == 0) return data;
    PartialShape shape = data.shape();
    shape[fact.axis] = count;
    const std::string id = name + "/history";
    const auto init = first.value ? std::vector<Output>{first.value}
                                  : splat_like(walk, id, data, shape, first.number);
    const Output before = walk.add_variable(id, init, data, shape);
    const Output joined = walk.rewriter().make<ops::Concat>(
        id + "/joined", std::vector<Output>{before, data}, static_cast<std::int64_t>(fact.axis));
    walk.assign(before, slice_frames(walk, id + "/next", joined, fact.axis, -count - fact.extra,
                                     -fact.extra));
    fact.extra += count;
    walk.set(joined, fact);
    return joined;
}

}  // namespace rondo::passes
