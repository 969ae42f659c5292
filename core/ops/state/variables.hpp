// Variables, which keep a value from one call to the next, and the ops that read and write them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/node.hpp"

namespace rondo::ops {

/// Input: none, or the initial value of the variable. Output: the variable's value
/// before this inference. No evaluator: its output depends on more than its inputs.
class ReadValueBase : public Node {
public:
    using Node::Node;

    const std::string& variable_id() const { return variable_id_; }
    void set_variable_id(std::string id) { variable_id_ = std::move(id); }
    bool has_init() const { return input_count() > 0; }

    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("variable_id", self.variable_id_);
    }

private:
    std::string variable_id_;
};

/// The newer form: a variable of a declared type, whose values lie within a declared shape, as does
/// the init input's. Without that input it starts as zeros, with open extents as small as allowed.
class ReadValue final : public Op<ReadValue, ReadValueBase> {
public:
    static constexpr OpType kType{"ReadValue", 6};
    using Op::Op;
    ReadValue(std::vector<Output> init, std::string variable_id, ElementType type,
              PartialShape shape)
        : Op(std::move(init)), type_(type), shape_(std::move(shape)) {
        set_variable_id(std::move(variable_id));
    }

    /// Takes effect with the next validate().
    void set_shape(PartialShape shape) { shape_ = std::move(shape); }

    static void visit_attributes(auto& self, auto& visitor) {
        ReadValueBase::visit_attributes(self, visitor);
        visitor.on("variable_type", self.type_);
        visitor.on("variable_shape", self.shape_);
    }
    void infer(InferContext& context) const override;

private:
    ElementType type_ = ElementType::dynamic;
    PartialShape shape_;
};

/// The older form: type and shape are those of the init input, which is required.
class ReadValue3 final : public Op<ReadValue3, ReadValueBase> {
public:
    static constexpr OpType kType{"ReadValue", 3};
    using Op::Op;

    void infer(InferContext& context) const override;
};

/// Input: the value. Output: the same tensor, rarely used. A sink: kept for its side effect.
class AssignBase : public Node {
public:
    AssignBase() = default;
    AssignBase(const Output& value, std::string variable_id)
        : Node({value}), variable_id_(std::move(variable_id)) {}

    const std::string& variable_id() const { return variable_id_; }

    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("variable_id", self.variable_id_);
    }
    void infer(InferContext& context) const override;

private:
    std::string variable_id_;
};

/// The partner of a ReadValue.
class Assign final : public Op<Assign, AssignBase> {
public:
    static constexpr OpType kType{"Assign", 6};
    using Op::Op;
};

/// The partner of a ReadValue3.
class Assign3 final : public Op<Assign3, AssignBase> {
public:
    static constexpr OpType kType{"Assign", 3};
    using Op::Op;
};

/// A variable: its two nodes, which share an id.
struct Variable {
    std::string id;
    std::shared_ptr<ReadValueBase> read;
    std::shared_ptr<AssignBase> assign;

    ElementType type() const { return read->output_type(0); }
    /// All its values have this shape.
    const PartialShape& shape() const { return read->output_shape(0); }
};

/// In the order of the graph's sinks. Throws ModelError naming the node unless each variable has
/// exactly one ReadValue and one Assign, which agree in type and shape; UnsupportedError for a sink
/// that isn't an Assign.
std::vector<Variable> variables_of(const Graph& graph);

/// Throws ModelError naming the node unless a variable that `read_value` reads may start from an
/// init input of this shape.
void check_init(const Node& read_value, const Shape& shape);

}  // namespace rondo::ops
