// One step of an elementwise program over any width: what the plain and the generated kernels
// share.
#pragma once

#include <array>
#include <utility>

#include "plugins/cpu/kernels/elementwise/program.hpp"
#include "plugins/cpu/kernels/math/function_math.hpp"

namespace rondo::cpu::math {

template <typename Ops>
typename Ops::Value apply_logical(Ops& o, LogicalFunction function, typename Ops::Value a,
                                  typename Ops::Value b) {
    switch (function) {
        case LogicalFunction::logical_and: return o.bit_and(std::move(a), std::move(b));
        case LogicalFunction::logical_or: return o.bit_or(std::move(a), std::move(b));
        case LogicalFunction::logical_xor: return o.bit_xor(std::move(a), std::move(b));
    }
    return a;
}

/// `x`: the step's operands; which step it is is known when code is emitted.
template <typename Ops>
typename Ops::Value apply(Ops& o, const ProgramStep& step,
                          std::array<typename Ops::Value, ProgramStep::kMostOperands> x) {
    using Kind = ProgramStep::Kind;
    auto& [a, b, c] = x;
    switch (step.kind) {
        case Kind::constant: return o.constant(step.constant());
        case Kind::unary:
            return formula_of<Ops>(static_cast<UnaryFunction>(step.function))(o, std::move(a));
        case Kind::binary:
            return formula_of<Ops>(static_cast<BinaryFunction>(step.function))(o, std::move(a),
                                                                               std::move(b));
        case Kind::compare:
            return o.compare(static_cast<CompareFunction>(step.function), std::move(a),
                             std::move(b));
        case Kind::logical:
            return apply_logical(o, static_cast<LogicalFunction>(step.function), std::move(a),
                                 std::move(b));
        case Kind::select: return choose(o, std::move(a), std::move(b), std::move(c));
        case Kind::to_number: return o.bit_and(std::move(a), o.constant(1.0));
        case Kind::to_truth:
            return o.compare(CompareFunction::not_equal, std::move(a), o.constant(0.0));
    }
    return a;
}

}  // namespace rondo::cpu::math
