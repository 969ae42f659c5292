// Ports as the C API shows them: plain structs that point into what the list owns.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "rondo/c/model.h"
#include "rondo/model.hpp"

namespace rondo::c {

/// One port with everything its struct points to: never moved.
class Port {
public:
    explicit Port(PortInfo port);
    Port(const Port&) = delete;
    Port& operator=(const Port&) = delete;

    const rondo_port_info_t& info() const { return info_; }

private:
    PortInfo port_;
    std::vector<const char*> names_;
    std::vector<std::int64_t> min_;
    std::vector<std::int64_t> max_;
    std::string shape_;
    rondo_port_info_t info_;
};

/// Fills a list for the caller.
rondo_port_list_t* port_list(const std::vector<PortInfo>& ports);

/// The index of the port with this name, which must exist.
std::size_t index_of(const std::vector<PortInfo>& ports, const std::string& name);

}  // namespace rondo::c

/// A deque, since its entries stay where they are.
struct rondo_port_list {
    std::deque<rondo::c::Port> entries;
};
