// Ops that name their axes: with a new axis 0 they name the axes behind.

#include <utility>

#include "core/ops/indexing/gathers.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/split.hpp"
#include "core/ops/reduction/cum_sum.hpp"
#include "core/ops/reduction/normalization.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "core/ops/reduction/top_k.hpp"
#include "core/ops/spectral/fourier.hpp"
#include "transformations/lift/lift_step.hpp"

namespace rondo::passes {
namespace {

bool names_axes_by_input(const Node& node) {
    return as_op<ops::Split>(node) != nullptr || as_op<ops::VariadicSplit>(node) != nullptr ||
           as_op<ops::Reduce>(node) != nullptr || as_op<ops::Mvn>(node) != nullptr ||
           as_op<ops::Cumulation>(node) != nullptr || as_op<ops::Fourier>(node) != nullptr;
}

LiftedValues apart_outputs(const NodePtr& made) {
    LiftedValues outputs;
    for (std::size_t i = 0; i < made->output_count(); ++i) {
        outputs.push_back(LiftedValue::rows_apart(Output(made, i)));
    }
    return outputs;
}

// Input 0 is the data, input 1 the axes; what follows is the same for all rows.
LiftedValues by_input(const LiftStep& step) {
    if (!step.has_rows(0)) step.fail("its input 1 differs between the rows");
    std::vector<Output> inputs{step.apart(0), step.ints_like(1, behind(step.constant(1)))};
    for (std::size_t i = 2; i < step.inputs.size(); ++i) inputs.push_back(step.plain(i));
    return apart_outputs(step.clone(std::move(inputs)));
}

LiftedValues concat(const LiftStep& step, const ops::Concat& node) {
    std::vector<Output> inputs;
    for (std::size_t i = 0; i < step.inputs.size(); ++i) inputs.push_back(step.apart(i));
    return {LiftedValue::rows_apart(
        step.make<ops::Concat>("", std::move(inputs), behind(node.axis())))};
}

LiftedValues softmax(const LiftStep& step, const ops::SoftmaxBase& node) {
    const NodePtr made = step.clone({step.apart(0)});
    dynamic_cast<ops::SoftmaxBase&>(*made).set_axis(behind(node.axis()));
    made->validate();
    return apart_outputs(made);
}

LiftedValues top_k(const LiftStep& step, const ops::TopK& node) {
    ops::TopKAttributes attributes = node.attributes();
    attributes.axis = behind(attributes.axis);
    if (!step.has_rows(0)) step.fail("its number of elements differs between the rows");
    const Output made = step.make<ops::TopK>("", step.apart(0), step.plain(1), attributes);
    return apart_outputs(made.node_ptr());
}

}  // namespace

std::optional<LiftedValues> lift_named_axes(const LiftStep& step) {
    const Node& node = *step.node;
    if (names_axes_by_input(node)) return by_input(step);
    if (const auto* op = as_op<ops::Concat>(node)) return concat(step, *op);
    if (const auto* op = as_op<ops::SoftmaxBase>(node)) return softmax(step, *op);
    if (const auto* op = as_op<ops::TopK>(node)) return top_k(step, *op);
    if (const auto* op = as_op<ops::GatherElements>(node)) {
        return LiftedValues{LiftedValue::rows_apart(
            step.make<ops::GatherElements>("", step.apart(0), step.apart(1), behind(op->axis())))};
    }
    return {};
}

}  // namespace rondo::passes
