// The converters of a model's operators, and what can't be read, gathered so that one message says
// all of it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "frontend/onnx/local_functions.hpp"
#include "frontend/onnx/messages/message.hpp"
#include "frontend/onnx/messages/opset_imports.hpp"
#include "frontend/onnx/ops/op_list.hpp"

namespace rondo::onnx {

/// Leaves the reader of a body whose results depend on something refused. It is no Error: whoever
/// reads the body refuses the node that owns it, and the reason is known already.
struct RefusedBody {};

/// Nodes that read a refused node's outputs aren't looked at: what they would be refused for could
/// be the other node's fault.
class Refusals {
public:
    /// `name`: "LSTM (opset 14)", `hint`: "read from opset 7 on", or nothing. The message names the
    /// first node of an operator and counts them all.
    void add_operator(const std::string& name, const std::string& node, const std::string& hint);
    /// `message`: what a supported operator can't do, with its place. The same one again, from a
    /// body that is read again, counts once. The last of kMostFeatures ends reading, as check()
    /// does: functions of a small file may refuse a million nodes.
    void add_feature(const std::string& message);
    static constexpr std::size_t kMostFeatures = 200;
    void add_unseen() { ++unseen_; }

    bool empty() const { return operators_.empty() && features_.empty(); }
    /// Throws UnsupportedError that names everything, unless nothing was refused.
    void check() const;

private:
    struct Refused {
        std::string first_node;
        std::string hint;
        std::size_t nodes = 0;
    };

    std::string operators_text() const;

    std::map<std::string, Refused> operators_;
    std::vector<std::string> features_;  // in the order of the nodes
    std::size_t unseen_ = 0;
};

/// The converter of a node's operator in the version that the model imports, or null.
const OpEntry* find_converter(const rondo_onnx::NodeProto& node, const OpsetImports& opsets);

/// "LSTM", or with its domain: "com.microsoft.Gelu".
std::string operator_name(const rondo_onnx::NodeProto& node);

/// Why there is no converter for the node, with what may help.
std::string missing_converter_text(const rondo_onnx::NodeProto& node, const OpsetImports& opsets);

/// Adds all operators that are neither functions of the model nor have a converter, those in bodies
/// and in the functions that are called too.
void check_operators(const rondo_onnx::GraphProto& graph, const OpsetImports& opsets,
                     const LocalFunctions& functions, Refusals& refusals);

}  // namespace rondo::onnx
