// Ops that name their axes: with a new axis 0 they name the axes after it.

#include <utility>

#include "transformations/analysis/named_axes.hpp"
#include "transformations/batching/vmap/lift_step.hpp"

namespace rondo::passes {
namespace {

std::vector<std::int64_t> axes_of(const LiftStep& step, std::size_t input) {
    if (input < step.inputs.size()) return step.constant(input);
    const auto axes = written_axes(*step.node);
    if (!axes) step.fail("the number of its axes isn't known");
    return *axes;
}

}  // namespace

std::optional<LiftedValues> lift_named_axes(const LiftStep& step) {
    const OpTraits traits = step.node->traits();
    const std::size_t axes_input = traits.axes_input;
    if (axes_input == OpTraits::kNoInput && step.node->axis_attribute() == nullptr) return {};
    std::vector<Output> inputs;
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        inputs.push_back(i < traits.inputs_with_axes ? step.apart(i) : step.plain(i));
    }
    return apart_outputs(make_with_axes(step.forms.rewriter(), *step.node, std::move(inputs),
                                        behind(axes_of(step, axes_input))));
}

}  // namespace rondo::passes
