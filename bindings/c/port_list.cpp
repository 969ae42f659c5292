#include "bindings/c/port_list.hpp"

#include <algorithm>
#include <memory>

#include "bindings/c/handles.hpp"
#include "rondo/error.hpp"

namespace rondo::c {

Port::Port(PortInfo port) : port_(std::move(port)), shape_(to_string(port_.shape)), info_{} {
    for (const std::string& name : port_.names) names_.push_back(name.c_str());
    for (const Dimension& extent : port_.shape.dimensions()) {
        min_.push_back(extent.min());
        max_.push_back(extent.max());
    }
    info_.names = names_.data();
    info_.name_count = names_.size();
    info_.name = names_.empty() ? "" : names_.front();
    info_.element_type = element_type(port_.element_type);
    info_.rank = port_.shape.has_rank() ? static_cast<std::int64_t>(min_.size()) : -1;
    info_.min = min_.data();
    info_.max = max_.data();
    info_.shape = shape_.c_str();
}

rondo_port_list_t* port_list(const std::vector<PortInfo>& ports) {
    auto list = std::make_unique<rondo_port_list>();
    for (const PortInfo& port : ports) list->entries.emplace_back(port);
    return list.release();
}

std::size_t index_of(const std::vector<PortInfo>& ports, const std::string& name) {
    const auto at = std::find_if(ports.begin(), ports.end(), [&](const PortInfo& port) {
        return std::find(port.names.begin(), port.names.end(), name) != port.names.end();
    });
    if (at == ports.end()) throw InternalError("port '" + name + "' was found, but isn't listed");
    return static_cast<std::size_t>(at - ports.begin());
}

}  // namespace rondo::c

using namespace rondo::c;

size_t rondo_port_list_size(const rondo_port_list_t* list) { return entry_count(list); }

const rondo_port_info_t* rondo_port_list_at(const rondo_port_list_t* list, size_t index) {
    const Port* port = entry_at(list, index);
    return port == nullptr ? nullptr : &port->info();
}

void rondo_port_list_free(rondo_port_list_t* list) { delete list; }
