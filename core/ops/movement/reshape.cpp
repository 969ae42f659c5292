// The same elements, or the same bytes, under another shape.
#include "core/ops/movement/movement_ops.hpp"

#include <numeric>
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

// Walks data and pattern from one end to the -1 (or through), matching axes.
class MergedAxes {
public:
    MergedAxes(const PartialShape& data, const std::vector<std::int64_t>& pattern,
               bool special_zero)
        : data_(data), pattern_(pattern), special_zero_(special_zero), counts_(pattern.size()) {}

    std::optional<std::vector<std::size_t>> match() {
        std::size_t front = 0;
        std::size_t data_front = 0;
        std::size_t back = pattern_.size();
        std::size_t data_back = data_.rank();
        while (front < back && pattern_[front] != -1) {
            if (!take_front(front, data_front)) return {};
            ++front;
        }
        while (back > front && pattern_[back - 1] != -1) {
            if (data_back == data_front || !equal(back - 1, data_back - 1)) return {};
            counts_[--back] = 1;
            --data_back;
        }
        return close(front, data_back - data_front);
    }

private:
    bool copies(std::size_t place) const { return pattern_[place] == 0 && special_zero_; }

    bool equal(std::size_t place, std::size_t axis) const {
        return copies(place) ? place == axis : data_[axis] == Dimension(pattern_[place]);
    }

    // The axes from `axis` on whose product is the number at `place`.
    bool take_front(std::size_t place, std::size_t& axis) {
        if (axis == data_.rank()) return false;
        if (copies(place)) {
            counts_[place] = 1;
            return place == axis++;
        }
        std::int64_t product = 1;
        do {
            if (!data_[axis].is_static() || data_[axis].length() == 0) return false;
            product *= data_[axis++].length();
            ++counts_[place];
        } while (product < pattern_[place] && axis < data_.rank());
        return product == pattern_[place];
    }

    // What is left belongs to the -1; without one, only axes of extent 1 may be left.
    std::optional<std::vector<std::size_t>> close(std::size_t place, std::size_t left) {
        if (place < pattern_.size()) {
            if (left == 0) return {};
            counts_[place] = left;
            return counts_;
        }
        if (left > 0 && (counts_.empty() || copies(pattern_.size() - 1))) return {};
        for (std::size_t i = 0; i < left; ++i) {
            if (data_[data_.rank() - 1 - i] != Dimension(1)) return {};
        }
        if (left > 0) counts_.back() += left;
        return counts_;
    }

    const PartialShape& data_;
    const std::vector<std::int64_t>& pattern_;
    bool special_zero_;
    std::vector<std::size_t> counts_;
};

// The only open extent of a shape, and the product of the others.
struct OneOpen {
    std::size_t axis = 0;
    std::int64_t others = 1;
};

// Empty if another extent is 0: then the open one doesn't follow from the number of elements.
std::optional<OneOpen> one_open(const PartialShape& shape) {
    if (!shape.has_rank() || shape.is_static()) return {};
    OneOpen result{shape.rank()};
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        if (!shape[i].is_static()) {
            if (result.axis != shape.rank()) return {};
            result.axis = i;
            continue;
        }
        result.others = saturating_multiply(result.others, shape[i].length());
    }
    const bool is_known = result.others != 0 && result.others != Dimension::kInfinity;
    return is_known ? std::optional(result) : std::nullopt;
}

}  // namespace

std::vector<Dimension> Reshape::known_extents(std::size_t, int steps) const {
    return rondo::known_extents(input(0), steps);
}

std::optional<std::vector<std::size_t>> Reshape::merged_axis_counts() const {
    const PartialShape& data = input(0).shape();
    const auto pattern = constant_ints(input(1));
    if (!data.has_rank() || !pattern || pattern->size() > data.rank()) return std::nullopt;
    return MergedAxes(data, *pattern, special_zero_).match();
}

// An axis that isn't put together with another, a number of the pattern, or the only open extent.
std::vector<ExtentSource> Reshape::extent_sources(std::size_t, std::size_t axis) const {
    std::vector<ExtentSource> sources;
    if (const auto counts = merged_axis_counts(); counts && (*counts)[axis] == 1) {
        const auto end = counts->begin() + static_cast<std::ptrdiff_t>(axis);
        sources.push_back({0, std::accumulate(counts->begin(), end, std::size_t{0})});
    }
    // With special_zero a computed 0 copies an extent of data.
    if (!special_zero_) sources.push_back({1, axis, true});
    const auto before = one_open(input(0).shape());
    const auto after = one_open(output_shape(0));
    if (before && after && before->others == after->others && after->axis == axis) {
        sources.push_back({0, before->axis});
    }
    return sources;
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
