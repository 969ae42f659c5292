#include "core/ops/reduction/reduce_mean.hpp"

#include "core/graph/infer_context.hpp"
#include "core/ops/reference/common/doubles.hpp"
#include "core/ops/reference/common/walk.hpp"
#include "core/ops/reference/common/words.hpp"
#include "core/ops/reference/evaluators.hpp"
#include "rondo/error.hpp"

namespace rondo::reference {
namespace {

// Where the sums go: the data's shape with the reduced axes shrunk to 1, and elements a sum.
struct Groups {
    Shape kept;
    std::size_t size = 1;
};

Groups groups_of(const Node& node, const Tensor& data, const Tensor& axes) {
    const InferContext context(node.name(), node.type_name(), {});
    const auto reduced = ops::reduced_axes(context, to_int64_vector(axes), data.shape().size());
    Groups groups{data.shape()};
    for (std::size_t i = 0; i < reduced.size(); ++i) {
        if (!reduced[i]) continue;
        groups.size *= groups.kept[i];
        groups.kept[i] = 1;
    }
    return groups;
}

template <typename Number>
std::vector<Number> group_sums(const std::vector<Number>& values, const Shape& shape,
                               const Shape& kept) {
    std::vector<Number> sums(element_count(kept));
    walk(shape, broadcast_strides(shape, shape), broadcast_strides(kept, shape),
         [&](std::size_t from, std::size_t to) { sums[to] += values[from]; });
    return sums;
}

void divide_words(const Node& node, std::vector<std::uint64_t>& sums, std::size_t count,
                  bool is_signed) {
    if (sums.empty()) return;
    if (count == 0) {
        throw ModelError(describe(node) +
                         ": the mean of no integers has no value; expected extents above 0");
    }
    for (auto& sum : sums) {
        sum = is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(sum) /
                                                     static_cast<std::int64_t>(count))
                        : sum / count;
    }
}

}  // namespace

void reduce_mean(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const Tensor& data = inputs[0];
    const Groups groups = groups_of(node, data, inputs[1]);
    if (is_floating(data.element_type())) {
        auto sums = group_sums(to_doubles(data), data.shape(), groups.kept);
        for (double& sum : sums) sum /= static_cast<double>(groups.size);
        from_doubles(sums, outputs[0]);
    } else {
        auto sums = group_sums(to_words(data), data.shape(), groups.kept);
        divide_words(node, sums, groups.size, is_signed(data.element_type()));
        from_words(sums, outputs[0]);
    }
}

}  // namespace rondo::reference
