// The elementwise families, each op of which is a row of a table in functions.hpp, Select and
// Convert.
#pragma once

#include "core/graph/node.hpp"
#include "core/ops/elementwise/broadcasting.hpp"
#include "core/ops/elementwise/functions.hpp"
#include "core/support/narrow_type.hpp"

namespace rondo::ops {

/// How Round treats halves. Only `to_even` is computed.
enum class RoundMode : std::uint8_t { to_even, away_from_zero };
inline constexpr std::pair<std::string_view, RoundMode> kRoundModes[] = {
    {"half_to_even", RoundMode::to_even},
    {"half_away_from_zero", RoundMode::away_from_zero},
};

/// Input: x, of a type that the row takes. Output: the same type and shape. Integers wrap.
class Unary final : public Clonable<Unary> {
public:
    explicit Unary(UnaryFunction function) : info_(&kUnaryOps[static_cast<int>(function)]) {}
    Unary(UnaryFunction function, const Output& x) : Unary(function) { set_inputs({x}); }

    UnaryFunction function() const { return info_->function; }

    const OpType& op_type() const override { return info_->type; }
    OpTraits traits() const override { return OpTraits::elementwise_op(); }
    static void visit_attributes(auto& self, auto& visitor) {
        if (self.function() != UnaryFunction::round) return;
        visitor.on_enum("mode", self.mode_, kRoundModes);
    }
    void infer(InferContext& context) const override;

private:
    const UnaryInfo* info_;
    RoundMode mode_ = RoundMode::to_even;
};

/// Whether the node is the unary op of that function.
bool is(const Node& node, UnaryFunction function);

/// Inputs: a, b of one type that the row takes. Output: their broadcast shape, the same type.
/// Integers wrap. Divide: integers round down, or towards zero without python_division. Power of
/// integers: exact modulo their width; a negative power rounds towards zero. Dividing an integer by
/// 0, its remainder, and a negative power of 0 are errors. NaN in either operand gives NaN.
class Binary final : public Clonable<Binary, Broadcasting> {
public:
    explicit Binary(BinaryFunction function) : info_(&kBinaryOps[static_cast<int>(function)]) {}
    Binary(BinaryFunction function, const Output& a, const Output& b) : Binary(function) {
        set_inputs({a, b});
    }

    BinaryFunction function() const { return info_->function; }
    const BinaryInfo& info() const { return *info_; }
    /// Only Divide has it.
    bool python_division() const { return python_division_; }
    void set_python_division(bool rounds_down) { python_division_ = rounds_down; }

    const OpType& op_type() const override { return info_->type; }
    static void visit_attributes(auto& self, auto& visitor) {
        Broadcasting::visit_attributes(self, visitor);
        if (self.function() != BinaryFunction::divide) return;
        visitor.on("m_pythondiv", self.python_division_);
    }
    void infer(InferContext& context) const override;

private:
    const BinaryInfo* info_;
    bool python_division_ = true;
};

/// Whether the node is the binary op of that function.
bool is(const Node& node, BinaryFunction function);

/// Inputs: a, b of one type. Output: boolean, their broadcast shape. A NaN is unequal to everything
/// and neither less nor greater; false is less than true.
class Compare final : public Clonable<Compare, Broadcasting> {
public:
    explicit Compare(CompareFunction function) : info_(&kCompareOps[static_cast<int>(function)]) {}
    Compare(CompareFunction function, const Output& a, const Output& b) : Compare(function) {
        set_inputs({a, b});
    }

    CompareFunction function() const { return info_->function; }

    const OpType& op_type() const override { return info_->type; }
    void infer(InferContext& context) const override;

private:
    const CompareInfo* info_;
};

/// Whether the node is the comparison of that function.
bool is(const Node& node, CompareFunction function);

/// Inputs: a, b, boolean. Output: boolean, their broadcast shape.
class Logical final : public Clonable<Logical, Broadcasting> {
public:
    explicit Logical(LogicalFunction function) : info_(&kLogicalOps[static_cast<int>(function)]) {}
    Logical(LogicalFunction function, const Output& a, const Output& b) : Logical(function) {
        set_inputs({a, b});
    }

    LogicalFunction function() const { return info_->function; }

    const OpType& op_type() const override { return info_->type; }
    void infer(InferContext& context) const override;

private:
    const LogicalInfo* info_;
};

/// Whether the node is the logical op of that function.
bool is(const Node& node, LogicalFunction function);

/// Inputs: condition, boolean; yes and no, of one type. Output: yes where the condition is true,
/// else no; the type of both, the broadcast shape of all three.
class Select final : public Op<Select, Broadcasting> {
public:
    static constexpr OpType kType{"Select", 1};

    Select() = default;
    Select(const Output& condition, const Output& yes, const Output& no) {
        set_inputs({condition, yes, no});
    }

    void infer(InferContext& context) const override;
};

/// Input: data. Output: its elements as `destination_type`:
/// floating -> integer cuts towards zero; what doesn't fit becomes the nearest number that does,
/// and NaN becomes 0. integer -> integer keeps the lowest bits. anything -> boolean is "not 0" (so
/// NaN is true). -> floating rounds to nearest even. -> narrow types: see NarrowRounding; another
/// way than OpenVINO's is an attribute of Rondo's own.
class Convert : public Op<Convert> {
public:
    static constexpr OpType kType{"Convert", 1};

    Convert() = default;
    Convert(const Output& data, ElementType destination_type, NarrowRounding rounding = {})
        : Op({data}), destination_type_(destination_type), rounding_(rounding) {}

    ElementType destination_type() const { return destination_type_; }
    NarrowRounding rounding() const { return rounding_; }

    OpTraits traits() const override { return {.elementwise = true, .takes_narrow_types = true}; }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("destination_type", self.destination_type_);
        constexpr bool reads = !std::is_const_v<std::remove_reference_t<decltype(self)>>;
        if (!reads && self.rounding_ == NarrowRounding()) return;
        visitor.on("saturate", self.rounding_.saturates);
        visitor.on_enum("round_mode", self.rounding_.scale, kScaleNames);
    }
    std::vector<Dimension> known_extents(std::size_t output, int steps) const override;
    void infer(InferContext& context) const override;

private:
    using Scale = NarrowRounding::Scale;
    static constexpr std::pair<std::string_view, Scale> kScaleNames[] = {
        {"up", Scale::up}, {"down", Scale::down}, {"nearest", Scale::nearest}};

    ElementType destination_type_ = ElementType::dynamic;
    NarrowRounding rounding_;
};

}  // namespace rondo::ops
