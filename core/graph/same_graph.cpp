#include "core/graph/same_graph.hpp"

#include <cstring>

#include "core/graph/printer.hpp"

namespace rondo {
namespace {

bool same_bytes(const Tensor& a, const Tensor& b) {
    if (bool(a) != bool(b)) return false;
    if (!a || a.byte_size() == 0 || (a.data() == b.data() && a.strides() == b.strides()))
        return true;
    const Tensor x = a.contiguous();
    const Tensor y = b.contiguous();
    return x.byte_size() == y.byte_size() && std::memcmp(x.data(), y.data(), x.byte_size()) == 0;
}

// What the text doesn't say.
bool same_rest(const Graph& a, const Graph& b) {
    const auto nodes = a.ordered_nodes();
    const auto others = b.ordered_nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Node& node = *nodes[i];
        Node& other = *others[i];
        if (node.rt_info() != other.rt_info()) return false;
        for (std::size_t port = 0; port < node.output_count(); ++port) {
            if (!same_bytes(node.known_value(port), other.known_value(port))) return false;
        }
        for (std::size_t body = 0; body < node.bodies().size(); ++body) {
            if (!same_rest(*node.bodies()[body], *other.bodies()[body])) return false;
        }
    }
    return true;
}

}  // namespace

bool same_graph(const Graph& a, const Graph& b) {
    return to_text(a) == to_text(b) && same_rest(a, b);
}

}  // namespace rondo
