// The unary family: functions of one tensor, element by element. Each op is a row of kUnaryOps.
#pragma once

#include "core/graph/node.hpp"
#include "core/ops/elementwise/functions.hpp"

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

}  // namespace rondo::ops
