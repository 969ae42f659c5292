// The tensors that nodes of a graph can read, by their ONNX names.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/graph/node.hpp"
#include "core/support/unique_names.hpp"

namespace rondo::onnx {

/// A body also reads tensors of the graph around it: each one that it reads becomes a parameter of
/// the body, or a constant of its own if it is constant.
class Scope {
public:
    Scope() = default;
    /// The scope of a body. `outer` and `names` must outlive it.
    Scope(Scope& outer, UniqueNames& names) : outer_(&outer), names_(&names) {}
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    /// Drops consumers before their producers, so that a chain of any length needs no deep stack.
    ~Scope();

    /// Throws ModelError if the name is empty or taken in this graph. A name of the graph around
    /// may be used again.
    void define(const std::string& name, const Output& value);
    /// The tensor, or an empty Output.
    Output find(const std::string& name);

    /// Notes that a refused node should have made the tensor.
    void refuse(const std::string& name) { refused_.insert(name); }
    /// Whether the name is that of such a tensor, of this graph or of one around it.
    bool is_refused(const std::string& name) const;

    /// A tensor of the graph around that the body reads, and the parameter for it.
    struct Capture {
        Output outer;
        NodePtr parameter;
    };
    const std::vector<Capture>& captures() const { return captures_; }

private:
    Output capture(const Output& outer);

    Scope* outer_ = nullptr;
    UniqueNames* names_ = nullptr;
    std::unordered_map<std::string, std::size_t> index_;
    std::unordered_set<std::string> refused_;
    std::unordered_map<std::string, Output> captured_;  // by the name that the body reads
    std::vector<Capture> captures_;
    std::vector<Output> values_;  // in the order of definition
};

}  // namespace rondo::onnx
