// The net's layers and edges as the file has them, checked for being a graph at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

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

}  // namespace rondo::ir
