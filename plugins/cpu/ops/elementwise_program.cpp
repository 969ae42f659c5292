#include "plugins/cpu/ops/elementwise_program.hpp"

#include <algorithm>
#include <bit>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "plugins/cpu/kernels/math/function_math.hpp"

namespace rondo::cpu {
namespace {

using Kind = ProgramStep::Kind;

bool is_number(ElementType type) { return type == ElementType::f32 || type == ElementType::f64; }

bool has_type_for_step(ElementType type) { return is_number(type) || type == ElementType::boolean; }

template <typename Function>
std::optional<ProgramStep> step(Kind kind, Function function, bool possible = true) {
    if (!possible) return std::nullopt;
    return ProgramStep{kind, static_cast<std::uint8_t>(function), {}, 0};
}

std::optional<ProgramStep> conversion(ElementType from, ElementType to) {
    if (from == ElementType::boolean && is_number(to)) return step(Kind::to_number, 0);
    return step(Kind::to_truth, 0, is_number(from) && to == ElementType::boolean);
}

// x to the power of 2 in f32, which is x x to the bit.
bool is_square(const Node& op) {
    const auto* binary = dynamic_cast<const ops::Binary*>(&op);
    if (binary == nullptr || binary->function() != ops::BinaryFunction::power) return false;
    const Tensor exponent = known_value(op.input(1));
    return exponent && exponent.size() == 1 && exponent.element_type() == ElementType::f32 &&
           *exponent.contiguous().data<float>() == 2.0F;
}

// The step, if all numbers of the op have one type.
std::optional<ProgramStep> step_for(const Node& op) {
    const ElementType first = op.input(0).element_type();
    if (const auto* unary = dynamic_cast<const ops::Unary*>(&op)) {
        return step(Kind::unary, unary->function(), math::has_formula(unary->function()));
    }
    if (const auto* binary = dynamic_cast<const ops::Binary*>(&op)) {
        if (is_square(op)) return step(Kind::binary, ops::BinaryFunction::multiply);
        return step(Kind::binary, binary->function(), math::has_formula(binary->function()));
    }
    if (const auto* compare = dynamic_cast<const ops::Compare*>(&op)) {
        return step(Kind::compare, compare->function(), is_number(first));
    }
    if (const auto* logical = dynamic_cast<const ops::Logical*>(&op)) {
        return step(Kind::logical, logical->function());
    }
    if (dynamic_cast<const ops::Select*>(&op) != nullptr) {
        return step(Kind::select, 0, is_number(op.output_type(0)));
    }
    if (op.type_name() == ops::Convert::kType.name) return conversion(first, op.output_type(0));
    return std::nullopt;
}

// Puts a program together, part by part.
class Builder {
public:
    // `value`: the output in front of the program, as input `node.input_count()`, or null.
    explicit Builder(const Node& node, const Node* value = nullptr) : node_(node), value_(value) {}

    // `sources`: their parts are those added before.
    bool add(const Node& op, const std::vector<FusedPart::Source>& sources) {
        auto step = step_of(op);
        const auto precision = precision_of(op);
        if (!step || (precision && precision_ && *precision != *precision_)) return false;
        if (precision) precision_ = precision;
        const bool square = is_square(op);
        for (std::size_t i = 0; i < sources.size(); ++i) {
            const FusedPart::Source& source = sources[square ? 0 : i];
            operands_.push_back(source.part ? Operand{true, parts_[source.index]}
                                            : outside(source.index));
        }
        parts_.push_back(steps_.size());
        steps_.push_back(*step);
        output_ = kind_of(op.output_type(0));
        return true;
    }

