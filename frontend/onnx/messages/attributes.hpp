// An ONNX node's attributes: typed, by name, and none forgotten.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/onnx/messages/message.hpp"

namespace rondo::onnx {

/// The finders give nothing for an absent attribute, and throw ModelError if it has another
/// type: "attribute 'axis' is FLOAT; expected INT". What was asked for counts as read.
class Attributes {
public:
    /// Keeps a reference to `node`. Throws ModelError if a name is used twice.
    explicit Attributes(const rondo_onnx::NodeProto& node);

    std::optional<std::int64_t> find_int(const std::string& name);
    std::optional<float> find_float(const std::string& name);
    std::optional<std::string> find_string(const std::string& name);
    std::optional<std::vector<std::int64_t>> find_ints(const std::string& name);
    std::optional<std::vector<float>> find_floats(const std::string& name);
    std::optional<std::vector<std::string>> find_strings(const std::string& name);
    /// Null if absent.
    const rondo_onnx::TensorProto* find_tensor(const std::string& name);
    /// Null if absent.
    const rondo_onnx::SparseTensorProto* find_sparse_tensor(const std::string& name);
    /// Null if absent.
    const rondo_onnx::GraphProto* find_graph(const std::string& name);
    /// An INT that is 0 or 1.
    bool flag(const std::string& name, bool default_value);

    bool has(const std::string& name) const;
    /// Reads an attribute, of whatever type, that says nothing the converter doesn't know.
    void skip(const std::string& name) { read_.insert(name); }
    /// Throws UnsupportedError for the first attribute that the converter did not read.
    void check_all_read() const;

private:
    const rondo_onnx::AttributeProto* find(const std::string& name, int type);

    const rondo_onnx::NodeProto& node_;
    std::set<std::string> read_;
};

}  // namespace rondo::onnx
