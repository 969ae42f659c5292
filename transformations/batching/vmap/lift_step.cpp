#include "transformations/batching/vmap/lift_step.hpp"

#include <utility>

#include "core/graph/constants.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "rondo/error.hpp"

namespace rondo::passes {

bool LiftStep::is_single(std::size_t input) const {
    return rank(input) > 0 && shape(input)[0] == Dimension(1);
}

const Output& LiftStep::plain(std::size_t input) const {
    if (has_rows(input)) fail("its input " + std::to_string(input) + " differs between the rows");
    return inputs[input]->plain;
}

std::vector<std::int64_t> LiftStep::constant(std::size_t input) const {
    const auto ints = constant_ints(plain(input));
    if (!ints) fail("its input " + std::to_string(input) + " isn't constant");
    return *ints;
}

NodePtr LiftStep::clone(std::vector<Output> others) const {
    return forms.rewriter().clone(*node, std::move(others));
}

Output LiftStep::ints_like(std::size_t input, const std::vector<std::int64_t>& values) const {
    if (rank(input) > 0) return ints(values);
    return forms.rewriter().make_scalar(node->name() + "/rows", values.at(0));
}

Output LiftStep::widened(std::size_t input, std::size_t count) const {
    if (count == 0) return apart(input);
    std::vector<std::int64_t> axes;
    for (std::size_t i = 1; i <= count; ++i) axes.push_back(static_cast<std::int64_t>(i));
    return make<ops::Unsqueeze>("wide", apart(input), ints(axes));
}

void LiftStep::fail(const std::string& why) const {
    throw UnsupportedError("no batch axis can be added: " + describe(*node) + ": " + why);
}

std::vector<std::int64_t> behind(std::vector<std::int64_t> axes) {
    for (std::int64_t& axis : axes) axis = behind(axis);
    return axes;
}

}  // namespace rondo::passes
