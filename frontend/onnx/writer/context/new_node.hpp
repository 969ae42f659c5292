// An ONNX node that is being written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "frontend/onnx/messages/message.hpp"
#include "rondo/tensor.hpp"

namespace rondo::onnx {

/// A handle: adds attributes to the node's message, and knows the names of its outputs.
class NewNode {
public:
    explicit NewNode(rondo_onnx::NodeProto& node) : node_(&node) {}

    NewNode& with_domain(const char* domain);
    NewNode& with_int(const char* name, std::int64_t value);
    NewNode& with_float(const char* name, float value);
    NewNode& with_text(const char* name, const std::string& value);
    NewNode& with_ints(const char* name, const std::vector<std::int64_t>& values);
    NewNode& with_floats(const char* name, const std::vector<float>& values);
    NewNode& with_texts(const char* name, const std::vector<std::string>& values);
    NewNode& with_tensor(const char* name, const Tensor& value);
    /// The message of a new graph, of that name.
    rondo_onnx::GraphProto& add_graph(const char* attribute, const std::string& name);

    /// Leaves the output out: no node reads it.
    void drop_output(std::size_t index);
    std::string output(std::size_t index) const;
    std::vector<std::string> outputs() const;
    /// The name of the first output.
    operator std::string() const { return output(0); }  // NOLINT: implicit on purpose

private:
    rondo_onnx::AttributeProto& add(const char* name, int type);

    rondo_onnx::NodeProto* node_;
};

}  // namespace rondo::onnx
