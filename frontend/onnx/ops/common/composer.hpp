// Writes the small graphs that stand for an operator which the IR has no op for.
#pragma once

#include <string>

#include "core/ops/builder.hpp"
#include "frontend/onnx/context/node_context.hpp"

namespace rondo::onnx {

using ops::kSliceEnd;

/// Makes ops that it names one after another: "<node's name>/part_7". Numbers have one type where
/// none is given.
class Composer : public ops::Builder {
public:
    explicit Composer(NodeContext& context, ElementType type = ElementType::f32)
        : context_(context), type_(type) {}

    NodeContext& context() { return context_; }
    ElementType type() const { return type_; }
    /// A name for an op that is made elsewhere.
    std::string role() { return "part_" + std::to_string(parts_++); }

    using Builder::number;
    Output number(double value) { return number(type_, value); }
    /// In the formula's type.
    Output wide(const Output& x) { return convert(x, type_); }

    /// The value of the whole operator: an op that was made here gets the node's own name.
    Output result(const Output& value);

private:
    void adopt(const NodePtr& node) override;

    NodeContext& context_;
    ElementType type_;
    int parts_ = 0;
};

}  // namespace rondo::onnx
