// How the inputs and outputs of a Loop or a Scan belong to those of its body.
#pragma once

#include <rondo_onnx.pb.h>

#include <cstdint>
#include <string>
#include <vector>

namespace rondo::test {

/// Numbers of inputs and outputs. States come before what is walked or joined, in the node
/// and in the body; in front of those a Loop has its counters.
struct Iteration {
    int first_input = 0;   ///< the first state's, of the node and of the body
    int first_result = 0;  ///< the first state's, an output of the body
    int states = 0;
    int walked = 0;  ///< inputs of a Scan that have an axis more than the body's
    int joined = 0;  ///< outputs that have an axis more than the body's
};

bool is_iterated(const rondo_onnx::NodeProto& node);
/// Only where is_iterated() holds.
Iteration iteration_of(const rondo_onnx::NodeProto& node);

/// The attribute of that name; null without one.
rondo_onnx::AttributeProto* find_attribute(rondo_onnx::NodeProto& node, const std::string& name);
/// Number `at` of a list attribute; 0 without one.
std::int64_t number_at(rondo_onnx::NodeProto& node, const std::string& name, int at);

}  // namespace rondo::test
