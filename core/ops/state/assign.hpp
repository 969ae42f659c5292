// Gives a variable the value that the next inference reads.
#pragma once

#include <string>

#include "core/graph/node.hpp"

namespace rondo::ops {

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

}  // namespace rondo::ops
