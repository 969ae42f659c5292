// Nodes of random bodies whose shapes no recipe knows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/random/recipes/body_parts.hpp"

namespace rondo::test {

using Attributes = std::function<void(NodeBuilder&)>;

/// Adds nodes to a graph.
class Nodes {
public:
    explicit Nodes(ModelMaker& maker) : maker_(maker) {}

    Value op(const std::string& name, const std::vector<Value>& inputs,
             const Attributes& attributes = {}, ElementType type = ElementType::f32) {
        return maker_.add(name, inputs, {}, type, attributes);
    }
    Value along(const std::string& name, const std::vector<Value>& inputs, std::int64_t axis,
                ElementType type = ElementType::f32) {
        return op(
            name, inputs, [&](NodeBuilder& node) { node.with("axis", axis); }, type);
    }
    /// A small number: errors don't grow.
    Value small(const Value& x) { return op("Tanh", {op("Mul", {x, maker_.filled({}, 0.05F)})}); }
    Value sum(const Value& x) {
        return small(op("ReduceSum", {x}, [](NodeBuilder& node) { node.with("keepdims", 0); }));
    }
    Value floats(const Value& x) {
        return op("Cast", {x}, [](NodeBuilder& node) { node.with("to", 1); });
    }
    Value length(const Value& list, std::int64_t axis) {
        const Value shape = op("Shape", {list}, {}, ElementType::i64);
        return along_int(shape, axis);
    }
    Value along_int(const Value& ints, std::int64_t at) {
        return op("Gather", {ints, maker_.int_scalar(at)}, {}, ElementType::i64);
    }
    ModelMaker& maker() { return maker_; }

private:
    ModelMaker& maker_;
};

/// The graph of a branch that returns one value.
inline rondo_onnx::GraphProto branch(ModelMaker& own, const std::function<Value(Nodes&)>& make) {
    RandomBody body(own);
    Nodes nodes(body.maker());
    Value result = make(nodes);
    result.hidden = true;
    body.add_result(result);
    own.set_last_name(body.maker().last_name());
    return body.graph();
}

/// An If of branches that return one value.
inline Value choice(Nodes& nodes, const Value& condition, ElementType type,
                    const std::function<Value(Nodes&)>& yes,
                    const std::function<Value(Nodes&)>& no) {
    ModelMaker& own = nodes.maker();
    const auto then_branch = branch(own, yes);
    const auto else_branch = branch(own, no);
    return nodes.op(
        "If", {condition},
        [&](NodeBuilder& node) {
            node.with("then_branch", then_branch).with("else_branch", else_branch);
        },
        type);
}

}  // namespace rondo::test