    // Steps read values by their numbers, which are known once all inputs are.
    std::optional<NodeProgram> finish() {
        if (inputs_.size() > ElementwiseProgram::kMostInputs ||
            steps_.size() > ElementwiseProgram::kMostSteps) {
            return std::nullopt;
        }
        std::size_t operand = 0;
        for (ProgramStep& step : steps_) {
            for (std::size_t i = 0; i < operand_count(step.kind); ++i, ++operand) {
                const auto& [is_step, index] = operands_[operand];
                step.operands[i] =
                    static_cast<std::uint8_t>(index + (is_step ? inputs_.size() : 0));
            }
        }
        NodeProgram result{{precision_.value_or(Precision::f32), {}, std::move(steps_), output_},
                           std::move(inputs_)};
        for (const std::size_t input : result.inputs) {
            result.program.inputs.push_back(kind_of(input_type(input)));
        }
        return result;
    }

private:
    struct Operand {
        bool is_step;
        std::size_t index;
    };

    static ElementKind kind_of(ElementType type) {
        return type == ElementType::boolean ? ElementKind::truth : ElementKind::number;
    }

    ElementType input_type(std::size_t input) const {
        return input == node_.input_count() ? value_->output_type(0)
                                            : node_.input(input).element_type();
    }

    Operand outside(std::size_t input) {
        const auto number =
            input == node_.input_count() ? std::nullopt : known_number(node_.input(input));
        if (number) {
            steps_.push_back({Kind::constant, 0, {}, std::bit_cast<std::uint64_t>(*number)});
            return {true, steps_.size() - 1};
        }
        const auto at = std::find(inputs_.begin(), inputs_.end(), input);
        const std::size_t index = static_cast<std::size_t>(at - inputs_.begin());
        if (at == inputs_.end()) inputs_.push_back(input);
        return {false, index};
    }

    const Node& node_;
    const Node* value_;
    std::optional<Precision> precision_;
    ElementKind output_ = ElementKind::number;
    std::vector<std::size_t> inputs_;
    std::vector<ProgramStep> steps_;
    std::vector<Operand> operands_;   // of all steps, in order
    std::vector<std::size_t> parts_;  // the step of each part
};

}  // namespace

std::optional<double> known_number(const Output& input) {
    const Tensor value = known_value(input);
    if (!value || value.size() != 1 || !is_number(value.element_type())) return std::nullopt;
    const Tensor one = value.contiguous();
    return one.element_type() == ElementType::f64 ? *one.data<double>() : *one.data<float>();
}

std::optional<ProgramStep> step_of(const Node& op) {
    ElementType number = ElementType::dynamic;
    std::vector<ElementType> types{op.output_type(0)};
    for (const Output& input : op.inputs()) types.push_back(input.element_type());
    for (const ElementType type : types) {
        if (!has_type_for_step(type)) return std::nullopt;
        if (!is_number(type)) continue;
        if (number != ElementType::dynamic && number != type) return std::nullopt;
        number = type;
    }
    return op.inputs().empty() ? std::nullopt : step_for(op);
}

std::optional<Precision> precision_of(const Node& op) {
    for (const Output& input : op.inputs()) {
        if (is_number(input.element_type())) return precision_of(input.element_type());
    }
    if (is_number(op.output_type(0))) return precision_of(op.output_type(0));
    return std::nullopt;
}

std::optional<NodeProgram> program_of(const Node& node) {
    if (const auto* fused = dynamic_cast<const FusedOp*>(&node)) {
        return program_of(*fused, 0, fused->parts().size());
    }
    Builder builder(node);
    std::vector<FusedPart::Source> sources;
    for (std::size_t i = 0; i < node.input_count(); ++i) sources.push_back({false, i});
    if (!builder.add(node, sources)) return std::nullopt;
    return builder.finish();
}

std::optional<NodeProgram> program_of(const FusedOp& op, std::size_t first, std::size_t last) {
    Builder builder(op, first > 0 ? op.parts()[first - 1].op.get() : nullptr);
    for (std::size_t i = first; i < last; ++i) {
        std::vector<FusedPart::Source> sources = op.parts()[i].sources;
        for (auto& source : sources) {
            if (!source.part) continue;
            if (source.index + 1 < first) return std::nullopt;
            source = source.index < first ? FusedPart::Source{false, op.input_count()}
                                          : FusedPart::Source{true, source.index - first};
        }
        if (!builder.add(*op.parts()[i].op, sources)) return std::nullopt;
    }
    return builder.finish();
}

}  // namespace rondo::cpu
