// The elements that join an op's ports to those of its bodies: <port_map> and <back_edges>.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <pugixml.hpp>

#include "core/ir/layer_table.hpp"
#include "core/ops/control/control_ops.hpp"

namespace rondo::ir {

/// A body's parameters and results, as numbers, by the ids of their layers.
struct BodyLayers {
    std::unordered_map<std::int64_t, std::size_t> parameters;
    std::unordered_map<std::int64_t, std::size_t> results;
};

/// "port_map" of "body", "then_port_map" of "then_body".
std::string port_map_name(const std::string& body_name);

struct PortMap {
    ops::BodyPorts ports;
    ops::LoopPorts special;  ///< a Loop's
};

/// The ports of the layer's body of that name. Throws ModelError for ports and layers that aren't
/// there, UnsupportedError for a purpose that Loop doesn't know.
PortMap read_port_map(const Layer& layer, const std::string& body, const BodyLayers& ids);

/// Adds the elements to the op's layer; a parameter or result of the body is the layer of that id.
void write_port_map(const ops::BodyOp& op, std::size_t index,
                    const std::unordered_map<const Node*, std::size_t>& ids, pugi::xml_node layer);

}  // namespace rondo::ir
