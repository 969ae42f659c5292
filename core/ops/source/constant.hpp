// A tensor known at compile time: weights, axes, shapes.
#pragma once

#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/reloadable_tensor.hpp"
#include "rondo/tensor.hpp"

namespace rondo::ops {

/// Output: the tensor. Copies of the node share its memory, which never changes.
class Constant final : public Op<Constant> {
public:
    static constexpr OpType kType{"Const", 1};

    Constant() = default;
    explicit Constant(Tensor value) : value_(std::move(value)) {}

    const Tensor& value() const { return value_; }
    void set_value(Tensor value) { value_ = std::move(value); }
    Tensor known_value(std::size_t) const override { return is_released() ? Tensor() : value_; }

    /// Gives the elements up, for a device that has them in another form: the value has a type and
    /// a shape from now on, and a null pointer.
    void release();
    bool is_released() const { return rondo::is_released(value_); }

    /// element_type and shape, for printing; the IR adds the offset in the weights file.
    static void visit_attributes(auto& self, auto& visitor) {
        ElementType type = self.value_ ? self.value_.element_type() : ElementType::dynamic;
        PartialShape shape = self.value_ ? PartialShape(self.value_.shape()) : PartialShape();
        visitor.on("element_type", type);
        visitor.on("shape", shape);
    }
    void infer(InferContext& context) const override;

private:
    Tensor value_;
};

/// The bytes of all constants of the graph and its bodies; memory that two share counts twice.
std::size_t constant_bytes(const Graph& graph);

/// An i64 constant of rank 1, named `name`.
std::shared_ptr<Constant> make_i64(const std::vector<std::int64_t>& values,
                                   const std::string& name);
/// An i64 constant of rank 0.
std::shared_ptr<Constant> make_i64_scalar(std::int64_t value, const std::string& name);

}  // namespace rondo::ops
