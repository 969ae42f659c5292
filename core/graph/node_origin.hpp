// What of the user's file a node of the graph was made from, so that errors can name that.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace rondo {

struct NodeOrigin;
/// Shared by all nodes that were made from one node of a file.
using NodeOriginPtr = std::shared_ptr<const NodeOrigin>;

/// A node, input, output or tensor of the user's file, by the file's own words.
struct NodeOrigin {
    /// What a message calls it, before the name. A node without a name is known by an output.
    enum class Kind : char { node, node_of, input, output, tensor };

    Kind kind = Kind::node;
    std::string name;
    /// A node's operator in the file; of an input, output or tensor the op made of it.
    std::string type;

    /// A node with this one is of the file itself: its own name and type say what it is. Renaming
    /// it makes an origin of these.
    static const NodeOriginPtr& itself();
};

/// As text on one line, and back; null for other text.
std::string to_text(const NodeOrigin& origin);
NodeOriginPtr node_origin_from_text(std::string_view text);

/// "node 'name' (Type)", the way errors name a node. One that was made from a node of the file is
/// named after that: "node 'lstm_1' (LSTM, as Broadcast 'lstm_1/state')". `origin` may be null.
std::string describe(const NodeOrigin* origin, std::string_view name, std::string_view type);

}  // namespace rondo
