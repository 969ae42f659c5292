// What random bodies are made of: conditions, results, and the graph of a body.
#pragma once

#include <string>
#include <vector>

#include "tests/random/model_maker.hpp"

namespace rondo::test {

/// One boolean, of shape [] or [1], with the same value on every device: a constant, or computed
/// from shapes, integers or an input.
Value condition(ModelMaker& maker);

/// The number of elements along an axis, an i64 scalar.
Value extent_scalar(ModelMaker& maker, const Value& x, std::size_t axis);

/// A value of `target`'s shape, mostly one that the body made itself.
Value value_like(ModelMaker& body, const Value& target);

/// A body under construction: its graph, and the results so far.
class RandomBody {
public:
    explicit RandomBody(const ModelMaker& outer) : maker_(outer.inside()) {}

    ModelMaker& maker() { return maker_; }
    /// Adds a result: the value itself, or its Identity where a body may not hand it on.
    void add_result(const Value& value);
    /// The graph so far, whose open extents have no names.
    rondo_onnx::GraphProto graph();

private:
    ModelMaker maker_;
    std::vector<std::string> results_;
};

std::vector<Recipe> if_recipes();
std::vector<Recipe> loop_recipes();
std::vector<Recipe> scan_recipes();

}  // namespace rondo::test
