// The binary family: the formulas, on doubles and on 64-bit words.
#include "core/ops/elementwise/binary.hpp"

#include <iterator>
#include <string>
#include <type_traits>

#include "core/ops/common/visit_function.hpp"
#include "core/ops/elementwise/formulas.hpp"
#include "core/ops/reference/common/numbers.hpp"
#include "core/ops/reference/elementwise/evaluators.hpp"
#include "core/ops/reference/elementwise/pairs.hpp"
#include "rondo/error.hpp"

namespace rondo::reference {
namespace {

using ops::BinaryFunction;

// Integers of one signedness; false where a pair has no value.
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

// The output is written also where it throws.
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

}  // namespace rondo::reference
