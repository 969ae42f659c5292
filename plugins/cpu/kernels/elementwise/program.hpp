// A small program over elements: what a fused elementwise kernel computes, as plain data.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu {

/// One operation. A value is a number of the program's precision or a truth value; `operands` are
/// indices of values: the program's inputs first, then the results of its steps, in order.
struct ProgramStep {
    enum class Kind : std::uint8_t {
        constant,   ///< a number
        unary,      ///< `function` is an ops::UnaryFunction with vector math
        binary,     ///< an ops::BinaryFunction with vector math
        compare,    ///< an ops::CompareFunction; gives a truth value
        logical,    ///< an ops::LogicalFunction of truth values
        select,     ///< truth, yes, no
        to_number,  ///< of a truth value: 0 or 1
        to_truth,   ///< of a number: whether it is not 0
    };
    static constexpr std::size_t kMostOperands = 3;

    Kind kind = Kind::constant;
    std::uint8_t function = 0;
    std::uint8_t operands[kMostOperands] = {};
    std::uint64_t number = 0;  ///< the bits of a constant, as a double

    double constant() const { return std::bit_cast<double>(number); }
    bool operator==(const ProgramStep&) const = default;
};

/// How many operands a step of that kind has.
constexpr std::size_t operand_count(ProgramStep::Kind kind) {
    switch (kind) {
        case ProgramStep::Kind::constant: return 0;
        case ProgramStep::Kind::unary:
        case ProgramStep::Kind::to_number:
        case ProgramStep::Kind::to_truth: return 1;
        case ProgramStep::Kind::binary:
        case ProgramStep::Kind::compare:
        case ProgramStep::Kind::logical: return 2;
        case ProgramStep::Kind::select: return 3;
    }
    return 0;
}

/// The elements of an input or of the output in memory: numbers of the program's precision,
/// or truth values as bytes, 0 or 1.
enum class ElementKind : std::uint8_t { number, truth };

/// The last step's value is the output.
struct ElementwiseProgram {
    static constexpr std::size_t kMostInputs = 6;
    static constexpr std::size_t kMostSteps = 40;

    Precision precision = Precision::f32;
    std::vector<ElementKind> inputs;
    std::vector<ProgramStep> steps;
    ElementKind output = ElementKind::number;

    std::size_t value_count() const { return inputs.size() + steps.size(); }
    bool operator==(const ElementwiseProgram&) const = default;
};

/// Bytes of an element.
inline std::size_t bytes_of(ElementKind kind, Precision precision) {
    return kind == ElementKind::truth ? 1 : bytes_of(precision);
}

}  // namespace rondo::cpu
