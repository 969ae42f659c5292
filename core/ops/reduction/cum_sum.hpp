// Sums and products of the elements so far.
#pragma once

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Inputs: x, numbers; axis, one integer (a negative one counts from the end). Output: at each
/// place along the axis the sum, or product, of the elements up to it; `exclusive`: of those before
/// it; `reverse`: of those from the last one down to it. Integers wrap; floating types are rounded
/// once an element.
class Cumulation : public Node {
public:
    struct Options {
        bool exclusive = false;
        bool reverse = false;
    };

    using Node::Node;

    const Options& options() const { return options_; }
    void set_options(const Options& options) { options_ = options; }

    OpTraits traits() const override { return OpTraits::op_along_axes(); }
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

class CumSum final : public Op<CumSum, Cumulation> {
public:
    static constexpr OpType kType{"CumSum", 3};

    CumSum() = default;
    CumSum(const Output& x, const Output& axis, const Options& options) : Op({x, axis}) {
        set_options(options);
    }
};

class CumProd final : public Op<CumProd, Cumulation> {
public:
    static constexpr OpType kType{"CumProd", 0};

    CumProd() = default;
    CumProd(const Output& x, const Output& axis, const Options& options) : Op({x, axis}) {
        set_options(options);
    }
};

}  // namespace rondo::ops
