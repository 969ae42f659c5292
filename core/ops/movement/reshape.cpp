// The same elements, or the same bytes, under another shape.
#include "core/ops/movement/movement_ops.hpp"

#include <string>

#include "core/graph/infer_context.hpp"
#include "core/graph/inference.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// The new shape as a pattern gives it.
struct Request {
    std::vector<Dimension> extents;  // 1 at `rest`
    std::size_t rest = kNone;        // the place of -1
    std::vector<bool> copied;        // axes of data whose extents a 0 copied
};

Dimension copied_extent(const InferContext& context, std::size_t axis) {
    const PartialShape& data = context.shape(0);
    if (!data.has_rank()) return {};
    context.check(axis < data.rank(), "pattern has a 0 at place " + std::to_string(axis) +
                                          ", but data has shape " + to_string(data));
    return data[axis];
}

Request read_pattern(const InferContext& context, const std::vector<std::int64_t>& pattern,
                     bool special_zero) {
    Request request;
    request.copied.resize(pattern.size());
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        context.check(pattern[i] >= -1, "pattern holds " + std::to_string(pattern[i]) +
                                            "; expected extents, 0 or -1");
        if (pattern[i] == -1) {
            context.check(request.rest == kNone, "pattern holds -1 more than once");
            request.rest = i;
            request.extents.emplace_back(1);
        } else if (pattern[i] == 0 && special_zero) {
            request.copied[i] = true;
            request.extents.push_back(copied_extent(context, i));
        } else {
            request.extents.emplace_back(pattern[i]);
        }
    }
    return request;
}

[[noreturn]] void fail_to_fit(const InferContext& context, const Request& request) {
    std::string wanted;
    for (std::size_t i = 0; i < request.extents.size(); ++i) {
        wanted += i > 0 ? "," : "";
        wanted += i == request.rest ? "-1" : to_string(request.extents[i]);
    }
    context.fail("data of shape " + to_string(context.shape(0)) + " can't be reshaped to [" +
                 wanted + "]");
}

// The extents that aren't on both sides: a copied one cancels out, even an open one.
std::vector<Dimension> not_copied(const std::vector<Dimension>& extents,
                                  const std::vector<bool>& copied) {
    std::vector<Dimension> result;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        if (i >= copied.size() || !copied[i]) result.push_back(extents[i]);
    }
    return result;
}

// A 0 in both shapes makes them agree whatever the other extents are.
bool may_copy_zero(const Request& request) {
    for (std::size_t i = 0; i < request.extents.size(); ++i) {
        if (request.copied[i] && request.extents[i].contains(0)) return true;
    }
    return false;
}

// The extent at -1: elements of data / elements of the pattern.
Dimension rest_of(const InferContext& context, const Request& request, const Dimension& have,
                  std::int64_t asked) {
    if (asked == 0) {  // 0 * x = 0 for any x; OpenVINO takes 1
        if (!have.contains(0)) fail_to_fit(context, request);
        return {1};
    }
    const auto rest = divide_extent(have, asked);
    if (!rest) fail_to_fit(context, request);
    return *rest;
}

PartialShape reshaped(const InferContext& context, Request request) {
    const PartialShape& data = context.shape(0);
    if (!data.has_rank()) {
        if (request.rest != kNone) request.extents[request.rest] = Dimension();
        return {std::move(request.extents)};
    }
    const Dimension have = multiply_extents(context, not_copied(data.dimensions(), request.copied));
    const Dimension asked = multiply_extents(context, not_copied(request.extents, request.copied));
    if (request.rest != kNone) {
        request.extents[request.rest] = rest_of(context, request, have, asked.length());
    } else if (!have.intersect(asked) && !may_copy_zero(request)) {
        fail_to_fit(context, request);
    }
    return {std::move(request.extents)};
}

}  // namespace

std::vector<Dimension> Reshape::known_extents(std::size_t, int steps) const {
    return rondo::known_extents(input(0), steps);
}

void Reshape::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    const auto rank = vector_length(context, 1, "pattern");
    const auto pattern = context.ints(1);
    PartialShape result;
    if (pattern) {
        result = reshaped(context, read_pattern(context, *pattern, special_zero_));
    } else if (rank) {
        result = PartialShape::of_rank(*rank);
    }
    context.set_output(0, context.type(0), std::move(result));
}

void BitCast::infer(InferContext& context) const {
    context.check_input_count(1, 1);
    const ElementType type = context.type(0);
    if (type == ElementType::boolean || output_type_ == ElementType::boolean) {
        context.refuse("the data or output_type is boolean; expected numbers");
    }
    if (type != ElementType::dynamic && size_of(type) != size_of(output_type_)) {
        context.fail("the data is " + std::string(to_string(type)) + ", output_type is " +
                     std::string(to_string(output_type_)) + "; expected a type of the same size");
    }
    context.set_output(0, output_type_, context.shape(0));
}

std::optional<IndependentAxis> BitCast::independent_axis(std::size_t, std::size_t axis) const {
    return rows_of_data(*this, axis, axis);
}

}  // namespace rondo::ops
