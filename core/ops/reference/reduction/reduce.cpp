// The reduce family: the formulas, on doubles, 64-bit integers and booleans.
#include "core/ops/reduction/reduction_ops.hpp"

#include <iterator>
#include <limits>
#include <type_traits>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/families.hpp"
#include "core/ops/reduction/formulas.hpp"
#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/common/numbers.hpp"
#include "core/support/visit_type.hpp"
#include "rondo/error.hpp"

namespace rondo::reference {
namespace {

using ops::ReduceFunction;

// Where the results go: the data's shape with the reduced axes shrunk to 1, and elements a result.
struct Groups {
    Shape kept;
    std::size_t size = 1;
};

Groups groups_of(const Node& node, const Tensor& data, const Tensor& axes) {
    const InferContext context(node, {});
    const auto reduced = ops::reduced_axes(context, to_int64_vector(axes), data.shape().size());
    Groups groups{data.shape()};
    for (std::size_t i = 0; i < reduced.size(); ++i) {
        if (!reduced[i]) continue;
        groups.size *= groups.kept[i];
        groups.kept[i] = 1;
    }
    return groups;
}

// What the elements of one type are combined in, and the least and greatest element.
template <typename N>
struct Numbers {
    N least;
    N greatest;
};

// `has_value` becomes false if a result has none.
template <ReduceFunction function, typename N, typename Element>
std::vector<N> combined(const std::vector<Element>& elements, const Shape& shape,
                        const Groups& groups, const Numbers<N>& numbers, bool& has_value) {
    const N start = ops::start_of<function>(numbers.least, numbers.greatest);
    std::vector<N> results(element_count(groups.kept), start);
    walk(shape, broadcast_strides(shape, shape), broadcast_strides(groups.kept, shape),
         [&](std::size_t from, std::size_t to) {
             const N so_far = results[to];
             results[to] = ops::step_of<function>(so_far, static_cast<N>(elements[from]));
         });
    for (std::size_t i = 0; i < results.size(); ++i) {
        N result = results[i];
        const auto count = static_cast<std::int64_t>(groups.size);
        has_value = ops::finish<function>(result, count) && has_value;
        results[i] = result;
    }
    return results;
}

template <ReduceFunction function>
void apply_to_integers(const Tensor& data, const Groups& groups, Tensor& output, bool& has_value) {
    visit_integer(data.element_type(), [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        using N = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
        using Limits = std::numeric_limits<T>;
        const auto results = combined<function, N>(to_words(data), data.shape(), groups,
                                                   {Limits::min(), Limits::max()}, has_value);
        from_words(std::vector<std::uint64_t>(results.begin(), results.end()), output);
    });
}

// False if a result has no value.
template <ReduceFunction function>
bool apply(const Tensor& data, const Groups& groups, Tensor& output) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const Shape& shape = data.shape();
    bool has_value = true;
    if (is_floating(data.element_type())) {
        from_doubles(combined<function, double>(to_doubles(data), shape, groups,
                                                {-kInfinity, kInfinity}, has_value),
                     output);
    } else if (data.element_type() == ElementType::boolean) {
        to_booleans(combined<function, bool>(to_words_or_bits(data), shape, groups, {false, true},
                                             has_value),
                    output);
    } else {
        apply_to_integers<function>(data, groups, output, has_value);
    }
    return has_value;
}

}  // namespace

void reduce(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const auto& op = static_cast<const ops::Reduce&>(node);
    const Groups groups = groups_of(node, inputs[0], inputs[1]);
    const bool has_value = ops::visit_function<std::size(ops::kReduceOps)>(
        op.function(), [&](auto known) { return apply<known()>(inputs[0], groups, outputs[0]); });
    if (has_value) return;
    throw ModelError(describe(node) +
                     ": the mean of no integers has no value; expected extents above 0");
}

}  // namespace rondo::reference
