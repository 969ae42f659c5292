#include "plugins/cpu/plugin/plan/packed_reads.hpp"

#include "core/graph/reloadable_tensor.hpp"
#include "core/ops/recurrent/held_weights.hpp"
#include "plugins/cpu/ops/compressed_matrix.hpp"
#include "plugins/cpu/ops/scaled_weights.hpp"

namespace rondo::cpu {

// Its result is never computed: its readers look at its inputs. Ops of joined layers are no steps.
bool PackedReads::says_how_stored(const Node& node) const {
    return !is_step_(node) || as_op<StoredWeights>(node) != nullptr ||
           as_op<CompressedMatrix>(node) != nullptr ||
           dynamic_cast<const ops::HeldWeights*>(&node) != nullptr;
}

bool PackedReads::are_all_packed(const Node& source) const {
    for (std::size_t i = 0; i < source.output_count(); ++i) {
        for (const Consumer& reader : source.consumers(i)) {
            if (!packed_.contains({reader.node, reader.input})) return false;
        }
    }
    return true;
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
