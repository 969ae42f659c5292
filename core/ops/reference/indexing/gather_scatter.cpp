// Evaluates the ops that take or write elements and slices by their places.
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/common/numbers.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {
namespace {

std::size_t element_at(const Shape& shape, const std::vector<std::size_t>& index) {
    std::size_t element = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        element = element * shape[axis] + index[axis];
    }
    return element;
}

// For each index of `indices`, in row-major order, the number of the element of a tensor of shape
// `data` at its place, except that its place along `axis` is the one that indices hold.
std::vector<std::size_t> element_targets(const InferContext& context, const Shape& data,
                                         const Tensor& indices, std::size_t axis) {
    const auto places = places_on_axis(context, indices, data[axis]);
    std::vector<std::size_t> targets;
    std::vector<std::size_t> index(data.size());
    for (const std::size_t place : places) {
        std::vector<std::size_t> target = index;
        target[axis] = place;
        targets.push_back(element_at(data, target));
        next_index(index, indices.shape());
    }
    return targets;
}

// data [B.., D.., E..], indices [B.., J.., K]: for each tuple of K places along the axes D.. the
// numbers of all elements of its slice. `batch`: axes in front that are common to both.
std::vector<std::size_t> slice_targets(const InferContext& context, const Shape& data,
                                       const Tensor& indices, std::size_t batch) {
    const bool is_u64 = indices.element_type() == ElementType::u64;
    const std::size_t count = indices.shape().back();
    const std::size_t tuples = indices.size() / count;
    const std::size_t in_batch = product(indices.shape(), batch, indices.shape().size() - 1);
    const std::size_t elements = product(data, batch + count, data.size());
    const auto values = to_int64_vector(indices);
    std::vector<std::size_t> targets;
    for (std::size_t tuple = 0; tuple < tuples; ++tuple) {
        std::size_t slice = tuple / in_batch;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t extent = data[batch + i];
            slice =
                slice * extent + place_on_axis(context, values[tuple * count + i], is_u64, extent);
        }
        for (std::size_t i = 0; i < elements; ++i) targets.push_back(slice * elements + i);
    }
    return targets;
}

}  // namespace

void gather_elements(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const InferContext context = known_context(node, inputs);
    const Shape& data = inputs[0].shape();
    const std::int64_t named = static_cast<const ops::GatherElements&>(node).axis();
    const std::size_t axis = normalize_axis(context, named, data.size());
    take_elements(inputs[0], element_targets(context, data, inputs[1], axis), outputs[0]);
}

void gather_nd(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const InferContext context = known_context(node, inputs);
    const auto batch =
        static_cast<std::size_t>(static_cast<const ops::GatherND&>(node).batch_dims());
    take_elements(inputs[0], slice_targets(context, inputs[0].shape(), inputs[1], batch),
                  outputs[0]);
}

