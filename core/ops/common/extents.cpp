#include "core/ops/common/extents.hpp"

#include <algorithm>
#include <string>

#include "core/graph/infer_context.hpp"
#include "core/support/limits.hpp"
#include "core/support/strings.hpp"

namespace rondo::ops {
namespace {

bool is_zero(const Dimension& extent) { return extent.max() == 0; }

}  // namespace

std::int64_t saturating_multiply(std::int64_t a, std::int64_t b) {
    if (a == 0 || b == 0) return 0;
    return a > Dimension::kInfinity / b ? Dimension::kInfinity : a * b;
}

Dimension add_extents(const InferContext& context, const Dimension& a, const Dimension& b) {
    constexpr std::int64_t kInfinity = Dimension::kInfinity;
    if (a.min() >= kInfinity - b.min()) {
        context.fail("the extents " + to_string(a) + " and " + to_string(b) +
                     " add up to too much");
    }
    const std::int64_t max = a.max() >= kInfinity - b.max() ? kInfinity : a.max() + b.max();
    return {a.min() + b.min(), max};
}

std::optional<Dimension> subtract_extent(const Dimension& whole, std::int64_t taken) {
    if (whole.max() < taken) return std::nullopt;
    const bool open = whole.max() == Dimension::kInfinity;
    return Dimension(std::max<std::int64_t>(whole.min() - taken, 0),
                     open ? Dimension::kInfinity : whole.max() - taken);
}

std::optional<Dimension> divide_extent(const Dimension& whole, std::int64_t parts) {
    const std::int64_t min = whole.min() / parts + (whole.min() % parts != 0 ? 1 : 0);
    const bool open = whole.max() == Dimension::kInfinity;
    const std::int64_t max = open ? Dimension::kInfinity : whole.max() / parts;
    if (min > max) return std::nullopt;
    return Dimension(min, max);
}

Dimension multiply_extents(const InferContext& context, const std::vector<Dimension>& extents) {
    if (std::any_of(extents.begin(), extents.end(), is_zero)) return {0};
    std::int64_t min = 1;
    std::int64_t max = 1;
    for (const auto& extent : extents) {
        min = saturating_multiply(min, extent.min());
        max = saturating_multiply(max, extent.max());
    }
    if (min == Dimension::kInfinity) {
        context.fail("a shape " + to_string(PartialShape(extents)) + " has too many elements");
    }
    return {min, max};
}

std::optional<std::size_t> vector_length(const InferContext& context, std::size_t input,
                                         std::string_view what) {
    const ElementType type = context.type(input);
    if (!is_integral(type) && type != ElementType::dynamic) {
        context.fail(std::string(what) + " has type " + std::string(to_string(type)) +
                     "; expected integers");
    }
    const PartialShape& shape = context.shape(input);
    if (!shape.has_rank()) return std::nullopt;
    if (shape.rank() > 1) {
        context.fail(std::string(what) + " has shape " + to_string(shape) +
                     "; expected a vector or a scalar");
    }
    if (shape.rank() == 0) return 1;
    if (!shape[0].is_static()) return std::nullopt;
    const auto length = static_cast<std::size_t>(shape[0].length());
    if (length > kMaxListed) {
        context.refuse(std::string(what) + " has " + counted(length, "element") + "; at most " +
                       std::to_string(kMaxListed) + " are supported");
    }
    return length;
}

std::optional<std::size_t> common_length(const InferContext& context, std::size_t first,
                                         std::span<const char* const> names) {
    std::optional<std::size_t> count;
    for (std::size_t i = first; i < context.input_count(); ++i) {
        const auto length = vector_length(context, i, names[i]);
        if (!length) continue;
        if (count && *count != *length) {
            context.fail(std::string(names[i]) + " has " + counted(*length, "element") +
                         "; expected " + std::to_string(count.value_or(0)) +
                         " as the inputs before it");
        }
        count = length;
    }
    return count;
}

std::optional<std::int64_t> single_int(const InferContext& context, std::size_t input,
                                       std::string_view what) {
    const auto length = vector_length(context, input, what);
    const auto values = context.ints(input);
    const std::size_t count = values ? values->size() : length.value_or(1);
    if (count != 1) {
        context.fail(std::string(what) + " holds " + counted(count, "element") + "; expected 1");
    }
    return values ? std::optional(values->front()) : std::nullopt;
}

std::vector<std::size_t> distinct_axes(const InferContext& context,
                                       const std::vector<std::int64_t>& axes, std::size_t rank) {
    std::vector<std::size_t> result;
    for (const std::int64_t axis : axes) {
        const std::size_t normal = normalize_axis(context, axis, rank);
        if (std::find(result.begin(), result.end(), normal) != result.end()) {
            context.fail("axes name axis " + std::to_string(normal) + " twice");
        }
        result.push_back(normal);
    }
    return result;
}

void check_output_count(const InferContext& context, std::int64_t count) {
    if (count <= kMaxOutputs) return;
    context.refuse("the op has " + counted(count, "output") + "; at most " +
                   std::to_string(kMaxOutputs) + " are supported");
}

bool never_widens(const PartialShape& shape, const PartialShape& target) {
    if (shape.has_rank() && shape.rank() == 0) return true;
    if (!shape.has_rank() || !target.has_rank() || shape.rank() > target.rank()) return false;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        const Dimension& wide = target[i + target.rank() - shape.rank()];
        // Broadcasting itself refuses another extent than 1 if the target's isn't 1.
        if (shape[i] != Dimension(1) && wide.contains(1)) return false;
    }
    return true;
}

}  // namespace rondo::ops
