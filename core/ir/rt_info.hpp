// Run-time information: facts about nodes and the whole net that ops don't read.
#pragma once

#include <map>
#include <string>

#include <pugixml.hpp>

namespace rondo::ir {

using RtInfo = std::map<std::string, std::string>;

/// Reads a layer's `<attribute name version="0" value />` elements as name -> value ("" where there
/// is no value). Attributes of other forms are skipped, as OpenVINO skips those it doesn't know.
RtInfo read_layer_rt_info(pugi::xml_node layer);

/// Adds `<rt_info>` to a layer; nothing where `info` is empty.
void write_layer_rt_info(const RtInfo& info, pugi::xml_node layer);

/// Reads the net's tree of `<key value>` elements; nested keys are joined by '/'.
RtInfo read_net_rt_info(pugi::xml_node net);

/// Adds `<rt_info>` to the net, also where `info` is empty.
void write_net_rt_info(const RtInfo& info, pugi::xml_node net);

}  // namespace rondo::ir
