// A small program with one data-dependent extent, and the ids of its values by the nodes' names.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "plugins/cpu/plugin/plan/planned_program.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::test {

inline std::size_t step_of(const cpu::Program& program, std::string_view name) {
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
        if (program.steps[i].node().name() == name) return i;
    }
    throw std::logic_error("no step '" + std::string(name) + "'");
}

inline cpu::ValueId value_of(const cpu::Program& program, std::string_view name) {
    return program.steps[step_of(program, name)].outputs[0];
}

inline cpu::Program program_of(const GraphBuilder& b) {
    return cpu::make_program(b.graph(), {cpu::Isa::plain});
}

inline Output unary(GraphBuilder& b, ops::UnaryFunction function, const std::string& name,
                    const Output& x) {
    return b.make<ops::Unary>(name, function, x);
}

/// x f32 [?], stop i64 [1]; twice = x + x, shape = ShapeOf(x), head = twice[:stop],
/// y = tanh(head), other = tanh(twice). Results: y, other, shape.
inline cpu::Program open_program() {
    GraphBuilder b;
    const Output x = b.input("x", "[?]");
    const Output stop = b.input("stop", "[1]", ElementType::i64);
    const Output twice = b.make<ops::Binary>("twice", ops::BinaryFunction::add, x, x);
    const Output shape = b.make<ops::ShapeOf>("shape", x);
    const Output head = b.make<ops::Slice>("head", twice, b.ints({0}), stop, b.ints({1}));
    b.output("y", unary(b, ops::UnaryFunction::tanh, "y", head));
    b.output("other", unary(b, ops::UnaryFunction::tanh, "other", twice));
    b.output("shape", shape);
    return program_of(b);
}

/// The key of open_program() and x of `count` elements.
inline cpu::PlanKey open_key(std::size_t count) { return {{Shape{count}, Shape{1}}}; }

/// The key of the segment after `before`, with this `stop`.
inline cpu::PlanKey key_behind(const std::shared_ptr<const cpu::Plan>& before, std::int64_t stop) {
    cpu::PlanKey key = before->key;
    key.before = before;
    key.values = {tensor_of<std::int64_t>({1}, {stop})};
    return key;
}

}  // namespace rondo::test
