// Puts variables before inputs of nodes.
#pragma once

#include <string>
#include <vector>

#include "core/support/unique_names.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {

/// Lives as long as one run of a pass, which ends with finish().
class VariableMaker {
public:
    explicit VariableMaker(Graph& graph);

    Rewriter& rewriter() { return rewriter_; }

    struct Variable {
        std::string id;  ///< gets a number behind it where it is taken; both nodes are called by it
        Output next;     ///< its next value
        PartialShape shape;
        std::vector<Output> init = {};  ///< none: zeros; then the shape is known
    };
    /// Input `port` of the node reads the variable.
    void add(Node& node, std::size_t port, const Variable& variable);
    /// Gives the graph the new Assigns; true where there is one.
    bool finish();

private:
    Graph& graph_;
    Rewriter rewriter_;
    UniqueNames ids_;
    std::vector<NodePtr> assigns_;
};

}  // namespace rondo::passes
