// The net's layers and edges as the file has them, checked for being a graph at all; and the
// elements that join an op's ports to those of its bodies: <port_map> and <back_edges>.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ops/control/control_ops.hpp"

namespace rondo::ir {

/// Where an input comes from: an output of another layer, both counted from 0.
struct LayerInput {
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::size_t layer = kNone;
    std::size_t output = 0;
};

/// One `<layer>`. Ports are found by their ids and counted in the order of the file.
struct Layer {
    pugi::xml_node xml;
    std::int64_t id = 0;
    std::string name;
    std::string type;
    std::string version;
    std::map<std::int64_t, std::size_t> input_ports;
    std::map<std::int64_t, std::size_t> output_ports;
    std::vector<LayerInput> inputs;

    /// Compared without regard to case, as everywhere with types.
    bool is(std::string_view wanted) const;
};

/// "layer 7 'lstm' (LSTMSequence)".
std::string describe(const Layer& layer);

/// All layers in the file's order, joined by the edges. Throws ModelError for a missing or bad
/// attribute, an id or port used twice, and an edge to a layer or port that isn't there.
std::vector<Layer> read_layers(pugi::xml_node net);

/// Indices of the layers that Parameter, Assign and Result layers need, and of these, producers
/// first. Iterative; throws ModelError naming a layer on a cycle or an input without an edge.
std::vector<std::size_t> needed_layers(const std::vector<Layer>& layers);

/// A whole number of at least 0. Throws ModelError naming the attribute.
std::int64_t count_attribute(pugi::xml_node element, const char* name);

/// An attribute that must be there. Throws ModelError naming it.
std::string text_attribute(pugi::xml_node element, const char* name);

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