namespace {

using ops::ScatterReduction;
using Targets = std::vector<std::size_t>;

struct Scatter {
    Targets targets;  // an element of data for each update
    ScatterReduction reduction;
    bool use_init_val;
};

double combined(ScatterReduction reduction, double a, double b) {
    switch (reduction) {
        case ScatterReduction::none: break;
        case ScatterReduction::sum:
        case ScatterReduction::mean: return a + b;
        case ScatterReduction::sub: return a - b;
        case ScatterReduction::prod: return a * b;
        case ScatterReduction::min: return a < b || std::isnan(a) ? a : b;
        case ScatterReduction::max: return a > b || std::isnan(a) ? a : b;
    }
    return b;
}

// Words: signed ones are compared as T = std::int64_t.
template <typename T>
T combined_words(ScatterReduction reduction, T a, T b) {
    const auto x = static_cast<std::uint64_t>(a);
    const auto y = static_cast<std::uint64_t>(b);
    switch (reduction) {
        case ScatterReduction::none: break;
        case ScatterReduction::sum:
        case ScatterReduction::mean: return static_cast<T>(x + y);
        case ScatterReduction::sub: return static_cast<T>(x - y);
        case ScatterReduction::prod: return static_cast<T>(x * y);
        case ScatterReduction::min: return b < a ? b : a;
        case ScatterReduction::max: return b > a ? b : a;
    }
    return b;
}

std::int64_t combined(ScatterReduction reduction, std::int64_t a, std::int64_t b) {
    return combined_words(reduction, a, b);
}

std::uint64_t combined(ScatterReduction reduction, std::uint64_t a, std::uint64_t b) {
    return combined_words(reduction, a, b);
}

double divided(double sum, std::size_t count) { return sum / static_cast<double>(count); }

std::uint64_t divided(std::uint64_t sum, std::size_t count) { return sum / count; }

std::int64_t divided(std::int64_t sum, std::size_t count) {
    return sum / static_cast<std::int64_t>(count);
}

template <typename T>
void scatter_values(const Scatter& scatter, const std::vector<T>& updates, std::vector<T>& data) {
    std::vector<std::size_t> counts(data.size(), scatter.use_init_val ? 1 : 0);
    for (std::size_t i = 0; i < updates.size(); ++i) {
        const std::size_t target = scatter.targets[i];
        data[target] = counts[target] == 0 ? updates[i]
                                           : combined(scatter.reduction, data[target], updates[i]);
        ++counts[target];
    }
    if (scatter.reduction != ScatterReduction::mean) return;
    for (std::size_t i = 0; i < data.size(); ++i) {
        if (counts[i] > 1) data[i] = divided(data[i], counts[i]);
    }
}

template <typename To, typename From>
std::vector<To> words_as(const std::vector<From>& words) {
    std::vector<To> result;
    for (const From word : words) result.push_back(static_cast<To>(word));
    return result;
}

// Sums of 64-bit words keep what a narrow type would lose; a mean has its true sum.
template <typename T>
void scatter_words(const Scatter& scatter, const Tensor& data, const Tensor& updates,
                   Tensor& output) {
    auto values = words_as<T>(to_words(data));
    scatter_values(scatter, words_as<T>(to_words(updates)), values);
    from_words(words_as<std::uint64_t>(values), output);
}

void scatter_booleans(Scatter scatter, const Tensor& data, const Tensor& updates, Tensor& output) {
    if (scatter.reduction == ScatterReduction::sum) scatter.reduction = ScatterReduction::max;
    if (scatter.reduction == ScatterReduction::prod) scatter.reduction = ScatterReduction::min;
    auto values = to_words_or_bits(data);
    scatter_values(scatter, to_words_or_bits(updates), values);
    to_booleans(values, output);
}

void copy_updates(const Targets& targets, const Tensor& updates, Tensor& output) {
    const std::size_t bytes = size_of(output.element_type());
    const auto* from = static_cast<const char*>(updates.data());
    auto* to = static_cast<char*>(output.data());
    for (std::size_t i = 0; i < targets.size(); ++i) {
        std::memcpy(to + targets[i] * bytes, from + i * bytes, bytes);
    }
}

void run(const Scatter& scatter, const Tensor& data, const Tensor& updates, Tensor& output) {
    const ElementType type = data.element_type();
    if (scatter.reduction == ScatterReduction::none) {
        data.copy_to(output);
        copy_updates(scatter.targets, updates, output);
    } else if (type == ElementType::boolean) {
        scatter_booleans(scatter, data, updates, output);
    } else if (is_floating(type)) {
        auto values = to_doubles(data);
        scatter_values(scatter, to_doubles(updates), values);
        from_doubles(values, output);
    } else if (is_signed(type)) {
        scatter_words<std::int64_t>(scatter, data, updates, output);
    } else {
        scatter_words<std::uint64_t>(scatter, data, updates, output);
    }
}

}  // namespace

void scatter_elements(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const InferContext context = known_context(node, inputs);
    const auto& op = static_cast<const ops::ScatterElementsUpdate&>(node);
    const Shape& data = inputs[0].shape();
    const std::size_t axis = normalize_axis(context, to_int64_vector(inputs[3]).at(0), data.size());
    run({element_targets(context, data, inputs[1], axis), op.reduction(), op.use_init_val()},
        inputs[0], inputs[2], outputs[0]);
}

void scatter_nd(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const InferContext context = known_context(node, inputs);
    const auto& op = static_cast<const ops::ScatterNDUpdate&>(node);
    run({slice_targets(context, inputs[0].shape(), inputs[1], 0), op.reduction(), true}, inputs[0],
        inputs[2], outputs[0]);
}

}  // namespace rondo::reference
