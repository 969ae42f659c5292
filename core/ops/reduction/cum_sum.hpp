// Sums of the elements so far.
#pragma once

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Inputs: x, numbers; axis, one integer (a negative one counts from the end). Output: at each
/// place along the axis the sum of the elements up to it; `exclusive`: of those before it;
/// `reverse`: of those from the last one down to it. Integers wrap; floating types are rounded once
/// an element.
class CumSum final : public Op<CumSum> {
public:
    static constexpr OpType kType{"CumSum", 3};

    struct Options {
        bool exclusive = false;
        bool reverse = false;
    };

    CumSum() = default;
    CumSum(const Output& x, const Output& axis, Options options)
        : Op({x, axis}), options_(options) {}

    const Options& options() const { return options_; }

    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("exclusive", self.options_.exclusive);
        visitor.on("reverse", self.options_.reverse);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    Options options_;
};

}  // namespace rondo::ops
