#include "core/graph/infer_context.hpp"

#include <algorithm>
#include <cmath>

#include "core/graph/node.hpp"
#include "core/support/errors.hpp"
#include "core/support/limits.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

template <typename T>
std::vector<std::int64_t> widen(const Tensor& tensor) {
    const T* data = tensor.data<T>();
    std::vector<std::int64_t> result(tensor.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[i] = static_cast<std::int64_t>(data[i]);
    }
    return result;
}

template <typename T>
std::vector<std::int64_t> widen_whole(const Tensor& tensor) {
    const T* data = tensor.data<T>();
    std::vector<std::int64_t> result(tensor.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        const auto value = static_cast<double>(data[i]);
        if (!(std::fabs(value) < 0x1p62) || value != std::floor(value)) {
            throw ModelError("expected whole numbers, got " + std::to_string(value));
        }
        result[i] = static_cast<std::int64_t>(value);
    }
    return result;
}

}  // namespace

std::vector<std::int64_t> to_int64_vector(const Tensor& tensor) {
    switch (tensor.element_type()) {
        case ElementType::i64: return widen<std::int64_t>(tensor);
        case ElementType::i32: return widen<std::int32_t>(tensor);
        case ElementType::i16: return widen<std::int16_t>(tensor);
        case ElementType::i8: return widen<std::int8_t>(tensor);
        case ElementType::u64: return widen<std::uint64_t>(tensor);
        case ElementType::u32: return widen<std::uint32_t>(tensor);
        case ElementType::u16: return widen<std::uint16_t>(tensor);
        case ElementType::u8: return widen<std::uint8_t>(tensor);
        case ElementType::boolean: return widen<bool>(tensor);
        case ElementType::f32: return widen_whole<float>(tensor);
        case ElementType::f64: return widen_whole<double>(tensor);
        default: break;
    }
    throw ModelError("expected integers, got " + std::string(to_string(tensor.element_type())));
}

const Tensor& InferContext::value(std::size_t input) const {
    const Tensor& value = inputs_[input].value;
    const bool noted =
        std::find(missing_values_.begin(), missing_values_.end(), input) != missing_values_.end();
    if (!value && !noted) missing_values_.push_back(input);
    return value;
}

std::optional<std::vector<std::int64_t>> InferContext::ints(std::size_t input) const {
    const PartialShape& seen = shape(input);  // known before the elements are
    const bool is_empty = seen.has_rank() && seen.rank() == 1 && seen[0] == Dimension(0);
    if (is_empty) return std::vector<std::int64_t>();
    const Tensor& tensor = value(input);
    if (!tensor) return std::nullopt;
    check(tensor.shape().size() <= 1, "input " + std::to_string(input) +
                                          " must have rank 0 or 1, got shape " +
                                          to_string(tensor.shape()));
    check(is_integral(tensor.element_type()), "input " + std::to_string(input) +
                                                  " must hold integers, got " +
                                                  std::string(to_string(tensor.element_type())));
    auto result = to_int64_vector(tensor);
    if (tensor.element_type() == ElementType::u64) {
        const bool fits = std::none_of(result.begin(), result.end(),
                                       [](std::int64_t value) { return value < 0; });
        check(fits, "input " + std::to_string(input) + " holds values above 2^63");
    }
    return result;
}

// Ops multiply and add a few extents: those of an empty tensor aren't bounded by its elements.
void InferContext::check_extents(std::size_t output, const PartialShape& shape) const {
    if (!shape.has_rank()) return;
    const auto place = [&] { return "output " + std::to_string(output) + " has "; };
    if (shape.rank() > kMaxAxes) {
        fail(place() + std::to_string(shape.rank()) + " axes; expected " +
             std::to_string(kMaxAxes) + " at most");
    }
    constexpr auto kMost = static_cast<std::int64_t>(kMaxElements);
    for (const Dimension& extent : shape.dimensions()) {
        if (extent.min() <= kMost) continue;
        fail(place() + "shape " + to_string(shape) + "; expected extents up to " +
             std::to_string(kMost));
    }
}

