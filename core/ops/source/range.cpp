// Numbers at equal distances.
#include "core/ops/source/source_ops.hpp"

#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/families.hpp"

namespace rondo::ops {
namespace {

constexpr const char* kNames[] = {"start", "stop", "step"};

void check_input(const InferContext& context, std::size_t input, ElementType output_type) {
    const std::string name = kNames[input];
    const ElementType type = context.type(input);
    check_type(context, TypeRule::number, type, name + " is");
    if (is_integral(output_type) && is_floating(type)) {
        context.refuse(name + " is " + std::string(to_string(type)) + ", but the output " +
                       std::string(to_string(output_type)) + "; expected integers");
    }
    const PartialShape& shape = context.shape(input);
    const bool is_one =
        !shape.has_rank() || shape.rank() == 0 || (shape.rank() == 1 && shape[0].contains(1));
    context.check(is_one, name + " has shape " + to_string(shape) + "; expected one element");
}

Dimension length_of(const InferContext& context) {
    const Tensor& start = context.value(0);
    const Tensor& stop = context.value(1);
    const Tensor& step = context.value(2);
    if (!start || !stop || !step) return {};
    const RangeLength found =
        range_length(range_numbers({context.type(0), context.type(1), context.type(2)},
                                   start.data(), stop.data(), step.data()));
    context.check(found.fault == nullptr, found.fault == nullptr ? "" : found.fault);
    return {found.length};
}

}  // namespace

RangeNumbers range_numbers(const RangeTypes& types, const void* start, const void* stop,
                           const void* step) {
    return {range_number(types.start, start), range_number(types.stop, stop),
            range_number(types.step, step)};
}

void Range::infer(InferContext& context) const {
    context.check_input_count(3, 3);
    check_type(context, TypeRule::number, output_type_, "output_type is");
    for (std::size_t i = 0; i < 3; ++i) check_input(context, i, output_type_);
    context.set_output(0, output_type_, PartialShape{length_of(context)});
}

}  // namespace rondo::ops
