// Random numbers of equal probability.
#include "core/ops/source/source_ops.hpp"

#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"

namespace rondo::ops {
namespace {

PartialShape wanted_shape(const InferContext& context) {
    const auto length = vector_length(context, 0, "shape");
    const auto extents = context.ints(0);
    if (!extents) return length ? PartialShape::of_rank(*length) : PartialShape();
    std::vector<Dimension> shape;
    for (const std::int64_t extent : *extents) {
        context.check(extent >= 0, "shape has " + std::to_string(extent) + "; expected extents");
        shape.emplace_back(extent);
    }
    return {std::move(shape)};
}

void check_bound(const InferContext& context, std::size_t input, ElementType output_type,
                 const std::string& what) {
    const ElementType type = context.type(input);
    context.check(type == output_type || type == ElementType::dynamic,
                  what + " is " + std::string(to_string(type)) + "; expected the output's type " +
                      std::string(to_string(output_type)));
    const PartialShape& shape = context.shape(input);
    const bool is_one =
        !shape.has_rank() || shape.rank() == 0 || (shape.rank() == 1 && shape[0].contains(1));
    context.check(is_one, what + " has shape " + to_string(shape) + "; expected one element");
}

}  // namespace

RandomSeed RandomUniform::seed() const {
    if (global_seed_ == 0 && op_seed_ == 0) return fresh_seed();
    return {static_cast<std::uint64_t>(global_seed_), static_cast<std::uint64_t>(op_seed_)};
}

void RandomUniform::infer(InferContext& context) const {
    context.check_input_count(3, 3);
    if (!can_be_random(output_type_)) {
        context.refuse("output_type is " + std::string(to_string(output_type_)) +
                       "; expected a floating type, i64 or i32");
    }
    check_bound(context, 1, output_type_, "the least number");
    check_bound(context, 2, output_type_, "the bound");
    context.set_output(0, output_type_, wanted_shape(context));
}

}  // namespace rondo::ops