void InferContext::set_output(std::size_t output, ElementType type, PartialShape shape) {
    check_extents(output, shape);
    if (outputs_.size() <= output) outputs_.resize(output + 1);
    outputs_[output] = {type, std::move(shape)};
}

std::string InferContext::place() const {
    return node_ != nullptr ? describe(*node_) : describe(nullptr, node_name_, node_type_);
}

void InferContext::fail(std::string_view message) const {
    throw ModelError(place() + ": " + std::string(message));
}

void InferContext::refuse(std::string_view message) const {
    throw UnsupportedError(place() + ": " + std::string(message));
}

void InferContext::check_input_count(std::size_t min, std::size_t max) const {
    if (input_count() >= min && input_count() <= max) return;
    const std::string expected =
        min == max ? std::to_string(min) : std::to_string(min) + " to " + std::to_string(max);
    fail("got " + counted(input_count(), "input") + "; expected " + expected);
}

void InferContext::check_rank(std::size_t input, std::size_t rank, std::string_view what) const {
    const PartialShape& seen = shape(input);
    if (!seen.has_rank() || seen.rank() == rank) return;
    fail(std::string(what) + " has shape " + to_string(seen) + "; expected rank " +
         std::to_string(rank));
}

Dimension InferContext::merge(const Dimension& a, const Dimension& b, std::string_view what) const {
    const auto common = a.intersect(b);
    if (!common) {
        fail(std::string(what) + " is " + to_string(a) + " in one place and " + to_string(b) +
             " in another");
    }
    return *common;
}

ElementType InferContext::merge_types(std::initializer_list<std::size_t> inputs) const {
    ElementType common = ElementType::dynamic;
    for (const std::size_t input : inputs) {
        const ElementType seen = type(input);
        if (seen == ElementType::dynamic) continue;
        if (common != ElementType::dynamic && seen != common) {
            fail("input " + std::to_string(input) + " has type " + std::string(to_string(seen)) +
                 "; expected " + std::string(to_string(common)) + " as the inputs before it");
        }
        common = seen;
    }
    return common;
}

std::size_t normalize_axis(const InferContext& context, std::int64_t axis, std::size_t rank) {
    const auto signed_rank = static_cast<std::int64_t>(rank);
    if (axis < -signed_rank || axis >= signed_rank) {
        context.fail("axis " + std::to_string(axis) + " is out of range for rank " +
                     std::to_string(rank));
    }
    return static_cast<std::size_t>(axis < 0 ? axis + signed_rank : axis);
}

namespace {

bool is_one(const Dimension& d) { return d.is_static() && d.min() == 1; }

// The extent that two broadcast extents give; empty if they contradict.
std::optional<Dimension> broadcast(const Dimension& a, const Dimension& b) {
    if (is_one(a)) return b;
    if (is_one(b)) return a;
    const bool a_may_be_one = a.contains(1);
    const bool b_may_be_one = b.contains(1);
    if (!a_may_be_one && !b_may_be_one) return a.intersect(b);
    if (a_may_be_one && b_may_be_one) {
        // Neither is known: the result is the larger one, or both are the same.
        return Dimension(std::min(a.min(), b.min()), std::max(a.max(), b.max()));
    }
    return a_may_be_one ? b : a;  // the one that can't be 1 decides
}

}  // namespace

PartialShape broadcast_shapes(const InferContext& context, const PartialShape& a,
                              const PartialShape& b) {
    if (!a.has_rank() || !b.has_rank()) return {};
    const PartialShape& wide = a.rank() >= b.rank() ? a : b;
    const PartialShape& narrow = a.rank() >= b.rank() ? b : a;
    std::vector<Dimension> result = wide.dimensions();
    const std::size_t shift = wide.rank() - narrow.rank();
    for (std::size_t i = 0; i < narrow.rank(); ++i) {
        const auto dimension = broadcast(wide[i + shift], narrow[i]);
        if (!dimension) {
            context.fail("shapes " + to_string(a) + " and " + to_string(b) +
                         " can't be broadcast together");
        }
        result[i + shift] = *dimension;
    }
    return {std::move(result)};
}

}  // namespace rondo
