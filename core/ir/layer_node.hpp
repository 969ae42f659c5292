// Makes the node that a layer stands for, from its type, opset, inputs and attributes.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/node.hpp"
#include "core/support/function_ref.hpp"
#include "core/support/unique_names.hpp"

namespace rondo::ir {

using Attributes = std::vector<std::pair<std::string, std::string>>;

struct LayerNode {
    std::string type;     ///< any case
    std::string version;  ///< "opset13" or "rondo1"
    std::string name;
    std::vector<Output> inputs = {};
    Attributes attributes = {};
};

/// True where op_list() or composed_ops() has that op.
bool is_known(std::string_view type, std::string_view version);
/// "'LSTMSequence' (opset1; known in opset5 and later)".
std::string unsupported_text(std::string_view type, std::string_view version);

/// Attributes that `read` doesn't ask for are refused, except those of `known`: a newer form of the
/// op means something else.
void read_attributes(const Attributes& attributes, std::set<std::string> known,
                     FunctionRef<void(AttributeReader& reader)> read);

/// Reads the attributes of a node that has no inputs yet. `known`: others that the layer has.
void read_attributes(Node& node, const Attributes& attributes, std::set<std::string> known = {});

/// The node of a layer of a known type: composed of others, or one with its inputs, after `prepare`
/// has made what only the op knows of (a constant's elements, bodies). `names` are those of the
/// graph, which a composed op adds to. Throws ModelError and UnsupportedError without the layer's
/// place.
NodePtr make_layer_node(LayerNode layer, UniqueNames& names, FunctionRef<void(Node& node)> prepare);

}  // namespace rondo::ir
