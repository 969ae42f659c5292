// Evaluates the unary, binary, compare and logical families, and Select.
#include <cstring>
#include <iterator>
#include <span>
#include <string>
#include <type_traits>

#include "core/ops/common/families.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/elementwise/formulas.hpp"
#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/common/numbers.hpp"
#include "rondo/error.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {
namespace {

// Calls `visit(i, at_a, at_b)` for each element i of `shape`, in row-major order, with the places
// of the elements of inputs 0 and 1 that belong to it.
template <typename Visit>
void for_each_pair(std::span<const Tensor> inputs, const Shape& shape, Visit&& visit) {
    std::size_t i = 0;
    walk(shape, broadcast_strides(inputs[0].shape(), shape),
         broadcast_strides(inputs[1].shape(), shape),
         [&](std::size_t at_a, std::size_t at_b) { visit(i++, at_a, at_b); });
}

using ops::UnaryFunction;
using ops::value_of;

template <UnaryFunction function>
void apply(const Tensor& x, Tensor& y) {
    const ElementType type = x.element_type();
    if (is_floating(type)) {
        auto values = to_doubles(x);
        for (double& value : values) value = value_of<function>(value);
        return from_doubles(values, y);
    }
    auto words = to_words_or_bits(x);
    if (is_signed(type)) {
        for (auto& word : words) {
            word = static_cast<std::uint64_t>(value_of<function>(static_cast<std::int64_t>(word)));
        }
    } else {
        for (auto& word : words) word = value_of<function>(word);
    }
    type == ElementType::boolean ? to_booleans(words, y) : from_words(words, y);
}

}  // namespace

void unary(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const UnaryFunction function = static_cast<const ops::Unary&>(node).function();
    ops::visit_function<std::size(ops::kUnaryOps)>(
        function, [&](auto known) { apply<known()>(inputs[0], outputs[0]); });
}

namespace {

using ops::BinaryFunction;

// Integers of one signedness; false if a pair has no value.
class Integers {
public:
    Integers(const ops::Binary& op, ElementType type)
        : is_signed_(is_signed(type)), rounds_down_(op.python_division()) {}

    template <BinaryFunction function>
    std::uint64_t apply(std::uint64_t a, std::uint64_t b) {
        if (!is_signed_) return value<function>(a, b);
        return static_cast<std::uint64_t>(
            value<function>(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)));
    }

    bool has_value() const { return has_value_; }

private:
    template <BinaryFunction function, typename T>
    T value(T a, T b) {
        return rounds_down_ ? ops::value_of<function, Division::down>(a, b, has_value_)
                            : ops::value_of<function, Division::towards_zero>(a, b, has_value_);
    }

    bool is_signed_;
    bool rounds_down_;
    bool has_value_ = true;
};

// The output is written even if it throws.
template <BinaryFunction function>
void apply(const ops::Binary& op, std::span<const Tensor> inputs, Tensor& output) {
    Integers integers(op, inputs[0].element_type());
    compute_numbers(inputs[0], inputs[1], output, [&](const auto& a, const auto& b, auto& to) {
        for_each_pair(inputs, output.shape(), [&](std::size_t i, std::size_t x, std::size_t y) {
            if constexpr (std::is_same_v<decltype(+a[0]), double>) {
                to[i] = ops::value_of<function>(a[x], b[y]);
            } else {
                to[i] = integers.apply<function>(a[x], b[y]);
            }
        });
    });
    if (integers.has_value()) return;
    throw ModelError(describe(op) + ": divides an integer by 0; expected other divisors");
}

}  // namespace

void binary(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const auto& op = static_cast<const ops::Binary&>(node);
    ops::visit_function<std::size(ops::kBinaryOps)>(
        op.function(), [&](auto known) { apply<known()>(op, inputs, outputs[0]); });
}

namespace {

using ops::CompareFunction;
using ops::holds;

template <CompareFunction function>
void apply(std::span<const Tensor> inputs, Tensor& output) {
    const ElementType type = inputs[0].element_type();
    bool* to = output.data<bool>();
    const auto all = [&](const auto& a, const auto& b, auto compare) {
        for_each_pair(inputs, output.shape(), [&](std::size_t i, std::size_t x, std::size_t y) {
            to[i] = compare(a[x], b[y]);
        });
    };
    if (is_floating(type)) {
        return all(to_doubles(inputs[0]), to_doubles(inputs[1]), holds<function, double>);
    }
    const auto a = to_words_or_bits(inputs[0]);
    const auto b = to_words_or_bits(inputs[1]);
    if (!is_signed(type)) return all(a, b, holds<function, std::uint64_t>);
    all(a, b, [](std::uint64_t x, std::uint64_t y) {
        return holds<function>(static_cast<std::int64_t>(x), static_cast<std::int64_t>(y));
    });
}

}  // namespace

void compare(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const CompareFunction function = static_cast<const ops::Compare&>(node).function();
    ops::visit_function<std::size(ops::kCompareOps)>(
        function, [&](auto known) { apply<known()>(inputs, outputs[0]); });
}

void logical(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const auto a = to_words_or_bits(inputs[0]);
    const auto b = to_words_or_bits(inputs[1]);
    bool* to = outputs[0].data<bool>();
    const auto function = static_cast<const ops::Logical&>(node).function();
    ops::visit_function<std::size(ops::kLogicalOps)>(function, [&](auto known) {
        for_each_pair(inputs, outputs[0].shape(), [&](std::size_t i, std::size_t x, std::size_t y) {
            to[i] = ops::holds<known()>(a[x] != 0, b[y] != 0);
        });
    });
}

void select(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const auto condition = to_words_or_bits(inputs[0]);
    const Shape& shape = outputs[0].shape();
    std::vector<std::size_t> at_condition;
    const auto strides = broadcast_strides(inputs[0].shape(), shape);
    walk(shape, strides, strides, [&](std::size_t at, std::size_t) { at_condition.push_back(at); });
    const std::size_t bytes = size_of(outputs[0].element_type());
    const auto* yes = static_cast<const char*>(inputs[1].data());
    const auto* no = static_cast<const char*>(inputs[2].data());
    auto* to = static_cast<char*>(outputs[0].data());
    for_each_pair(inputs.subspan(1), shape, [&](std::size_t i, std::size_t y, std::size_t n) {
        const char* from = condition[at_condition[i]] != 0 ? yes + y * bytes : no + n * bytes;
        std::memcpy(to + i * bytes, from, bytes);
    });
}

}  // namespace rondo::reference
