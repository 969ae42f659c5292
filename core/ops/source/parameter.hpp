// The ends of a graph: its inputs and its results.
#pragma once

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Output: a tensor of `element_type` whose shape lies within `shape`.
class Parameter final : public Op<Parameter> {
public:
    static constexpr OpType kType{"Parameter", 1};

    Parameter() = default;
    Parameter(ElementType type, PartialShape shape) : type_(type), shape_(std::move(shape)) {}

    const PartialShape& shape() const { return shape_; }
    /// Takes effect with the next validate().
    void set_shape(PartialShape shape) { shape_ = std::move(shape); }
    ElementType element_type() const { return type_; }
    /// Takes effect with the next validate().
    void set_element_type(ElementType type) { type_ = type; }

    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("shape", self.shape_);
        visitor.on("element_type", self.type_);
    }
    void infer(InferContext& context) const override;

private:
    ElementType type_ = ElementType::dynamic;
    PartialShape shape_;
};

/// Input and output: the same tensor; the output exists so that the graph knows its type and shape.
class Result final : public Op<Result> {
public:
    static constexpr OpType kType{"Result", 1};

    Result() = default;
    explicit Result(const Output& value) : Op({value}) {}

    OpTraits traits() const override { return {.takes_narrow_types = true}; }
    void infer(InferContext& context) const override;
};

/// True where a Result reads the value.
bool feeds_result(const Output& value);

}  // namespace rondo::ops
