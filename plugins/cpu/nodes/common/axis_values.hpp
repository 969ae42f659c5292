// Reads axes and indices that are known only when the call runs, and throws their errors.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "core/graph/node.hpp"
#include "core/support/visit_type.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {

/// Some ops have a known shape for any valid axis: ReduceMean of [1,1], Gather of a vector. Their
/// calls only have to refuse an axis that is out of range.
class AxisValues {
public:
    /// `axes`: an integer input; `rank`: of the data.
    AxisValues(const TensorInfo& axes, std::size_t rank)
        : type_(axes.type),
          rank_(static_cast<std::int64_t>(rank)),
          count_(axes.value ? 0 : static_cast<std::int64_t>(element_count(axes.shape))) {}

    /// Throws ModelError naming the node for an axis outside [-rank, rank). Does nothing if the
    /// axes were known before.
    void check(const Node& node, const void* axes) const {
        if (count_ == 0) return;
        visit_integer(type_, [&](auto tag) {
            const auto* values = static_cast<const tag_type<decltype(tag)>*>(axes);
            for (std::int64_t i = 0; i < count_; ++i) {
                if (!std::cmp_less(values[i], -rank_) && std::cmp_less(values[i], rank_)) continue;
                throw ModelError(describe(node) + ": axis " + std::to_string(values[i]) +
                                 " is out of range for rank " + std::to_string(rank_));
            }
        });
    }

private:
    ElementType type_;
    std::int64_t rank_;
    std::int64_t count_;
};

/// Throws ModelError naming the node and the index at `place` among `indices`, which have an
/// integer type: u64 may be above the range of i64.
[[noreturn]] inline void throw_bad_index(const Node& node, ElementType type, const void* indices,
                                         std::int64_t place, std::int64_t extent) {
    const std::string text = visit_integer(type, [&](auto tag) {
        return std::to_string(static_cast<const tag_type<decltype(tag)>*>(indices)[place]);
    });
    throw ModelError(describe(node) + ": index " + text +
                     " is out of range for an axis of extent " + std::to_string(extent));
}

}  // namespace rondo::cpu
