#include "transformations/streaming/history.hpp"

#include <cmath>
#include <limits>

#include "core/ops/movement/movement_ops.hpp"
#include "transformations/analysis/make_shape.hpp"
#include "transformations/pass/formula.hpp"

namespace rondo::passes {
namespace {

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
    Formula by(rewriter, name + "/init");
    return {by.broadcast(by.number(like.element_type(), number), target)};
}

Output slice_frames(TimeWalk& walk, const std::string& name, const Output& data, std::size_t axis,
                    std::int64_t start, std::int64_t stop) {
    const std::int64_t end = stop == 0 ? std::numeric_limits<std::int64_t>::max() : stop;
    return Formula(walk.rewriter(), name).slice(data, static_cast<std::int64_t>(axis), start, end);
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
