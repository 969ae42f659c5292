// The places of the elements that aren't 0.
#include "core/ops/indexing/indexing_ops.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/support/visit_type.hpp"

namespace rondo::ops {
namespace {

template <typename T>
bool is_non_zero(T element) {
    if constexpr (std::is_arithmetic_v<T>) {
        return element != 0;
    } else {
        return static_cast<float>(element) != 0;
    }
}

Dimension count_of(const InferContext& context) {
    const PartialShape& data = context.shape(0);
    if (const Tensor& value = context.value(0)) {
        const auto found = are_non_zero(value);
        return {std::count(found.begin(), found.end(), true)};
    }
    if (!data.has_rank()) return {};
    for (const Dimension& extent : data.dimensions()) {
        if (extent.max() == Dimension::kInfinity) return {};
    }
    return {0, multiply_extents(context, data.dimensions()).max()};
}

}  // namespace

std::vector<bool> are_non_zero(const Tensor& data) {
    std::vector<bool> found(data.size());
    const ElementType type = data.element_type();
    // A boolean's byte in a caller's memory may hold anything.
    visit_type(type == ElementType::boolean ? ElementType::u8 : type, [&](auto tag) {
        const auto* from = static_cast<const tag_type<decltype(tag)>*>(data.data());
        std::transform(from, from + found.size(), found.begin(),
                       [](auto element) { return is_non_zero(element); });
    });
    return found;
}

void NonZero::infer(InferContext& context) const {
    context.check_input_count(1, 1);
    context.check(
        output_type_ == ElementType::i64 || output_type_ == ElementType::i32,
        "output_type is " + std::string(to_string(output_type_)) + "; expected i64 or i32");
    Dimension rank;
    if (context.shape(0).has_rank()) rank = static_cast<std::int64_t>(context.shape(0).rank());
    context.set_output(0, output_type_, PartialShape{rank, count_of(context)});
}

}  // namespace rondo::ops
