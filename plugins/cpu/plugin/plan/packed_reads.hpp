// Which constants nothing reads any more, since all of their readers have packed them.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "core/ops/source/source_ops.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

class PackedReads {
public:
    using Constants = std::vector<std::shared_ptr<ops::Constant>>;

    /// `is_step`: says of a node whether the program runs it.
    explicit PackedReads(std::function<bool(const Node&)> is_step) : is_step_(std::move(is_step)) {}

    /// Notes that these inputs are packed. Returns the large constants that no other input reads:
    /// directly, or through ops which only say how weights are stored.
    Constants add(const std::vector<ReadPort>& ports);

private:
    bool says_how_stored(const Node& node) const;
    bool are_all_packed(const Node& source) const;
    void add(const ReadPort& port, Constants& unread);

    std::function<bool(const Node&)> is_step_;
    std::set<ReadPort> packed_;
};

}  // namespace rondo::cpu
