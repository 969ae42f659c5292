// A graph of onnxruntime as plain values: read once, then looked through without calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bindings/onnxruntime/src/host.hpp"

namespace rondo::ort {

/// What a graph says of a value's type.
struct ValueType {
    struct Extent {
        std::int64_t length = -1;  ///< -1: open
        std::string symbol;        ///< the name of an open one, or empty
    };
    bool is_tensor = false;
    int element_type = 0;  ///< TensorProto.DataType
    bool has_shape = false;
    std::vector<Extent> shape;
};

struct HostValue {
    const OrtValueInfo* handle = nullptr;
    ValueType type;
    bool is_constant = false;  ///< an initializer that no input replaces, here or further out
};

struct HostBody;

struct HostNode {
    const OrtNode* handle = nullptr;
    std::size_t id = 0;  ///< of the node in its graph; stays while other nodes are fused
    std::string name;
    std::string op;
    std::string domain;
    std::vector<std::string> inputs;  ///< "" for one that is left out
    std::vector<std::string> outputs;
    std::vector<std::string> implicit_inputs;  ///< what its bodies use of the graphs around them
    std::vector<HostBody> bodies;
    bool is_taken = false;  ///< it has taken the place of a claim
};

struct HostGraph {
    const OrtGraph* handle = nullptr;
    std::string name;
    bool is_body = false;
    std::string parent_op;        ///< the operator that has this body, where onnxruntime says it
    std::vector<HostNode> nodes;  ///< every node comes after its producers
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::vector<std::string> initializers;
    std::map<std::string, HostValue> values;  ///< all that the graph's nodes name
    std::map<std::string, std::int64_t> opsets;
};

struct HostBody {
    std::string attribute;
    HostGraph graph;
};

/// Reads a graph and the bodies of its nodes. The handles are valid as long as the graph is.
HostGraph read_graph(const Host& host, const OrtGraph* graph);

/// A constant's value; null if onnxruntime doesn't give it. A body by itself doesn't get
/// one that is in a file and belongs to a graph around it.
const OrtValue* constant_of(const Host& host, const HostValue& value);

/// What a node that onnxruntime has made of others takes, gives and is called.
std::vector<std::string> input_names(const Host& host, const OrtNode* node);
std::vector<std::string> output_names(const Host& host, const OrtNode* node);
std::string operator_of(const Host& host, const OrtNode* node);
std::string name_of(const Host& host, const OrtNode* node);

/// A node as messages call it; one without a name has that of an output.
std::string named(const HostNode& node);

/// The path of the model that a graph is of; empty if it was read from memory.
std::string model_path(const Host& host, const OrtGraph* graph);

/// A name as messages have it.
inline std::string in_quotes(const std::string& text) { return "'" + text + "'"; }

}  // namespace rondo::ort
