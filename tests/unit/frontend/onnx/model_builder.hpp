// Writes ONNX models in memory, for tests: `ModelBuilder().input("x", f32, {2}).node(...)`.
#pragma once

#include <rondo_onnx.pb.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "rondo/tensor.hpp"

namespace rondo::test {

/// An ONNX tensor message with the elements in raw_data.
rondo_onnx::TensorProto to_message(const std::string& name, const Tensor& tensor);
/// TensorProto's number for a type.
std::int32_t to_onnx(ElementType type);

/// Adds attributes to a node.
class NodeBuilder {
public:
    explicit NodeBuilder(rondo_onnx::NodeProto& node) : node_(node) {}

    NodeBuilder& with(const std::string& name, std::int64_t value);
    NodeBuilder& with(const std::string& name, int value) {
        return with(name, static_cast<std::int64_t>(value));
    }
    NodeBuilder& with(const std::string& name, float value);
    NodeBuilder& with(const std::string& name, const std::string& value);
    NodeBuilder& with(const std::string& name, const char* value) {
        return with(name, std::string(value));
    }
    NodeBuilder& with(const std::string& name, const std::vector<std::int64_t>& values);
    NodeBuilder& with(const std::string& name, const std::vector<float>& values);
    NodeBuilder& with(const std::string& name, const std::vector<std::string>& values);
    NodeBuilder& with(const std::string& name, const Tensor& value);
    NodeBuilder& with(const std::string& name, const rondo_onnx::GraphProto& body);
    NodeBuilder& domain(const std::string& name);

private:
    rondo_onnx::AttributeProto& add(const std::string& name, int type);
    rondo_onnx::NodeProto& node_;
};

class ModelBuilder {
public:
    explicit ModelBuilder(std::int64_t opset = 17);

    ModelBuilder& input(const std::string& name, ElementType type, const PartialShape& shape);
    ModelBuilder& initializer(const std::string& name, const Tensor& tensor);
    /// The node's name is "the_<op_type>" unless given; "" names an omitted input or output.
    NodeBuilder node(const std::string& op_type, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs, const std::string& name = "-");
    ModelBuilder& output(const std::string& name);

    rondo_onnx::ModelProto& message() { return model_; }
    rondo_onnx::GraphProto& graph() { return *model_.mutable_graph(); }

    std::string bytes() const;
    /// Reads it through the frontend, under the path "model.onnx".
    std::shared_ptr<Graph> read() const;
    /// Reads it and evaluates it on these inputs, in the order of the parameters.
    std::vector<Tensor> run(const std::vector<Tensor>& inputs) const;

private:
    rondo_onnx::ModelProto model_;
};

/// Reads bytes as a file of that path; nothing is opened but external data.
std::shared_ptr<Graph> read_bytes(const std::string& bytes, const std::string& path = "model.onnx");

/// Evaluates a graph with the reference evaluators; `inputs` in the order of the parameters.
std::vector<Tensor> evaluate(const Graph& graph, const std::vector<Tensor>& inputs);

}  // namespace rondo::test
