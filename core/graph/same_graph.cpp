#include "core/graph/same_graph.hpp"

#include <cstring>

#include "core/graph/printer.hpp"

namespace rondo {
namespace {

// What the text doesn't say.
bool same_rest(const Graph& a, const Graph& b) {
    const auto nodes = a.ordered_nodes();
    const auto others = b.ordered_nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Node& node = *nodes[i];
        Node& other = *others[i];
        if (node.rt_info() != other.rt_info()) return false;
        for (std::size_t port = 0; port < node.output_count(); ++port) {
            if (!same_tensor(node.known_value(port), other.known_value(port))) return false;
        }
        for (std::size_t body = 0; body < node.bodies().size(); ++body) {
            if (!same_rest(*node.bodies()[body], *other.bodies()[body])) return false;
        }
    }
    return true;
}

}  // namespace

bool same_tensor(const Tensor& a, const Tensor& b) {
    if (bool(a) != bool(b)) return false;
    if (!a) return true;
    if (a.element_type() != b.element_type() || a.shape() != b.shape()) return false;
    const Tensor x = a.contiguous();
    const Tensor y = b.contiguous();
    const std::size_t bytes = x.byte_size();
    return bytes == 0 || x.data() == y.data() || std::memcmp(x.data(), y.data(), bytes) == 0;
}

bool same_graph(const Graph& a, const Graph& b) {
    return to_text(a) == to_text(b) && same_rest(a, b);
}

}  // namespace rondo
