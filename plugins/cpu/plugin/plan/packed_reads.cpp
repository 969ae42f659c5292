#include "plugins/cpu/plugin/plan/packed_reads.hpp"

#include <algorithm>

#include "core/graph/reloadable_tensor.hpp"
#include "core/ops/recurrent/held_weights.hpp"
#include "plugins/cpu/ops/scaled_weights.hpp"

namespace rondo::cpu {
namespace {

// Its result is never computed: its readers look at its inputs.
bool says_how_stored(const Node& node) {
    return as_op<StoredWeights>(node) != nullptr ||
           dynamic_cast<const ops::HeldWeights*>(&node) != nullptr;
}

}  // namespace

bool PackedReads::are_all_packed(const Node& source) const {
    const Consumers& readers = source.consumers(0);
    return std::all_of(readers.begin(), readers.end(), [&](const Consumer& reader) {
        return packed_.contains({reader.node, reader.input});
    });
}

void PackedReads::add(const ReadPort& port, Constants& unread) {
    const Output& source = port.op->input(port.input);
    if (!packed_.insert(port).second || !are_all_packed(source.node())) return;
    if (auto constant = as<ops::Constant>(source)) {
        const bool is_large = constant->value().byte_size() >= kWorthReleasing;
        if (is_large && !constant->is_released()) unread.push_back(std::move(constant));
    } else if (says_how_stored(source.node())) {
        for (std::size_t i = 0; i < source.node().inputs().size(); ++i) {
            add({&source.node(), i}, unread);
        }
    }
}

PackedReads::Constants PackedReads::add(const std::vector<ReadPort>& ports) {
    Constants unread;
    for (const ReadPort& port : ports) add(port, unread);
    return unread;
}

}  // namespace rondo::cpu
