// The small elements of the IR's XML: ports, edges, attributes and the place of a constant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

#include "core/graph/node.hpp"
#include "core/ir/weights_file.hpp"

namespace rondo::ir {

// pugixml answers a lack of memory with empty handles, on which all else does nothing: what these
// functions write is there, or they throw std::bad_alloc.

/// Appends a child element.
pugi::xml_node add_element(pugi::xml_node parent, const char* name);
/// Appends an attribute. Throws ModelError for what XML can't hold: control characters other than
/// tab, line feed and carriage return, and bytes that are not UTF-8.
void set(pugi::xml_node element, const char* name, const std::string& value);
void set(pugi::xml_node element, const char* name, std::size_t value);
void set(pugi::xml_node element, const char* name, std::int64_t value);

/// A port's type and shape.
struct Port {
    ElementType type;
    PartialShape shape;
};

/// Appends `<port>` to a list of ports.
pugi::xml_node add_port(pugi::xml_node list, std::size_t id, const Port& port);
/// The same with the tensor names of the output.
void add_output_port(pugi::xml_node list, std::size_t id, const Output& output);

/// An edge between layers.
struct Edge {
    std::size_t from_layer, from_port, to_layer, to_port;
};
/// Appends `<edges>`, sorted.
void write_edges(std::vector<Edge> edges, pugi::xml_node net);

/// Appends `<data>` with the op's attributes, if there are any.
void write_attributes(const Node& node, pugi::xml_node layer);
/// The names of a Result's tensor, which has no port.
void write_result_names(const Output& result, pugi::xml_node layer);
/// Adds the elements to the weights, and appends `<data>` that says where they are.
void write_constant(const Tensor& value, WeightsWriter& weights, pugi::xml_node layer);

// Run-time information: facts about nodes and the whole net that ops don't read.

using RtInfo = std::map<std::string, std::string>;

/// Reads a layer's `<attribute name version="0" value />` elements as name -> value ("" if there
/// is no value). Attributes of other forms are skipped, as OpenVINO skips those it doesn't know.
RtInfo read_layer_rt_info(pugi::xml_node layer);

/// Adds `<rt_info>` to a layer unless `info` is empty.
void write_layer_rt_info(const RtInfo& info, pugi::xml_node layer);

/// Reads the net's tree of `<key value>` elements; nested keys are joined by '/'.
RtInfo read_net_rt_info(pugi::xml_node net);

/// Adds `<rt_info>` to the net, even if `info` is empty.
void write_net_rt_info(const RtInfo& info, pugi::xml_node net);

// A port's tensor names as one text: sorted, joined by commas, a comma inside written as "\,".

/// Throws ModelError for names that the format can't distinguish: a name ending in a backslash
/// before another name.
std::string join_tensor_names(const std::set<std::string>& names);

/// Blanks belong to the names; empty names are dropped.
std::set<std::string> split_tensor_names(std::string_view text);

}  // namespace rondo::ir
