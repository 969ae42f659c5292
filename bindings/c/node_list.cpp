// Lists of a model's nodes, from rondo/c/model.h.
#include <deque>
#include <memory>

#include "bindings/c/handles.hpp"
#include "bindings/c/port_list.hpp"

using namespace rondo::c;

namespace rondo::c {

// One node with everything its struct points to: never moved.
class ListedNode {
public:
    explicit ListedNode(NodeInfo node) : node_(std::move(node)), info_{} {
        for (const auto& [name, value] : node_.attributes) {
            attributes_.push_back({name.c_str(), value.c_str()});
        }
        for (const auto& source : node_.inputs) inputs_.push_back({source.node, source.output});
        for (const PortInfo& port : node_.outputs) outputs_.ports.emplace_back(port);
        info_.name = node_.name.c_str();
        info_.type = node_.type.c_str();
        info_.opset = node_.opset.c_str();
        info_.attributes = attributes_.data();
        info_.attribute_count = attributes_.size();
        info_.inputs = inputs_.data();
        info_.input_count = inputs_.size();
        info_.outputs = &outputs_;
        info_.constant_bytes = node_.constant_bytes;
    }
    ListedNode(const ListedNode&) = delete;
    ListedNode& operator=(const ListedNode&) = delete;

    const rondo_node_info_t& info() const { return info_; }

private:
    NodeInfo node_;
    std::vector<rondo_property_t> attributes_;
    std::vector<rondo_node_source_t> inputs_;
    rondo_port_list outputs_;
    rondo_node_info_t info_;
};

}  // namespace rondo::c

struct rondo_node_list {
    std::deque<ListedNode> nodes;
};

rondo_status_t rondo_model_nodes(const rondo_model_t* model, rondo_node_list_t** nodes) {
    return produce(nodes, "nodes", [&] {
        auto list = std::make_unique<rondo_node_list>();
        for (auto& node : required(model, "model").model.nodes()) {
            list->nodes.emplace_back(std::move(node));
        }
        return list.release();
    });
}

size_t rondo_node_list_size(const rondo_node_list_t* list) {
    return list == nullptr ? 0 : list->nodes.size();
}

const rondo_node_info_t* rondo_node_list_at(const rondo_node_list_t* list, size_t index) {
    return index < rondo_node_list_size(list) ? &list->nodes[index].info() : nullptr;
}

void rondo_node_list_free(rondo_node_list_t* list) { delete list; }
